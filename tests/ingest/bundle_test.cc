#include "ingest/bundle.h"

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <set>

namespace faultline::ingest_test {

Scratch::Scratch() {
  static int count = 0;
  root_ = std::filesystem::temp_directory_path() /
          ("faultline-ingest-" + std::to_string(::getpid()) + "-" + std::to_string(++count));
  std::filesystem::remove_all(root_);
  std::filesystem::create_directories(root_);
}
Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}
std::string Scratch::path(std::string_view name) const {
  return name.empty() ? root_.string() : (root_ / name).string();
}
std::string Scratch::write(std::string_view name, std::string_view bytes) const {
  const std::filesystem::path target = root_ / name;
  std::filesystem::create_directories(target.parent_path());
  std::ofstream(target, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return target.string();
}

namespace {

struct Writer {
  archive* handle = archive_write_new();
  std::string bytes;
  ~Writer() { archive_write_free(handle); }
  static la_ssize_t append(archive* /*handle*/, void* self, const void* data, std::size_t size) {
    static_cast<Writer*>(self)->bytes.append(static_cast<const char*>(data), size);
    return static_cast<la_ssize_t>(size);
  }
  void open() {
    archive_write_set_bytes_per_block(handle, 0);
    REQUIRE(archive_write_open(handle, this, nullptr, &Writer::append, nullptr) == ARCHIVE_OK);
  }
  void add(const Entry& member) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, member.name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(member.bytes.size()));
    archive_entry_set_mtime(entry, 1767225600, 0);
    const bool directory = member.name.ends_with('/');
    archive_entry_set_filetype(entry, directory ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, directory ? 0755 : 0644);
    REQUIRE(archive_write_header(handle, entry) >= ARCHIVE_WARN);
    if (!member.bytes.empty()) archive_write_data(handle, member.bytes.data(), member.bytes.size());
    archive_entry_free(entry);
  }
};

}  // namespace

std::string compressed(std::string_view bytes, const std::string& filter) {
  Writer writer;
  REQUIRE(archive_write_set_format_raw(writer.handle) == ARCHIVE_OK);
  REQUIRE(archive_write_add_filter_by_name(writer.handle, filter.c_str()) == ARCHIVE_OK);
  writer.open();
  writer.add({"data", std::string(bytes)});
  archive_write_close(writer.handle);
  return std::move(writer.bytes);
}

std::string archive_of(const std::vector<Entry>& entries, const std::string& format,
                       const std::string& options, const std::string& password) {
  Writer writer;
  REQUIRE(archive_write_set_format_by_name(writer.handle, format.c_str()) == ARCHIVE_OK);
  archive_write_add_filter_none(writer.handle);
  if (!options.empty()) REQUIRE(archive_write_set_options(writer.handle, options.c_str()) == ARCHIVE_OK);
  if (!password.empty()) archive_write_set_passphrase(writer.handle, password.c_str());
  writer.open();
  for (const Entry& entry : entries) writer.add(entry);
  archive_write_close(writer.handle);
  return std::move(writer.bytes);
}

std::string tar_entry(const TarEntry& entry) {
  std::string block(512, '\0');
  const auto put = [&](std::size_t at, std::string_view text) { block.replace(at, text.size(), text); };
  const auto octal = [](std::uint64_t value, int digits) {
    std::string text(static_cast<std::size_t>(digits), '0');
    for (int i = digits; i-- > 0; value /= 8)
      text[static_cast<std::size_t>(i)] = static_cast<char>('0' + value % 8);
    return text;
  };
  put(0, std::string_view(entry.name).substr(0, 100));
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, octal(entry.claimed_size == ~std::uint64_t{0} ? entry.bytes.size() : entry.claimed_size, 11));
  put(136, octal(1767225600, 11));
  put(156, std::string(1, entry.type));
  put(157, std::string_view(entry.target).substr(0, 100));
  put(257, entry.gnu ? std::string_view("ustar  \0", 8) : std::string_view("ustar\00000", 8));
  put(345, entry.prefix);
  put(148, "        ");
  std::uint64_t sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(148, octal(sum, 6));
  block[154] = '\0';
  std::string data = entry.bytes;
  data.resize((data.size() + 511) / 512 * 512, '\0');
  return block + data;
}

