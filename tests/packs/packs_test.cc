#include "packs/packs.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>

#include "extract/examples.h"
#include "extract/extractor.h"
#include "match/matcher.h"
#include "packs/tables.h"
#include "support/line_batches.h"

using namespace faultline;

namespace {

std::string readme_example() {
  std::ifstream in(std::string(FAULTLINE_SOURCE_DIR) + "/patterns/README.md");
  std::stringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  const std::size_t begin = all.find("```toml\n") + 8;
  return all.substr(begin, all.find("\n```\n", begin) + 1 - begin);
}

std::string listed(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& p : problems)
    text += p.where + ": " + p.what + (p.hint.empty() ? "" : " (" + p.hint + ")") + "\n";
  return text;
}

// A reference that exists whatever the runbooks hold while they are written; without one the check is void.
std::string some_pack(std::string id, std::string extra = {}, std::string kind = "gpu_xid") {
  return "[[pattern]]\nid = \"" + id + "\"\nkind = \"" + kind +
         "\"\ntitle = \"t\"\nseverity = \"P1\"\nrole = \"cause\"\nin = [\"any\"]\nany = ['needle']\nscope = "
         "\"node\"\n"
         "meaning = \"m\"\nnext = \"n\"\nreference = \"references/debugging-guide.md#7\"\nsource = \"s\"\n" +
         extra + "[[pattern.hit]]\nline = 'needle'\n[[pattern.miss]]\nline = 'noodle'\nwhy = \"w\"\n";
}

std::string head(std::string area) {
  return "schema = 1\narea = \"" + area + "\"\nabout = \"a\"\n";
}

}  // namespace

TEST_CASE("the example of the packs' README has no problem and does what it says") {
  const std::string text = readme_example();
  REQUIRE(text.size() > 1000);
  const packs::LoadedPacks loaded = packs::load_packs({{"patterns/gpu.toml", text}});
  INFO(listed(loaded.problems));
  REQUIRE(loaded.problems.empty());
  REQUIRE(loaded.set.patterns.size() == 1);
  const Pattern& p = loaded.set.patterns[0];
  CHECK(p.id == "gpu.bus.lost");
  CHECK(p.kind == "gpu_lost");
  CHECK(p.title == "GPU fell off the bus");
  CHECK(p.severity == Severity::p0);
  CHECK(p.role == Role::cause);
  CHECK(p.status == Status::stable);
  CHECK(p.scope == Scope::gpu);
  CHECK(p.families == std::vector{Family::kernel});
  CHECK(p.any.size() == 2);
  CHECK(p.unless == std::vector<std::string>{"\\(simulated\\)"});
  CHECK(p.who == std::map<std::string, std::string>{{"gpu", "pci"}});
  CHECK(p.fields == std::map<std::string, FieldType>{{"pci", FieldType::pci}, {"serial", FieldType::text}});
  REQUIRE(p.near.size() == 1);
  CHECK(p.near[0].before == 0);
  CHECK(p.near[0].after == 2);
  CHECK(p.reference == "references/debugging-guide.md#7");
  CHECK(p.explains == std::vector<std::string>{"collective_timeout", "cuda_device_lost"});
  CHECK(p.within_s == 1800);
  CHECK(p.hits.size() == 2);
  CHECK(p.misses.size() == 2);
  CHECK(p.file == "patterns/gpu.toml");
  CHECK(p.line == 5);
  REQUIRE(match::Matcher::make(loaded.set));
  const auto extractor = extract::Extractor::make(loaded.set, Limits{});
  REQUIRE(extractor);
  const auto problems = extract::check_examples(loaded.set, **extractor, test::peel_nothing);
  INFO(listed(problems));
  CHECK(problems.empty());
}

TEST_CASE("a later pack replaces patterns of the same id and adds its own") {
  const std::vector<packs::PackFile> files = {
      {"patterns/gpu.toml", head("gpu") + some_pack("gpu.a.one") + some_pack("gpu.a.two")},
      {"mine/gpu.toml",
       head("gpu") + some_pack("gpu.a.two", "status = \"trial\"\n") + some_pack("gpu.a.three")},
  };
  const packs::LoadedPacks loaded = packs::load_packs(files);
  INFO(listed(loaded.problems));
  CHECK(loaded.problems.empty());
  REQUIRE(loaded.set.patterns.size() == 3);
  CHECK(loaded.set.patterns[0].id == "gpu.a.one");
  CHECK(loaded.set.patterns[1].id == "gpu.a.three");
  CHECK(loaded.set.patterns[2].id == "gpu.a.two");
  CHECK(loaded.set.patterns[2].status == Status::trial);
  CHECK(loaded.set.patterns[2].file == "mine/gpu.toml");
}

TEST_CASE("the hash depends on the bytes, their order and the borders of files, not on names") {
  const auto hash = [](std::vector<packs::PackFile> files) { return packs::load_packs(files).set.hash; };
  CHECK(hash({}) == "cbf29ce484222325");
  CHECK(hash({{"a", "x"}}).size() == 16);
  CHECK(hash({{"a", "x"}, {"b", "y"}}) == hash({{"c", "x"}, {"d", "y"}}));
  CHECK(hash({{"a", "x"}, {"b", "y"}}) != hash({{"b", "y"}, {"a", "x"}}));
  CHECK(hash({{"a", "xy"}, {"b", ""}}) != hash({{"a", "x"}, {"b", "y"}}));
}

