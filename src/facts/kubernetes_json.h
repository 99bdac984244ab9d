#pragma once
// Kubernetes objects as a tree (from JSON or YAML): lists, single objects, watch output, status alone.
#include "base/json.h"
#include "facts/kubernetes_objects.h"

namespace faultline::facts::kubernetes {

/// Adds what `value` holds to the picture; false when it is no Kubernetes object or list.
bool read_tree(Reading& reading, const JsonValue& value, Picture& picture);

}  // namespace faultline::facts::kubernetes
