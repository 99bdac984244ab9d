#!/usr/bin/env python3
import re, sys
PATTERNS = {
    "oom": re.compile(r"Out of memory: Killed process (\d+) \((\w+)\)"),
    "nccl": re.compile(r"Watchdog caught collective operation timeout"),
    "cuda": "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB",
}
for line in sys.stdin:
    for name, p in PATTERNS.items():
        if (p in line) if isinstance(p, str) else p.search(line):
            raise RuntimeError("NCCL error in: ProcessGroupNCCL.cpp:1, unhandled system error")
