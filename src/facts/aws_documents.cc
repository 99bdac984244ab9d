#include "facts/aws_documents.h"

#include "base/text.h"
#include "facts/identity.h"

namespace faultline::facts {
namespace {

using Entity = NameJoin::Entity;

class AwsReader {
 public:
  explicit AwsReader(Reading& reading) : reading_(reading) {}

  bool read(const JsonValue& value) {
    if (value.is_array()) {
      bool any = false;
      for (const JsonValue& item : value.items) any = read_bare(item) || any;
      return any;
    }
    if (value.find("ClusterArn") != nullptr && value.find("InstanceGroups") != nullptr)
      return read_cluster(value);
    if (const JsonValue* nodes = value.find("ClusterNodeSummaries"))
      return read_list(*nodes, &AwsReader::read_node);
    if (const JsonValue* node = value.find("NodeDetails")) return read_node(*node);
    if (const JsonValue* interfaces = value.find("NetworkInterfaces")) {
      return read_list(*interfaces, &AwsReader::read_interface);
    }
    if (const JsonValue* events = value.find("Events"); events != nullptr && is_cluster_events(*events)) {
      return read_list(*events, &AwsReader::read_event);
    }
    return read_bare(value);
  }

 private:
  /// Items that --query took out of their list.
  bool read_bare(const JsonValue& item) {
    if (!item.is_object()) return false;
    if (is_instance_id(item.text("InstanceId")) && item.find("InstanceStatus") != nullptr)
      return read_node(item);
    if (item.find("EventId") != nullptr && item.find("ResourceType") != nullptr) return read_event(item);
    if (item.find("NetworkInterfaceId") != nullptr && item.find("InterfaceType") != nullptr)
      return read_interface(item);
    return false;
  }

  bool read_list(const JsonValue& list, bool (AwsReader::*read_item)(const JsonValue&)) {
    for (const JsonValue& item : list.items) (this->*read_item)(item);
    return true;
  }

  // CloudTrail and CloudFormation use the same key for other things.
  static bool is_cluster_events(const JsonValue& events) {
    return events.is_array() &&
           (events.items.empty() || events.items.front().find("ResourceType") != nullptr);
  }

  std::size_t line(const JsonValue& value) const { return reading_.lines().at_offset(value.offset); }

  void tell(const Speaker& who, std::string_view key, const JsonValue* value) {
    if (value == nullptr || value->is_object() || value->is_array()) return;
    reading_.fact(who, key, value->string, line(*value));
  }

  /// ISO text (CLI v2, boto3) or epoch seconds (CLI v1).
  Instant time(const JsonValue* value) const {
    if (value == nullptr) return {};
    if (value->is_string()) return reading_.time_of(value->string);
    const auto parsed = try_epoch(value->string);
    return parsed ? parsed->time : Instant{};
  }

  bool read_cluster(const JsonValue& value) {
    const Speaker nobody;
    tell(nobody, "cluster.name", value.find("ClusterName"));
    tell(nobody, "cluster.arn", value.find("ClusterArn"));
    tell(nobody, "cluster.status", value.find("ClusterStatus"));
    tell(nobody, "cluster.failure", value.find("FailureMessage"));
    tell(nobody, "cluster.node_recovery", value.find("NodeRecovery"));
    tell(nobody, "cluster.provisioning_mode", value.find("NodeProvisioningMode"));
    if (const JsonValue* orchestrator = value.find("Orchestrator");
        orchestrator != nullptr && !orchestrator->members.empty()) {
      reading_.fact(nobody, "cluster.type", lower(orchestrator->members.front().name), line(*orchestrator));
    }
    network(value.find("VpcConfig"));
    for (const std::string_view list : {"InstanceGroups", "RestrictedInstanceGroups"}) {
      const JsonValue* groups = value.find(list);
      if (groups == nullptr) continue;
      for (const JsonValue& group : groups->items) read_group(group);
    }
    return true;
  }

  void network(const JsonValue* config) {
    if (config == nullptr) return;
    for (const auto& [from, key] :
         {std::pair<std::string_view, std::string_view>{"SecurityGroupIds", "cluster.security_group"},
          {"Subnets", "cluster.subnet"}}) {
      const JsonValue* ids = config->find(from);
      if (ids == nullptr) continue;
      for (const JsonValue& id : ids->items) tell(Speaker{}, key, &id);
    }
  }

