#pragma once
// The "Containers:" part of `kubectl describe pod`: names at one indent, keys deeper, states and lists deeper
// still.
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "facts/columns.h"
#include "facts/kubernetes_objects.h"

namespace faultline::facts::kubernetes {

class ContainerReader {
 public:
  enum class Role : std::uint8_t { main, init };
  explicit ContainerReader(const Reading& reading) : reading_(&reading) {}

  void begin_section(Role role);
  /// One line with its key; may add a container to the pod or fill the last one.
  void read(Pod& pod, std::size_t indent, const KeyValue& pair, std::size_t line);

  /// A line that only stands inside a container: its id, or a state.
  static bool begins_excerpt(const KeyValue& pair);
  /// Opens a container for text whose head is cut off; `above` names it when it is a bare "name:" line.
  void begin_excerpt(Pod& pod, std::size_t indent, std::string_view above, std::size_t line);

 private:
  void read_key(Container& container, std::size_t indent, const KeyValue& pair, std::size_t line);
  bool read_list(std::size_t indent, const KeyValue& pair, std::size_t line);
  bool read_state(std::size_t indent, const KeyValue& pair, std::size_t line);
  void forget();

  const Reading* reading_;
  Role role_ = Role::main;
  std::optional<std::size_t> container_indent_;
  bool full_ = false;  ///< beyond kMostContainers: lines belong to nobody
  // Both point into the pod's last container and are dropped before another is added.
  ContainerState* state_ = nullptr;
  std::size_t state_indent_ = 0;
  std::vector<std::pair<std::string, Said>>* list_ = nullptr;
  std::size_t list_indent_ = 0;
  std::optional<std::size_t> item_indent_;
};

}  // namespace faultline::facts::kubernetes
