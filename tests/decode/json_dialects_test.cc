// Each JSON dialect in the forms of facts/artifact-formats 2 to 5, with invented values.
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

void check(Framer framer, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    INFO(c.name);
    CHECK(rows(framer, c.text) == c.rows);
    // The same whatever pieces the bytes come in.
    for (const std::size_t chunk : {std::size_t{1}, std::size_t{7}, std::size_t{64}}) {
      CHECK(rows_of(framed(framer, c.text, {}, chunk)) == c.rows);
    }
  }
}

}  // namespace

TEST_CASE("CloudWatch documents give their events with time, node and stream") {
  check(
      &frame_cloudwatch_json,
      {
          {"filter-log-events",
           R"({"events":[{"logStreamName":"SagemakerHealthMonitoringAgent/workers/i-0aaa1111bbb2222cc","timestamp":1767225600123,"message":"line one\nline two\n","ingestionTime":1767225601000,"eventId":"391"},
{"logStreamName":"LifecycleConfig/work-ers/i-0ddd3333eee4444ff","timestamp":1767225600456,"message":"+ echo start","ingestionTime":1767225601000,"eventId":"392"}],"searchedLogStreams":[],"nextToken":"abc"})",
           {"1 2026-01-01T00:00:00.123Z [i-0aaa1111bbb2222cc - - "
            "SagemakerHealthMonitoringAgent/workers/i-0aaa1111bbb2222cc] line one",
            "1 2026-01-01T00:00:00.123Z [i-0aaa1111bbb2222cc - - "
            "SagemakerHealthMonitoringAgent/workers/i-0aaa1111bbb2222cc] line two",
            "2 2026-01-01T00:00:00.456Z [i-0ddd3333eee4444ff - - "
            "LifecycleConfig/work-ers/i-0ddd3333eee4444ff] + echo start"}},
          {"get-log-events, concatenated pages, the last one empty",
           R"({"events":[{"timestamp":1767225600123,"message":"step 1\n","ingestionTime":1767225601000}],"nextForwardToken":"f/391/s","nextBackwardToken":"b/391/s"}{"events":[],"nextForwardToken":"f/391/s","nextBackwardToken":"b/391/s"})",
           {"1 2026-01-01T00:00:00.123Z [- - - -] step 1"}},
          {"an array of pages, indented",
           "[\n  {\n    \"events\": [\n      {\n        \"timestamp\": 1767225600123,\n        \"message\": "
           "\"a\",\n        "
           "\"ingestionTime\": 1767225601000\n      }\n    ]\n  },\n  {\n    \"events\": [\n      {\n        "
           "\"timestamp\": "
           "1767225600124,\n        \"message\": \"b\",\n        \"ingestionTime\": 1767225601000\n      }\n "
           "   ]\n  }\n]\n",
           {"6 2026-01-01T00:00:00.123Z [- - - -] a", "15 2026-01-01T00:00:00.124Z [- - - -] b"}},
          {"events alone, and pairs, from --query",
           "[{\"timestamp\":1767225600123,\"message\":\"a\"}]\n[[1767225600124,\"b\"],[1767225600125,\"c\"]]",
           {"1 2026-01-01T00:00:00.123Z [- - - -] a", "2 2026-01-01T00:00:00.124Z [- - - -] b",
            "2 2026-01-01T00:00:00.125Z [- - - -] c"}},
          {"noise before the document, and ANSI in the message",
           "Found credentials in shared credentials file: "
           "~/.aws/"
           "credentials\n{\"events\":[{\"timestamp\":1767225600123,\"message\":\"\\u001b[31mred\\u001b[0m\"}]"
           "}",
           {"1 - [- - - -] Found credentials in shared credentials file: ~/.aws/credentials",
            "2 2026-01-01T00:00:00.123Z [- - - -] red"}},
          {"subscription records back to back, with a probe",
           R"({"messageType":"CONTROL_MESSAGE","owner":"CloudwatchLogs","logGroup":"","logStream":"","subscriptionFilters":[],"logEvents":[{"id":"","timestamp":1767225600123,"message":"CWL CONTROL MESSAGE: Checking health of destination Firehose."}]}{"messageType":"DATA_MESSAGE","owner":"111122223333","logGroup":"/aws/demo","logStream":"DeepHealthCheckResults/i-0aaa1111bbb2222cc","subscriptionFilters":["f"],"logEvents":[{"id":"391","timestamp":1767225600123,"message":"a"},{"id":"392","timestamp":1767225600124,"message":"b"}]})",
           {"1 2026-01-01T00:00:00.123Z [i-0aaa1111bbb2222cc - - DeepHealthCheckResults/i-0aaa1111bbb2222cc] "
            "a",
            "1 2026-01-01T00:00:00.124Z [i-0aaa1111bbb2222cc - - DeepHealthCheckResults/i-0aaa1111bbb2222cc] "
            "b"}},
          {"get-query-results",
           R"({"results":[[{"field":"@timestamp","value":"2026-01-01 00:00:00.123"},{"field":"@message","value":"hello"},{"field":"@logStream","value":"LifecycleConfig/g/i-0aaa1111bbb2222cc"},{"field":"@ptr","value":"Cm=="}]],"statistics":{"recordsMatched":1.0},"status":"Complete"})",
           {"1 2026-01-01T00:00:00.123Z [i-0aaa1111bbb2222cc - - LifecycleConfig/g/i-0aaa1111bbb2222cc] "
            "hello"}},
          {"console download of Insights",
           "[\n  {\n    \"@timestamp\": \"2026-01-01 00:00:00.123\",\n    \"@message\": \"hello\",\n    "
           "\"kubernetes.pod_name\": \"job-worker-1\"\n  }\n]",
           {"4 2026-01-01T00:00:00.123Z [- job-worker-1 - -] hello"}},
      });
}