  void read_group(const JsonValue& group) {
    const std::string head = "cluster.group." + std::string(group.text("InstanceGroupName")) + ".";
    const Speaker nobody;
    for (const auto& [from, key] : {std::pair<std::string_view, std::string_view>{"InstanceType", "type"},
                                    {"CurrentCount", "count"},
                                    {"TargetCount", "target"},
                                    {"Status", "status"},
                                    {"CurrentImageId", "image"},
                                    {"DesiredImageId", "desired_image"},
                                    {"SoftwareUpdateStatus", "software_update"},
                                    {"ThreadsPerCore", "threads_per_core"}}) {
      tell(nobody, head + std::string(key), group.find(from));
    }
    if (const JsonValue* checks = group.find("OnStartDeepHealthChecks")) {
      for (const JsonValue& check : checks->items) tell(nobody, head + "deep_health_check", &check);
    }
    network(group.find("OverrideVpcConfig"));
  }

  bool read_node(const JsonValue& node) {
    Speaker who;
    who.node = std::string(node.text("InstanceId"));
    if (who.node.empty()) return false;
    const std::size_t at = line(node);
    reading_.fact(who, "node.instance_id", who.node, at);
    tell(who, "node.instance_group", node.find("InstanceGroupName"));
    tell(who, "node.instance_type", node.find("InstanceType"));
    tell(who, "node.logical_id", node.find("NodeLogicalId"));
    tell(who, "node.status", node.at({"InstanceStatus", "Status"}));
    tell(who, "node.status_message", node.at({"InstanceStatus", "Message"}));
    tell(who, "node.zone", node.at({"Placement", "AvailabilityZone"}));
    tell(who, "node.ultraserver", node.at({"UltraServerInfo", "Id"}));
    tell(who, "node.image", node.find("CurrentImageId"));
    if (const JsonValue* launched = node.find("LaunchTime")) {
      reading_.timed_fact(who, "node.launch_time", launched->string, time(launched), line(*launched));
    }
    for (const std::string_view name : {"PrivateDnsHostname", "PrivatePrimaryIp"}) {
      if (const JsonValue* value = node.find(name); value != nullptr && value->is_string()) {
        reading_.join(Entity::node, who.node, value->string, line(*value));
      }
    }
    return true;
  }

  bool read_event(const JsonValue& event) {
    Speaker who;
    who.node = std::string(event.text("InstanceId"));
    const JsonValue* description = event.find("Description");
    if (description == nullptr) return false;
    std::string text = description->string;
    if (const std::string_view group = event.text("InstanceGroupName"); !group.empty()) {
      text = "[" + std::string(group) + "] " + text;
    }
    if (const std::string_view level = event.text("EventLevel"); !level.empty())
      text = std::string(level) + " " + text;
    reading_.timed_fact(who, "cluster.event", text, time(event.find("EventTime")), line(*description));
    return true;
  }

  bool read_interface(const JsonValue& interface) {
    const std::string_view instance = interface.text_at({"Attachment", "InstanceId"});
    const std::size_t at = line(interface);
    if (instance.empty()) return false;
    Speaker who;
    who.node = std::string(instance);
    const std::string_view type = interface.text("InterfaceType");
    reading_.fact(who, "node.interface." + std::string(interface.text("NetworkInterfaceId")), type, at);
    // Other cards carry EFA only, or addresses of pods.
    const JsonValue* index = interface.at({"Attachment", "DeviceIndex"});
    const JsonValue* card = interface.at({"Attachment", "NetworkCardIndex"});
    if (index == nullptr || index->integer != 0 || (card != nullptr && card->integer != 0)) return true;
    reading_.join(Entity::node, instance, interface.text("PrivateIpAddress"), at);
    reading_.join(Entity::node, instance, interface.text("PrivateDnsName"), at);
    return true;
  }

  Reading& reading_;
};

}  // namespace

bool read_aws_document(Reading& reading, const JsonValue& value) {
  return AwsReader(reading).read(value) || read_security_groups(reading, value);
}

}  // namespace faultline::facts
