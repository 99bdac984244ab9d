#!/usr/bin/env python3
"""Writes a training log of SIZE bytes: what a multi-rank job prints when all is well, with a failure at its end.

usage: make_log.py SIZE OUT [--tar-gz OUT2] [--seed N]      SIZE: 64M, 1G

Deterministic. Lines are of the forms real stacks print (NCCL INFO init, Megatron iterations, tqdm, warnings, Python logging), with
invented values; about one line in 2,000 is one that a pattern matches.
"""
import argparse, io, random, tarfile, gzip

UNITS = {"K": 10, "M": 20, "G": 30}

def size_of(text):
    return int(text[:-1]) << UNITS[text[-1].upper()] if text[-1].upper() in UNITS else int(text)

def block(rng, start_step, lines):
    out = []
    for i in range(lines):
        step, rank = start_step + i // 16, i % 16
        kind = rng.randrange(2000)
        if kind == 0:
            out.append("ip-10-1-0-%d:4242:4301 [%d] NCCL INFO Channel %02d/0 : %d[%d] -> %d[%d] via P2P/CUMEM" %
                       (11 + rank // 8, rank % 8, rng.randrange(24), rank, rank % 8, (rank + 1) % 16, (rank + 1) % 8))
        elif kind < 3:
            out.append("[rank%d]:[W101 10:%02d:%02d.%09d socket.cpp:%d] [c10d] waiting for clients, %d of 16 joined" %
                       (rank, step // 60 % 60, step % 60, rng.randrange(10**9), rng.randrange(900), rng.randrange(16)))
        elif kind < 700:
            out.append(" [2026-01-01 10:%02d:%02d] iteration %8d/  500000 | consumed samples: %12d | elapsed time per iteration (ms): %.1f | "
                       "learning rate: %.3E | global batch size:  1024 | lm loss: %.6E | grad norm: %.3f |" %
                       (step // 60 % 60, step % 60, step, step * 1024, 3000 + rng.random() * 40, 1e-4, 2 + rng.random(), rng.random()))
        elif kind < 1400:
            out.append("2026-01-01 10:%02d:%02d,%03d - trainer.data - INFO - rank %d: shard %06d of dataset loaded, %d samples, checksum %016x" %
                       (step // 60 % 60, step % 60, rng.randrange(1000), rank, rng.randrange(10**6), rng.randrange(10**5), rng.getrandbits(64)))
        else:
            out.append("[default%d]:  module.layers.%d.attention.weight norm %.6f grad %.6f update ratio %.3e" %
                       (rank % 8, rng.randrange(96), rng.random() * 10, rng.random(), rng.random() * 1e-3))
    return "\n".join(out) + "\n"

TAIL = ("[rank3]:[E101 10:59:59.123456789 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout: "
        "WorkNCCL(SeqNum=4242, OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=600000) ran for 600012 milliseconds "
        "before timing out.\n")

def main():
    p = argparse.ArgumentParser()
    p.add_argument("size"); p.add_argument("out"); p.add_argument("--tar-gz"); p.add_argument("--seed", type=int, default=7)
    a = p.parse_args()
    size, rng, step, written = size_of(a.size), random.Random(a.seed), 0, 0
    # 64 different blocks in shuffled order: long enough that deflate cannot see the repeats (32 KiB window).
    blocks = [block(rng, i * 1000, 8000).encode() for i in range(64)]
    with open(a.out, "wb") as f:
        while written < size - len(TAIL):
            b = blocks[rng.randrange(64)][: size - len(TAIL) - written]
            f.write(b); written += len(b)
        f.write(b"\n" + TAIL.encode())
    if a.tar_gz:
        with open(a.out, "rb") as f, open(a.tar_gz, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, 0) as gz, \
                tarfile.open(fileobj=gz, mode="w|", format=tarfile.PAX_FORMAT) as tar:
            info = tarfile.TarInfo("job/train.log"); info.size = f.seek(0, io.SEEK_END); f.seek(0); info.mtime = 1767265200
            tar.addfile(info, f)

main()
