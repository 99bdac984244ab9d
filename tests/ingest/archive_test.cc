#include <catch2/catch.hpp>

#include "ingest/bundle.h"
#include "ingest/container_reader.h"

using namespace faultline;
using namespace faultline::ingest_test;
using State = CoverageRow::State;

namespace {

const std::string kText = log_text(400);

std::vector<Entry> three() {
  return {{"a.log", kText}, {"sub/b.log", kText + "b\n"}, {"sub/empty", ""}};
}

/// The upload of a ticket: a zip of node tarballs of rotated logs.
std::string nested_bundle() {
  const std::string node = compressed(
      tar_of({{"hyperpod_report_workers_i-0aaa1111bbb2222cc_20260101_001203/kern.log.1.gz", gz(kText)},
              {"hyperpod_report_workers_i-0aaa1111bbb2222cc_20260101_001203/instance_id.txt",
               "i-0aaa1111bbb2222cc\n"}}),
      "gzip");
  return archive_of(
      {{"demo_1/instances/workers_i-0aaa1111bbb2222cc.tar.gz", node}, {"demo_1/notes.txt", kText}}, "zip");
}
const std::string kNode = "case.zip!demo_1/instances/workers_i-0aaa1111bbb2222cc.tar.gz";
const std::string kReport = kNode + "!hyperpod_report_workers_i-0aaa1111bbb2222cc_20260101_001203";

}  // namespace

TEST_CASE("every container gives its members with their bytes, whatever it is called") {
  for (const std::string& format : {std::string("zip"), std::string("cpio"), std::string("7zip"),
                                    std::string("pax"), std::string("ustar")}) {
    INFO(format);
    const Run run = read_bytes("renamed.log", archive_of(three(), format));
    CHECK(run.seen.text.at("renamed.log!a.log") == kText);
    CHECK(run.seen.text.at("renamed.log!sub/b.log") == kText + "b\n");
    CHECK(run.seen.row("renamed.log!sub/empty")->kind == ArtifactKind::empty);
    CHECK(run.seen.row("renamed.log")->kind == ArtifactKind::archive);
    CHECK(run.seen.row("renamed.log")->state == State::scanned);
    CHECK(run.seen.rows.size() == 4);
  }
}

TEST_CASE("a compressed single file is one artifact of its own name; a compressed archive is one archive") {
  for (const std::string& filter : {std::string("gzip"), std::string("xz"), std::string("zstd"),
                                    std::string("bzip2"), std::string("lz4")}) {
    INFO(filter);
    const Run leaf = read_bytes("x.log.gz", compressed(kText, filter));
    CHECK(leaf.seen.chains() == std::vector<std::string>{"x.log.gz"});
    CHECK(leaf.seen.row("x.log.gz")->depth == 0);
    CHECK(leaf.seen.text.at("x.log.gz") == kText);
    const std::string stored = compressed(tar_of(three()), filter);
    const Run archive = read_bytes("x.tgz", stored);
    CHECK(archive.seen.row("x.tgz")->bytes == stored.size());
    CHECK(archive.seen.row("x.tgz!a.log")->depth == 1);
    CHECK(archive.seen.rows.size() == 4);
  }
  // What a browser makes of it: plain text that is still called .gz, and a gzip of a gzip.
  CHECK(read_bytes("x.log.gz", kText).seen.text.at("x.log.gz") == kText);
  CHECK(read_bytes("x.log.gz", gz(gz(gz(kText)))).seen.text.at("x.log.gz") == kText);
}

TEST_CASE("a zip of tarballs of gzipped logs is read to its leaves, and each leaf knows its node") {
  const Run run = read_bytes("case.zip", nested_bundle());
  CHECK(run.seen.chains() == std::vector<std::string>{kReport + "/kern.log.1.gz",
                                                      kReport + "/instance_id.txt", kNode,
                                                      "case.zip!demo_1/notes.txt", "case.zip"});
  CHECK(run.seen.text.at(kReport + "/kern.log.1.gz") == kText);
  CHECK(run.seen.artifacts[0].speaker.node == "i-0aaa1111bbb2222cc");
  CHECK(run.seen.artifacts[0].instance_group == "workers");
  CHECK(run.seen.artifacts[0].collection == kReport);
  CHECK(run.seen.row(kReport + "/kern.log.1.gz")->node == "i-0aaa1111bbb2222cc");
  CHECK(run.seen.row(kReport + "/kern.log.1.gz")->depth == 2);
  CHECK(run.seen.row("case.zip!demo_1/notes.txt")->depth == 1);
}