TEST_CASE("container records name node, pod, container and stream") {
  const std::string id(64, 'a');
  check(
      &frame_container_insights,
      {
          {"Container Insights",
           R"({"time":"2026-01-01T00:00:00.1Z","stream":"stderr","_p":"F","log":"NCCL WARN demo","kubernetes":{"pod_name":"job-worker-1","namespace_name":"ml","host":"hyperpod-i-0aaa1111bbb2222cc","container_name":"pytorch"}})",
           {"1 2026-01-01T00:00:00.100Z [hyperpod-i-0aaa1111bbb2222cc job-worker-1 pytorch stderr] NCCL WARN "
            "demo"}},
          {"inside filter-log-events: two levels",
           R"({"events":[{"logStreamName":"ip-10-1-0-11-application.var.log.containers.job-worker-1_ml_pytorch-)" +
               id +
               R"(.log","timestamp":1767225600123,"message":"{\"log\":\"a \\\"quoted\\\" line\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00.1Z\",\"kubernetes\":{\"pod_name\":\"job-worker-1\",\"host\":\"ip-10-1-0-11\",\"container_name\":\"pytorch\"}}"}]})",
           {"1 2026-01-01T00:00:00.100Z [ip-10-1-0-11 job-worker-1 pytorch stdout] a \"quoted\" line"}},
          {"a stream name alone says as much",
           R"({"events":[{"logStreamName":"ip-10-1-0-11-application.var.log.containers.job-worker-1_ml_pytorch-)" +
               id + R"(.log","timestamp":1767225600123,"message":"plain"}]})",
           {"1 2026-01-01T00:00:00.123Z [ip-10-1-0-11 job-worker-1 pytorch "
            "ip-10-1-0-11-application.var.log.containers.job-worker-1_ml_pytorch-" +
            id + ".log] plain"}},
          {"parts of a line by tag, two streams mixed",
           R"({"log":"first half, ","stream":"stdout","logtag":"P","time":"2026-01-01T00:00:00.1Z","kubernetes":{"pod_name":"p","host":"n","container_name":"c"}}
{"log":"other","stream":"stderr","logtag":"F","time":"2026-01-01T00:00:00.2Z","kubernetes":{"pod_name":"p","host":"n","container_name":"c"}}
{"log":"second half","stream":"stdout","logtag":"F","time":"2026-01-01T00:00:00.3Z","kubernetes":{"pod_name":"p","host":"n","container_name":"c"}})",
           {"2 2026-01-01T00:00:00.200Z [n p c stderr] other",
            "1 2026-01-01T00:00:00.100Z [n p c stdout] first half, second half"}},
          {"parsed application JSON in place of the text",
           R"({"@timestamp":"2026-01-01T00:00:00.1Z","stream":"stdout","log_processed":{"level":"info","msg":"x <y>"},"kubernetes":{"pod_name":"p","host":"n","container_name":"c"}})",
           {"1 2026-01-01T00:00:00.100Z [n p c stdout] {\"level\":\"info\",\"msg\":\"x <y>\"}"}},
          {"host and dataplane records",
           R"({"hostname":"ip-10-1-0-11.ec2.internal","systemd_unit":"kubelet.service","message":"kubelet text","az":"us-west-2a","ec2_instance_id":"i-0aaa1111bbb2222cc"}
{"host":"ip-10-1-0-11","ident":"kernel","message":"NVRM: demo"})",
           {"1 - [i-0aaa1111bbb2222cc - - kubelet.service] kubelet text",
            "2 - [ip-10-1-0-11 - - kernel] NVRM: demo"}},
      });
}

