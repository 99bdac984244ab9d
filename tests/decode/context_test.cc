// What a line inherits: stamps across batches, the head of a split line, the records that were joined.
#include <catch2/catch.hpp>

#include "decode/batches.h"

using namespace faultline;
using namespace faultline::decode;
using K = ArtifactKind;

namespace {

ResolvedLine find_line(const Decoded& decoded, std::string_view part) {
  for (const LineBatch& batch : decoded.batches) {
    const std::size_t at = batch.text.find(part, batch.core_begin);
    if (at < batch.core_end) return resolve_line(batch, line_at(batch, at));
  }
  FAIL("no line holds " << part);
  return {};
}

}  // namespace

TEST_CASE("CRI partial lines are joined by stream") {
  const std::string_view text =
      "2026-01-01T00:00:00.100000001Z stdout P {\"step\": 1, \"lo\n"
      "2026-01-01T00:00:00.100000002Z stderr F warning text\n"
      "2026-01-01T00:00:00.100000003Z stdout P ss\"\n"
      "2026-01-01T00:00:00.100000004Z stdout F : 2.5}\n"
      "2026-01-01T00:00:01.100000005Z stdout F next\n"
      "2026-01-01T00:00:02.100000005Z stderr P never ended\n";
  for (const std::size_t chunk : {0, 1}) {
    const Decoded decoded = decode_text(text, {}, chunk, K::cri_log);
    const std::vector<OutLine> want = {
        {"2026-01-01T00:00:00.100000002Z stderr F warning text", 2, 57},
        {"2026-01-01T00:00:00.100000001Z stdout P {\"step\": 1, \"loss\": 2.5}", 1, 0},
        {"2026-01-01T00:00:01.100000005Z stdout F next", 5, 204},
        {"2026-01-01T00:00:02.100000005Z stderr P never ended", 6, 249},
    };
    const std::vector<OutLine> got = decoded.lines();
    REQUIRE(got.size() == want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      CHECK(got[i].raw == want[i].raw);
      CHECK(got[i].number == want[i].number);
      CHECK(text.substr(got[i].offset, 30) == got[i].raw.substr(0, 30));
    }
    const ResolvedLine joined = find_line(decoded, "\"loss\"");
    CHECK(joined.text == "{\"step\": 1, \"loss\": 2.5}");
    CHECK(to_iso(joined.time) == "2026-01-01T00:00:00.100000001Z");
    CHECK(joined.speaker.stream == "stdout");
    CHECK(decoded.summary.lines == 6);
  }
}

TEST_CASE("a CRI line joined across batches is whole, and found once") {
  std::string text;
  std::string payload;
  for (int i = 0; i < 60; ++i) {
    const std::string part = "<" + std::to_string(i) + std::string(100, 'p') + ">";
    payload += part;
    text += "2026-01-01T00:00:00.000000001Z stdout P " + part + "\n";
    text += "2026-01-01T00:00:00.000000002Z stderr F other " + std::to_string(i) + "\n";
  }
  text += "2026-01-01T00:00:09.000000003Z stdout F END\n";
  const Decoded decoded = decode_text(text, small_batches(1024, 1 << 20), 0, K::cri_log);
  CHECK(decoded.batches.size() > 5);
  std::size_t ends = 0;
  std::size_t others = 0;
  std::string joined;
  for (const OutLine& line : decoded.lines()) {
    if (line.raw.find("END") != std::string::npos) {
      ++ends;
      CHECK(line.raw.substr(line.raw.size() - 3) == "END");
    }
    others += line.raw.find("other") != std::string::npos ? 1 : 0;
  }
  CHECK(ends == 1);
  CHECK(others == 60);
  // The limits hold for joined lines too: 1024 bytes here.
  for (const OutLine& line : decoded.lines()) CHECK(line.raw.size() <= 1024);
  const Decoded roomy = decode_text(text, {}, 0, K::cri_log);
  CHECK(find_line(roomy, "END").text == payload + "END");
}

TEST_CASE("CRI lines that begin in one batch and end in another are whole") {
  std::string text;
  std::vector<std::string> want;
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    std::string whole;
    for (int part = 0; part < 5; ++part) {
      const std::string bytes = n + std::string(300, static_cast<char>('a' + part));
      whole += bytes;
      text +=
          std::string("2026-01-01T00:00:00.000000001Z stdout ") + (part == 4 ? "F " : "P ") + bytes + "\n";
    }
    want.push_back(whole);
  }
  const Decoded decoded = decode_text(text, small_batches(8192, 8192), 0, K::cri_log);
  CHECK(decoded.batches.size() > 30);
  std::vector<std::string> got;
  for (const OutLine& line : decoded.lines()) got.push_back(line.raw.substr(40));
  const bool whole_and_once = got == want;  // too long to be printed
  CHECK(whole_and_once);
  CHECK(decoded.summary.lines == 1000);
}