TEST_CASE("edges of `explains` are checked over all packs") {
  const auto problems = [](const std::string& body) {
    return listed(packs::load_packs({{"patterns/gpu.toml", head("gpu") + body}}).problems);
  };
  const std::string within = "within = \"5m\"\n";
  CHECK(problems(some_pack("gpu.a.one", "explains = [\"gpu.a.two\", \"gpu_ecc_uncorrected\"]\n" + within) +
                 some_pack("gpu.a.two")) == "");
  CHECK(problems(some_pack("gpu.a.one", "explains = [\"gpu.a.tow\"]\n" + within) + some_pack("gpu.a.two")) ==
        "patterns/gpu.toml:17:13: explains 'gpu.a.tow', which is neither a pattern nor a kind (did you mean "
        "'gpu.a.two'?)\n");
  // A circle through ids, and one through a kind.
  CHECK(problems(some_pack("gpu.a.one", "explains = [\"gpu.a.two\"]\n" + within) +
                 some_pack("gpu.a.two", "explains = [\"gpu.a.one\"]\n" + within)) ==
        "patterns/gpu.toml:17:1: explains in a circle: gpu.a.one -> gpu.a.two -> gpu.a.one (drop the weakest "
        "of these edges)\n");
  CHECK(problems(some_pack("gpu.a.one", "explains = [\"gpu_lost\"]\n" + within) +
                 some_pack("gpu.a.two", "explains = [\"gpu_xid\"]\n" + within, "gpu_lost")) ==
        "patterns/gpu.toml:17:1: explains in a circle: gpu.a.one -> gpu.a.two -> gpu.a.one (drop the weakest "
        "of these edges)\n");
  CHECK(problems(some_pack("gpu.a.one", "explains = [\"gpu.a.one\"]\n" + within)) ==
        "patterns/gpu.toml:17:13: a pattern explains itself\n");
  // One of a kind may explain the others of it.
  CHECK(problems(some_pack("gpu.a.one", "explains = [\"gpu_xid\"]\n" + within) + some_pack("gpu.a.two")) ==
        "");
}

TEST_CASE("the ledger has to be sorted, and to name every built-in id once") {
  PatternSet set;
  set.patterns = {test::pattern_of("a.b.one", {"needle"}), test::pattern_of("a.b.two", {"needle"})};
  const auto problems = [&](std::string_view ledger) { return listed(packs::check_ledger(set, ledger)); };
  CHECK(problems("# comment\na.b.old retired\na.b.one\na.b.two\n") == "");
  CHECK(problems("a.b.one\n") ==
        "test.toml:7:1: id 'a.b.two' is not in the ledger (add it to patterns/ids.txt)\n");
  CHECK(problems("a.b.two\na.b.one\n") ==
        "patterns/ids.txt:2:1: id 'a.b.one' is out of order (sort the ledger)\n");
  CHECK(problems("a.b.one\na.b.one\na.b.two\n") == "patterns/ids.txt:2:1: id 'a.b.one' stands there twice\n");
  CHECK(problems("a.b.one retired\na.b.two\n") ==
        "test.toml:7:1: id 'a.b.one' was retired (ids are never reused)\n");
  CHECK(problems("a.b.gone\na.b.one\na.b.two\n") ==
        "patterns/ids.txt: id 'a.b.gone' belongs to no pattern (mark it retired)\n");
  CHECK(problems("a.b.one new\na.b.two\n")
            .find("patterns/ids.txt:1:1: a line of the ledger is an id, or an id and the word retired") == 0);
}

TEST_CASE("references are the numbered headings of the runbooks") {
  CHECK(packs::reference_exists("references/debugging-guide.md#1"));
  CHECK(packs::reference_exists("references/debugging-guide.md#21"));
  CHECK_FALSE(packs::reference_exists("references/debugging-guide.md#99"));
  CHECK_FALSE(packs::reference_exists("references/debugging-guide.md"));
  CHECK_FALSE(packs::reference_exists("debugging-guide.md#1"));
}

TEST_CASE("the dictionary of kinds is sorted, and its rows are complete") {
  const auto table = packs::load_table("kinds");
  REQUIRE(table);
  REQUIRE(table->size() > 100);
  std::string last;
  for (const packs::TableRow& row : *table) {
    CHECK(last < row.at("kind"));
    last = row.at("kind");
    CHECK_FALSE(row.at("meaning").empty());
    CHECK(row.count("fields") == 1);
  }
  CHECK_FALSE(packs::load_table("no_such_table"));
}

TEST_CASE("packs of a user are read sorted by name, and a directory without one is refused") {
  const auto folder = std::filesystem::temp_directory_path() / "faultline_packs_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "sub.toml");
  CHECK(packs::read_pack_directory(folder).error().what == "the directory holds no pack");
  for (const char* name : {"b.toml", "a.toml", "c.txt"}) std::ofstream(folder / name) << name;
  const auto files = packs::read_pack_directory(folder);
  REQUIRE(files);
  REQUIRE(files->size() == 2);
  CHECK((*files)[0].text == "a.toml");
  CHECK((*files)[1].text == "b.toml");
  std::filesystem::remove_all(folder);
  CHECK(packs::read_pack_directory(folder).error().rung == Rung::stop);
}
