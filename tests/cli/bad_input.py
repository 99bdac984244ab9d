#!/usr/bin/env python3
"""What bad input gets: a clear message, the right exit code, and nothing lost silently. Runs the real binary.

usage: bad_input.py BINARY          Every input is built here, from bytes.
"""
import gzip, io, json, os, resource, signal, socket, struct, subprocess, sys, tarfile, tempfile, time, unittest, zipfile, zlib

BINARY = os.path.abspath(sys.argv.pop(1))
with open(BINARY, "rb") as binary: SANITIZED = b"__asan_init" in binary.read()
XID = b"[ 8123.401000] NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, name=python, GPU has fallen off the bus.\n"
NOISE = b"".join(b"[ %4d.000000] usb 1-1: new high-speed USB device number %d using xhci_hcd\n" % (i, i % 128) for i in range(4000))

class Run:
    def __init__(self, *args, stdin=None, env=None, **kw):
        p = subprocess.run([BINARY, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, env=env, **kw)
        self.code, self.out, self.err = p.returncode, p.stdout, p.stderr.decode("utf-8", "replace")
    def report(self): return json.loads(self.out)

def analyze(*paths, **kw):
    return Run("analyze", "--format", "json", *paths, **kw)

def text_of(path):
    with open(path, errors="replace") as f: return f.read()

def kinds(report): return [f["kind"] for f in report["findings"]]
def rows(report): return report["coverage"]["artifacts"]
def row(report, end): return next(r for r in rows(report) if r["chain"].endswith(end))

def tar_bytes(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, data in members:
            info = tarfile.TarInfo(name); info.size = len(data); tar.addfile(info, io.BytesIO(data))
    return out.getvalue()

def zip_bytes(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in members: z.writestr(name, data)
    return out.getvalue()

def encrypted_zip(name, data):
    """A zip with one member whose encryption bit is set (traditional, 12-byte header; the bytes do not matter)."""
    body = os.urandom(12) + zlib.compress(data)[2:-4]
    local = struct.pack("<IHHHHHIIIHH", 0x04034b50, 20, 1, 8, 0, 0x21, zlib.crc32(data), len(body), len(data), len(name), 0) + name
    central = struct.pack("<IHHHHHHIIIHHHHHII", 0x02014b50, 20, 20, 1, 8, 0, 0x21, zlib.crc32(data), len(body), len(data),
                          len(name), 0, 0, 0, 0, 0, 0) + name
    end = struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 1, 1, len(central), len(local) + len(body), 0)
    return local + body + central + end

class BadInput(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.TemporaryDirectory(); self.addCleanup(self.dir.cleanup)
    def file(self, name, data):
        path = os.path.join(self.dir.name, name); os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f: f.write(data)
        return path

    def test_no_argument_says_how_to_get_help(self):
        r = Run()
        self.assertEqual(r.code, 2); self.assertIn("--help", r.err); self.assertEqual(r.out, b"")

    def test_unknown_option_is_a_usage_error(self):
        r = Run("--no-such-option", "x")
        self.assertEqual(r.code, 2); self.assertIn("no-such-option", r.err)

    def test_options_take_one_word_wherever_they_stand(self):
        path = self.file("kern.log", XID); out = os.path.join(self.dir.name, "o.json")
        for words in (["--format", "json", path, "-o", out], ["--format", "json", "-o", out, path],
                      [path, "-o", out, "--format", "json"], ["-o", out, path, "--rank", "1,2"]):
            r = Run("analyze", "--fail-on", "never", *words)
            self.assertEqual((r.code, r.out), (0, b""), r.err)
            self.assertIn("gpu_xid", kinds(json.loads(text_of(out)))); os.remove(out)

    def test_missing_path_is_named(self):
        r = Run(os.path.join(self.dir.name, "not-there.zip"))
        self.assertEqual(r.code, 3); self.assertIn("not-there.zip", r.err)

    def test_truncated_gzip_gives_what_came_before_the_cut(self):
        whole = gzip.compress(XID + os.urandom(50000).hex().encode() + b"\n" + NOISE)
        r = analyze(self.file("kern.log.gz", whole[: len(whole) * 7 // 10]))
        self.assertEqual(r.code, 1); self.assertIn("gpu_xid", kinds(r.report()))
        cut = row(r.report(), "kern.log.gz")
        self.assertEqual(cut["state"], "partial"); self.assertIn("cut at", cut["reason"]); self.assertGreater(cut["bytes"], 1000)

    def test_encrypted_zip_member_is_skipped_with_its_reason(self):
        r = analyze(self.file("case.zip", encrypted_zip(b"kern.log", XID * 20)))
        self.assertEqual(r.code, 3)
        member = row(r.report(), "kern.log")
        self.assertEqual(member["state"], "skipped"); self.assertIn("encrypt", member["reason"].lower())

    def test_what_is_locked_or_broken_is_not_counted_as_a_kind_that_is_never_read(self):
        self.file("case.zip", encrypted_zip(b"kern.log", XID * 20)); self.file("noise.log", NOISE)
        text = " ".join(Run("--color", "never", self.dir.name).out.decode().split())
        self.assertIn("1 skipped", text); self.assertNotIn("kinds that are never read", text)

    def test_damaged_zip_member_does_not_end_the_zip(self):
        blob = bytearray(zip_bytes([("a.log", NOISE), ("x.log", os.urandom(9000).hex().encode()), ("kern.log", XID)]))
        at = blob.find(b"x.log") + 2000; blob[at : at + 60] = b"\xff" * 60
        for r in (analyze(self.file("case.zip", bytes(blob))), analyze("-", stdin=bytes(blob))):  # by its table, and as a stream
            self.assertEqual(r.code, 1); self.assertIn("gpu_xid", kinds(r.report()))
            self.assertEqual(row(r.report(), "kern.log")["state"], "scanned")
            self.assertTrue(row(r.report(), "x.log")["reason"])
            archive = next(x for x in rows(r.report()) if x["kind"] == "archive")
            self.assertEqual(archive["state"], "partial"); self.assertIn("read on behind damage 1 times", archive["notes"])

    def test_zip_member_whose_checksum_does_not_fit_is_partial(self):
        blob = zip_bytes([("kern.log", XID)]); crc = struct.pack("<I", zlib.crc32(XID))
        r = analyze(self.file("case.zip", blob.replace(crc, b"abcd")))
        self.assertEqual(r.code, 1); self.assertIn("gpu_xid", kinds(r.report()))
        self.assertEqual(row(r.report(), "kern.log")["state"], "partial"); self.assertIn("CRC", row(r.report(), "kern.log")["reason"])

    def test_tar_with_dotdot_names_is_read_and_writes_nothing(self):
        before = sorted(os.listdir(self.dir.name))
        path = self.file("b/evil.tar", tar_bytes([("../../escape.log", XID), ("/etc/absolute.log", NOISE)]))
        r = analyze(path)
        self.assertEqual(r.code, 1); self.assertIn("gpu_xid", kinds(r.report()))
        self.assertEqual(sorted(os.listdir(self.dir.name)), sorted(before + ["b"]))
        self.assertEqual(os.listdir(os.path.join(self.dir.name, "b")), ["evil.tar"])

    def test_one_line_of_100_megabytes_stays_in_memory_bounds(self):
        path = os.path.join(self.dir.name, "one-line.log")
        with open(path, "wb") as f:
            for _ in range(100): f.write(b"x" * (1 << 20))
            f.write(b" " + XID)
        r = analyze(path)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10  # MiB, of the largest child so far
        self.assertLess(peak, 1500 if SANITIZED else 256)
        self.assertEqual(r.code, 1, r.err); self.assertIn("gpu_xid", kinds(r.report()))
        notes = " ".join(row(r.report(), "one-line.log").get("notes", []))
        self.assertIn("line", notes)

    def test_utf16_log_is_read_as_text(self):
        r = analyze(self.file("pods.log", b"\xff\xfe" + (NOISE + XID).decode().replace("\n", "\r\n").encode("utf-16-le")))
        self.assertEqual(r.code, 1); self.assertIn("gpu_xid", kinds(r.report()))
        self.assertEqual(next(f for f in r.report()["findings"] if f["kind"] == "gpu_xid")["instances"][0]["line"], 4001)

    def test_directory_without_a_single_log_is_nothing_readable(self):
        os.makedirs(os.path.join(self.dir.name, "empty/deeper"))
        r = Run(os.path.join(self.dir.name, "empty"))
        self.assertEqual(r.code, 3); self.assertIn("nothing", r.err)

    def test_unreadable_file_is_a_row_with_its_reason(self):
        os.symlink("/nowhere/at/all.log", os.path.join(self.dir.name, "dangling.log"))
        self.file("kern.log", XID)
        r = analyze(self.dir.name)
        self.assertEqual(r.code, 1)
        self.assertEqual(row(r.report(), "dangling.log")["state"], "skipped"); self.assertTrue(row(r.report(), "dangling.log")["reason"])

    def test_file_without_permission_is_a_row_with_its_reason(self):
        os.chmod(self.file("secret.log", XID), 0); os.chmod(self.dir.name, 0o755)
        other = {"user": 65534} if os.geteuid() == 0 else {}  # root may read everything
        r = analyze(self.dir.name, **other)
        self.assertEqual(r.code, 3); self.assertIn("ermission", row(r.report(), "secret.log")["reason"])

    def test_fifo_is_skipped_and_never_opened(self):
        os.mkfifo(os.path.join(self.dir.name, "pipe")); self.file("kern.log", XID)
        r = analyze(self.dir.name)
        self.assertEqual(r.code, 1); self.assertEqual(row(r.report(), "pipe")["state"], "skipped")

    def test_garbage_is_skipped_as_binary(self):
        r = analyze(self.file("core.bin", os.urandom(200000)))
        self.assertEqual(r.code, 3); self.assertEqual(row(r.report(), "core.bin")["state"], "skipped")

    def test_bad_member_does_not_end_the_run(self):
        inner = gzip.compress(tar_bytes([("a.log", NOISE)]))
        r = analyze(self.file("all.tar", tar_bytes([("cut.tar.gz", inner[: len(inner) // 2]), ("good/kern.log", XID)])))
        self.assertEqual(r.code, 1); self.assertIn("gpu_xid", kinds(r.report()))
        self.assertTrue(any(x["state"] == "partial" for x in rows(r.report())))

    def test_strict_gives_3_when_something_was_cut(self):
        whole = gzip.compress(NOISE); path = self.file("n.log.gz", whole[: len(whole) // 2])
        self.assertEqual(Run("--strict", "--fail-on", "never", path).code, 3)
        self.assertEqual(Run("--fail-on", "never", path).code, 0)

    def test_standard_input_is_an_input(self):
        r = analyze("-", stdin=gzip.compress(XID))
        self.assertEqual(r.code, 1); self.assertIn("gpu_xid", kinds(r.report()))

    def test_output_that_cannot_be_written_is_exit_2_and_leaves_nothing(self):
        path = self.file("kern.log", XID)
        r = Run("--format", "json", "-o", os.path.join(self.dir.name, "no/such/dir/r.json"), path)
        self.assertEqual(r.code, 2); self.assertIn("r.json", r.err)
        out = os.path.join(self.dir.name, "r.json")
        self.assertEqual(Run("-o", out, path).code, 1)
        self.assertIn("gpu_xid", kinds(json.loads(text_of(out))))
        self.assertFalse([n for n in os.listdir(self.dir.name) if ".part" in n])
        if os.path.exists("/dev/full"):
            full = Run("-o", "/dev/full", path)
            self.assertEqual(full.code, 2); self.assertIn("/dev/full", full.err)

    def test_output_never_takes_the_place_of_an_input(self):
        path = self.file("logs/kern.log", XID); other = os.path.join(self.dir.name, "same.log"); os.link(path, other)
        for out, given in ((path, path), (other, path), (path, os.path.dirname(path))):
            for verb in ("analyze", "scan", "timeline"):
                r = Run(verb, "-o", out, given)
                self.assertEqual(r.code, 2); self.assertIn("one of the inputs", r.err)
                self.assertEqual(text_of(path).encode(), XID)
        self.assertEqual(Run("-o", os.path.join(self.dir.name, "logs/new.txt"), os.path.dirname(path)).code, 1)
        self.assertEqual(Run("-o", "", path).code, 2)

    def test_mistakes_in_options_name_what_is_allowed(self):
        path = self.file("kern.log", XID)
        for args, words in ((("--fail-on", "P7"), "'P7' is none of P0, P1, P2, never"), (("--rank", "a,1"), "'a' is no rank"),
                            (("--color", "blue"), "'blue' is none of auto, always, never"), (("--jobs", "0"), "1")):
            r = Run(*args, path)
            self.assertEqual(r.code, 2); self.assertIn(words, r.err); self.assertNotIn("->", r.err)
        self.assertEqual(Run("--fail-on", "never", path).code, 0); self.assertEqual(Run("--fail-on", "p0", path).code, 1)
        self.assertNotIn(b"->", Run("analyze", "--help").out); self.assertEqual(Run("help").code, 0)

    def test_explain_takes_what_a_report_prints_and_guesses_at_typos(self):
        section = Run("explain", "references/node-hardware.md#6").out
        self.assertTrue(section.startswith(b"## 6."))
        for pasted in ("references/node-hardware.md \u00a7 6", "node-hardware.md \u00a7 6", "node-hardware.md#6"):
            self.assertEqual(Run("explain", pasted).out, section)
        self.assertEqual(Run("explain", "GPU.XID.79").out, Run("explain", "gpu.xid.79").out)
        r = Run("explain", "gpu.xdi.79"); self.assertEqual(r.code, 2); self.assertIn("did you mean gpu.xid.79?", r.err)
        r = Run("explain", "qqqqqqqqqq"); self.assertEqual(r.code, 2); self.assertIn("packs list", r.err)

    def test_packs_test_says_when_there_is_nothing_to_show(self):
        self.assertIn("no pattern matches", Run("packs", "test", self.file("a.txt", b"hello\n")).out.decode())
        r = Run("packs", "test", self.dir.name); self.assertEqual(r.code, 2); self.assertIn("is a directory", r.err)

    def test_verdict_when_nothing_was_read_does_not_speak_of_failures(self):
        r = Run(self.file("empty.log", b"")); self.assertEqual(r.code, 3)
        self.assertIn(b"nothing could be read", r.out); self.assertNotIn(b"no failure found", r.out)

    def test_our_own_reports_are_no_evidence(self):
        log = self.file("logs/kern.log", XID); out = os.path.join(self.dir.name, "reports"); os.makedirs(out)
        for verb, name, args in (("analyze", "r.txt", ()), ("analyze", "q.txt", ("-q",)), ("analyze", "r.json", ()), ("analyze", "r.ndjson", ()),
                                 ("timeline", "t.txt", ()), ("scan", "events.ndjson", ())):
            Run(verb, *args, "-o", os.path.join(out, name), log)
            self.assertIn("fallen off the bus" if verb == "scan" else "0000:3b:00", text_of(os.path.join(out, name)))
        r = analyze(out)
        self.assertEqual((r.code, kinds(r.report())), (0, []))
        self.assertEqual({x["kind"] for x in rows(r.report())}, {"report of another diagnostic"})

    def test_formats_and_outputs_pair_up(self):
        path = self.file("kern.log", XID); a, b = (os.path.join(self.dir.name, n) for n in ("a.json", "b.txt"))
        self.assertEqual(Run("--format", "json", "-o", a, "--format", "text", "-o", b, path).code, 1)
        json.loads(text_of(a)); self.assertIn("0000:3b:00", text_of(b))
        self.assertEqual(Run("--format", "json", "--format", "text", path).code, 2)

    def test_bad_pack_stops_before_any_input_is_read(self):
        self.file("packs/broken.toml", b'schema = 1\narea = "broken"\nabout = "x"\n[[pattern]]\nidd = "broken.a.b"\n')
        r = Run("--packs", os.path.join(self.dir.name, "packs"), "-", stdin=XID)
        self.assertEqual(r.code, 2); self.assertIn("broken.toml:5", r.err); self.assertIn("idd", r.err)

    def test_escapes_in_a_log_never_reach_the_terminal(self):
        path = self.file("kern\x1b[31m.log", XID.replace(b"name=python", b"name=\x1b]0;owned\x07py\xe2\x80\xaethon"))
        raw = analyze(path, self.file("c1\u009b31m\u202e.log", XID)).out.decode()
        self.assertFalse(set(raw) & set("\x1b\x07\u009b\u202e")); self.assertTrue(any("\u202e" in r["chain"] for r in rows(json.loads(raw))))
        for args in ((), ("--color", "always"), ("timeline",)):
            out = Run(*args, path) if args != ("timeline",) else Run("timeline", path)
            self.assertNotIn(b"\x1b]", out.out); self.assertNotIn(b"\x07", out.out); self.assertNotIn("\u202e".encode(), out.out)
            self.assertNotIn(b"\x1b[31m.log", out.out)

    def test_secrets_are_masked_in_every_format(self):
        key = "AK" + "IA" + "ABCDEFGHIJKLMNOP"; token = "hf" + "_" + "a1B2" * 9
        text = ("AWS_ACCESS_KEY_ID=%s HF_TOKEN=%s " % (key, token)).encode() + XID
        self.file("kern.log", text)
        self.file("env.txt", ("RANK=0\nWORLD_SIZE=8\nNCCL_DEBUG=INFO\nAWS_ACCESS_KEY_ID=%s\nHF_TOKEN=%s\nHOME=/root\n" % (key, token)).encode())
        for args in (("--format", "json"), ("--format", "text"), ("--format", "ndjson"), ("scan",), ("timeline",)):
            verb = [args[0]] if args[0] in ("scan", "timeline") else list(args)
            out = Run(*verb, self.dir.name).out.decode("utf-8", "replace")
            self.assertNotIn(key, out); self.assertNotIn(token, out)

    def test_same_bytes_whatever_locale_zone_and_threads(self):
        for i in range(12): self.file("n%d/kern.log" % i, NOISE + XID)
        outs = set()
        for env in ({"LANG": "C"}, {"LANG": "ja_JP.UTF-8", "TZ": "Asia/Tokyo", "LC_ALL": "ja_JP.UTF-8"}):
            for jobs in ("1", "2", "7"):
                outs.add(analyze("-j", jobs, self.dir.name, env={**os.environ, **env}).out)
        self.assertEqual(len(outs), 1)

    def test_no_socket_is_created_and_no_process_started(self):
        if subprocess.run(["sh", "-c", "command -v strace"], stdout=subprocess.DEVNULL).returncode != 0:
            self.skipTest("strace is not installed")
        path = self.file("kern.log", XID); trace = os.path.join(self.dir.name, "trace")
        p = subprocess.run(["strace", "-f", "-qq", "-e", "trace=network,process,%creat,open,openat", "-o", trace, BINARY, path],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if not os.path.exists(trace) or os.path.getsize(trace) == 0: self.skipTest("strace cannot trace here")
        text = text_of(trace)
        self.assertNotIn("socket(", text); self.assertNotIn("connect(", text)
        self.assertEqual(text.count("execve("), 1)
        self.assertNotIn("O_CREAT", text); self.assertNotIn("O_WRONLY", text)

    def test_interrupt_gives_a_partial_report(self):
        p = subprocess.Popen([BINARY, "analyze", "--format", "json", "-"], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(40): p.stdin.write(XID + NOISE)  # more than a pipe holds: the reader is at work
        p.stdin.flush(); p.send_signal(signal.SIGINT)
        try:
            for _ in range(40): p.stdin.write(NOISE)
            p.stdin.close()
        except BrokenPipeError: pass
        out, _ = p.stdout.read(), p.stderr.read(); p.wait(timeout=60)
        p.stdout.close(); p.stderr.close()
        report = json.loads(out)
        self.assertTrue(report["coverage"].get("interrupted")); self.assertIn("gpu_xid", kinds(report))
        self.assertEqual(rows(report)[0]["state"], "partial")

if __name__ == "__main__":
    unittest.main(verbosity=1)
