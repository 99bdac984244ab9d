#include "facts/kubernetes_table.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "facts/columns.h"
#include "facts/kubernetes_describe.h"

namespace faultline::facts::kubernetes {
namespace {

using Entity = NameJoin::Entity;
using Cells = std::vector<std::string_view>;

// Which resource a header belongs to: all of these columns must be there.
enum class Table : std::uint8_t { none, pods, nodes, events, daemonsets, services, claims, policies };
struct TableRow {
  Table table;
  std::initializer_list<std::string_view> columns;
};
const TableRow kTables[] = {
    {Table::events, {"LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"}},
    {Table::daemonsets, {"NAME", "DESIRED", "CURRENT", "READY", "AVAILABLE"}},
    {Table::services, {"NAME", "TYPE", "CLUSTER-IP", "PORT(S)"}},
    {Table::claims, {"NAME", "STATUS", "VOLUME", "CAPACITY"}},
    {Table::policies, {"NAME", "POD-SELECTOR"}},
    {Table::pods, {"NAME", "READY", "STATUS", "RESTARTS"}},
    {Table::nodes, {"NAME", "STATUS", "ROLES", "VERSION"}},
};

Table table_of(const HeaderColumns& header) {
  if (header.size() > 64) return Table::none;
  for (const TableRow& row : kTables) {
    const bool all = std::all_of(row.columns.begin(), row.columns.end(),
                                 [&](std::string_view name) { return header.find(name).has_value(); });
    if (all) return row.table;
  }
  return Table::none;
}

bool looks_like_header(std::string_view line) {
  const std::string_view body = trim(line);
  if (body.empty() || body.size() > 4096) return false;
  const bool shouted = std::none_of(body.begin(), body.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return shouted &&
         (body.find("NAME") != std::string_view::npos || body.find("LAST SEEN") != std::string_view::npos);
}

class TableReader {
 public:
  TableReader(Reading& reading, Picture& picture) : reading_(reading), picture_(picture) {}

  void run() {
    std::optional<HeaderColumns> header;
    Table table = Table::none;
    std::size_t unread = 0;
    for (number_ = 0; number_ < reading_.lines().size(); ++number_) {
      const std::string_view line = reading_.lines()[number_];
      if (trim(line).empty()) continue;
      if (looks_like_header(line)) {
        HeaderColumns next(line);
        const Table kind = table_of(next);
        if (kind != Table::none) {
          header = std::move(next);
          table = kind;
          continue;
        }
      }
      if (auto event = try_event_row(line, number_)) {
        // Structure is safer than columns here; wide rows need the columns.
        if (table != Table::events || !header || header->size() <= 6) {
          picture_.events.push_back(std::move(*event));
          continue;
        }
      }
      if (!header) continue;
      const auto cells = header->cells(line);
      if (!cells) {
        ++unread;
        header.reset();
        continue;
      }
      read_row(table, *header, *cells);
    }
    // One stray line ends a table in a file of several outputs; many are worth a word.
    if (unread > 8) reading_.note("rows of a kubectl table did not stand in its columns");
  }

 private:
  static std::string_view cell(const HeaderColumns& header, const Cells& cells, std::string_view name) {
    const auto at = header.find(name);
    if (!at || *at >= cells.size()) return {};
    return cells[*at] == "<none>" || cells[*at] == "<unknown>" ? std::string_view{} : cells[*at];
  }

  void read_row(Table table, const HeaderColumns& header, const Cells& cells) {
    std::string_view name = cell(header, cells, "NAME");
    if (const std::size_t slash = name.find('/'); slash != std::string_view::npos)
      name = name.substr(slash + 1);
    const auto get = [&](std::string_view column) { return cell(header, cells, column); };
    if (table == Table::events) {
      read_event(header, cells);
      return;
    }
    if (name.empty() || name.find(' ') != std::string_view::npos) return;
    const std::string scoped = get("NAMESPACE").empty()
                                   ? std::string(name)
                                   : std::string(get("NAMESPACE")) + "/" + std::string(name);
    const Speaker nobody;
    switch (table) {
      case Table::pods:
        read_pod(name, get);
        break;
      case Table::nodes:
        read_node(name, get);
        break;
      case Table::daemonsets:
        reading_.fact(nobody, "daemonset." + scoped + ".desired", get("DESIRED"), number_);
        reading_.fact(nobody, "daemonset." + scoped + ".ready", get("READY"), number_);
        break;
      case Table::services:
        reading_.fact(nobody, "service." + scoped + ".cluster_ip",
                      get("CLUSTER-IP").empty() ? cells[*header.find("CLUSTER-IP")] : get("CLUSTER-IP"),
                      number_);
        break;
      case Table::claims:
        reading_.fact(nobody, "volume_claim." + scoped + ".status", get("STATUS"), number_);
        break;
      case Table::policies:
        reading_.fact(nobody, "network_policy." + scoped + ".selector", cells[*header.find("POD-SELECTOR")],
                      number_);
        break;
      case Table::events:
      case Table::none:
        break;
    }
  }

  void read_event(const HeaderColumns& header, const Cells& cells) {
    const auto get = [&](std::string_view column) { return cell(header, cells, column); };
    Event event;
    event.type = std::string(get("TYPE"));
    if (event.type != "Normal" && event.type != "Warning") return;
    const auto seen = header.find("LAST SEEN");
    if (!seen || !read_age(cells[*seen], event)) return;
    event.reason = std::string(get("REASON"));
    event.message = std::string(get("MESSAGE"));
    event.source = std::string(get("SOURCE"));
    if (const auto count = parse_number<std::uint64_t>(get("COUNT"))) event.count = *count;
    set_object(event, get("OBJECT"));
    event.line = number_;
    picture_.events.push_back(std::move(event));
  }

 public:
  static bool set_object(Event& event, std::string_view object) {
    const std::size_t slash = object.find('/');
    if (slash == std::string_view::npos || object.find(' ') != std::string_view::npos) return false;
    event.object_kind = lower(object.substr(0, slash));
    if (event.object_kind == "pods") event.object_kind = "pod";
    if (event.object_kind == "nodes") event.object_kind = "node";
    event.object = std::string(object.substr(slash + 1));
    return true;
  }

 private:
  template <class Get>
  void read_pod(std::string_view name, const Get& get) {
    Speaker who;
    who.pod = std::string(name);
    who.node = std::string(get("NODE"));
    const std::string_view status = get("STATUS");
    reading_.fact(who, "pod.namespace", get("NAMESPACE"), number_);
    reading_.fact(who, "pod.node", get("NODE"), number_);
    reading_.fact(who, "pod.ip", get("IP"), number_);
    reading_.fact(who, "pod.status", status, number_);
    reading_.fact(who, "pod.restarts", get("RESTARTS"), number_);
    judge_pod_status(who, status, get("RESTARTS"), get("AGE"));
    // Hosts of the cluster's network give their own address to pods: only a pod network address names a pod.
    if (!who.node.empty() && !address_in(who.node, get("IP")))
      reading_.join(Entity::pod, name, get("IP"), number_);
  }

  static bool address_in(std::string_view node, std::string_view ip) {
    std::string dashed(ip);
    std::replace(dashed.begin(), dashed.end(), '.', '-');
    return !ip.empty() && node.find(dashed) != std::string_view::npos;
  }

  void judge_pod_status(const Speaker& who, std::string_view status, std::string_view restarts,
                        std::string_view age) {
    if (status.starts_with("Init:")) status.remove_prefix(5);
    struct Row {
      std::string_view status;
      ReaderEvent event;
    };
    static constexpr Row kRows[] = {
        {"ContainerCannotRun", ReaderEvent::kubernetes_start_failure},
        {"CrashLoopBackOff", ReaderEvent::kubernetes_crash_loop},
        {"CreateContainerConfigError", ReaderEvent::kubernetes_start_failure},
        {"CreateContainerError", ReaderEvent::kubernetes_start_failure},
        {"ErrImageNeverPull", ReaderEvent::kubernetes_image_pull},
        {"ErrImagePull", ReaderEvent::kubernetes_image_pull},
        {"Evicted", ReaderEvent::kubernetes_evicted},
        {"ImagePullBackOff", ReaderEvent::kubernetes_image_pull},
        {"InvalidImageName", ReaderEvent::kubernetes_image_pull},
        {"OOMKilled", ReaderEvent::kubernetes_oom_killed},
        {"RunContainerError", ReaderEvent::kubernetes_start_failure},
        {"StartError", ReaderEvent::kubernetes_start_failure},
        {"UnexpectedAdmissionError", ReaderEvent::kubernetes_evicted},
    };
    static_assert(std::is_sorted(std::begin(kRows), std::end(kRows),
                                 [](const Row& a, const Row& b) { return a.status < b.status; }));
    const auto* row =
        std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.status == status; });
    if (row == std::end(kRows)) return;
    // Pods that were evicted stay in the list until somebody deletes them.
    if (const auto old = parse_age(age);
        row->event == ReaderEvent::kubernetes_evicted && old && old->seconds > 86400) {
      reading_.note("pods listed as Evicted are more than a day old: not taken for a failure");
      return;
    }
    Draft draft = reading_.event(row->event, number_);
    draft.speaker(who);
    if (row->event == ReaderEvent::kubernetes_crash_loop) {
      draft.field("restarts", parse_number<std::int64_t>(restarts.substr(0, restarts.find(' '))));
    } else {
      draft.field("reason", status);
    }
  }