TEST_CASE("a nested bundle that is cut at any sixteenth gives what stood before, and says what is missing") {
  const std::string whole = nested_bundle();
  for (int part = 1; part < 16; ++part) {
    INFO(part);
    const Run run = read_bytes(
        "case.zip", std::string_view(whole).substr(0, whole.size() * static_cast<std::size_t>(part) / 16));
    const CoverageRow* archive = run.seen.row("case.zip");
    REQUIRE(archive != nullptr);
    CHECK(archive->state != State::scanned);
    const auto kern = run.seen.text.find(kReport + "/kern.log.1.gz");
    if (kern != run.seen.text.end()) {
      CHECK((kText.compare(0, kern->second.size(), kern->second) == 0));
      if (kern->second != kText) CHECK(run.seen.row(kern->first)->state == State::partial);
    }
  }
}

TEST_CASE("damage at any place of a nested bundle never crashes, and coverage closes") {
  const std::string whole = nested_bundle();
  for (std::size_t at = 0; at < whole.size(); at += whole.size() / 211 + 1) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 0x11);
    const Run run = read_bytes("case.zip", broken);
    CHECK(run.seen.rows.size() >= 1);
  }
}

TEST_CASE("a zip without its table of contents is read in stored order") {
  const std::string whole = archive_of(three(), "zip");
  const std::size_t table = whole.find(std::string("PK\x01\x02", 4));
  REQUIRE(table != std::string::npos);
  const Run cut = read_bytes("x.zip", std::string_view(whole).substr(0, table));
  CHECK(cut.seen.text.at("x.zip!a.log") == kText);
  CHECK(cut.seen.text.at("x.zip!sub/b.log") == kText + "b\n");
  std::string garbled = whole;
  for (std::size_t i = table; i < table + 40; ++i) garbled[i] = 'Z';
  const Run run = read_bytes("x.zip", garbled);
  CHECK(run.seen.text.at("x.zip!a.log") == kText);
  CHECK(run.seen.row("x.zip")->state == State::partial);
  CHECK(run.seen.row("x.zip")->reason.find("table of contents") != std::string::npos);
}

TEST_CASE("behind a damaged member the next ones of a zip are found, however the stream is cut into chunks") {
  std::string noise;  // does not deflate to a few bytes, so that damage lies inside of it
  for (unsigned i = 0, x = 1; i < 6000; ++i)
    noise += static_cast<char>('a' + ((x = x * 1103515245U + 12345U) >> 24) % 26);
  std::string zip =
      archive_of({{"a.log", kText}, {"broken.log", noise}, {"c.log", kText}, {"d.log", kText}}, "zip");
  const std::size_t at = zip.find("broken.log") + 1500;
  for (std::size_t i = at; i < at + 40; ++i) zip[i] = '\xff';
  for (const std::size_t chunk :
       {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{61}, std::size_t{4096}}) {
    CAPTURE(chunk);
    MemorySource stored(zip, chunk);
    const auto reader = ingest::open_library_archive(ingest::StreamFormat::zip, stored);
    ingest::Member member;
    std::map<std::string, std::string> texts;
    while (reader->next(member)) {
      Problem cut;
      texts[member.name] = read_all(reader->data(), 1 << 20, &cut).value_or("");
      CHECK(cut.what.empty() == (member.name != "broken.log"));
    }
    CHECK(texts.size() == 4);
    CHECK(texts["a.log"] == kText);
    CHECK(texts["c.log"] == kText);
    CHECK(texts["d.log"] == kText);
    REQUIRE(reader->problem());
    CHECK(reader->problem()->what.find("decompression") != std::string::npos);
    CHECK(reader->notes() == std::vector<std::string>{"read on behind damage 1 times"});
  }
}

