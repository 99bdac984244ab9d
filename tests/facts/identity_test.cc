// Identity and collection: who a bundle is about, when it was made, what it lacks.
#include <catch2/catch.hpp>

#include "facts/reading_of.h"

using namespace faultline;
using namespace faultline::test;

TEST_CASE("one-line identity files are read by their name", "[facts]") {
  struct Row {
    std::string_view file;
    std::string_view text;
    std::string_view key;
    std::string_view said;
  };
  const Row rows[] = {
      {"r/instance_id.txt", "i-0abc1111def222233\n", "node.instance_id", "i-0abc1111def222233"},
      {"r/eks-logs/system/instance-id.txt", "\ni-0abc1111\r\n", "node.instance_id", "i-0abc1111"},
      {"r/instance_group.txt", "workers\n", "node.instance_group", "workers"},
      {"r/hostname.txt", "ip-10-1-0-11\n", "node.hostname", "ip-10-1-0-11"},
      {"r/cluster_type.txt", "eks\n", "cluster.type", "eks"},
      {"r/availability-zone.txt", "us-west-2a", "node.zone", "us-west-2a"},
      // A message in place of the value, and a value of another kind.
      {"r/hostname.txt", "hostname: command not found\n", "node.hostname", ""},
      {"r/instance_id.txt", "unknown\n", "node.instance_id", ""},
      {"r/instance_id.txt", "", "node.instance_id", ""},
  };
  for (const Row& row : rows) {
    INFO(row.file << " " << row.text);
    Given given = as(ArtifactKind::identity, std::string(row.file));
    given.speaker.node = "workers-1";
    const ReadResult result = read(row.text, given);
    CHECK(value(result, row.key) == row.said);
    if (row.key == "node.instance_id") CHECK(joined(result, "workers-1", row.said) == !row.said.empty());
  }
}

TEST_CASE("timestamp.txt gives the time of collection", "[facts]") {
  const ReadResult result =
      read("Thu Jan  1 00:12:03 UTC 2026\n", as(ArtifactKind::timestamp, "r/timestamp.txt"));
  REQUIRE(result.facts.size() == 1);
  CHECK(result.facts[0].key == "collection.time");
  CHECK(to_iso(result.facts[0].time) == "2026-01-01T00:12:03Z");
  const ReadResult bad = read("jeudi 1 janvier\n", as(ArtifactKind::timestamp, "r/timestamp.txt"));
  CHECK(bad.facts.empty());
  CHECK_FALSE(bad.notes.empty());
}

TEST_CASE("resource_config.json joins the names of every node, the agent's address excepted", "[facts]") {
  const ReadResult result =
      read(R"({"ClusterConfig":{"ClusterArn":"arn:aws:sagemaker:us-west-2:111122223333:cluster/ab12cd34ef56",
"ClusterName":"demo"},
"InstanceGroups":[{"Name":"controller","InstanceType":"ml.m5.2xlarge","Instances":null},
{"Name":"workers","InstanceType":"ml.p5.48xlarge","Instances":[
 {"InstanceName":"workers-1","AgentIpAddress":"172.16.0.7","CustomerIpAddress":"10.1.2.3","InstanceId":"i-0aaa1111bbb2222cc"},
 {"InstanceName":"workers-2","CustomerIpAddress":"10.1.2.4","InstanceId":"i-0ddd3333eee4444ff"}]}]})",
           as(ArtifactKind::resource_config, "r/resource_config.json"));
  CHECK(value(result, "cluster.name") == "demo");
  CHECK(joined(result, "i-0aaa1111bbb2222cc", "workers-1"));
  CHECK(joined(result, "i-0aaa1111bbb2222cc", "10.1.2.3"));
  CHECK_FALSE(joined(result, "i-0aaa1111bbb2222cc", "172.16.0.7"));
  CHECK(value(result, "node.instance_group", "i-0ddd3333eee4444ff") == "workers");
  CHECK(value(result, "node.instance_type", "i-0ddd3333eee4444ff") == "ml.p5.48xlarge");
}

TEST_CASE("summary.json names the nodes that could not be collected, and why", "[facts]") {
  const ReadResult result =
      read(R"({"cluster_name":"demo","cluster_id":"ab12cd34ef56","report_id":"20260101_001500",
"timestamp":"2026-01-01T00:19:44.120000+00:00","total_nodes":2,"successful":1,"failed":1,"results":[
{"InstanceId":"i-0aaa1111bbb2222cc","NodeGroup":"workers","Success":true,"Output":"upload: x"},
{"InstanceId":"i-0ddd3333eee4444ff","NodeGroup":"workers","Success":false,"Error":"Command timed out after 5 minutes"}]})",
           as(ArtifactKind::issue_summary, "r/summary.json"));
  CHECK(value(result, "collection.failed", "i-0ddd3333eee4444ff") ==
        "workers: Command timed out after 5 minutes");
  CHECK(value(result, "collection.failed", "i-0aaa1111bbb2222cc").empty());
  CHECK(value(result, "collection.failed").find("timed out") != std::string::npos);
  CHECK(value(result, "collection.nodes") == "2");
  for (const Fact& fact : result.facts) {
    if (fact.key == "collection.failed") CHECK(fact.evidence.line == 4);
    if (fact.key == "collection.time") CHECK(to_iso(fact.time) == "2026-01-01T00:19:44.120000Z");
  }
}

TEST_CASE("other identity documents are known by their keys", "[facts]") {
  CHECK(
      value(
          read(
              R"({"version":"1.0.0","workload_manager":"slurm","controller_group":"controller","worker_groups":[
{"instance_group_name":"workers","partition_name":"dev"}],"fsx_dns_name":"fs-0abc.fsx.us-west-2.amazonaws.com"})",
              as(ArtifactKind::resource_config, "r/provisioning_parameters.json")),
          "cluster.worker_group") == "workers");
  const ReadResult unknown =
      read(R"({"a":{"b":[1,2,3]}})", as(ArtifactKind::resource_config, "r/resource_config.json"));
  CHECK(unknown.facts.empty());
  CHECK_FALSE(unknown.notes.empty());
}
