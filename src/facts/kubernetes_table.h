#pragma once
// Reads tables of `kubectl get` (pods, nodes, events, and the small ones that checks need), wide or not, one
// after another in one text, with or without NAMESPACE.
#include "facts/kubernetes_objects.h"

namespace faultline::facts::kubernetes {

/// Events of tables go to `picture`; pods and nodes are told at once, since a table says less than an object.
void read_tables(Reading& reading, Picture& picture);

/// A row of `kubectl get events` without its header: age, type, reason, kind/name, message.
std::optional<Event> try_event_row(std::string_view line, std::size_t number);

}  // namespace faultline::facts::kubernetes