TEST_CASE("zips inside of other archives, and zips of zips, are read as streams") {
  const std::string inner = archive_of(three(), "zip");
  const std::string stored = archive_of(three(), "zip", "zip:compression=store");
  const Run run =
      read_bytes("x.tar", tar_of({{"in.zip", inner}, {"stored.zip", stored}, {"after.log", kText}}));
  for (const std::string& zip : {std::string("in.zip"), std::string("stored.zip")}) {
    CHECK(run.seen.text.at("x.tar!" + zip + "!a.log") == kText);
    CHECK(run.seen.text.at("x.tar!" + zip + "!sub/b.log") == kText + "b\n");
    CHECK(run.seen.row("x.tar!" + zip)->state == State::scanned);
  }
  CHECK(run.seen.text.at("x.tar!after.log") == kText);
  const Run zips = read_bytes("x.zip", archive_of({{"in.zip", inner}, {"log.gz", gz(kText)}}, "zip"));
  CHECK(zips.seen.text.at("x.zip!in.zip!a.log") == kText);
  CHECK(zips.seen.text.at("x.zip!log.gz") == kText);
}

TEST_CASE("a 7z inside of another archive is buffered up to a limit, beyond it a row says so") {
  const std::string seven = archive_of(three(), "7zip");
  const Run run = read_bytes("x.tar", tar_of({{"in.7z", seven}, {"after.log", kText}}));
  CHECK(run.seen.text.at("x.tar!in.7z!a.log") == kText);
  CHECK(run.seen.text.at("x.tar!after.log") == kText);
  Limits limits;
  limits.max_document = seven.size() / 8;
  const Run small = read_bytes("x.tar", tar_of({{"in.7z", seven}, {"after.log", kText}}), limits);
  CHECK(small.seen.row("x.tar!in.7z")->state == State::skipped);
  CHECK(small.seen.row("x.tar!in.7z")->reason.find("unpack it first") != std::string::npos);
  CHECK(small.seen.text.at("x.tar!after.log") == kText);
  // On disk it is read in place.
  CHECK(read_bytes("in.7z", seven, limits).seen.text.at("in.7z!a.log") == kText);
}

TEST_CASE("encrypted members are named, and their neighbours are read") {
  for (const std::string& encryption :
       {std::string("zip:encryption=traditional"), std::string("zip:encryption=aes256")}) {
    const std::string locked = archive_of({{"locked.log", kText}, {"two.log", kText}}, "zip", encryption,
                                          "pass"
                                          "word");
    const Run run = read_bytes("x.zip", locked);
    for (const std::string& name : {std::string("x.zip!locked.log"), std::string("x.zip!two.log")}) {
      CHECK(run.seen.row(name)->state == State::skipped);
      CHECK(run.seen.row(name)->reason.find("encrypted") != std::string::npos);
    }
    CHECK(run.seen.artifacts.empty());
    const Run nested = read_bytes("x.tar", tar_of({{"in.zip", locked}, {"after.log", kText}}));
    CHECK(nested.seen.row("x.tar!in.zip!locked.log")->reason.find("encrypted") != std::string::npos);
    CHECK(nested.seen.text.at("x.tar!after.log") == kText);
  }
}

TEST_CASE("names in zips keep their bytes, with and without the UTF-8 mark") {
  const Run utf8 = read_bytes(
      "x.zip",
      archive_of({{"logs/\xc3\xa9t\xc3\xa9.log", kText}, {"..\\..\\win.log", kText}, {"/abs.log", kText}},
                 "zip", "zip:hdrcharset=UTF-8"));
  // Windows writers put back-slashes between folders; a zip's separator is the slash.
  CHECK(utf8.seen.text.count("x.zip!../../win.log") == 1);
  CHECK(utf8.seen.text.count("x.zip!/abs.log") == 1);
  CHECK(utf8.seen.rows.size() == 4);
  const Run raw = read_bytes("x.zip", archive_of({{"logs/caf\x82.log", kText}}, "zip"));
  CHECK(raw.seen.text.count("x.zip!logs/caf\x82.log") == 1);
}

