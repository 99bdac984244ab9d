// Which names are one node, and where a pod and its ranks run.
#include "correlate/identity.h"

#include <catch2/catch.hpp>

using namespace faultline;
using correlate::Evidences;
using correlate::Identity;

namespace {

NameJoin join(NameJoin::Entity entity, std::string a, std::string b) {
  NameJoin j;
  j.entity = entity;
  j.a = std::move(a);
  j.b = std::move(b);
  return j;
}

Fact fact(std::string key, std::string value, std::string pod) {
  Fact f;
  f.key = std::move(key);
  f.value = std::move(value);
  f.subject.pod = std::move(pod);
  return f;
}

Event said_by(std::string node, std::int32_t rank) {
  Event event;
  event.speaker.node = std::move(node);
  event.speaker.rank = rank;
  return event;
}

constexpr auto kNode = NameJoin::Entity::node;
constexpr auto kPod = NameJoin::Entity::pod;

}  // namespace

TEST_CASE("the address of a pod is the pod, not a node") {
  Evidences evidences;
  evidences.joins = {join(kNode, "i-0abc1234def567890", "10.1.0.11"),
                     join(kNode, "hyperpod-i-0abc1234def567890", "i-0abc1234def567890"),
                     join(kPod, "worker-0", "192.0.2.40")};
  evidences.facts = {fact("pod.node", "hyperpod-i-0abc1234def567890", "worker-0")};
  evidences.events = {said_by("192.0.2.40", 3), said_by("worker-0", 4), said_by("ip-10-1-0-11", 5)};
  const Identity identity(evidences);
  CHECK(identity.entities().nodes.size() == 1);
  for (Event event : evidences.events) {
    identity.settle(event);
    CHECK(event.speaker.node == "ip-10-1-0-11");
  }
  CHECK(identity.place_of_rank(3)->pod == "worker-0");
  CHECK(identity.place_of_rank(3)->node == "ip-10-1-0-11");
  CHECK(identity.place_of_rank(5)->pod.empty());
}

TEST_CASE("a pod on the network of its node has the node's address and no other") {
  Evidences evidences;
  evidences.joins = {join(kNode, "i-0abc1234def567890", "10.1.0.11"), join(kPod, "agent-x1", "10.1.0.11")};
  evidences.events = {said_by("10.1.0.11", -1)};
  const Identity identity(evidences);
  CHECK(identity.node_of_pod("agent-x1") == identity.node_name("i-0abc1234def567890"));
  Event event = evidences.events.front();
  identity.settle(event);
  CHECK(event.speaker.pod.empty());
}

TEST_CASE("an address that two pods had names neither, and a pod on two nodes is said") {
  Evidences evidences;
  evidences.joins = {join(kPod, "worker-0", "192.0.2.40"), join(kPod, "worker-1", "192.0.2.40")};
  evidences.facts = {fact("pod.node", "node-a", "worker-0"), fact("pod.node", "node-b", "worker-0"),
                     fact("pod.node", "node-b", "worker-0")};
  const Identity identity(evidences);
  CHECK(identity.pod_named("192.0.2.40").empty());
  CHECK(identity.entities().contradictions ==
        std::vector<std::string>{"pod worker-0 is on node-a and on node-b"});
}
