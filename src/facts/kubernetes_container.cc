#include "facts/kubernetes_container.h"

namespace faultline::facts::kubernetes {
namespace {

Said said(std::string_view value, std::size_t line) {
  return Said{std::string(value), line, std::nullopt};
}

bool is_state(const KeyValue& pair) {
  return (pair.key == "State" || pair.key == "Last State") &&
         (pair.value == "Waiting" || pair.value == "Running" || pair.value == "Terminated");
}

}  // namespace

void ContainerReader::begin_section(Role role) {
  role_ = role;
  full_ = false;
  container_indent_.reset();
  forget();
}

void ContainerReader::forget() {
  state_ = nullptr;
  list_ = nullptr;
}

bool ContainerReader::begins_excerpt(const KeyValue& pair) {
  return pair.key == "Container ID" || is_state(pair);
}

void ContainerReader::begin_excerpt(Pod& pod, std::size_t indent, std::string_view above, std::size_t line) {
  begin_section(Role::main);
  Container container;
  container.line = line;
  const auto header = key_value(above);
  if (header && header->value.empty() && indent_of(above) < indent) {
    container.name = std::string(header->key);
    container_indent_ = indent_of(above);
  } else {
    // kubectl indents a container's keys by two.
    container_indent_ = indent >= 2 ? indent - 2 : kNoLine;
  }
  full_ = pod.containers.size() >= kMostContainers;
  if (!full_) pod.containers.push_back(std::move(container));
}

void ContainerReader::read(Pod& pod, std::size_t indent, const KeyValue& pair, std::size_t line) {
  if (!container_indent_ || indent == *container_indent_) {
    if (!pair.value.empty()) return;
    container_indent_ = indent;
    forget();
    full_ = pod.containers.size() >= kMostContainers;
    if (full_) return;
    Container container;
    container.name = std::string(pair.key);
    container.init = role_ == Role::init;
    container.line = line;
    pod.containers.push_back(std::move(container));
    return;
  }
  if (!full_ && !pod.containers.empty()) read_key(pod.containers.back(), indent, pair, line);
}

bool ContainerReader::read_list(std::size_t indent, const KeyValue& pair, std::size_t line) {
  if (list_ == nullptr || indent <= list_indent_) return false;
  if (!item_indent_) item_indent_ = indent;
  // Deeper rows continue a value of several lines.
  if (indent == *item_indent_) list_->emplace_back(std::string(pair.key), said(pair.value, line));
  return true;
}

bool ContainerReader::read_state(std::size_t indent, const KeyValue& pair, std::size_t line) {
  if (state_ == nullptr || indent <= state_indent_) return false;
  const std::string_view key = pair.key;
  if (key == "Reason") state_->reason = said(pair.value, line);
  if (key == "Message") state_->message = said(pair.value, line);
  if (key == "Exit Code") state_->exit_code = said(pair.value, line);
  if (key == "Signal") state_->signal = said(pair.value, line);
  if (key == "Started") state_->started = reading_->time_of(pair.value);
  if (key == "Finished") state_->finished = reading_->time_of(pair.value);
  return true;
}

void ContainerReader::read_key(Container& container, std::size_t indent, const KeyValue& pair,
                               std::size_t line) {
  if (read_list(indent, pair, line) || read_state(indent, pair, line)) return;
  forget();
  const std::string_view key = pair.key;
  if (key == "State" || key == "Last State") {
    state_ = key == "State" ? &container.state : &container.last;
    state_indent_ = indent;
    state_->line = line;
    if (pair.value == "Waiting") state_->kind = ContainerState::Kind::waiting;
    if (pair.value == "Running") state_->kind = ContainerState::Kind::running;
    if (pair.value == "Terminated") state_->kind = ContainerState::Kind::terminated;
  } else if (key == "Image") {
    container.image = said(pair.value, line);
  } else if (key == "Image ID") {
    container.image_id = std::string(pair.value);
  } else if (key == "Ready") {
    container.ready = pair.value == "True";
  } else if (key == "Restart Count") {
    container.restarts = said(pair.value, line);
  } else if (pair.value.empty() && (key == "Environment" || key == "Limits" || key == "Requests")) {
    list_ = key == "Environment" ? &container.env : key == "Limits" ? &container.limits : &container.requests;
    list_indent_ = indent;
    item_indent_.reset();
  }
}

}  // namespace faultline::facts::kubernetes
