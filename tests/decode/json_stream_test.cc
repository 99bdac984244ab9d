// Cut, broken, huge and hostile JSON: what is complete comes out, what is not comes out as text, memory is
// bounded.
#include <catch2/catch.hpp>

#include <algorithm>

#include "decode/structured_rows.h"

using namespace faultline;
using namespace faultline::decode;

namespace {

using Rows = std::vector<std::string>;

std::string event(int i, std::string_view message) {
  return "{\"logStreamName\":\"g/i-0aaa1111bbb2222cc\",\"timestamp\":" + std::to_string(1767225600000 + i) +
         ",\"message\":\"" + std::string(message) + "\",\"ingestionTime\":1767225601000,\"eventId\":\"" +
         std::to_string(i) + "\"}";
}

std::string page(int events, std::string_view separator) {
  std::string text = "{\"events\":[";
  for (int i = 0; i < events; ++i) {
    if (i > 0) text += separator;
    text += event(i, "message number " + std::to_string(i));
  }
  return text + "],\"searchedLogStreams\":[],\"nextToken\":\"t\"}";
}

// A source that makes its text up, so that a test can be larger than memory would allow to hold.
class Generator final : public ByteSource {
 public:
  Generator(std::string head, std::string part, std::uint64_t times, std::string tail)
      : head_(std::move(head)), part_(std::move(part)), times_(times), tail_(std::move(tail)) {}
  Result<std::string_view> next() override {
    if (!head_.empty()) {
      now_ = std::exchange(head_, {});
      return std::string_view(now_);
    }
    if (times_ > 0) {
      --times_;
      return std::string_view(part_);
    }
    now_ = std::exchange(tail_, {});
    return std::string_view(now_);
  }

 private:
  std::string head_, part_;
  std::uint64_t times_;
  std::string tail_, now_;
};

}  // namespace

