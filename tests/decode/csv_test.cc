// CloudWatch CSV downloads (facts/artifact-formats 3.4, 3.5).
#include <catch2/catch.hpp>

#include "decode/structured_rows.h"

using namespace faultline;
using namespace faultline::decode;

namespace {
using Rows = std::vector<std::string>;
struct Case {
  const char* name;
  std::string text;
  Rows rows;
};
}  // namespace

TEST_CASE("CSV rows give time, stream and a message of any number of lines") {
  const Case cases[] = {
      {"the console's event viewer",
       "timestamp,message\n1767225600123,plain text\n1767225600124,\"quoted, with "
       "comma\"\n1767225600125,\"two\nlines \"\"quoted\"\"\"\n1767225600126,after\n",
       {"2 2026-01-01T00:00:00.123Z [- - - -] plain text",
        "3 2026-01-01T00:00:00.124Z [- - - -] quoted, with comma", "4 2026-01-01T00:00:00.125Z [- - - -] two",
        "5 2026-01-01T00:00:00.125Z [- - - -] lines \"quoted\"",
        "6 2026-01-01T00:00:00.126Z [- - - -] after"}},
      {"Insights, BOM and CRLF, JSON in the message",
       "\xef\xbb\xbf@logStream,@timestamp,@message\r\nSagemakerHealthMonitoringAgent/workers/"
       "i-0aaa1111bbb2222cc,2026-01-01 "
       "00:00:00.123,\"{\"\"level\"\":\"\"info\"\",\"\"msg\"\":\"\"demo\"\"}\"\r\n",
       {"2 2026-01-01T00:00:00.123Z [i-0aaa1111bbb2222cc - - "
        "SagemakerHealthMonitoringAgent/workers/i-0aaa1111bbb2222cc] {\"level\":\"info\",\"msg\":\"demo\"}"}},
      {"quoted header, columns of Kubernetes, no @message",
       "\"@timestamp\",\"kubernetes.pod_name\",\"kubernetes.host\",\"log\"\n\"2026-01-01 "
       "00:00:00.123\",\"job-worker-1\",\"n1\",\"text\"\n",
       {"2 2026-01-01T00:00:00.123Z [n1 job-worker-1 - -] text"}},
      {"a record of Container Insights in the message",
       "@timestamp,@message\n2026-01-01 "
       "00:00:00.123,\"{\"\"log\"\":\"\"x\\n\"\",\"\"stream\"\":\"\"stderr\"\",\"\"kubernetes\"\":{\"\"pod_"
       "name\"\":\"\"p\"\"}}\"\n",
       {"2 2026-01-01T00:00:00.123Z [- p - stderr] x"}},
      {"unquoted commas, from a hand",
       "timestamp,message\n1767225600123,a, b, c\n",
       {"2 2026-01-01T00:00:00.123Z [- - - -] a, b, c"}},
      {"no header",
       "1767225600123,\"text\"\n1767225600124,more\n",
       {"1 2026-01-01T00:00:00.123Z [- - - -] text", "2 2026-01-01T00:00:00.124Z [- - - -] more"}},
      {"no message column: the row itself",
       "@timestamp,@logStream,count\n2026-01-01 00:00:00.000,s,5\n",
       {"2 - [- - - -] 2026-01-01 00:00:00.000,s,5"}},
      {"header only", "timestamp,message\n", {}},
      {"empty", "", {}},
      {"short and empty rows",
       "timestamp,message\n1767225600123\n\n,text\n",
       {"2 - [- - - -] 1767225600123", "4 - [- - - -] text"}},
      {"cut inside quotes",
       "timestamp,message\n1767225600123,\"NVRM: cut",
       {"2 2026-01-01T00:00:00.123Z [- - - -] NVRM: cut"}},
      {"text behind a closing quote",
       "timestamp,message\n1767225600123,\"a\" b\n",
       {"2 2026-01-01T00:00:00.123Z [- - - -] a b"}},
  };
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK(rows(&frame_cloudwatch_csv, c.text) == c.rows);
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{5}}) {
      CHECK(rows_of(framed(&frame_cloudwatch_csv, c.text, {}, chunk)) == c.rows);
    }
  }
}

TEST_CASE("a quote that is never closed costs a line, not the text") {
  Limits limits;
  limits.max_line = 2048;
  std::string text = "timestamp,message\n1767225600123,\"open\n";
  for (int i = 0; i < 1000; ++i) text += "1767225600124,message " + std::to_string(i) + "\n";
  const Framed out = framed(&frame_cloudwatch_csv, text, limits);
  const Rows found = texts_of(out);
  REQUIRE(found.size() == 1001);
  CHECK(found[0].find("open") != std::string::npos);
  CHECK(found[1] == "message 0");
  CHECK(found.back() == "message 999");
  CHECK(out.summary.damaged);
  CHECK(out.summary.lines == 1002);
  const std::string quotes(300'000, '"');
  CHECK(framed(&frame_cloudwatch_csv, "timestamp,message\n" + quotes).summary.lines == 2);
  std::string alternating;
  for (int i = 0; i < 200'000; ++i) alternating += "\"\n";
  CHECK(framed(&frame_cloudwatch_csv, alternating, limits).summary.lines == 200'000);
}
