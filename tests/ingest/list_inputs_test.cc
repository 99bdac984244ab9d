#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "ingest/bundle.h"

using namespace faultline;
using namespace faultline::ingest;
using namespace faultline::ingest_test;

namespace {

std::vector<std::string> chains(const InputList& list) {
  std::vector<std::string> all;
  for (const Input& input : list.inputs) all.push_back(input.chain);
  return all;
}

std::string reason(const InputList& list, std::string_view chain) {
  for (const CoverageRow& row : list.skipped) {
    if (row.chain == chain) return row.reason;
  }
  return "no row";
}

using Chains = std::vector<std::string>;

}  // namespace

TEST_CASE("a directory is walked in sorted order and named relative to itself") {
  const Scratch scratch;
  scratch.write("b/z.log", "1");
  scratch.write("b/a.log", "2");
  scratch.write("a.log", "3");
  scratch.write("b-c.log", "4");
  scratch.write(".hidden", "5");
  CHECK(chains(list_inputs({scratch.path()}, {})) ==
        Chains{".hidden", "a.log", "b-c.log", "b/a.log", "b/z.log"});
  CHECK(chains(list_inputs({scratch.path() + "///./"}, {})) ==
        Chains{".hidden", "a.log", "b-c.log", "b/a.log", "b/z.log"});
  const InputList list = list_inputs({scratch.path()}, {});
  CHECK(list.inputs[1].size == 1);
  CHECK(list.inputs[1].modified_ns > 0);
  CHECK(list.problems.empty());
  CHECK(list.skipped.empty());
}

TEST_CASE("the name of a lone directory is kept when it says which node it came from") {
  const Scratch scratch;
  scratch.write("hyperpod_report_workers_i-0aaa1111bbb2222cc_20260101_001203/kern.log", "x");
  const std::string folder = scratch.path("hyperpod_report_workers_i-0aaa1111bbb2222cc_20260101_001203");
  CHECK(chains(list_inputs({folder}, {})) ==
        Chains{"hyperpod_report_workers_i-0aaa1111bbb2222cc_20260101_001203/kern.log"});
}

TEST_CASE("several roots are told apart by as much of their paths as it takes") {
  const Scratch scratch;
  const std::string a = scratch.write("case/node1/kern.log", "a");
  const std::string b = scratch.write("case/node2/kern.log", "b");
  const std::string c = scratch.write("case/other.txt", "c");
  CHECK(chains(list_inputs({a, b, c}, {})) == Chains{"node1/kern.log", "node2/kern.log", "other.txt"});
  CHECK(chains(list_inputs({a}, {})) == Chains{"kern.log"});
  CHECK(chains(list_inputs({scratch.path("case/node1"), scratch.path("case/node2")}, {})) ==
        Chains{"node1/kern.log", "node2/kern.log"});
}

TEST_CASE("what is named twice is read once") {
  const Scratch scratch;
  const std::string a = scratch.write("a.log", "a");
  CHECK(chains(list_inputs({a, a, scratch.path() + "/./a.log"}, {})) == Chains{"a.log"});
  CHECK(list_inputs({a, a}, {}).skipped.empty());
  const InputList overlap = list_inputs({a, scratch.path()}, {});
  CHECK(overlap.inputs.size() == 1);
  CHECK(overlap.skipped.size() == 1);
  CHECK(overlap.skipped[0].reason == "same file as a.log");
  REQUIRE(::link(a.c_str(), scratch.path("hard.log").c_str()) == 0);
  const InputList list = list_inputs({scratch.path()}, {});
  CHECK(chains(list) == Chains{"a.log"});
  CHECK(reason(list, "hard.log") == "same file as a.log");
  CHECK(chains(list_inputs({"-", "-"}, {})) == Chains{"-"});
}

