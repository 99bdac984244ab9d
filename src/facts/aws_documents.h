#pragma once
// Documents of AWS calls: HyperPod's describe-cluster, list-cluster-nodes, describe-cluster-node,
// list-cluster-events, EC2's describe-network-interfaces and security groups (aws_security_groups.h).
// Recognised by member keys, since
// --query and page merging change what stands around them.
#include "base/json.h"
#include "facts/reading.h"

namespace faultline::facts {

bool read_aws_document(Reading& reading, const JsonValue& value);
/// describe-security-groups, describe-security-group-rules, and bare lists of permissions.
bool read_security_groups(Reading& reading, const JsonValue& value);

}  // namespace faultline::facts