TEST_CASE("Docker's parts of a line are joined, records of others that never end lines are not") {
  check(
      &frame_docker_json,
      {
          {"plain",
           "{\"log\":\"text\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00.1Z\"}\n{\"log\":"
           "\"err\\n\",\"stream\":\"stderr\",\"time\":"
           "\"2026-01-01T00:00:00.2Z\",\"attrs\":{\"a\":\"b\"}}\n",
           {"1 2026-01-01T00:00:00.100Z [- - - stdout] text",
            "2 2026-01-01T00:00:00.200Z [- - - stderr] err"}},
          {"a part and its end, with the other stream between",
           "{\"log\":\"first "
           "\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00.1Z\"}\n{\"log\":\"err\\n\",\"stream\":"
           "\"stderr\",\"time\":"
           "\"2026-01-01T00:00:00.2Z\"}\n{\"log\":\"second\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-"
           "01T00:00:00.3Z\"}\n",
           {"2 2026-01-01T00:00:00.200Z [- - - stderr] err",
            "1 2026-01-01T00:00:00.100Z [- - - stdout] first second"}},
          {"the last part has no end",
           "{\"log\":\"a\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00.1Z\"}\n{\"log\":\"cut\","
           "\"stream\":\"stdout\",\"time\":"
           "\"2026-01-01T00:00:00.2Z\"}\n",
           {"1 2026-01-01T00:00:00.100Z [- - - stdout] a", "2 2026-01-01T00:00:00.200Z [- - - stdout] cut"}},
          {"a collector that strips line ends",
           "{\"log\":\"one\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00.1Z\"}\n{\"log\":\"two\","
           "\"stream\":\"stdout\",\"time\":"
           "\"2026-01-01T00:00:00.2Z\"}\n{\"log\":\"three\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:"
           "00:00.3Z\"}\n",
           {"1 2026-01-01T00:00:00.100Z [- - - stdout] one", "2 2026-01-01T00:00:00.200Z [- - - stdout] two",
            "3 2026-01-01T00:00:00.300Z [- - - stdout] three"}},
          {"application JSON stays as it was printed",
           R"({"log":"{\"level\":\"info\",\"msg\":\"hi\"}\n","stream":"stdout","time":"2026-01-01T00:00:00.1Z"})",
           {"1 2026-01-01T00:00:00.100Z [- - - stdout] {\"level\":\"info\",\"msg\":\"hi\"}"}},
          {"a traceback inside application JSON becomes lines",
           R"({"log":"{\"level\":\"error\",\"rank\":3,\"message\":\"failed\",\"exc_info\":\"Traceback (most recent call last):\\n  File \\\"t.py\\\"\\nValueError: x\"}\n","stream":"stderr","time":"2026-01-01T00:00:00.1Z"})",
           {"1 2026-01-01T00:00:00.100Z [- - - stderr rank=3] failed",
            "1 2026-01-01T00:00:00.100Z [- - - stderr rank=3] Traceback (most recent call last):",
            "1 2026-01-01T00:00:00.100Z [- - - stderr rank=3]   File \"t.py\"",
            "1 2026-01-01T00:00:00.100Z [- - - stderr rank=3] ValueError: x"}},
          {"prefixes inside are peeled as anywhere",
           R"({"log":"[rank3]:[E101 00:00:00.123456789 ProcessGroupNCCL.cpp:616] [Rank 3] text\n","stream":"stderr","time":"2026-01-01T00:00:00.2Z"})",
           {"1 2026-01-01T00:00:00.200Z [- - - stderr rank=3] [Rank 3] text"}},
      });
}