TEST_CASE("links are never followed out of the input, nor in circles, and each gets a row") {
  const Scratch scratch;
  const Scratch outside;
  const std::string secret = outside.write("secret.txt", "do not read");
  scratch.write("case/sub/real.log", "x");
  const auto link = [&](const std::string& target, const std::string& name) {
    REQUIRE(::symlink(target.c_str(), scratch.path("case/" + name).c_str()) == 0);
  };
  link("sub/real.log", "inside.log");
  link(secret, "outside.log");
  link("nowhere", "dangling.log");
  link(".", "circle");
  link("..", "sub/up");
  link("loop", "loop");
  const InputList list = list_inputs({scratch.path("case")}, {});
  CHECK(chains(list) == Chains{"sub/real.log"});
  CHECK(reason(list, "inside.log") == "symbolic link to sub/real.log: read under that name");
  CHECK(reason(list, "outside.log") == "symbolic link to " + secret + ", outside of the input: not followed");
  CHECK(reason(list, "dangling.log") == "symbolic link to nowhere, which does not exist");
  CHECK(reason(list, "circle") == "symbolic link to .: read under that name");
  CHECK(reason(list, "sub/up") == "symbolic link to ..: read under that name");
  CHECK(reason(list, "loop") == "symbolic link to loop, which does not exist");
  // What the user names himself is meant, link or not.
  CHECK(chains(list_inputs({scratch.path("case/outside.log")}, {})) == Chains{"secret.txt"});
}

TEST_CASE("pipes, sockets and devices are skipped and never opened") {
  const Scratch scratch;
  scratch.write("a.log", "x");
  REQUIRE(::mkfifo(scratch.path("pipe").c_str(), 0600) == 0);
  const int handle = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = scratch.path("socket");
  REQUIRE(path.size() < sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  REQUIRE(::bind(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  const InputList list = list_inputs({scratch.path(), "/dev/null"}, {});
  ::close(handle);
  const std::string folder = scratch.path().substr(scratch.path().rfind('/') + 1);
  CHECK(chains(list) == Chains{folder + "/a.log"});
  CHECK(reason(list, folder + "/pipe") == "named pipe: not opened");
  CHECK(reason(list, folder + "/socket") == "socket: not opened");
  CHECK(reason(list, "null") == "device: not opened");
}

TEST_CASE("paths that do not exist are problems, an empty directory is a row") {
  const Scratch scratch;
  const InputList list = list_inputs({scratch.path("missing"), scratch.path(), ""}, {});
  REQUIRE(list.problems.size() == 2);
  CHECK(list.problems[0].where == scratch.path("missing"));
  CHECK(list.problems[0].what == "no such file or directory");
  CHECK(list.inputs.empty());
  CHECK(reason(list, ".") == "directory without a file");
}

TEST_CASE("files that vanish, or turn into something else, between walk and reading get a row") {
  const Scratch scratch;
  const std::string gone = scratch.write("gone.log", "x");
  const std::string pipe = scratch.write("pipe.log", "x");
  const std::string folder = scratch.write("folder.log", "x");
  const std::string link = scratch.write("link.log", "x");
  const Limits limits;
  const InputList list = list_inputs({scratch.path()}, limits);
  std::filesystem::remove(gone);
  std::filesystem::remove(pipe);
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::filesystem::remove(folder);
  std::filesystem::create_directory(folder);
  std::filesystem::remove(link);
  REQUIRE(::symlink("/etc/hostname", link.c_str()) == 0);
  Recorder seen;
  Budget budget(limits);
  for (const Input& input : list.inputs) read_input(input, limits, budget, seen);
  CHECK(seen.artifacts.empty());
  CHECK(seen.row("gone.log")->reason == "cannot be opened: no such file or directory");
  CHECK(seen.row("pipe.log")->reason == "is not a regular file any more");
  CHECK(seen.row("folder.log")->reason == "is not a regular file any more");
  CHECK(seen.row("link.log")->reason.starts_with("cannot be opened: "));
}

TEST_CASE("an empty file is a row of its own") {
  const Run run = read_bytes("empty.log", "");
  REQUIRE(run.seen.rows.size() == 1);
  CHECK(run.seen.rows[0].kind == ArtifactKind::empty);
  CHECK(run.seen.rows[0].reason == "empty");
}

TEST_CASE("a walk that is too deep or too wide ends with a row or a problem") {
  const Scratch scratch;
  std::string deep = scratch.path();
  for (int i = 0; i < 300; ++i) {
    deep += "/d";
    REQUIRE(::mkdir(deep.c_str(), 0700) == 0);
  }
  const InputList list = list_inputs({scratch.path()}, {});
  REQUIRE(list.skipped.size() == 1);
  CHECK(list.skipped[0].reason == "directories nested deeper than 256");

  const Scratch many;
  for (int i = 0; i < 30; ++i) many.write("f" + std::to_string(i), "x");
  Limits limits;
  limits.max_artifacts = 10;
  const InputList bounded = list_inputs({many.path()}, limits);
  CHECK(bounded.inputs.size() == 10);
  REQUIRE(bounded.problems.size() == 1);
  CHECK(bounded.problems[0].what.find("--max-artifacts") != std::string::npos);
}
