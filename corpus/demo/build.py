#!/usr/bin/env python3
"""Builds the demo bundles from their recipes: build.py [--healthy] OUTPUT_DIR [slurm] [eks]

A recipe is text. Lines that begin with "@" are directives, all others are the content of the member that is open:

  @include FILE                    another recipe, read here
  @set NAME = EXPRESSION           a value; expressions are Python, with the functions of Vocabulary below
  @file PATH                       opens a member; "a.zip!b/c.tar.gz!d/e.log.gz" nests, the last part may be .gz too
  @gzip                            inside a .gz member: the next line begins a new gzip member (as bug reports have)
  @end                             ends @file, @for, @if, @define, @list
  @for NAME in EXPRESSION          repeats, around members or inside of one
  @if EXPRESSION / @else
  @define NAME ARGUMENTS           lines to be used again inside of members
  @use NAME EXPRESSION, ...
  @list NAME                       its lines read "TIME | text"; gives things with .t, .text and .n (the node of a loop),
                                   sorted by time; TIME is 10:14:05.5 or an expression. "+" after the name adds to it
  @cut PATH PERCENT                keeps that much of a finished archive or file: a broken upload
  {{EXPRESSION}}                   in content and in paths

Output depends on the recipes alone: fixed times in archives, no gzip time, random-looking values from hashes. Tokens
that look like secrets are composed here, so that none stands in the repository.
"""
import datetime, gzip, hashlib, io, os, re, sys, tarfile, types, zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()


class RecipeError(Exception):
    pass


