// Binary journals made by systemd itself, read by us and by journalctl: the same entries. Skipped, and said
// so, where the tools are not installed.
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/json.h"
#include "decode/marked_writer.h"
#include "decode/structured_rows.h"

using namespace faultline;
using namespace faultline::decode;

namespace {

namespace fs = std::filesystem;
constexpr const char* kRemote = "/lib/systemd/systemd-journal-remote";

class TempDir {
 public:
  TempDir() {
    std::string path = (fs::temp_directory_path() / "faultline-journal-XXXXXX").string();
    if (::mkdtemp(path.data()) != nullptr) path_ = path;
  }
  ~TempDir() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

std::string binary_field(const std::string& name, const std::string& value) {
  std::string out = name + '\n';
  for (int i = 0; i < 8; ++i) out += static_cast<char>((value.size() >> (8 * i)) & 0xff);
  return out + value + '\n';
}

/// A journal in export form: short, long (compressed in the file), equal, binary and multi-line messages.
std::string export_text(int entries) {
  std::string out;
  for (int i = 0; i < entries; ++i) {
    const std::string us = std::to_string(1767225600000000 + i * 1000);
    out += "__REALTIME_TIMESTAMP=" + us + "\n__MONOTONIC_TIMESTAMP=" + std::to_string(9000000 + i * 1000) +
           "\n_BOOT_ID=5fdbc8255be1408ea7949957c817b38a\n_HOSTNAME=ip-10-1-0-11\nSYSLOG_IDENTIFIER=prog" +
           std::to_string(i % 7) + "\n_PID=" + std::to_string(100 + i % 50) + "\n";
    switch (i % 5) {
      case 0:
        out += "MESSAGE=short message " + std::to_string(i) + "\n";
        break;
      case 1:
        out += "MESSAGE=" + std::to_string(i) + " " +
               std::string(1000 + static_cast<std::size_t>(i), 'a' + static_cast<char>(i % 26)) + "\n";
        break;
      case 2:
        out += "MESSAGE=the same every time\n";
        break;
      case 3:
        out +=
            binary_field("MESSAGE", "line one " + std::to_string(i) + "\n\x1b[31mline two\x1b[0m\n\tthree");
        break;
      case 4:
        out += binary_field("MESSAGE",
                            std::string("latin \xe9 and ") + std::string(3000, '\xff') + std::to_string(i));
        break;
    }
    out += "\n";
  }
  return out;
}

/// What journalctl says: the messages by their time in microseconds.
std::multimap<std::string, std::string> journalctl(const fs::path& file, const fs::path& dir) {
  const fs::path out = dir / "out.json";
  const std::string command = "journalctl --file '" + file.string() + "' -o json --all --no-pager > '" +
                              out.string() + "' 2>/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  const auto read = parse_json(slurp(out), Limits{});
  REQUIRE(read);
  std::multimap<std::string, std::string> messages;
  for (const JsonValue& entry : read->documents) {
    const JsonValue* message = entry.find("MESSAGE");
    REQUIRE(message != nullptr);
    std::string text = message->string;
    for (const JsonValue& item : message->items) text += static_cast<char>(item.integer);
    messages.emplace(entry.text("__REALTIME_TIMESTAMP"), text);
  }
  return messages;
}

/// The text as our batches show it: without colours, its lines apart.
std::string as_lines(const std::string& message) {
  Artifact artifact;
  std::string out;
  const BatchSink sink = [&](LineBatch&& batch) {
    out += batch.text.substr(batch.core_begin, batch.core_end - batch.core_begin);
  };
  MarkedWriter writer(artifact, Limits{}, TimeHints{}, sink);
  writer.add(message, {});
  writer.finish(0);
  return out;
}

}  // namespace

TEST_CASE("journals of systemd are read as journalctl reads them") {
  if (!fs::exists(kRemote) || std::system("journalctl --version > /dev/null 2>&1") != 0) {
    WARN(
        "skipped: systemd-journal-remote and journalctl are not installed; only journals written by the "
        "tests were read");
    return;
  }
  struct Variant {
    const char* environment;
    const char* options;
  };
  const Variant variants[] = {
      {"SYSTEMD_JOURNAL_COMPACT=0 SYSTEMD_JOURNAL_COMPRESS=ZSTD", "--compress=yes"},
      {"SYSTEMD_JOURNAL_COMPACT=1 SYSTEMD_JOURNAL_COMPRESS=LZ4", "--compress=yes"},
      {"SYSTEMD_JOURNAL_COMPACT=1 SYSTEMD_JOURNAL_COMPRESS=XZ", "--compress=yes"},
      {"SYSTEMD_JOURNAL_COMPACT=0 SYSTEMD_JOURNAL_KEYED_HASH=0", "--compress=no"},
      {"SYSTEMD_JOURNAL_COMPACT=1", "--compress=yes"},
  };
  const TempDir dir;
  REQUIRE_FALSE(dir.path().empty());
  const int kEntries = 600;
  std::ofstream(dir.path() / "in.export", std::ios::binary) << export_text(kEntries);
  for (const Variant& variant : variants) {
    INFO(variant.environment << " " << variant.options);
    const fs::path file = dir.path() / "x.journal";
    fs::remove(file);
    const std::string command = std::string(variant.environment) + " " + kRemote + " " + variant.options +
                                " -o '" + file.string() + "' '" + (dir.path() / "in.export").string() +
                                "' > /dev/null 2>&1";
    if (std::system(command.c_str()) != 0 || !fs::exists(file)) {
      WARN("skipped: systemd-journal-remote made no journal");
      continue;
    }
    std::string theirs;
    for (const auto& [time, message] : journalctl(file, dir.path())) {
      theirs += to_iso_ns(std::stoll(time) * 1000, 1000) + "\n" + as_lines(message);
    }
    std::string ours;
    Instant last;
    std::uint64_t last_offset = 0;
    const Framed out = framed(&frame_journal_binary, slurp(file));
    for_each_core_line(out, [&](const LineBatch&, const ResolvedLine& line) {
      if (line.offset != last_offset) ours += to_iso(line.time) + "\n";
      last_offset = line.offset;
      last = line.time;
      ours += std::string(line.raw) + "\n";
      if (line.speaker.node != "ip-10-1-0-11" || line.speaker.stream.rfind("prog", 0) != 0 ||
          line.speaker.pid < 100)
        FAIL(line.raw);
    });
    CHECK_FALSE(out.summary.damaged);
    CHECK(std::count(theirs.begin(), theirs.end(), '\n') > kEntries);
    CHECK(ours == theirs);
    // Cut in half: a beginning of the same.
    const std::string bytes = slurp(file);
    const Framed half = framed(&frame_journal_binary, std::string_view(bytes).substr(0, bytes.size() / 2));
    for_each_core_line(half, [&](const LineBatch&, const ResolvedLine& line) {
      if (theirs.find(std::string(line.raw)) == std::string::npos) FAIL(line.raw);
    });
  }
}