TEST_CASE("zips that are documents are one row and are not unpacked") {
  const auto reason = [](const std::vector<Entry>& entries, const std::string& name) {
    const Run run = read_bytes(name, archive_of(entries, "zip", "zip:compression=store"));
    REQUIRE(run.seen.rows.size() == 1);
    CHECK(run.seen.rows[0].state == State::skipped);
    return std::make_pair(run.seen.rows[0].kind, run.seen.rows[0].reason);
  };
  CHECK(reason({{"archive/data.pkl", "\x80\x02."}, {"archive/data/0", kText}}, "model.pt").first ==
        ArtifactKind::model_checkpoint);
  CHECK(reason({{"archive/version", "3\n"}, {"archive/data.pkl", "\x80\x02."}}, "log.txt").first ==
        ArtifactKind::model_checkpoint);
  CHECK(reason({{"[Content_Types].xml", "<x/>"}, {"word/document.xml", "<x/>"}}, "report.docx").second ==
        "office document: not read");
  CHECK(reason({{"META-INF/MANIFEST.MF", "x"}, {"a.class", "x"}}, "x.jar").second ==
        "Java archive: not read");
  CHECK(reason({{"torch/__init__.py", "x"}, {"torch-2.8.0.dist-info/METADATA", "x"}}, "torch.whl").second ==
        "Python package: not read");
  CHECK(reason({{"x.npy", "\x93NUMPY"}}, "x.npz").first == ArtifactKind::model_checkpoint);
}

TEST_CASE("an empty archive of each kind is an archive without members") {
  for (const std::string& format : {std::string("zip"), std::string("cpio"), std::string("7zip")}) {
    INFO(format);
    const Run run = read_bytes("x", archive_of({}, format));
    REQUIRE(run.seen.rows.size() == 1);
    CHECK(run.seen.rows[0].kind == ArtifactKind::archive);
    CHECK(run.seen.rows[0].state == State::scanned);
  }
}

TEST_CASE("a compressed stream that is damaged inside an archive does not end the archive") {
  std::string broken = gz(kText);
  for (std::size_t i = broken.size() / 2; i < broken.size() / 2 + 20; ++i)
    broken[i] = static_cast<char>(~broken[i]);
  const Run run = read_bytes("x.tar", tar_of({{"bad.log.gz", broken},
                                              {"cut.log.xz", compressed(kText, "xz").substr(0, 200)},
                                              {"nothing.gz", gz(kText).substr(0, 10)},
                                              {"good.log.gz", gz(kText)}}));
  CHECK(run.seen.row("x.tar!bad.log.gz")->state != State::scanned);
  CHECK(run.seen.row("x.tar!bad.log.gz")->reason.find("damaged") != std::string::npos);
  CHECK(run.seen.row("x.tar!cut.log.xz")->state != State::scanned);
  CHECK(run.seen.row("x.tar!nothing.gz")->state == State::skipped);
  CHECK(run.seen.row("x.tar!nothing.gz")->reason.find("cut") != std::string::npos);
  CHECK(run.seen.text.at("x.tar!good.log.gz") == kText);
  CHECK(run.seen.row("x.tar")->state == State::scanned);
}

TEST_CASE("what the visitor leaves unread is drained and counted, and the next member follows") {
  Recorder lazy;
  lazy.read_nothing = true;
  const Run run = read_bytes("x.tar.gz", gz(tar_of(three())), {}, std::move(lazy));
  CHECK(run.seen.row("x.tar.gz!a.log")->bytes == kText.size());
  CHECK(run.seen.row("x.tar.gz!sub/b.log")->bytes == kText.size() + 2);
}

TEST_CASE("the time in a gzip header is the artifact's, when the file's own is later") {
  std::string stored = gz(kText);
  stored[4] = 0x10;
  stored[5] = 0x20;
  stored[6] = 0x30;
  stored[7] = 0x40;
  const Run run = read_bytes("x.log.gz", stored);
  CHECK(run.seen.artifacts[0].modified_ns == std::int64_t{0x40302010} * 1'000'000'000);
}

TEST_CASE("two readings of the same input give the same rows") {
  const std::string whole = nested_bundle();
  const Run a = read_bytes("case.zip", whole);
  const Run b = read_bytes("case.zip", whole);
  CHECK(a.seen.chains() == b.seen.chains());
}
