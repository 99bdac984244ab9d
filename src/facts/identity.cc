#include "facts/identity.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "facts/columns.h"

namespace faultline::facts {
namespace {

using Entity = NameJoin::Entity;

// Files of one line, by name (facts on collectors: HyperPod issue report, EKS log collector).
struct NamedFile {
  std::string_view name;
  std::string_view key;
};
constexpr NamedFile kFiles[] = {
    {"availability-zone.txt", "node.zone"},
    {"cluster_type.txt", "cluster.type"},
    {"hostname.txt", "node.hostname"},
    {"instance-id.txt", "node.instance_id"},
    {"instance_group.txt", "node.instance_group"},
    {"instance_id.txt", "node.instance_id"},
    {"region.txt", "node.region"},
};
static_assert(std::is_sorted(std::begin(kFiles), std::end(kFiles),
                             [](const NamedFile& a, const NamedFile& b) { return a.name < b.name; }));

std::string_view first_text(const Reading& reading, std::size_t& line) {
  for (line = 0; line < reading.lines().size(); ++line) {
    if (const std::string_view text = trim(reading.lines()[line]); !text.empty()) return text;
  }
  return {};
}

bool is_word(std::string_view text) {
  return !text.empty() && text.size() <= 255 && text.find_first_of(" \t:") == std::string_view::npos;
}

std::size_t line_of(const Reading& reading, const JsonValue& value) {
  return reading.lines().at_offset(value.offset);
}

void read_resource_config(Reading& reading, const JsonValue& value) {
  const Speaker nobody;
  if (const JsonValue* cluster = value.find("ClusterConfig")) {
    reading.fact(nobody, "cluster.name", cluster->text("ClusterName"), line_of(reading, *cluster));
    reading.fact(nobody, "cluster.arn", cluster->text("ClusterArn"), line_of(reading, *cluster));
  }
  const JsonValue* groups = value.find("InstanceGroups");
  if (groups == nullptr) return;
  for (const JsonValue& group : groups->items) {
    const JsonValue* instances = group.find("Instances");
    if (instances == nullptr) continue;
    for (const JsonValue& instance : instances->items) {
      const std::string_view id = instance.text("InstanceId");
      const std::string_view name = instance.text("InstanceName");
      const std::string_view ip = instance.text("CustomerIpAddress");
      const std::size_t line = line_of(reading, instance);
      Speaker who;
      who.node = std::string(!id.empty() ? id : !name.empty() ? name : ip);
      if (who.node.empty()) continue;
      reading.fact(who, "node.instance_id", id, line);
      reading.fact(who, "node.instance_name", name, line);
      reading.fact(who, "node.ip", ip, line);
      // The agent's address belongs to the service's own network and repeats between clusters: no name of the
      // node.
      reading.fact(who, "node.agent_ip", instance.text("AgentIpAddress"), line);
      reading.fact(who, "node.instance_group", group.text("Name"), line);
      reading.fact(who, "node.instance_type", group.text("InstanceType"), line);
      reading.join(Entity::node, who.node, name, line);
      reading.join(Entity::node, who.node, ip, line);
    }
  }
}

void read_summary(Reading& reading, const JsonValue& value) {
  const Speaker nobody;
  const std::size_t head = line_of(reading, value);
  reading.fact(nobody, "cluster.name", value.text("cluster_name"), head);
  reading.fact(nobody, "cluster.id", value.text("cluster_id"), head);
  reading.fact(nobody, "collection.report_id", value.text("report_id"), head);
  if (const JsonValue* stamp = value.find("timestamp")) {
    reading.timed_fact(nobody, "collection.time", stamp->string, reading.time_of(stamp->string),
                       line_of(reading, *stamp));
  }
  for (const auto& [from, key] :
       {std::pair<std::string_view, std::string_view>{"total_nodes", "collection.nodes"},
        {"successful", "collection.nodes_collected"}}) {
    if (const JsonValue* number = value.find(from))
      reading.fact(nobody, key, number->string, line_of(reading, *number));
  }
  const JsonValue* results = value.find("results");
  if (results == nullptr) return;
  for (const JsonValue& result : results->items) {
    const JsonValue* success = result.find("Success");
    Speaker who;
    who.node = std::string(result.text("InstanceId"));
    if (who.node.empty()) continue;
    const std::size_t line = line_of(reading, result);
    reading.fact(who, "node.instance_group", result.text("NodeGroup"), line);
    if (success == nullptr || success->boolean) continue;
    // "group: reason": coverage lists the node as missing with it.
    std::string why(trim(result.text("Error")));
    if (why.empty()) why = "no reason given";
    std::replace(why.begin(), why.end(), '\n', ' ');
    reading.fact(who, "collection.failed", std::string(result.text("NodeGroup")) + ": " + why, line);
  }
}

void read_provisioning(Reading& reading, const JsonValue& value) {
  const Speaker nobody;
  for (const std::string_view key :
       {"workload_manager", "controller_group", "login_group", "fsx_dns_name", "fsx_mountname"}) {
    if (const JsonValue* member = value.find(key); member != nullptr && member->is_string()) {
      reading.fact(nobody, "cluster." + std::string(key), member->string, line_of(reading, *member));
    }
  }
  const JsonValue* groups = value.find("worker_groups");
  if (groups == nullptr) return;
  for (const JsonValue& group : groups->items) {
    reading.fact(nobody, "cluster.worker_group", group.text("instance_group_name"), line_of(reading, group));
  }
}

void read_node_info(Reading& reading, const JsonValue& value) {
  Speaker who;
  who.node = std::string(value.text("instance_id"));
  const std::size_t line = line_of(reading, value);
  for (const std::string_view key : {"instance_id", "instance_name", "instance_type"}) {
    reading.fact(who, "node." + std::string(key), value.text(key), line);
  }
  reading.fact(who, "node.instance_group", value.text("instance_group_name"), line);
  reading.join(Entity::node, who.node, value.text("instance_name"), line);
  reading.join(Entity::node, who.node, value.text("ip_address"), line);
}

}  // namespace

bool is_instance_id(std::string_view text) {
  if (!text.starts_with("i-") || (text.size() != 10 && text.size() != 19)) return false;
  return std::all_of(text.begin() + 2, text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

void read_identity_file(Reading& reading) {
  std::size_t line = 0;
  const std::string_view value = first_text(reading, line);
  const std::string name = lower(reading.artifact.name());
  const auto* file = std::lower_bound(std::begin(kFiles), std::end(kFiles), std::string_view(name),
                                      [](const NamedFile& row, std::string_view n) { return row.name < n; });
  if (file == std::end(kFiles) || file->name != name) {
    if (is_instance_id(value)) {
      reading.fact("node.instance_id", value, line);
      reading.join(Entity::node, reading.artifact.speaker.node, value, line);
    }
    return;
  }
  if (!is_word(value)) {
    if (!value.empty()) reading.note("this identity file holds a message, not a name");
    return;
  }
  if (file->key == "node.instance_id" && !is_instance_id(value)) {
    reading.note("this file should hold an instance id and does not");
    return;
  }
  reading.fact(file->key, value, line);
  if (file->key == "node.instance_id" || file->key == "node.hostname") {
    reading.join(Entity::node, reading.artifact.speaker.node, value, line);
  }
}

void read_timestamp_file(Reading& reading) {
  std::size_t line = 0;
  const std::string_view value = first_text(reading, line);
  const Instant time = reading.time_of(value);
  if (time.known()) {
    reading.timed_fact(reading.artifact.speaker, "collection.time", value, time, line);
  } else if (!value.empty()) {
    reading.note("this file should hold the time of collection and does not");
  }
}

bool read_identity_document(Reading& reading, const JsonValue& value) {
  if (!value.is_object()) return false;
  if (value.find("ClusterConfig") != nullptr && value.find("InstanceGroups") != nullptr) {
    read_resource_config(reading, value);
  } else if (value.find("report_id") != nullptr && value.find("results") != nullptr) {
    read_summary(reading, value);
  } else if (value.find("workload_manager") != nullptr || value.find("worker_groups") != nullptr) {
    read_provisioning(reading, value);
  } else if (is_instance_id(value.text("instance_id")) && value.find("instance_group_name") != nullptr) {
    read_node_info(reading, value);
  } else {
    return false;
  }
  return true;
}

}  // namespace faultline::facts
