#pragma once
// Reads the text of `kubectl describe pod|node`, whole or an excerpt of it, one object or many, and bare rows
// of its Events table.
#include <optional>
#include <string_view>

#include "facts/kubernetes_objects.h"

namespace faultline::facts::kubernetes {

void read_describe(Reading& reading, Picture& picture);

/// `  Warning  Failed  3m53s (x4 over 5m14s)  kubelet  Error: ErrImagePull`
std::optional<Event> try_describe_event(std::string_view line, std::size_t number);

/// `3m53s (x4 over 5m14s)` into age and count of an event; false when it is no age.
bool read_age(std::string_view cell, Event& event);

}  // namespace faultline::facts::kubernetes
