// Documents of AWS calls.
#include <catch2/catch.hpp>

#include "facts/reading_of.h"

using namespace faultline;
using namespace faultline::test;

namespace {

Given aws(std::string chain = "case/aws.json") {
  return as(ArtifactKind::aws_json, std::move(chain));
}

std::string group(std::string_view id, std::string_view in, std::string_view out) {
  return R"({"GroupId":")" + std::string(id) + R"(","GroupName":"g","VpcId":"vpc-1","IpPermissions":[)" +
         std::string(in) + R"(],"IpPermissionsEgress":[)" + std::string(out) + "]}";
}
std::string self(std::string_view id) {
  return R"({"IpProtocol":"-1","UserIdGroupPairs":[{"GroupId":")" + std::string(id) +
         R"(","UserId":"111122223333"}],"IpRanges":[]})";
}
constexpr std::string_view kAnywhere =
    R"({"IpProtocol":"-1","UserIdGroupPairs":[],"IpRanges":[{"CidrIp":"0.0.0.0/0"}]})";
constexpr std::string_view kWeb =
    R"({"IpProtocol":"tcp","FromPort":443,"ToPort":443,"UserIdGroupPairs":[],"IpRanges":[]})";

std::string groups(const std::vector<std::string>& list) {
  std::string out = "{\"SecurityGroups\":[\n";
  for (std::size_t i = 0; i < list.size(); ++i) out += list[i] + (i + 1 < list.size() ? ",\n" : "\n");
  return out + "]}";
}

}  // namespace

TEST_CASE("HyperPod documents give status, groups and joins", "[facts]") {
  const ReadResult cluster =
      read(R"({"ClusterArn":"arn:aws:sagemaker:us-west-2:111122223333:cluster/ab12cd34ef56",
"ClusterName":"demo","ClusterStatus":"InService","NodeRecovery":"None","Orchestrator":{"Eks":{"ClusterArn":"arn"}},
"VpcConfig":{"SecurityGroupIds":["sg-0aaa1111"],"Subnets":["subnet-1"]},
"InstanceGroups":[{"InstanceGroupName":"workers","InstanceType":"ml.p5.48xlarge","CurrentCount":3,"TargetCount":4,
"OnStartDeepHealthChecks":["InstanceStress"],"OverrideVpcConfig":{"SecurityGroupIds":["sg-0bbb2222"],"Subnets":[]}}]})",
           aws());
  CHECK(cluster.events.empty());
  CHECK(value(cluster, "cluster.status") == "InService");
  CHECK(value(cluster, "cluster.node_recovery") == "None");
  CHECK(value(cluster, "cluster.type") == "eks");
  CHECK(value(cluster, "cluster.group.workers.count") == "3");
  CHECK(value(cluster, "cluster.group.workers.target") == "4");
  CHECK(value(cluster, "cluster.security_group") == "sg-0aaa1111");

  const ReadResult nodes = read(R"({"ClusterNodeSummaries":[
{"InstanceGroupName":"workers","InstanceId":"i-0aaa1111bbb2222cc","InstanceType":"ml.p5.48xlarge","LaunchTime":1767225600.5,
"InstanceStatus":{"Status":"Failure","Message":"health check"},"PrivateDnsHostname":"ip-10-1-2-3.us-west-2.compute.internal"}]})",
                                aws());
  CHECK(value(nodes, "node.status", "i-0aaa1111bbb2222cc") == "Failure");
  CHECK(joined(nodes, "i-0aaa1111bbb2222cc", "ip-10-1-2-3.us-west-2.compute.internal"));
  for (const Fact& fact : nodes.facts) {
    if (fact.key == "node.launch_time") CHECK(to_iso(fact.time).substr(0, 19) == "2026-01-01T00:00:00");
  }
  CHECK(
      value(read(R"({"NodeDetails":{"InstanceId":"i-0aaa1111bbb2222cc","InstanceStatus":{"Status":"Running"},
"PrivatePrimaryIp":"10.1.2.3","Placement":{"AvailabilityZone":"us-west-2a"}}})",
                 aws()),
            "node.zone") == "us-west-2a");
  const ReadResult events =
      read(R"({"Events":[{"EventId":"1","ResourceType":"Instance","InstanceGroupName":"workers",
"InstanceId":"i-0aaa1111bbb2222cc","EventTime":"2026-01-01T09:00:00.123000+09:00","Description":"Instance was replaced"}]})",
           aws());
  CHECK(value(events, "cluster.event", "i-0aaa1111bbb2222cc") == "[workers] Instance was replaced");
  // The key means other things elsewhere.
  CHECK(read(R"({"Events":[{"EventId":"1","EventName":"RunInstances"}]})", aws()).facts.empty());
}

