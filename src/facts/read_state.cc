// Which reader reads which kind. Ingest has named the kind by path and first bytes; names lie and files mix
// the output of several commands, so most kinds are read by form: a tree (JSON, then YAML) is given to
// whoever knows its keys, and text to every reader of command output, each of which takes only its own
// blocks.
#include <algorithm>
#include <iterator>

#include "base/json.h"
#include "base/text.h"
#include "facts/aws_documents.h"
#include "facts/dcgm_json.h"
#include "facts/environment.h"
#include "facts/facts.h"
#include "facts/identity.h"
#include "facts/kubernetes_json.h"
#include "facts/nccl_ras.h"
#include "facts/reading.h"
#include "facts/text_readers.h"
#include "facts/torchrun_error.h"
#include "facts/versions.h"
#include "facts/yaml.h"

namespace faultline::facts {
namespace {

using TextReader = void (*)(Reading&);
struct TextRow {
  std::string_view mark;  ///< a text without it cannot interest this reader; "" : always asked
  TextReader read;
};
constexpr TextRow kTextReaders[] = {
    {"", read_kubectl_text},
    {"| ", read_nvidia_smi_panel},
    {"GPU ", read_nvidia_smi_query},
    {",", read_nvidia_smi_csv},
    {"", read_nvidia_smi_failures},
    {"Link", read_nvlink},
    {"GPU0", read_gpu_topology},
    {"Diagnostic", read_dcgm_diag},
    {"Health Monitor Report", read_dcgm_health},
    {"NODELIST", read_sinfo},
    {"JOBID", read_squeue},
    {"JobID", read_sacct},
    {"", read_scontrol},
    {"", read_version_lines},
    {"EFA installer version: ", read_efa_packages},
    {"", read_package_list},
    {"Version Summary", read_version_report},
    {"", read_fabric_info},
    {"Mounted on", read_disk_usage},
    {"#", read_nccl_tests},
    {"Job summary", read_nccl_ras},
};

void read_text(Reading& reading) {
  for (const TextRow& row : kTextReaders) {
    if (reading.text.find(row.mark) != std::string_view::npos) row.read(reading);
  }
}

using TreeReader = bool (*)(Reading&, const JsonValue&);
constexpr TreeReader kTreeReaders[] = {read_identity_document, read_dcgm_document, read_version_document,
                                       read_ras_document,      read_aws_document,  read_torchrun_error};

bool read_trees(Reading& reading, const std::vector<JsonValue>& documents) {
  bool known = false;
  kubernetes::Picture picture;
  for (const JsonValue& document : documents) {
    if (kubernetes::read_tree(reading, document, picture)) {
      known = true;
      continue;
    }
    for (const TreeReader read : kTreeReaders) {
      if (read(reading, document)) {
        known = true;
        break;
      }
    }
  }
  kubernetes::judge(reading, picture);
  return known;
}

bool starts_like_json(std::string_view text) {
  const std::string_view body = trim(text.substr(0, 65536));
  return !body.empty() && (body.front() == '{' || body.front() == '[');
}

bool try_json(Reading& reading) {
  const auto parsed = parse_json(reading.text, reading.limits);
  if (!parsed) return false;
  if (!read_trees(reading, parsed->documents)) return false;
  if (parsed->cut) reading.note("the document is cut or damaged: " + parsed->problem.what);
  return true;
}

void read_document(Reading& reading) {
  const bool tree_kind = kind_info(reading.artifact.kind).name.find("JSON") != std::string_view::npos ||
                         reading.artifact.name().ends_with(".json");
  if ((tree_kind || starts_like_json(reading.text)) && try_json(reading)) return;
  if (looks_like_yaml(reading.text)) {
    const YamlDocuments yaml = parse_yaml(reading.text, reading.limits);
    if (read_trees(reading, yaml.documents)) {
      if (yaml.skipped_lines > 0)
        reading.note(std::to_string(yaml.skipped_lines) + " lines are no YAML that kubectl prints");
      return;
    }
  }
  read_text(reading);
}

/// One file of JSON whose kind ingest knows by its keys.
void read_tree_document(Reading& reading) {
  if (!try_json(reading)) read_document(reading);
  if (!reading.fruitful()) reading.note("nothing in this document is known");
}

struct KindRow {
  ArtifactKind kind;
  void (*read)(Reading&);
};
using K = ArtifactKind;
constexpr KindRow kKinds[] = {
    {K::systemd_status, read_document},
    {K::nccl_tests, read_document},
    {K::nccl_ras, read_document},
    {K::kubectl_table, read_document},
    {K::kubectl_describe, read_document},
    {K::kubectl_events, read_document},
    {K::kubectl_json, read_tree_document},
    {K::kubectl_yaml, read_document},
    {K::slurm_command, read_document},
    {K::nvidia_smi, read_document},
    {K::nvidia_smi_query, read_document},
    {K::dcgm, read_document},
    {K::nvidia_bug_report, read_document},
    {K::nvidia_module_version, read_document},
    {K::identity, read_identity_file},
    {K::timestamp, read_timestamp_file},
    {K::resource_config, read_tree_document},
    {K::issue_summary, read_tree_document},
    {K::aws_json, read_tree_document},
    {K::torchrun_error, read_tree_document},
    {K::environment, read_environment},
    {K::efa_packages, read_document},
    {K::fabric_info, read_document},
    {K::package_list, read_document},
    {K::version_report, read_document},
    {K::disk_usage, read_document},
    {K::command_output, read_document},
};
static_assert(std::is_sorted(std::begin(kKinds), std::end(kKinds),
                             [](const KindRow& a, const KindRow& b) { return a.kind < b.kind; }));

}  // namespace

ReadResult read_state(const Artifact& artifact, std::string_view text, const TimeHints& hints,
                      const Limits& limits) {
  Reading reading(artifact, text, hints, limits);
  const auto* row = std::lower_bound(std::begin(kKinds), std::end(kKinds), artifact.kind,
                                     [](const KindRow& r, ArtifactKind kind) { return r.kind < kind; });
  if (row == std::end(kKinds) || row->kind != artifact.kind) {
    if (kind_info(artifact.kind).treatment == Treatment::state)
      reading.note("no reader for this kind of state file");
  } else {
    row->read(reading);
  }
  return reading.take();
}

}  // namespace faultline::facts
