#pragma once
// The answer: findings, checks, incidents with their diagnosis, and the coverage they rest on. Plain values;
// what `report` prints and nothing else.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/coverage.h"
#include "model/event.h"

namespace faultline {

enum class Outcome : std::uint8_t { unresolved, terminal, recovered, progressed };
std::string_view outcome_name(Outcome outcome);

struct Instance {
  Speaker speaker;
  std::string gpu;
  std::string nic;
  Instant time;
  Fields fields;
  Evidence evidence;
  std::uint64_t repeats = 1;
};

/// All events of one pattern in the bundle.
struct Finding {
  std::uint32_t id = 0;  ///< from 1, in report order
  std::string kind;
  std::string pattern;
  Severity severity = Severity::p2;
  Role role = Role::context;  ///< evidence may have moved it from the pattern's own
  Status status = Status::stable;
  Scope scope = Scope::node;
  std::string title;
  std::string meaning;
  std::string next;
  std::string reference;
  std::uint64_t count = 0;
  Instant first;
  Instant last;
  Outcome outcome = Outcome::unresolved;
  std::vector<Instance> instances;  ///< bounded (64)
};

enum class Verdict : std::uint8_t { fail, warn, pass, info, unknown };
std::string_view verdict_name(Verdict verdict);  ///< "fail"

struct CheckResult {
  std::string id;
  Verdict verdict = Verdict::unknown;
  Severity severity = Severity::p2;
  std::string title;  ///< the verdict in words
  std::vector<std::string> subjects;
  std::vector<Evidence> evidence;
  std::string reference;
  std::string collect;  ///< for unknown: the read-only command that would bring the input
};

enum class Confidence : std::uint8_t { high, medium, low, undecided };
std::string_view confidence_name(Confidence confidence);

struct Cause {
  std::string kind;
  std::string pattern;
  std::string text;
  std::uint32_t finding = 0;
};

struct Culprit {
  std::string node;
  std::string pod;
  std::optional<std::int32_t> rank;
  std::string gpu;
  std::vector<std::string> aliases;
};

struct ChainLink {
  Role role = Role::context;
  std::string label;  ///< one sentence
  std::uint32_t finding = 0;
  Instant time;
  Evidence evidence;
  std::vector<std::int32_t> ranks;
};

struct Alternative {
  std::string kind;
  std::string why;
};

/// One failure of one job with all its episodes.
struct Incident {
  std::uint32_t id = 0;
  std::string job;
  Instant begin;
  Instant end;
  Instant stall_start;
  std::optional<Cause> cause;
  std::optional<Culprit> culprit;
  Confidence confidence = Confidence::undecided;
  std::vector<std::string> reasons;
  std::vector<Alternative> alternatives;
  std::vector<ChainLink> chain;  ///< bounded (24)
  std::uint64_t chain_total = 0;
  std::vector<std::string> missing;
  bool primary = false;  ///< the one that the verdict is about
};

struct NodeEntity {
  std::string name;  ///< the one the report uses
  std::vector<std::string> aliases;
  std::string instance_group;
  std::string instance_type;
};
struct GpuEntity {
  std::string node;
  std::string pci;
  std::string uuid;
  std::string serial;
  std::int32_t index = -1;
  std::string product;
};
struct RankEntity {
  std::int32_t rank = -1;
  std::string node;
  std::string pod;
  std::string gpu;
};
struct Entities {
  std::vector<NodeEntity> nodes;
  std::vector<std::string> pods;
  std::vector<RankEntity> ranks;
  std::vector<GpuEntity> gpus;
  std::vector<std::string> contradictions;
};

struct VersionValue {
  std::string value;
  std::vector<std::string> subjects;
};
struct VersionRow {
  std::string component;
  std::string scope;  ///< "host", "container" or "unknown"
  std::vector<VersionValue> values;
  bool skew = false;
};

struct TimelineEntry {
  Instant time;
  std::string node;
  Severity severity = Severity::p2;
  std::string kind;
  std::uint32_t finding = 0;
  std::string text;
};

struct SuggestedCommand {
  std::string title;
  std::string command;
  bool changes_state = false;
  std::vector<std::string> preconditions;
  std::string blast_radius;
};

struct CaseReport {
  std::string verdict;              ///< one line
  std::vector<Incident> incidents;  ///< the primary one first
  std::vector<Finding> findings;    ///< by severity, role, time
  std::vector<CheckResult> checks;
  std::vector<VersionRow> versions;
  Entities entities;
  std::vector<TimelineEntry> timeline;
  std::uint64_t timeline_total = 0;
  Coverage coverage;
  std::vector<SuggestedCommand> suggested;
  std::string pack_hash;
  std::string tool_version;
};

/// `chain:line` of an evidence.
std::string where(const Coverage& coverage, const Evidence& evidence);

}  // namespace faultline