TEST_CASE("the parts of a line split at CR keep its container and time, not its rank") {
  const std::string text =
      "[pod/job-0/pt] 2026-01-01T00:00:00.123456789Z [rank1]: bar 10%\r bar 20%\r[rank9]:[E101 "
      "00:00:05.000000001 a.cpp:1] error\n"
      "[pod/job-1/pt] next\n";
  const Decoded decoded = decode_text(text);
  const ResolvedLine bar = find_line(decoded, "bar 20%");
  CHECK(bar.number == 1);
  CHECK(bar.speaker.pod == "job-0");
  CHECK(bar.speaker.rank == -1);
  CHECK(to_iso(bar.time) == "2026-01-01T00:00:00.123456789Z");
  const ResolvedLine error = find_line(decoded, "error");
  CHECK(error.text == "error");
  CHECK(error.speaker.rank == 9);
  CHECK(error.speaker.pod == "job-0");
  CHECK(find_line(decoded, "next").speaker.pod == "job-1");
}

TEST_CASE("escaped line ends of syslog become lines, issue numbers do not") {
  const std::string text =
      "Jan  1 00:00:00 h app[7]: Traceback (most recent call last):#012  File \"a.py\"#012#011ValueError: "
      "bad\n"
      "see issue#012 for more\n";
  const Decoded decoded = decode_text(text);
  const std::vector<OutLine> want = {{"Jan  1 00:00:00 h app[7]: Traceback (most recent call last):", 1, 0},
                                     {"  File \"a.py\"", 1, 0},
                                     {"\tValueError: bad", 1, 0},
                                     {"see issue#012 for more", 2, 101}};
  CHECK(decoded.lines() == want);
  const ResolvedLine inner = find_line(decoded, "ValueError");
  CHECK(inner.speaker.node == "h");
  CHECK(to_iso(inner.time) == "2026-01-01T00:00:00Z");
}

TEST_CASE("a batch carries the last stamp before it, and the summary has the first and the last") {
  std::string text = "[2026-01-01 00:00:00] start\n";
  for (int i = 0; i < 5000; ++i) text += "no stamp in this line " + std::to_string(i) + "\n";
  text += "[2026-01-02 00:00:00] middle\n";
  for (int i = 0; i < 40; ++i) text += "no stamp in this line either " + std::to_string(i) + "\n";
  text += "[2026-01-03 00:00:00] end\n";
  const Decoded decoded = decode_text(text, small_batches(8192, 8192));
  CHECK(decoded.batches.size() > 5);
  CHECK_FALSE(decoded.batches[0].carried.known());
  CHECK_FALSE(decoded.batches[1].carried.known());  // its margin reaches the stamp itself
  CHECK(to_iso(decoded.batches[3].carried) == "2026-01-01T00:00:00Z");
  CHECK(to_iso(decoded.batches[8].carried) == "2026-01-01T00:00:00Z");
  CHECK(to_iso(decoded.summary.first) == "2026-01-01T00:00:00Z");
  CHECK(to_iso(decoded.summary.last) == "2026-01-03T00:00:00Z");
  const ResolvedLine inherited = find_line(decoded, "either 39");
  CHECK(to_iso(inherited.time) == "2026-01-02T00:00:00Z");
  CHECK(inherited.time.source == Instant::Source::inherited);
  CHECK(decode_text("[   1.500000] a\n[   9.250000] b\n").summary.last.ns == 9'250'000'000);
  CHECK_FALSE(decode_text("a\nb\n").summary.first.known());
}

TEST_CASE("labels are told from line numbers and words by the lines around them") {
  const auto lead = [](const std::string& text) { return decode_text(text).batches.at(0).context.lead; };
  std::string srun, numbered, hosts, pods, list, kernel;
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    srun += std::to_string(i * 7 % 8) + ": step " + n + "\n";
    numbered += std::to_string(i + 100) + ": step " + n + "\n";
    hosts += "node-" + std::to_string(i % 4) + ": step " + n + "\n";
    pods += "job-worker-" + std::to_string(i % 4) + " pytorch step " + n + "\n";
    list += "step " + n + ": done\n";
    kernel += "nvidia-nvswitch" + std::to_string(i % 4) + ": SXid " + n + "\n";
  }
  CHECK(lead(srun) == Lead::task_labels);
  CHECK(lead(numbered) == Lead::line_numbers);
  CHECK(lead(hosts) == Lead::host_labels);
  CHECK(lead(pods) == Lead::pod_container);
  CHECK(lead(list) == Lead::unknown);
  CHECK(lead(kernel) == Lead::unknown);
  CHECK(find_line(decode_text(srun), "step 1\n").speaker.task == 7);
  std::string pod;
  for (int i = 0; i < 40; ++i) {
    pod += "2026-01-01T00:00:00.123456789Z stdout F " + std::to_string(i * 3 % 8) + ": step " +
           std::to_string(i) + "\n";
  }
  CHECK(lead(pod) == Lead::task_labels);
  CHECK(find_line(decode_text(pod), "step 9\n").speaker.task == 3);
  CHECK(find_line(decode_text(numbered), "step 1\n").speaker.rank == -1);
  CHECK(find_line(decode_text(hosts), "step 1\n").speaker.node == "node-1");
  CHECK(find_line(decode_text(pods), "step 1\n").speaker.pod == "job-worker-1");
}
