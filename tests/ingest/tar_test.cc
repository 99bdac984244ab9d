#include <catch2/catch.hpp>

#include "ingest/bundle.h"
#include "ingest/container_reader.h"

using namespace faultline;
using namespace faultline::ingest_test;
using State = CoverageRow::State;

namespace {

const std::string kText = log_text(40);

std::string name_of(std::size_t i) {
  return "dir/file" + std::to_string(i) + ".log";
}

std::string plain_tar(std::size_t members) {
  std::string bytes;
  for (std::size_t i = 0; i < members; ++i) bytes += tar_entry({.name = name_of(i), .bytes = kText});
  return bytes + tar_end();
}

}  // namespace

TEST_CASE("all dialects of tar give their members in stored order, with names and bytes as they are") {
  const std::string long_name =
      std::string(90, 'd') + "/" + std::string(120, 'e') + "/" + std::string(80, 'f') + ".log";
  for (const std::string& format : {std::string("pax"), std::string("paxr"), std::string("ustar"),
                                    std::string("gnutar"), std::string("v7tar")}) {
    INFO(format);
    std::vector<Entry> entries = {
        {"b.log", kText}, {"empty.log", ""}, {"dir/", ""}, {"dir/a.log", kText + "more\n"}};
    if (format == "pax" || format == "gnutar") entries.push_back({long_name, kText});
    const Run run = read_bytes("x.bin", archive_of(entries, format));
    std::vector<std::string> expected = {"x.bin!b.log", "x.bin!empty.log", "x.bin!dir/a.log"};
    if (entries.size() == 5) expected.push_back("x.bin!" + long_name);
    expected.push_back("x.bin");
    CHECK(run.seen.chains() == expected);
    CHECK(run.seen.text.at("x.bin!b.log") == kText);
    CHECK(run.seen.text.at("x.bin!dir/a.log") == kText + "more\n");
    CHECK(run.seen.row("x.bin!empty.log")->kind == ArtifactKind::empty);
    CHECK(run.seen.row("x.bin")->state == State::scanned);
    CHECK(run.seen.row("x.bin!b.log")->depth == 1);
    CHECK(run.seen.artifacts[0].modified_ns == 1767225600'000000000);
  }
}

TEST_CASE("names from outside of the archive's tree stay bytes and are never paths") {
  for (const std::string& name :
       {std::string("/etc/passwd"), std::string("../../etc/passwd"), std::string("C:\\logs\\x.log"),
        std::string("a\x1b[31m\n\x01.log"), std::string("caf\xe9.log"), std::string("\xe6\x97\xa5.log"),
        std::string("a!b.log"), std::string(" trailing ")}) {
    const Run run = read_bytes("x.tar", tar_entry({.name = name, .bytes = kText}) + tar_end());
    CHECK(run.seen.chains() == std::vector<std::string>{"x.tar!" + name, "x.tar"});
    CHECK(run.seen.text.at("x.tar!" + name) == kText);
  }
  const Run run = read_bytes("x.tar", tar_entry({.name = "././system/x.log", .bytes = kText}) +
                                          tar_entry({.name = "", .bytes = kText}) + tar_end());
  CHECK(run.seen.chains() == std::vector<std::string>{"x.tar!system/x.log", "x.tar!(no name)", "x.tar"});
}

TEST_CASE("the ustar prefix, GNU long names and PAX records name the next member and no other") {
  const std::string pax =
      tar_entry({.name = "PaxHeaders/x",
                 .bytes = pax_records(
                     {{"path", "from/pax \xc3\xa9.log"}, {"mtime", "1767225600.5"}, {"comment", "path=no"}}),
                 .type = 'x'});
  const std::string gnu = tar_entry({.name = "././@LongLink",
                                     .bytes = std::string(300, 'n') + ".log" + std::string(1, '\0'),
                                     .type = 'L',
                                     .gnu = true});
  const Run run = read_bytes("x.tar", tar_entry({.name = "c.log", .bytes = kText, .prefix = "a/b"}) + pax +
                                          tar_entry({.name = "short", .bytes = kText}) + gnu +
                                          tar_entry({.name = "short", .bytes = kText, .gnu = true}) +
                                          tar_entry({.name = "last", .bytes = kText}) + tar_end());
  CHECK(run.seen.chains() == std::vector<std::string>{"x.tar!a/b/c.log", "x.tar!from/pax \xc3\xa9.log",
                                                      "x.tar!" + std::string(300, 'n') + ".log", "x.tar!last",
                                                      "x.tar"});
  CHECK(run.seen.artifacts[1].modified_ns == 1767225600'500000000);
}

TEST_CASE("links, devices and pipes get a row that says what they are, and hold no data") {
  const Run run = read_bytes(
      "x.tar", tar_entry({.name = "real.log", .bytes = kText}) +
                   tar_entry({.name = "hard", .type = '1', .target = "real.log"}) +
                   tar_entry({.name = "soft", .type = '2', .target = "/var/log/real.log"}) +
                   tar_entry({.name = "null", .type = '3'}) + tar_entry({.name = "sda", .type = '4'}) +
                   tar_entry({.name = "pipe", .type = '6'}) +
                   // Old writers put the size of the file into the header of a link, and no data.
                   tar_entry({.name = "hard2", .type = '1', .target = "real.log", .claimed_size = 5000}) +
                   tar_entry({.name = "after.log", .bytes = kText}) + tar_end());
  CHECK(run.seen.row("x.tar!hard")->reason == "link to real.log");
  CHECK(run.seen.row("x.tar!hard2")->reason == "link to real.log");
  CHECK(run.seen.row("x.tar!soft")->reason == "symbolic link to /var/log/real.log");
  CHECK(run.seen.row("x.tar!null")->reason == "device");
  CHECK(run.seen.row("x.tar!sda")->reason == "device");
  CHECK(run.seen.row("x.tar!pipe")->reason == "named pipe");
  CHECK(run.seen.text.at("x.tar!after.log") == kText);
  CHECK(run.seen.rows.size() == 9);
}

TEST_CASE("two members of one name are both read and can be told apart") {
  const Run run =
      read_bytes("x.tar", tar_entry({.name = "a.log", .bytes = kText}) +
                              tar_entry({.name = "a.log", .bytes = kText + "later\n"}) + tar_end());
  CHECK(run.seen.chains() == std::vector<std::string>{"x.tar!a.log", "x.tar!a.log#2", "x.tar"});
  CHECK(run.seen.text.at("x.tar!a.log#2") == kText + "later\n");
  CHECK(run.seen.row("x.tar!a.log#2")->notes ==
        std::vector<std::string>{"the archive holds this name more than once"});
}

TEST_CASE("concatenated tars are read through, garbage behind the end is named") {
  const std::string one = tar_entry({.name = "one.log", .bytes = kText}) + tar_end();
  const std::string two = tar_entry({.name = "two.log", .bytes = kText}) + tar_end();
  const Run both = read_bytes("x.tar", one + std::string(10240, '\0') + two);
  CHECK(both.seen.chains() == std::vector<std::string>{"x.tar!one.log", "x.tar!two.log", "x.tar"});
  CHECK(both.seen.row("x.tar")->notes.empty());
  const Run garbage = read_bytes("x.tar", one + std::string(1024, 'g'));
  CHECK(garbage.seen.row("x.tar")->state == State::scanned);
  REQUIRE(garbage.seen.row("x.tar")->notes.size() == 1);
  CHECK(garbage.seen.row("x.tar")->notes[0].find("behind the end of the archive") != std::string::npos);
}

TEST_CASE("a tar that is cut anywhere gives what stood before the cut") {
  const std::string whole = plain_tar(6);
  const std::size_t member = (512 + (kText.size() + 511) / 512 * 512);
  for (std::size_t cut = 513; cut < whole.size() - 1024; cut += 211) {
    INFO(cut);
    const Run run = read_bytes("x.tar", std::string_view(whole).substr(0, cut));
    const std::size_t complete = cut / member;
    for (std::size_t i = 0; i < complete; ++i) CHECK(run.seen.text.at("x.tar!" + name_of(i)) == kText);
    const CoverageRow* archive = run.seen.row("x.tar");
    if (cut % member == 0) {
      CHECK(archive->notes ==
            std::vector<std::string>{"the archive has no end mark: members may be missing"});
      continue;
    }
    CHECK(archive->state == State::partial);
    const std::size_t inside = cut % member;
    const CoverageRow* last = run.seen.row("x.tar!" + name_of(complete));
    CHECK((last != nullptr) == (inside >= 512));
    if (inside > 512 && inside < 512 + kText.size()) {
      CHECK(last->state == State::partial);
      CHECK(last->bytes == inside - 512);
      CHECK(run.seen.text.at(last->chain) == kText.substr(0, inside - 512));
    }
  }
}

TEST_CASE("after a damaged header the next member is found, and the loss is told") {
  std::string bytes = plain_tar(5);
  const std::size_t member = bytes.find("dir/file2.log");
  for (std::size_t i = 0; i < 200; ++i) bytes[member + i] = 'X';
  const Run run = read_bytes("x.tar", bytes);
  CHECK(run.seen.chains() == std::vector<std::string>{"x.tar!dir/file0.log", "x.tar!dir/file1.log",
                                                      "x.tar!dir/file3.log", "x.tar!dir/file4.log", "x.tar"});
  CHECK(run.seen.row("x.tar")->state == State::partial);
  CHECK(run.seen.row("x.tar")->reason.find("hold no readable member") != std::string::npos);
}

TEST_CASE("sizes that cannot be are damage, not arithmetic") {
  // Base 256: 2^95, and a negative number.
  for (const std::string& field : {std::string("\x80\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00", 12),
                                   std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12)}) {
    std::string entry = tar_entry({.name = "bad.log", .bytes = kText});
    entry.replace(124, 12, field);
    entry.replace(148, 8, "        ");
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(entry[i]);
    char octal[8];
    std::snprintf(octal, sizeof octal, "%06llo", static_cast<unsigned long long>(sum));
    entry.replace(148, 7, octal, 7);
    const Run run = read_bytes("x.tar", tar_entry({.name = "good.log", .bytes = kText}) + entry +
                                            tar_entry({.name = "next.log", .bytes = kText}) + tar_end());
    CHECK(run.seen.chains() == std::vector<std::string>{"x.tar!good.log", "x.tar!next.log", "x.tar"});
  }
  const Run huge = read_bytes(
      "x.tar", tar_entry({.name = "good.log", .bytes = kText}) +
                   tar_entry({.name = "big.log", .bytes = kText, .claimed_size = 077777777777ULL}));
  CHECK(huge.seen.row("x.tar!big.log")->state == State::partial);
  CHECK(huge.seen.row("x.tar!big.log")->reason.find("are missing") != std::string::npos);
}

TEST_CASE("holes of sparse files are left out and named, whichever way the map is written") {
  // 100 bytes at 0 and 100 bytes at one million; the second piece must not run on into the first.
  const std::string piece_a = std::string(99, 'a') + "b";
  const std::string piece_b = std::string(99, 'c') + "\n";
  const std::string data = piece_a + piece_b;
  const std::string expected = piece_a + "\n" + piece_b;
  const auto check = [&](const std::string& bytes, const std::string& name) {
    const Run run = read_bytes("x.tar", bytes + tar_entry({.name = "next.log", .bytes = kText}) + tar_end());
    CHECK(run.seen.text.at("x.tar!" + name) == expected);
    CHECK(run.seen.row("x.tar!" + name)->notes ==
          std::vector<std::string>{"sparse: 999900 bytes of holes left out"});
    CHECK(run.seen.text.at("x.tar!next.log") == kText);
  };
  SECTION("GNU, old form") {
    std::string entry = tar_entry({.name = "s.log", .bytes = data, .type = 'S', .gnu = true});
    entry.replace(386, 48, "00000000000\00000000000144\00000003641100\00000000000144\000", 48);
    entry.replace(483, 12, "00003641244\0", 12);
    entry.replace(148, 8, "        ");
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(entry[i]);
    char octal[8];
    std::snprintf(octal, sizeof octal, "%06llo", static_cast<unsigned long long>(sum));
    entry.replace(148, 7, octal, 7);
    const Run run = read_bytes("x.tar", entry + tar_entry({.name = "next.log", .bytes = kText}) + tar_end());
    CHECK(run.seen.text.at("x.tar!s.log") == expected);
    CHECK(run.seen.text.at("x.tar!next.log") == kText);
  }
  SECTION("PAX 0.0") {
    check(tar_entry({.name = "p",
                     .bytes = pax_records({{"GNU.sparse.size", "1000100"},
                                           {"GNU.sparse.numblocks", "2"},
                                           {"GNU.sparse.offset", "0"},
                                           {"GNU.sparse.numbytes", "100"},
                                           {"GNU.sparse.offset", "1000000"},
                                           {"GNU.sparse.numbytes", "100"}}),
                     .type = 'x'}) +
              tar_entry({.name = "s.log", .bytes = data}),
          "s.log");
  }
  SECTION("PAX 0.1") {
    check(tar_entry({.name = "p",
                     .bytes = pax_records({{"GNU.sparse.name", "s.log"},
                                           {"GNU.sparse.size", "1000100"},
                                           {"GNU.sparse.map", "0,100,1000000,100"}}),
                     .type = 'x'}) +
              tar_entry({.name = "GNUSparseFile.1/s.log", .bytes = data}),
          "s.log");
  }
  SECTION("PAX 1.0") {
    std::string map = "2\n0\n100\n1000000\n100\n";
    map.resize(512, '\0');
    check(tar_entry({.name = "p",
                     .bytes = pax_records({{"GNU.sparse.major", "1"},
                                           {"GNU.sparse.minor", "0"},
                                           {"GNU.sparse.name", "s.log"},
                                           {"GNU.sparse.realsize", "1000100"}}),
                     .type = 'x'}) +
              tar_entry({.name = "GNUSparseFile.1/s.log", .bytes = map + data}),
          "s.log");
  }
}

TEST_CASE("malformed PAX headers never take the member with them") {
  for (const std::string& body : {std::string("999 path=x\n"), std::string("garbage"), std::string("5 a=b"),
                                  std::string("18446744073709551616 path=x\n"),
                                  std::string("11 path=xy\n10 pat"), std::string("0 \n")}) {
    INFO(body);
    const Run run = read_bytes("x.tar", tar_entry({.name = "first.log", .bytes = kText}) +
                                            tar_entry({.name = "p", .bytes = body, .type = 'x'}) +
                                            tar_entry({.name = "kept.log", .bytes = kText}) + tar_end());
    CHECK(run.seen.artifacts.size() == 2);
    CHECK(run.seen.row("x.tar")->state == State::scanned);
  }
}

TEST_CASE("damage anywhere in a tar never crashes, loses only what it hits, and coverage closes") {
  const std::string whole = plain_tar(4);
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 0x41);
    const Run run = read_bytes("x.tar", broken);
    std::size_t whole_members = 0;
    for (const auto& [chain, text] : run.seen.text) whole_members += text == kText ? 1 : 0;
    CHECK(whole_members >= (at < 512 ? 0U : 3U));
  }
}