TEST_CASE("journal JSON gives messages whatever form the value has") {
  check(
      &frame_journal_json,
      {
          {"lines",
           R"({"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"1767225600123456","_HOSTNAME":"ip-10-1-0-11","SYSLOG_IDENTIFIER":"kubelet","_PID":"1234","MESSAGE":"text"}
{"MESSAGE":[27,91,51,49,109,114,101,100,10,50],"_HOSTNAME":"h","_COMM":"python","__REALTIME_TIMESTAMP":"1767225600123456"}
{"MESSAGE":null,"_HOSTNAME":"h","__REALTIME_TIMESTAMP":"1767225600123456"}
{"MESSAGE":["one",[116,119,111],null],"_HOSTNAME":"h","__REALTIME_TIMESTAMP":"1767225600123456","_SOURCE_REALTIME_TIMESTAMP":"1767225600000001"}
{"_HOSTNAME":"h","__REALTIME_TIMESTAMP":"1767225600123456"}
)",
           {"1 2026-01-01T00:00:00.123456Z [ip-10-1-0-11 - - kubelet pid=1234] text",
            "2 2026-01-01T00:00:00.123456Z [h - - python] red",
            "2 2026-01-01T00:00:00.123456Z [h - - python] 2", "4 2026-01-01T00:00:00.000001Z [h - - -] one",
            "4 2026-01-01T00:00:00.000001Z [h - - -] two"}},
          {"kernel lines are older than their reception",
           R"({"__REALTIME_TIMESTAMP":"1767225605000000","__MONOTONIC_TIMESTAMP":"9000000","_SOURCE_MONOTONIC_TIMESTAMP":"4000000","_TRANSPORT":"kernel","SYSLOG_IDENTIFIER":"kernel","_HOSTNAME":"h","MESSAGE":"NVRM: demo"})",
           {"1 2026-01-01T00:00:00.000000Z [h - - kernel] NVRM: demo"}},
          {"json-pretty",
           "{\n\t\"__REALTIME_TIMESTAMP\" : \"1767225600123456\",\n\t\"_HOSTNAME\" : \"h\",\n\t\"MESSAGE\" : "
           "\"text\"\n}\n{\n\t\"MESSAGE\" : [\n\t\t104,\n\t\t105\n\t],\n\t\"_HOSTNAME\" : "
           "\"h\",\n\t\"__REALTIME_TIMESTAMP\" : \"1767225600123457\"\n}\n",
           {"4 2026-01-01T00:00:00.123456Z [h - - -] text", "7 2026-01-01T00:00:00.123457Z [h - - -] hi"}},
          {"json-seq",
           "\x1e{\"__REALTIME_TIMESTAMP\":\"1767225600123456\",\"MESSAGE\":\"a\"}\n\x1e{\"__REALTIME_"
           "TIMESTAMP\":\"1767225600123457\",\"MESSAGE\":\"b\"}\n",
           {"1 2026-01-01T00:00:00.123456Z [- - - -] a", "2 2026-01-01T00:00:00.123457Z [- - - -] b"}},
          {"json-sse",
           "data: {\"__REALTIME_TIMESTAMP\":\"1767225600123456\",\"MESSAGE\":\"a\"}\n\ndata: "
           "{\"__REALTIME_TIMESTAMP\":\"1767225600123457\",\"MESSAGE\":\"b\"}\n\n",
           {"1 2026-01-01T00:00:00.123456Z [- - - -] a", "3 2026-01-01T00:00:00.123457Z [- - - -] b"}},
          {"containers of Docker's journald driver",
           R"({"__REALTIME_TIMESTAMP":"1767225600123456","_HOSTNAME":"h","CONTAINER_NAME":"k8s_pytorch_job-worker-1_ml_0000_2","CONTAINER_PARTIAL_MESSAGE":"true","MESSAGE":"first "}
{"__REALTIME_TIMESTAMP":"1767225600123457","_HOSTNAME":"h","CONTAINER_NAME":"k8s_pytorch_job-worker-1_ml_0000_2","MESSAGE":"second"})",
           {"1 2026-01-01T00:00:00.123456Z [h job-worker-1 pytorch -] first second"}},
      });
  const Framed left_out = framed(
      &frame_journal_json, R"({"MESSAGE":null,"_HOSTNAME":"h","__REALTIME_TIMESTAMP":"1767225600123456"})");
  REQUIRE(left_out.summary.notes.size() == 1);
  CHECK(left_out.summary.notes[0].find("1 journal messages were left out") == 0);
}