TEST_CASE("a group without its self-reference is told for each direction the export shows", "[facts]") {
  const ReadResult both = read(groups({group("sg-0aaa1111", kWeb, kAnywhere)}), aws());
  REQUIRE(both.events.size() == 2);
  CHECK(both.events[0].kind == "security_group_missing_self_reference");
  CHECK(field(both.events[0], "group") == "sg-0aaa1111");
  CHECK(field(both.events[0], "direction") == "ingress");
  CHECK(field(both.events[1], "direction") == "egress");
  CHECK(both.events[0].evidence.line == 2);
  const ReadResult egress = read(groups({group("sg-0aaa1111", self("sg-0aaa1111"), kAnywhere)}), aws());
  REQUIRE(egress.events.size() == 1);
  CHECK(field(egress.events[0], "direction") == "egress");
  CHECK(value(egress, "security_group.sg-0aaa1111.self_ingress") == "yes");
}

TEST_CASE("a complete group speaks for the others, and a large export is of the account", "[facts]") {
  const std::string good = group("sg-0aaa1111", self("sg-0aaa1111"), self("sg-0aaa1111"));
  const std::string web = group("sg-0bbb2222", kWeb, kAnywhere);
  CHECK(read(groups({good, web}), aws()).events.empty());
  CHECK(read(groups({web, web, web, web, web}), aws()).events.empty());
  CHECK(value(read(groups({web, web, web, web, web}), aws()), "security_group.sg-0bbb2222.self_egress") ==
        "no");
}

TEST_CASE("the form of single rules says the same", "[facts]") {
  const auto rule = [](bool egress, bool is_self) {
    return R"({"SecurityGroupRuleId":"sgr-1","GroupId":"sg-0aaa1111","IsEgress":)" +
           std::string(egress ? "true" : "false") + R"(,"IpProtocol":"-1","FromPort":-1,"ToPort":-1,)" +
           (is_self ? std::string(R"("ReferencedGroupInfo":{"GroupId":"sg-0aaa1111"}})")
                    : std::string(R"("CidrIpv4":"0.0.0.0/0"})"));
  };
  CHECK(read("{\"SecurityGroupRules\":[" + rule(false, true) + "," + rule(true, true) + "]}", aws())
            .events.empty());
  const ReadResult result =
      read("{\"SecurityGroupRules\":[" + rule(false, true) + "," + rule(true, false) + "]}", aws());
  REQUIRE(result.events.size() == 1);
  CHECK(field(result.events[0], "direction") == "egress");
}

TEST_CASE("bare inbound permissions are judged only where the file's name says what they serve", "[facts]") {
  const std::string web = "[" + std::string(kWeb) + "]";
  const std::string nfs =
      R"([{"IpProtocol":"tcp","FromPort":2049,"ToPort":2049,"UserIdGroupPairs":[],"IpRanges":[]}])";
  const ReadResult blocked = read(web, aws("case/mount_target_ingress.json"));
  REQUIRE(blocked.events.size() == 1);
  CHECK(blocked.events[0].kind == "security_group_blocking");
  CHECK(field(blocked.events[0], "port") == "2049");
  CHECK(read(nfs, aws("case/mount_target_ingress.json")).events.empty());
  CHECK(read(web, aws("case/node_egress.json")).events.empty());
  CHECK(read(web, aws("case/web_ingress.json")).events.empty());
}