std::string pax_records(const std::vector<std::pair<std::string, std::string>>& records) {
  std::string body;
  for (const auto& [key, value] : records) {
    const std::size_t rest = 1 + key.size() + 1 + value.size() + 1;
    std::size_t length = rest + 1;
    while (std::to_string(length).size() + rest != length) length = std::to_string(length).size() + rest;
    body += std::to_string(length) + " " + key + "=" + value + "\n";
  }
  return body;
}

std::string log_text(std::size_t lines, std::string_view word) {
  std::string text;
  for (std::size_t i = 1; i <= lines; ++i) {
    const std::string number = std::to_string(i);
    text += "line " + std::string(7 - std::min<std::size_t>(7, number.size()), '0') + number + " of " +
            std::string(word) + " " + std::to_string((i * 2654435761U) % 1000003) + "\n";
  }
  return text;
}

void Recorder::visit(const Artifact& artifact, PeekSource& source, CoverageRow& row) {
  artifacts.push_back(artifact);
  CHECK(row.chain == artifact.chain);
  if (read_nothing) return;
  std::string& kept = text[artifact.chain];
  while (true) {
    const Result<std::string_view> chunk = source.next();
    if (!chunk || chunk->empty()) break;
    seen += chunk->size();
    kept.append(chunk->substr(0, keep - std::min<std::uint64_t>(keep, kept.size())));
  }
}

const CoverageRow* Recorder::row(std::string_view chain) const {
  for (const CoverageRow& each : rows) {
    if (each.chain == chain) return &each;
  }
  return nullptr;
}

std::vector<std::string> Recorder::chains() const {
  std::vector<std::string> all;
  for (const CoverageRow& each : rows) all.push_back(each.chain);
  return all;
}

Run read_paths(const std::vector<std::string>& paths, const Limits& limits, Recorder recorder) {
  Run run;
  run.seen = std::move(recorder);
  ingest::Budget budget(limits);
  run.list = ingest::list_inputs(paths, limits);
  std::uint64_t told = 0;
  std::uint64_t stored = 0;
  for (const ingest::Input& input : run.list.inputs) {
    stored += input.size;
    ingest::read_input(input, limits, budget, run.seen, [&](std::uint64_t bytes) { told += bytes; });
  }
  if (run.seen.interrupt_after == 0) CHECK(told == stored);
  run.limits_hit = budget.limits_hit();
  check_coverage(run);
  return run;
}

Run read_bytes(std::string_view name, std::string_view bytes, const Limits& limits, Recorder recorder) {
  const Scratch scratch;
  return read_paths({scratch.write(name, bytes)}, limits, std::move(recorder));
}

void check_coverage(const Run& run) {
  std::set<std::string> chains;
  std::set<std::string> visited;
  for (const Artifact& artifact : run.seen.artifacts) visited.insert(artifact.chain);
  for (const CoverageRow& row : run.seen.rows) {
    INFO(row.chain);
    CHECK(chains.insert(row.chain).second);
    CHECK((row.state == CoverageRow::State::scanned) == row.reason.empty());
    const bool leaf = row.kind != ArtifactKind::archive;
    if (!leaf) CHECK(visited.count(row.chain) == 0);
    if (leaf && row.state != CoverageRow::State::skipped) CHECK(visited.count(row.chain) == 1);
    if (leaf && row.state == CoverageRow::State::skipped) CHECK(row.bytes == 0);
    const auto text = run.seen.text.find(row.chain);
    if (text != run.seen.text.end() && text->second.size() < run.seen.keep)
      CHECK(row.bytes == text->second.size());
    // The archives around it have not had their rows yet.
    for (std::size_t cut = row.chain.find('!'); cut != std::string::npos;
         cut = row.chain.find('!', cut + 1)) {
      CHECK(chains.count(row.chain.substr(0, cut)) == 0);
    }
  }
  for (const std::string& chain : visited) CHECK(chains.count(chain) == 1);
}

}  // namespace faultline::ingest_test
