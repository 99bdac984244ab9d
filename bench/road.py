#!/usr/bin/env python3
"""The whole road beside its limits, in one run on one machine.

usage: road.py BUILD_DIR [SIZE=1G] [--work DIR]      BUILD_DIR: build/release, with engine_bench and inflate_bench

A log of SIZE is read plain and as .tar.gz by the whole program (start, compiling the patterns, reading, report), on one
thread and on all. Beside it: hs_scan alone over the same bytes with the same databases, and ISA-L and zlib
inflating the same archive and nothing else. First all reports must agree; then times are compared. One thread
is measured in processor time, so that other work on the machine counts less; all threads in wall time. Every
figure is the best of three.
"""
import argparse, json, os, re, resource, subprocess, sys, tempfile, time, zlib

def run(command):
    """(wall seconds, processor seconds, peak MiB) of the best of three; fails when the command does."""
    best = None
    for _ in range(3):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) != 0: sys.exit("failed: " + " ".join(command))
        row = (time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
        best = row if best is None else tuple(min(a, b) for a, b in zip(best, row))
    return best

def figure(command, pattern):
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(re.search(pattern, text).group(1))

def zlib_alone(path):
    with open(path, "rb") as f: data = f.read()
    best = 0
    for _ in range(3):
        start, out, total = time.process_time(), zlib.decompressobj(31), 0
        for at in range(0, len(data), 1 << 18): total += len(out.decompress(data[at:at + (1 << 18)]))
        best = max(best, total / 1e6 / (time.process_time() - start))
    return best

def answer(path):
    """What a report says, without what must differ between the two inputs: names, offsets and sizes."""
    with open(path) as f: report = json.load(f)
    return [(f["kind"], f["pattern"], f["count"], [i["line"] for i in f["instances"]]) for f in report["findings"]]

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build"); parser.add_argument("size", nargs="?", default="1G"); parser.add_argument("--work")
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    work = options.work or tempfile.mkdtemp(prefix="faultline-road-")
    log, archive = os.path.join(work, "job.log"), os.path.join(work, "job.tar.gz")
    if not os.path.exists(archive):
        subprocess.run([sys.executable, os.path.join(here, "make_log.py"), options.size, log, "--tar-gz", archive], check=True)
    size = os.path.getsize(log) / 1e6
    threads = str(os.cpu_count())
    rows, answers = [], []
    for path in (log, archive):
        for jobs in ("1", threads):
            out = os.path.join(work, "report.json")
            wall, cpu, peak = run([os.path.join(options.build, "faultline"), "analyze", "--fail-on", "never", "-q", "-j", jobs,
                                   "--format", "json", "-o", out, path])
            rows.append((os.path.basename(path), jobs, size / (cpu if jobs == "1" else wall), peak))
            answers.append(answer(out))
    if any(a != answers[0] for a in answers): sys.exit("the reports differ: nothing is compared")
    raw = figure([os.path.join(options.build, "bench/engine_bench"), str(int(size) >> 0 if size < 256 else 256), log], r"scan_raw +(\d+) MB/s")
    isal = 1000 * figure([os.path.join(options.build, "bench/inflate_bench"), archive], r"([\d.]+) GB/s")
    inflate = zlib_alone(archive)
    print("hs_scan alone %.0f MB/s, ISA-L alone %.0f MB/s, zlib alone %.0f MB/s (expanded bytes, one core)\n" % (raw, isal, inflate))
    print("| input | threads | MB/s | of hs_scan | of ISA-L | of zlib | peak MiB |\n|---|---|---|---|---|---|---|")
    for name, jobs, speed, peak in rows:
        packed = name.endswith(".gz")
        print("| %s | %s | %.0f | %.2f | %s | %s | %.0f |" % (name, jobs, speed, speed / raw, "%.2f" % (speed / isal) if packed else "",
                                                          "%.2f" % (speed / inflate) if packed else "", peak))

if __name__ == "__main__":
    main()
