// Security groups. EFA needs one group on all nodes that admits all protocols from and to itself; a rule for
// 0.0.0.0/0 does not do. Only a small export is judged: it is of the groups in question, a large one is of
// the whole account, and which groups the cluster uses is for the checks to join.
#include <algorithm>
#include <map>

#include "base/text.h"
#include "facts/aws_documents.h"

namespace faultline::facts {
namespace {

constexpr std::size_t kFewGroups = 4;

struct Group {
  std::string id;
  std::string name;
  std::size_t line = 0;
  std::uint64_t offset = 0;
  bool self_ingress = false;
  bool self_egress = false;
  bool knows_ingress = false;  ///< the document shows the rules of this direction
  bool knows_egress = false;
};

bool all_protocols(const JsonValue& rule) {
  return rule.text("IpProtocol") == "-1" || rule.text("IpProtocol") == "all";
}

bool names_group(const JsonValue& rule, std::string_view id) {
  const JsonValue* pairs = rule.find("UserIdGroupPairs");
  return pairs != nullptr && std::any_of(pairs->items.begin(), pairs->items.end(),
                                         [&](const JsonValue& pair) { return pair.text("GroupId") == id; });
}

bool has_self_rule(const JsonValue* rules, std::string_view id) {
  return rules != nullptr &&
         std::any_of(rules->items.begin(), rules->items.end(),
                     [&](const JsonValue& rule) { return all_protocols(rule) && names_group(rule, id); });
}

bool is_group_id(std::string_view text) {
  return text.starts_with("sg-");
}

std::vector<Group> groups_of(const Reading& reading, const JsonValue& list) {
  std::vector<Group> out;
  for (const JsonValue& item : list.items) {
    Group group;
    group.id = std::string(item.text("GroupId"));
    if (!is_group_id(group.id)) continue;
    group.name = std::string(item.text("GroupName"));
    group.offset = item.find("GroupId")->offset;
    group.line = reading.lines().at_offset(group.offset);
    const JsonValue* in = item.find("IpPermissions");
    const JsonValue* out_rules = item.find("IpPermissionsEgress");
    group.knows_ingress = in != nullptr;
    group.knows_egress = out_rules != nullptr;
    group.self_ingress = has_self_rule(in, group.id);
    group.self_egress = has_self_rule(out_rules, group.id);
    out.push_back(std::move(group));
  }
  return out;
}

std::vector<Group> groups_of_rules(const Reading& reading, const JsonValue& list) {
  std::map<std::string, Group, std::less<>> by_id;
  for (const JsonValue& rule : list.items) {
    const std::string_view id = rule.text("GroupId");
    if (!is_group_id(id)) continue;
    auto [at, fresh] = by_id.try_emplace(std::string(id));
    Group& group = at->second;
    if (fresh) {
      group.id = std::string(id);
      group.offset = rule.find("GroupId")->offset;
      group.line = reading.lines().at_offset(group.offset);
    }
    // All rules of a group come together: one shown means all are.
    group.knows_ingress = group.knows_egress = true;
    const JsonValue* egress = rule.find("IsEgress");
    const bool self = all_protocols(rule) && rule.text_at({"ReferencedGroupInfo", "GroupId"}) == id;
    if (egress != nullptr && egress->boolean) {
      group.self_egress = group.self_egress || self;
    } else {
      group.self_ingress = group.self_ingress || self;
    }
  }
  std::vector<Group> out;
  out.reserve(by_id.size());
  for (auto& [id, group] : by_id) out.push_back(std::move(group));
  return out;
}

void judge(Reading& reading, const std::vector<Group>& groups) {
  bool one_is_complete = false;
  for (const Group& group : groups) {
    const std::string head = "security_group." + group.id + ".";
    if (group.knows_ingress)
      reading.fact(Speaker{}, head + "self_ingress", group.self_ingress ? "yes" : "no", group.line);
    if (group.knows_egress)
      reading.fact(Speaker{}, head + "self_egress", group.self_egress ? "yes" : "no", group.line);
    reading.fact(Speaker{}, head + "name", group.name, group.line);
    one_is_complete = one_is_complete || (group.self_ingress && group.self_egress);
  }
  // One complete group on all nodes is enough: the others need no such rule.
  if (one_is_complete || groups.size() > kFewGroups) return;
  for (const Group& group : groups) {
    for (const auto& [direction, known, self] :
         {std::tuple<std::string_view, bool, bool>{"ingress", group.knows_ingress, group.self_ingress},
          std::tuple<std::string_view, bool, bool>{"egress", group.knows_egress, group.self_egress}}) {
      if (!known || self) continue;
      reading.event(ReaderEvent::aws_group_lacks_self, group.line, group.offset)
          .speaker(Speaker{})
          .field("group", group.id)
          .field("direction", direction);
    }
  }
}

// What a file of permissions alone is for, is in its name: "mount_target_sg_ingress.json". NFS and Lustre
// have one port each that a client must reach.
struct Purpose {
  std::string_view word;
  std::int64_t port;
};
constexpr Purpose kPurposes[] = {{"mount_target", 2049}, {"mount-target", 2049}, {"efs", 2049},
                                 {"nfs", 2049},          {"fsx", 988},           {"lustre", 988}};

bool admits(const JsonValue& rule, std::int64_t port) {
  if (all_protocols(rule)) return true;
  const std::string_view protocol = rule.text("IpProtocol");
  if (protocol != "tcp" && protocol != "6") return false;
  const JsonValue* from = rule.find("FromPort");
  const JsonValue* to = rule.find("ToPort");
  return from != nullptr && to != nullptr && from->integer <= port && port <= to->integer;
}

bool read_permissions(Reading& reading, const JsonValue& list) {
  const auto is_rule = [](const JsonValue& rule) {
    return rule.find("IpProtocol") != nullptr &&
           (rule.find("IpRanges") != nullptr || rule.find("UserIdGroupPairs") != nullptr);
  };
  if (!list.is_array() || list.items.empty() || !std::all_of(list.items.begin(), list.items.end(), is_rule))
    return false;
  for (const JsonValue& rule : list.items) {
    const std::size_t line = reading.lines().at_offset(rule.find("IpProtocol")->offset);
    std::string text(rule.text("IpProtocol"));
    if (const JsonValue* from = rule.find("FromPort")) text += " " + from->string;
    if (const JsonValue* to = rule.find("ToPort")) text += "-" + to->string;
    reading.fact(Speaker{}, "security_group.rule", text, line);
  }
  const std::string name = lower(reading.artifact.name());
  if (name.find("ingress") == std::string::npos && name.find("inbound") == std::string::npos) return true;
  for (const Purpose& purpose : kPurposes) {
    if (name.find(purpose.word) == std::string::npos) continue;
    if (std::any_of(list.items.begin(), list.items.end(),
                    [&](const JsonValue& r) { return admits(r, purpose.port); }))
      break;
    const JsonValue& first = *list.items.front().find("IpProtocol");
    reading.event(ReaderEvent::aws_group_lacks_rule, reading.lines().at_offset(first.offset), first.offset)
        .speaker(Speaker{})
        .field("direction", "ingress")
        .field("port", purpose.port);
    break;
  }
  return true;
}

}  // namespace

bool read_security_groups(Reading& reading, const JsonValue& value) {
  if (const JsonValue* groups = value.find("SecurityGroups"); groups != nullptr && groups->is_array()) {
    judge(reading, groups_of(reading, *groups));
    return true;
  }
  if (const JsonValue* rules = value.find("SecurityGroupRules"); rules != nullptr && rules->is_array()) {
    judge(reading, groups_of_rules(reading, *rules));
    return true;
  }
  return read_permissions(reading, value);
}

}  // namespace faultline::facts