# ---------------------------------------------------------------- the words that recipes may use
class Vocabulary(dict):
    """Times are seconds after midnight UTC of `day`; h("10:14:05.5") makes one."""

    def __init__(self, healthy):
        super().__init__(__builtins__={}, healthy=healthy, range=range, len=len, str=str, int=int, min=min, max=max, sum=sum,
                         enumerate=enumerate)
        for name in ("h iso isoz rfc3339 syslog ctime rfc1123 c10 elastic klog slurm_stamp stamp compact up boot_epoch epoch_ms hexa number "
                     "pick secret thing uuid pad").split():
            self[name] = getattr(self, "_" + name)

    def _moment(self, t):
        micros = round(t * 1e6)
        whole = micros // 1000000
        return datetime.datetime.fromisoformat(self["day"]) + datetime.timedelta(seconds=whole), micros % 1000000

    def _h(self, text):
        hours, minutes, seconds = text.split(":")
        return int(hours) * 3600 + int(minutes) * 60 + float(seconds)

    def _stamp(self, t, form): return self._moment(t)[0].strftime(form)            # English only where no names are used
    def _iso(self, t): return self._stamp(t, "%Y-%m-%dT%H:%M:%S")
    def _compact(self, t): return self._stamp(t, "%Y%m%d_%H%M%S")
    def _isoz(self, t, digits=9):                                                  # 2026-02-17T10:14:05.123456789Z
        return self._iso(t) + ("." + ("%06d000" % self._moment(t)[1])[:digits] if digits else "") + "Z"
    def _rfc3339(self, t): return self._isoz(t, 6)[:-1] + "+00:00"
    def _syslog(self, t):
        d = self._moment(t)[0]
        return "%s %2d %s" % (MONTHS[d.month - 1], d.day, d.strftime("%H:%M:%S"))
    def _ctime(self, t):
        d = self._moment(t)[0]
        return "%s %s %2d %s %d" % (DAYS[d.weekday()], MONTHS[d.month - 1], d.day, d.strftime("%H:%M:%S"), d.year)
    def _rfc1123(self, t):
        d = self._moment(t)[0]
        return "%s, %02d %s %d %s +0000" % (DAYS[d.weekday()], d.day, MONTHS[d.month - 1], d.year, d.strftime("%H:%M:%S"))
    def _c10(self, t):                                                             # 217 10:24:11.482913004
        d, micros = self._moment(t)
        return "%d %s.%06d%03d" % (d.month * 100 + d.day, d.strftime("%H:%M:%S"), micros, micros % 997)
    def _elastic(self, t): return self._stamp(t, "%m%d %H:%M:%S") + ".%03d000" % (self._moment(t)[1] // 1000)
    def _klog(self, t): return self._stamp(t, "%m%d %H:%M:%S") + ".%06d" % self._moment(t)[1]
    def _slurm_stamp(self, t): return self._iso(t) + ".%03d" % (self._moment(t)[1] // 1000)
    def _up(self, node, t): return "%12.6f" % (t - node.boot)                      # seconds since that node's boot
    def _boot_epoch(self, node): return int((self._moment(node.boot)[0] - datetime.datetime(1970, 1, 1)).total_seconds())
    def _epoch_ms(self, t): return int((self._moment(t)[0] - datetime.datetime(1970, 1, 1)).total_seconds() * 1000)

    def _hexa(self, key, digits):
        out = ""
        while len(out) < digits: out += hashlib.sha256(("%s/%d" % (key, len(out))).encode()).hexdigest()
        return out[:digits]
    def _number(self, key, low, high): return low + int(self._hexa(key, 12), 16) % (high - low + 1)
    def _pick(self, key, choices): return choices[self._number(key, 0, len(choices) - 1)]
    def _uuid(self, key):
        x = self._hexa(key, 32)
        return "%s-%s-4%s-8%s-%s" % (x[:8], x[8:12], x[13:16], x[17:20], x[20:32])
    def _pad(self, text, columns): return str(text).ljust(columns)
    def _thing(self, **values): return types.SimpleNamespace(**values)

    def _secret(self, kind):
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        text = lambda n, alphabet: "".join(self._pick("%s%d" % (kind, i), alphabet) for i in range(n))
        if kind == "aws-key-id": return "AK" + "IA" + text(16, letters[:26] + "234567")
        if kind == "aws-secret": return text(40, letters + "/+")
        if kind == "aws-session": return "IQ" + "oJ" + text(180, letters + "/+")
        if kind == "hugging-face": return "h" + "f_" + text(34, letters)
        if kind == "wandb": return text(40, "0123456789abcdef")
        if kind == "github": return "gh" + "p_" + text(36, letters)
        if kind == "password": return text(20, letters)
        raise RecipeError("no such secret: " + kind)


# ---------------------------------------------------------------- recipes
BLOCKS = ("@file", "@for", "@if", "@define", "@list")


class Recipe:
    def __init__(self, vocabulary):
        self.words, self.files, self.cuts, self.macros = vocabulary, {}, {}, {}
        self.listing = None                   # items of the open @list
        self.body = None                      # bytes pieces of the open member: one list a gzip member

    def run(self, path):
        with open(path, encoding="utf-8") as f:
            lines = [(os.path.basename(path), n, line.rstrip("\n")) for n, line in enumerate(f, 1)]
        self.block(lines)

    def value(self, expression, place):
        try: return eval(expression, self.words)
        except Exception as error: raise RecipeError("%s:%d: %s: %s" % (place[0], place[1], expression, error))

    def fill(self, text, place):
        return re.sub(r"\{\{(.+?)\}\}", lambda m: str(self.value(m.group(1), place)), text)

    def split(self, lines, at):
        """The lines of the block that opens at `at`, its @else position or None, and the line after its @end."""
        depth, other = 0, None
        for i in range(at, len(lines)):
            word = lines[i][2].split(" ", 1)[0]
            if word in BLOCKS: depth += 1
            if word == "@else" and depth == 1: other = i
            if word == "@end":
                depth -= 1
                if depth == 0: return lines[at + 1:other or i], lines[other + 1:i] if other else [], i + 1
        raise RecipeError("%s:%d: no @end for this" % lines[at][:2])

    def block(self, lines):
        i = 0
        while i < len(lines):
            place, text = lines[i][:2], lines[i][2]
            if not text.startswith("@"):
                if self.listing is not None: self.listing.append(self.dated(self.fill(text, place), place))
                elif self.body is not None: self.body[-1].append(self.fill(text, place) + "\n")
                elif text.strip() and not text.startswith("#"): raise RecipeError("%s:%d: content outside of @file" % place)
                i += 1
                continue
            word, _, rest = text.partition(" ")
            if word in BLOCKS:
                inner, other, i = self.split(lines, i)
                getattr(self, "do_" + word[1:])(rest, inner, other, place)
            else:
                i += 1
                if word == "@include": self.run(os.path.join(HERE, rest))
                elif word == "@set":
                    name, _, expression = rest.partition("=")
                    self.words[name.strip()] = self.value(expression.strip(), place)
                elif word == "@use": self.do_use(rest, place)
                elif word == "@gzip": self.body.append([])
                elif word == "@cut":
                    path, _, percent = self.fill(rest, place).rpartition(" ")
                    self.cuts[path] = int(percent.rstrip("%"))
                else: raise RecipeError("%s:%d: unknown directive %s" % (*place, word))

    def do_file(self, rest, inner, _, place):
        path = self.fill(rest, place)
        if path in self.files: raise RecipeError("%s:%d: %s is there already" % (*place, path))
        self.body = [[]]
        self.block(inner)
        self.files[path] = ["".join(part).encode() for part in self.body]
        self.body = None

    def do_for(self, rest, inner, _, place):
        name, _, expression = rest.partition(" in ")
        for item in self.value(expression, place):
            self.words[name] = item
            self.block(inner)

    def do_if(self, rest, inner, other, place): self.block(inner if self.value(rest, place) else other)

    def do_define(self, rest, inner, _, place):
        name, _, arguments = rest.partition(" ")
        self.macros[name] = (arguments.split(), inner)

    def dated(self, line, place):
        when, bar, text = line.partition(" | ")
        if not bar: raise RecipeError("%s:%d: a line of @list lacks its time: %s" % (*place, line))
        t = self.words["h"](when) if re.match(r"\d\d:\d\d:\d\d", when) else self.value(when, place)
        return types.SimpleNamespace(t=t, text=text, n=self.words.get("n"))

    def do_list(self, rest, inner, _, place):
        name, _, more = rest.partition(" ")
        self.listing = []
        self.block(inner)
        items, self.listing = self.listing, None
        if more == "+": items = self.words.get(name, []) + items
        self.words[name] = sorted(items, key=lambda item: item.t)

    def do_use(self, rest, place):
        name, _, values = rest.partition(" ")
        if name not in self.macros: raise RecipeError("%s:%d: no @define %s" % (*place, name))
        names, inner = self.macros[name]
        given = self.value("(%s,)" % values, place) if values.strip() else ()
        if len(given) != len(names): raise RecipeError("%s:%d: %s takes %d values" % (*place, name, len(names)))
        before = {n: self.words.get(n) for n in names}
        self.words.update(zip(names, given))
        self.block(inner)
        self.words.update(before)


# ---------------------------------------------------------------- archives
def squeeze(parts):
    out = b""
    for part in parts:
        buffer = io.BytesIO()
        with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0, compresslevel=6) as f: f.write(part)
        out += buffer.getvalue()
    return out


def pack_tar(members, mtime):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size, info.mtime, info.mode, info.uname, info.gname = len(data), mtime, 0o644, "root", "root"
            tar.addfile(info, io.BytesIO(data))
    return squeeze([buffer.getvalue()])


def pack_zip(members, mtime):
    buffer = io.BytesIO()
    date = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=mtime)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, data in members:
            info = zipfile.ZipInfo(name, date.timetuple()[:6])
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(info, data)
    return buffer.getvalue()


