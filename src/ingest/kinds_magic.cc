// Bytes that are no text, and the two kinds of text that hold binary bytes (environments with NUL, the
// journal's export format).
#include <algorithm>
#include <array>

#include "base/cursor.h"
#include "base/text.h"
#include "ingest/sample.h"

namespace faultline::ingest {
namespace {

using namespace std::string_view_literals;
using K = ArtifactKind;

std::optional<KindGuess> sniff_journal(const Sample& s) {
  if (!s.raw.starts_with("LPKSHHRH")) return std::nullopt;
  return KindGuess{.kind = K::journal_binary, .family = Family::system};
}

/// A pickle: PyTorch's C++ flight recorder writes protocol 2 with a handful of known keys.
std::optional<KindGuess> sniff_pickle(const Sample& s) {
  if (s.raw.size() < 4 || s.raw[0] != '\x80' || s.raw[1] < 2 || s.raw[1] > 5) return std::nullopt;
  const std::string_view head = s.raw.substr(0, 4096);
  for (const std::string_view key : {"pg_config", "nccl_comm_state", "pg_status", "profiling_name",
                                     "record_id", "comm_lib_version", "nccl_version"}) {
    if (head.find(key) != std::string_view::npos)
      return KindGuess{.kind = K::flight_recorder, .family = Family::training};
  }
  // Names are "<prefix><rank>"; a dump of a process without collectives has an empty list of entries.
  if (s.name.find("trace_rank_") != std::string_view::npos ||
      head.find("entries") != std::string_view::npos) {
    return KindGuess{.kind = K::flight_recorder, .family = Family::training};
  }
  return opaque(K::model_checkpoint, "pickle, no flight recorder dump: not read");
}

struct Magic {
  std::string_view bytes;
  std::size_t offset;
  K kind;
  std::string_view reason;
};
constexpr Magic kMagics[] = {
    {"SQLite format 3\0"sv, 0, K::database, "SQLite database: not read"},
    {"\x89PNG\r\n\x1a\n"sv, 0, K::image, "image (PNG): text in pictures is not read, add it as text"},
    {"\xff\xd8\xff"sv, 0, K::image, "image (JPEG): text in pictures is not read, add it as text"},
    {"GIF8"sv, 0, K::image, "image (GIF): text in pictures is not read, add it as text"},
    {"WEBP"sv, 8, K::image, "image (WebP): text in pictures is not read, add it as text"},
    {"ftypheic"sv, 4, K::image, "image (HEIC): text in pictures is not read, add it as text"},
    {"%PDF-"sv, 0, K::binary, "PDF document: not read, add its text"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, 0, K::binary, "office document: not read, add its text"},
    {"\x89HDF\r\n\x1a\n"sv, 0, K::model_checkpoint, "HDF5 data: not read"},
    {"\x93NUMPY"sv, 0, K::model_checkpoint, "numpy array: not read"},
    {"PAR1"sv, 0, K::binary, "Parquet data: not read"},
    {"ARROW1\0\0"sv, 0, K::binary, "Arrow data: not read"},
    {"!<arch>\n"sv, 0, K::executable, "static library or package: not read"},
    {"\xed\xab\xee\xdb"sv, 0, K::executable, "package (rpm): not read"},
    {"MZ\x90\0"sv, 0, K::executable, "program (Windows): not read"},
    {"\xca\xfe\xba\xbe"sv, 0, K::executable, "program (Java or macOS): not read"},
    {"\xcf\xfa\xed\xfe"sv, 0, K::executable, "program (macOS): not read"},
    {"\0asm"sv, 0, K::executable, "program (WebAssembly): not read"},
    {"\0\x05\x16\x07"sv, 0, K::binary, "macOS metadata: not read"},
    {"\0\0\0\x01"
     "Bud1"sv,
     0, K::binary, "macOS metadata: not read"},
    {"ElfFile\0"sv, 0, K::binary, "Windows event log: not read"},
    {"PERFILE2"sv, 0, K::binary, "perf profile: not read"},
    {"NVIDIA Nsight"sv, 0, K::binary, "Nsight profile: not read"},
    {"KDUMP   "sv, 0, K::executable, "kernel dump: not read, add its dmesg"},
    {"makedumpfile"sv, 0, K::executable, "kernel dump: not read, add its dmesg"},
    {"\xa1\xb2\xc3\xd4"sv, 0, K::binary, "packet capture: not read"},
    {"\xd4\xc3\xb2\xa1"sv, 0, K::binary, "packet capture: not read"},
    {"\x0a\x0d\x0d\x0a"sv, 0, K::binary, "packet capture: not read"},
    {"CD001"sv, 32769, K::binary, "disk image: not read"},
};

std::optional<KindGuess> sniff_table(const Sample& s) {
  for (const Magic& magic : kMagics) {
    if (s.raw.size() >= magic.offset && s.raw.substr(magic.offset).starts_with(magic.bytes))
      return opaque(magic.kind, magic.reason);
  }
  return std::nullopt;
}

std::optional<KindGuess> sniff_elf(const Sample& s) {
  if (!s.raw.starts_with("\x7f"
                         "ELF"))
    return std::nullopt;
  const bool core = s.raw.size() > 17 && s.raw[s.raw[5] == 2 ? 17 : 16] == 4;
  return opaque(K::executable, core ? "core dump: not read" : "program or library: not read");
}

/// Eight bytes of length, then a JSON header.
std::optional<KindGuess> sniff_safetensors(const Sample& s) {
  Cursor cursor(s.raw);
  const std::uint64_t length = cursor.u64().value_or(0);
  if (length < 2 || length > (std::uint64_t{1} << 30) || !s.raw.substr(8).starts_with("{\""))
    return std::nullopt;
  return opaque(K::model_checkpoint, "model checkpoint (safetensors): not read");
}

/// A TFRecord: length, checksum of the length, then an event with its file version.
std::optional<KindGuess> sniff_tensorboard(const Sample& s) {
  if (s.raw.substr(0, 64).find("brain.Event:") == std::string_view::npos) return std::nullopt;
  return opaque(K::binary, "TensorBoard events: not read");
}

/// A field in the export format's long form: its name on a line, the length in eight bytes, the value, a line
/// end.
bool starts_with_long_field(std::string_view raw) {
  const std::size_t end = raw.find('\n');
  if (end == std::string_view::npos || end == 0 || end > 64) return false;
  const std::string_view name = raw.substr(0, end);
  if (name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != std::string_view::npos) return false;
  Cursor cursor(raw.substr(end + 1));
  const std::uint64_t length = cursor.u64().value_or(0);
  // A length of plain text would be astronomic: eight letters.
  if (length == 0 || length > (std::uint64_t{1} << 32)) return false;
  const std::optional<std::string_view> value = cursor.take(length);
  return !value || cursor.remaining() == 0 || cursor.take(1) == "\n"sv;
}

/// journalctl -o export. Its long form holds lengths in binary; its fields begin with two underscores or one.
std::optional<KindGuess> sniff_journal_export(const Sample& s) {
  const bool first = s.raw.starts_with("__CURSOR=") || s.raw.starts_with("__REALTIME_TIMESTAMP=");
  int fields = 0;
  for (const std::string_view field :
       {"\n__REALTIME_TIMESTAMP="sv, "\n_BOOT_ID="sv, "\n_MACHINE_ID="sv, "\n_TRANSPORT="sv, "\n_HOSTNAME="sv,
        "\nSYSLOG_IDENTIFIER="sv, "\n__MONOTONIC_TIMESTAMP="sv}) {
    fields += s.raw.find(field) != std::string_view::npos ? 1 : 0;
  }
  if (!(first && fields >= 1) && fields < 3 && !starts_with_long_field(s.raw)) return std::nullopt;
  return KindGuess{.kind = K::journal_export, .family = Family::system};
}

bool is_variable(std::string_view token) {
  const std::size_t equals = token.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals > 200) return false;
  const std::string_view name = token.substr(0, equals);
  return (name[0] < '0' || name[0] > '9') && std::all_of(name.begin(), name.end(), [](char c) {
           return static_cast<unsigned char>(c) > ' ' && static_cast<unsigned char>(c) < 0x7f;
         });
}

/// /proc/<pid>/environ, env -0: NAME=value, each closed by a NUL.
std::optional<KindGuess> sniff_nul_environment(const Sample& s) {
  if (std::count(s.raw.begin(), s.raw.end(), '\0') < 3) return std::nullopt;
  std::size_t tokens = 0;
  std::size_t variables = 0;
  for (std::string_view rest = s.raw; !rest.empty();) {
    const std::size_t end = rest.find('\0');
    const std::string_view token = rest.substr(0, end);
    ++tokens;
    variables += is_variable(token) ? 1 : 0;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (variables < 3 || variables * 10 < tokens * 9) return std::nullopt;
  return KindGuess{.kind = K::environment};
}

/// Control bytes that no text holds. Runs of NUL are holes of a crash or of copytruncate, not evidence.
std::optional<KindGuess> sniff_binary(const Sample& s) {
  if (s.utf16) return std::nullopt;
  std::size_t control = 0;
  std::size_t nul = 0;
  std::size_t holes = 0;
  std::size_t run = 0;
  for (const char raw : s.raw) {
    const auto c = static_cast<unsigned char>(raw);
    if (c == 0) {
      ++nul;
      ++run;
      continue;
    }
    if (run >= 64) holes += run;
    run = 0;
    const bool text_control = c == '\t' || c == '\n' || c == '\r' || c == '\b' || c == '\f' || c == '\v' ||
                              c == 0x1b || c == 0x1a || c == 0x07 || c == 0x1e || c == 0x0e || c == 0x0f;
    control += (c < 0x20 && !text_control) || c == 0x7f ? 1 : 0;
  }
  if (run >= 64) holes += run;
  if (nul == s.raw.size()) {
    if (s.cut) return KindGuess{};  // a log that was truncated while it was written starts with a long hole
    return opaque(K::binary, "only zero bytes");
  }
  const std::size_t rest = s.raw.size() - holes;
  const std::size_t odd = control + (nul - holes);
  if (odd * 20 > rest) return opaque(K::binary, "binary: not read");
  // Compressed or encrypted data of an unknown kind: few control bytes may pass by luck, valid text never.
  const std::string_view head = s.raw.substr(0, 4096);
  const auto high = static_cast<std::size_t>(
      std::count_if(head.begin(), head.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }));
  if (high * 3 > head.size() && odd != 0 &&
      !is_valid_utf8(head.substr(0, head.size() > 8 ? head.size() - 4 : head.size()))) {
    return opaque(K::binary, "binary: not read");
  }
  return std::nullopt;
}

constexpr Sniffer kSniffers[] = {
    sniff_journal,     sniff_elf,         sniff_table,          sniff_pickle,
    sniff_safetensors, sniff_tensorboard, sniff_journal_export, sniff_nul_environment,
    sniff_binary};

}  // namespace

Sniffers magic_sniffers() {
  return {kSniffers, std::size(kSniffers)};
}

}  // namespace faultline::ingest