TEST_CASE("kinds that come as lines and as JSON are told by their content") {
  check(
      &frame_by_content,
      {
          {"dmesg -J",
           "{\n   \"dmesg\": [\n      {\n         \"pri\": 6,\n         \"time\": \"   12.345678\",\n        "
           " \"msg\": \"NVRM: demo\"\n      },{\n         \"pri\": 3,\n         \"time\": 13.5,\n         "
           "\"msg\": \"two\"\n      }\n   ]\n}\n",
           {"6 boot 12.345678 [- - - -] NVRM: demo", "10 boot 13.500000 [- - - -] two"}},
          {"dmesg", "[   12.345678] NVRM: demo\n", {"1 boot 12.345678 [- - - -] NVRM: demo"}},
          {"stern -o json",
           R"({"message":"text","nodeName":"n1","namespace":"ml","podName":"job-worker-1","containerName":"pytorch","timestamp":"2026-01-01T00:00:00.123456789Z"}
{"message":"{\"a\":1}","nodeName":"n1","namespace":"ml","podName":"job-worker-1","containerName":"pytorch"})",
           {"1 2026-01-01T00:00:00.123456789Z [n1 job-worker-1 pytorch -] text",
            "2 2026-01-01T00:00:00.123456789Z [n1 job-worker-1 pytorch -] {\"a\":1}"}},
          {"stern -o extjson",
           "{\"pod\":\"\\u001b[31mp-1\\u001b[0m\",\"container\":\"c\",\"message\":{\"level\":\"info\"}}\n",
           {"1 - [- p-1 c -] {\"level\":\"info\"}"}},
          {"health monitoring agent",
           R"({"level":"info","ts":"2026-03-03T10:11:13Z","msg":"NPD caught event: %v","details: ":{"severity":"warn","timestamp":"2026-03-03T10:11:12Z","reason":"XidHardwareFailure","message":"Node condition NvidiaErrorReboot is now: True"},"HealthMonitoringAgentDetectionEvent":"HealthEvent"})"
           "\nnot JSON\n",
           {R"(1 2026-03-03T10:11:13Z [- - - -] {"level":"info","ts":"2026-03-03T10:11:13Z","msg":"NPD caught event: %v","details: ":{"severity":"warn","timestamp":"2026-03-03T10:11:12Z","reason":"XidHardwareFailure","message":"Node condition NvidiaErrorReboot is now: True"},"HealthMonitoringAgentDetectionEvent":"HealthEvent"})",
            "2 2026-03-03T10:11:13Z [- - - -] not JSON"}},
          {"CloudWatch export of Container Insights",
           "2026-01-01T00:00:00.123Z "
           "{\"log\":\"hello\",\"stream\":\"stdout\",\"kubernetes\":{\"pod_name\":\"p\",\"host\":\"n\","
           "\"container_name\":\"c\"}}\n",
           {"1 2026-01-01T00:00:00.123Z [n p c stdout] hello"}},
          {"Loki's answer",
           R"({"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"p","container":"c","node_name":"n"},"values":[["1767225600123456789","a"],["1767225600123456790","b"]]}],"stats":{}}})",
           {"1 2026-01-01T00:00:00.123456789Z [n p c -] a", "1 2026-01-01T00:00:00.123456790Z [n p c -] b"}},
          {"Grafana's download",
           R"([{"line":"a","timestamp":"1767225600123456789","date":"2026-01-01T00:00:00.123Z","fields":{"pod":"p","container":"c"}},{"Line":"b","tsNs":"1767225600123456790","labels":{"pod":"q"}}])",
           {"1 2026-01-01T00:00:00.123456789Z [- p c -] a", "1 2026-01-01T00:00:00.123456790Z [- q - -] b"}},
          {"Fluent Bit's files and stdout",
           "{\"log\":\"x\",\"stream\":\"stdout\",\"time\":\"2026-01-01T00:00:00.1Z\",\"kubernetes\":{\"pod_"
           "name\":\"p\"}}\n"
           "kube.x: [1767225600.500000000, "
           "{\"log\":\"a\",\"stream\":\"stderr\",\"kubernetes\":{\"pod_name\":\"p\"}}]\n"
           "[0] kube.x: [[1767225601.000000000, {}], "
           "{\"log\":\"b\",\"stream\":\"stderr\",\"kubernetes\":{\"pod_name\":\"p\"}}]\n",
           {"1 2026-01-01T00:00:00.100Z [- p - stdout] x",
            "2 2026-01-01T00:00:00.500000000Z [- p - stderr] a",
            "3 2026-01-01T00:00:01.000000000Z [- p - stderr] b"}},
          {"nothing", "", {}},
          {"blank lines", "\n\n", {"1 - [- - - -] ", "2 - [- - - -] "}},
      });
}

TEST_CASE("a document in UTF-16 is read, and its offsets are the artifact's own") {
  const std::string text =
      "{\"message\":\"x\",\"pod\":\"p\",\"container\":\"c\"}\n{\"message\":\"y\",\"pod\":\"p\",\"container\":"
      "\"c\"}\n";
  std::string wide = "\xff\xfe";
  for (const char c : text) {
    wide += c;
    wide += '\0';
  }
  const Framed out = framed(&frame_by_content, wide);
  CHECK(rows_of(out) == Rows{"1 - [- p c -] x", "2 - [- p c -] y"});
  CHECK(out.summary.notes == std::vector<std::string>{"UTF-16LE"});
  REQUIRE(out.batches.size() == 1);
  CHECK(out.batches[0].marks[1].offset == 2 + 2 * text.find("\"message\":\"y\""));
}