def assemble(files, cuts, mtime, prefix=""):
    """Members named "a!b" become members of archive a; returns [(name, bytes)] in the order of first mention."""
    out, inner = {}, {}
    for path, parts in files.items():
        name, bang, rest = path.partition("!")
        if bang: inner.setdefault(name, {})[rest] = parts; out.setdefault(name, None)
        else: out[name] = squeeze(parts) if name.endswith(".gz") else b"".join(parts)
    for name, members in inner.items():
        packed = assemble(members, cuts, mtime, prefix + name + "!")
        out[name] = (pack_zip if name.endswith(".zip") else pack_tar)(packed, mtime)
    for name in out:
        if prefix + name in cuts: out[name] = out[name][:len(out[name]) * cuts[prefix + name] // 100]
    return list(out.items())


def build(name, output, healthy):
    recipe = Recipe(Vocabulary(healthy))
    recipe.run(os.path.join(HERE, name + ".recipe"))
    for path in recipe.cuts:
        if not any(f == path or f.startswith(path + "!") for f in recipe.files): raise RecipeError("@cut of nothing: " + path)
    mtime = recipe.words["epoch_ms"](recipe.words["collected_at"]) // 1000
    for path, data in assemble(recipe.files, recipe.cuts, mtime):
        full = os.path.join(output, name + ("-healthy" if healthy else ""), path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as f: f.write(data)
        os.utime(full, (mtime, mtime))
        print("%s: %d bytes" % (full, len(data)))


def main(arguments):
    healthy = "--healthy" in arguments
    rest = [a for a in arguments if a != "--healthy"]
    if not rest or any(a.startswith("-") for a in rest) or any(a not in ("slurm", "eks") for a in rest[1:]):
        sys.exit(__doc__.split("\n\n")[0])
    try:
        for name in rest[1:] or ["slurm", "eks"]: build(name, rest[0], healthy)
    except RecipeError as error:
        sys.exit("build.py: %s" % error)


if __name__ == "__main__":
    main(sys.argv[1:])