TEST_CASE("a page larger than the window comes out event by event") {
  for (const std::string_view separator : {",", ",\n        "}) {
    const int kEvents = 12'000;
    const std::string text = page(kEvents, separator);
    REQUIRE(text.size() > (std::size_t{1} << 20) + 100'000);
    for (const std::size_t chunk : {std::size_t{0}, std::size_t{4096}}) {
      const Framed out = framed(&frame_cloudwatch_json, text, {}, chunk);
      CHECK_FALSE(out.summary.damaged);
      int count = 0;
      for_each_core_line(out, [&](const LineBatch&, const ResolvedLine& line) {
        if (line.text != "message number " + std::to_string(count))
          FAIL(line.text << " instead of " << count);
        if (line.speaker.node != "i-0aaa1111bbb2222cc" ||
            line.time.ns != (1767225600000 + count) * kMillisecond)
          FAIL(count);
        if (line.number != (separator == "," ? 1u : static_cast<unsigned>(count) + 1)) FAIL(line.number);
        ++count;
      });
      CHECK(count == kEvents);
      CHECK(out.batches.size() >= 1);
      CHECK(to_iso(out.summary.first) == "2026-01-01T00:00:00.000Z");
      CHECK(to_iso(out.summary.last) == "2026-01-01T00:00:11.999Z");
    }
  }
}

TEST_CASE("the stream named before a large list belongs to its events") {
  std::string text =
      R"({"messageType":"DATA_MESSAGE","logGroup":"/g","logStream":"X/i-0ddd3333eee4444ff","logEvents":[)";
  for (int i = 0; i < 20'000; ++i) {
    text += (i > 0 ? "," : "") + std::string(R"({"id":"1","timestamp":1767225600123,"message":"m)") +
            std::string(60, 'x') + "\"}";
  }
  const Framed out = framed(&frame_cloudwatch_json, text + "]}");
  std::size_t count = 0;
  for_each_core_line(out, [&](const LineBatch&, const ResolvedLine& line) {
    count += line.speaker.node == "i-0ddd3333eee4444ff" && line.time.known() ? 1 : 0;
  });
  CHECK(count == 20'000);
  const std::string loki =
      R"({"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"p"},"values":[)";
  std::string values;
  for (int i = 0; i < 20'000; ++i)
    values += (i > 0 ? "," : "") + std::string(R"(["1767225600123456789",")") + std::string(60, 'x') + "\"]";
  const Framed streams = framed(&frame_by_content, loki + values + "]}]}}");
  count = 0;
  for_each_core_line(streams, [&](const LineBatch&, const ResolvedLine& line) {
    count += line.speaker.pod == "p" && line.time.wall() ? 1 : 0;
  });
  CHECK(count == 20'000);
}

TEST_CASE("a hundred megabytes of events need no more memory than a window") {
  const std::string part = "," + event(1, std::string(1000, 'm'));
  Artifact artifact;
  std::uint64_t lines = 0;
  std::size_t largest = 0;
  Generator source("{\"events\":[" + event(0, "first"), part, 100'000, "]}");
  const DecodeSummary summary =
      frame_cloudwatch_json(artifact, source, Limits{}, TimeHints{}, [&](LineBatch&& batch) {
        largest = std::max(largest, batch.text.capacity());
        for (const LineMark& mark : batch.marks)
          lines += mark.begin >= batch.core_begin && mark.begin < batch.core_end ? 1 : 0;
      });
  CHECK(lines == 100'001);
  CHECK_FALSE(summary.damaged);
  CHECK(largest < (std::size_t{4} << 20));
}

TEST_CASE("a cut document gives its complete events, and the rest as text") {
  const std::string text = page(3, ",");
  const std::size_t third = text.find("message number 2");
  const Framed out = framed(&frame_cloudwatch_json, text.substr(0, third + 9));
  const Rows found = texts_of(out);
  REQUIRE(found.size() == 3);
  CHECK(found[0] == "message number 0");
  CHECK(found[1] == "message number 1");
  CHECK(found[2].find("\"message\":\"message n") != std::string::npos);
  CHECK(out.summary.damaged);
  CHECK(out.summary.damage.rung == Rung::note);
  // Wherever the cut falls: all events that end before it, and no crash.
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const Framed part = framed(&frame_cloudwatch_json, text.substr(0, cut));
    const Rows lines = texts_of(part);
    for (int i = 0; i < 3; ++i) {
      const std::string message = "message number " + std::to_string(i);
      const std::size_t end = text.find(message) + message.size() + 1;
      const bool there = std::any_of(lines.begin(), lines.end(), [&](const std::string& l) {
        return l.find(message) != std::string::npos;
      });
      if ((end <= cut) != there && cut != end - 1) FAIL("cut at " << cut << ", event " << i);
    }
  }
}

TEST_CASE("a broken record costs itself only") {
  struct Case {
    const char* name;
    std::string text;
    Rows texts;
  };
  const std::string good = "{\"log\":\"good\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00Z\"}\n";
  const Case cases[] = {
      {"a cut line between good ones",
       good + "{\"log\":\"NVRM: cut\n" + good,
       {"good", "{\"log\":\"NVRM: cut", "good"}},
      {"a record that lost its end",
       good + "{\"log\":\"kept\\n\",\"stream\":\"stdout\",\"time\":oops}\n" + good,
       {"good", "kept", ",\"time\":oops}", "good"}},
      {"text between records",
       good + "panic: text\n\tgoroutine 1\n" + good,
       {"good", "panic: text", "\tgoroutine 1", "good"}},
      {"lines that begin with a bracket",
       "[WARN] old client\n[0] tag: text\n[1, 2]\n" + good,
       {"[WARN] old client", "[0] tag: text", "[1, 2]", "good"}},
      {"an unknown document, line by line",
       "{\n  \"Key\": \"NVRM: value\"\n}\n" + good,
       {"{", "  \"Key\": \"NVRM: value\"", "}", "good"}},
      {"wrong types",
       "{\"log\":5,\"stream\":\"stdout\",\"time\":[]}\n{\"events\":{}}\n{\"MESSAGE\":{},\"_HOSTNAME\":[1]}"
       "\n" +
           good,
       {"{\"log\":5,\"stream\":\"stdout\",\"time\":[]}", "{\"events\":{}}", "good"}},
      {"an element that is no event",
       "{\"events\":[{\"timestamp\":1767225600123,\"message\":\"a\",\"eventId\":\"1\"},{\"x\":[1]},5,\"s\"],"
       "\"nextToken\":\"\"}\n",
       {"a", "{\"x\":[1]}", "5", "\"s\""}},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK(texts_of(framed(&frame_docker_json, c.text)) == c.texts);
  }
}

TEST_CASE("reading goes on inside an indented list after a broken element") {
  std::string text = "{\n  \"events\": [\n";
  for (int i = 0; i < 15'000; ++i) {
    text += i == 14'000 ? "    {\n      \"timestamp\": oops,\n      \"message\": \"lost?\"\n    },\n"
                        : "    {\n      \"timestamp\": 1767225600123,\n      \"message\": \"m" +
                              std::to_string(i) + "\",\n      \"ingestionTime\": 1\n    },\n";
  }
  const Framed out = framed(&frame_cloudwatch_json, text + "  ]\n}\n");
  const Rows found = texts_of(out);
  CHECK(std::count_if(found.begin(), found.end(), [](const std::string& l) { return l[0] == 'm'; }) ==
        14'999);
  CHECK(std::any_of(found.begin(), found.end(),
                    [](const std::string& l) { return l.find("lost?") != std::string::npos; }));
  CHECK(out.summary.damaged);
}

TEST_CASE("hostile JSON ends in lines, in good time") {
  const std::string deep(200'000, '[');
  CHECK_FALSE(framed(&frame_json, deep).batches.empty());
  std::string rows;
  for (int i = 0; i < 100'000; ++i) rows += "[\n";
  CHECK(framed(&frame_json, rows).summary.lines == 100'000);
  std::string objects;
  for (int i = 0; i < 50'000; ++i) objects += "{\"data\":";
  CHECK_FALSE(framed(&frame_json, objects).batches.empty());
  // JSON in strings is opened three levels deep, not more.
  std::string nested = R"({"log":"bottom\n","stream":"stdout"})";
  for (int i = 0; i < 6; ++i) {
    std::string quoted;
    for (const char c : nested) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    nested = "{\"log\":\"" + quoted + "\\n\",\"stream\":\"stdout\"}";
  }
  const Rows found = texts_of(framed(&frame_json, nested));
  REQUIRE(found.size() == 1);
  CHECK(found[0].substr(0, 8) == "{\"log\":\"");
  // A record beyond max_document is given up as a record, not as text.
  Limits limits;
  limits.max_document = 1 << 20;
  const std::string huge = "{\"log\":\"" + std::string(3 << 20, 'x') +
                           "\\n\",\"stream\":\"stdout\"}\n{\"log\":\"next\\n\",\"stream\":\"stdout\"}\n";
  const Framed large = framed(&frame_json, huge, limits);
  CHECK(texts_of(large).back() == "next");
  CHECK(large.summary.damaged);
}

TEST_CASE("margins and batch borders: each line is in one core, with its neighbours around it") {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    text += "{\"log\":\"line " + std::to_string(i) + "\\n\",\"stream\":\"" +
            (i % 2 == 0 ? "stdout" : "stderr") + "\",\"time\":\"2026-01-01T00:00:00Z\"}\n";
  }
  Limits limits;
  limits.batch_bytes = 4096;
  const Framed out = framed(&frame_docker_json, text, limits);
  CHECK(out.batches.size() > 5);
  CHECK(out.batches.size() < 15);
  int next = 0;
  for (std::size_t b = 0; b < out.batches.size(); ++b) {
    const LineBatch& batch = out.batches[b];
    CHECK(batch.sequence == b);
    CHECK((b == 0) == (batch.core_begin == 0));
    CHECK((b + 1 == out.batches.size()) == (batch.core_end == batch.text.size()));
    CHECK(batch.text.back() == '\n');
    CHECK(std::is_sorted(batch.marks.begin(), batch.marks.end(),
                         [](const LineMark& x, const LineMark& y) { return x.begin < y.begin; }));
    LineResolver resolver(batch);
    for (std::size_t at = 0; at < batch.text.size();) {
      const LineSpan span = line_at(batch, at);
      const ResolvedLine line = resolver.resolve(span);
      const auto number = line.number - 1;
      if (line.text != "line " + std::to_string(number)) FAIL(line.text);
      if (line.speaker.stream != (number % 2 == 0 ? "stdout" : "stderr"))
        FAIL(line.text << " by " << line.speaker.stream);
      if (at >= batch.core_begin && at < batch.core_end && number != static_cast<unsigned>(next++))
        FAIL(line.text);
      at = span.end + 1;
    }
  }
  CHECK(next == 3000);
}

TEST_CASE("long lines are cut with an overlap, progress bars at each state") {
  Limits limits;
  limits.max_line = 1000;
  const std::string text =
      "{\"log\":\"" + std::string(2500, 'a') + "MARK" + std::string(500, 'b') +
      "\\n\",\"stream\":\"s\"}\n{\"log\":\"10%\\r20%\\r\\u001b[K30% done\\n\",\"stream\":\"s\"}\n";
  const Rows found = texts_of(framed(&frame_docker_json, text, limits));
  REQUIRE(found.size() > 5);
  CHECK(Rows(found.end() - 3, found.end()) == Rows{"10%", "20%", "30% done"});
  for (const std::string& line : found) CHECK(line.size() <= 1000);
  CHECK(std::any_of(found.begin(), found.end(),
                    [](const std::string& l) { return l.find("MARK") != std::string::npos; }));
}
