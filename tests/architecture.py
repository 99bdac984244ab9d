#!/usr/bin/env python3
"""Reads the #include lines of src/ and fails on an arrow that the picture in README forbids.

Floors: base < model < stages < app < cli. Stages (packs ingest decode match extract facts checks correlate report)
are siblings and never include one another. Each foreign library is included in one folder only (fmt aside), and
main.cc alone may use what cli uses. Prints file, line and the rule; exit status 1 if any.
"""
import os, re, sys

ROOT = sys.argv[1] if len(sys.argv) > 1 else "."
SRC = os.path.join(ROOT, "src")
STAGES = {"packs", "ingest", "decode", "match", "extract", "facts", "checks", "correlate", "report"}
ALLOWED = {"base": {"base"}, "model": {"base", "model"}, "app": {"base", "model", "app"} | STAGES,
           "cli": {"base", "model", "app", "cli"}}
for stage in STAGES:
    ALLOWED[stage] = {"base", "model", stage}

# foreign header prefix -> the one folder that may include it
FOREIGN = {"hs/": "match", "re2/": "extract", "simdjson.h": "base", "archive.h": "ingest", "archive_entry.h": "ingest",
           "isa-l": "ingest", "toml++/": "packs", "CLI/": "cli", "sqlite3.h": "report",
           "seccomp.h": "app", "lz4": "decode", "lzma.h": "decode", "tl/": "base", "pugixml": "facts"}
# zstd has two masters: ingest inflates artifacts with it, decode the data objects of binary journals.
SHARED = {"zstd.h": {"ingest", "decode"}}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
LONGEST = 600  # lines of one file; aim at 120, split at 400

def folder_rule(folder, target):
    first = target.split("/")[0]
    if first in ALLOWED and first not in ALLOWED[folder]:
        return "%s/ may not include %s/ (allowed: %s)" % (folder, first, ", ".join(sorted(ALLOWED[folder])))
    return None

def foreign_rule(folder, target):
    for prefix, owner in FOREIGN.items():
        if target.startswith(prefix) and folder != owner:
            return "<%s> belongs to %s/ alone" % (target, owner)
    for prefix, owners in SHARED.items():
        if target.startswith(prefix) and folder not in owners:
            return "<%s> belongs to %s" % (target, ", ".join(sorted(owners)))
    return None

def main():
    bad, files = [], 0
    for path, _, names in sorted(os.walk(SRC)):
        for name in sorted(names):
            if not name.endswith((".h", ".cc")): continue
            files += 1
            full = os.path.join(path, name)
            folder = os.path.relpath(full, SRC).split(os.sep)[0]
            if folder not in ALLOWED:
                bad.append("%s: folder %s is not in the picture" % (full, folder)); continue
            lines = open(full, encoding="utf-8").read().splitlines()
            if len(lines) > LONGEST: bad.append("%s: %d lines; split at 400" % (full, len(lines)))
            if name.endswith(".h") and "#pragma once" not in lines[:3]: bad.append("%s: no #pragma once" % full)
            for number, line in enumerate(lines, 1):
                if name.endswith(".h") and re.match(r"\s*using namespace", line):
                    bad.append("%s:%d: using namespace in a header" % (full, number))
                found = INCLUDE.match(line)
                if not found: continue
                rule = folder_rule(folder, found.group(2)) if found.group(1) == '"' else foreign_rule(folder, found.group(2))
                if found.group(1) == '"' and not os.path.exists(os.path.join(SRC, found.group(2))):
                    rule = rule or "no such file below src/"
                if rule: bad.append("%s:%d: %s" % (full, number, rule))
    print("\n".join(bad) if bad else "architecture: %d files, no forbidden arrow" % files)
    return 1 if bad or files == 0 else 0

sys.exit(main())