  template <class Get>
  void read_node(std::string_view name, const Get& get) {
    Speaker who;
    who.node = std::string(name);
    const std::string_view status = get("STATUS");
    reading_.fact(who, "node.name", name, number_);
    reading_.fact(who, "node.status", status, number_);
    reading_.fact(who, "version.kubelet", get("VERSION"), number_);
    reading_.fact(who, "version.kernel", get("KERNEL-VERSION"), number_);
    reading_.fact(who, "version.container_runtime", get("CONTAINER-RUNTIME"), number_);
    reading_.fact(who, "node.os_image", get("OS-IMAGE"), number_);
    reading_.join(Entity::node, name, get("INTERNAL-IP"), number_);
    if (status.starts_with("NotReady") || status == "Unknown" || status.starts_with("Unknown,")) {
      reading_.event(ReaderEvent::kubernetes_node_not_ready, number_)
          .speaker(who)
          .field("reason", status.substr(0, status.find(',')));
    }
  }

  Reading& reading_;
  Picture& picture_;
  std::size_t number_ = 0;
};

}  // namespace

std::optional<Event> try_event_row(std::string_view line, std::size_t number) {
  auto cells = split_columns(line, 6);
  // A namespace may stand before the age.
  const std::size_t first = cells.size() == 6 && (cells[2] == "Normal" || cells[2] == "Warning") ? 1 : 0;
  if (cells.size() < first + 5) return std::nullopt;
  if (cells[first + 1] != "Normal" && cells[first + 1] != "Warning") return std::nullopt;
  cells = split_columns(line, first + 5);
  Event event;
  if (!read_age(cells[first], event)) return std::nullopt;
  event.type = std::string(cells[first + 1]);
  event.reason = std::string(cells[first + 2]);
  if (!TableReader::set_object(event, cells[first + 3])) return std::nullopt;
  event.message = std::string(cells[first + 4]);
  event.line = number;
  return event;
}

void read_tables(Reading& reading, Picture& picture) {
  TableReader(reading, picture).run();
}

}  // namespace faultline::facts::kubernetes
