#pragma once
// Hits, events and facts: what was seen, by whom, when, and on which line.
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "model/artifact.h"
#include "model/pattern.h"

namespace faultline {

/// A proposal of the scanner: this pattern may match the line that holds text[position] of the batch. At most
/// one per (pattern, line); sorted by position, then pattern.
struct Hit {
  PatternIndex pattern = 0;
  std::uint32_t position = 0;
};

/// A value under a canonical name (cases/KINDS.md lists them by kind). Lists are several events.
using FieldValue = std::variant<std::int64_t, double, bool, std::string>;
using Fields = std::map<std::string, FieldValue, std::less<>>;
std::string field_text(const FieldValue& value);
/// What Event::gpu is called for events of this kind: "GPU", or "PCI device" where it may be a disk or a
/// bridge.
std::string_view device_word(std::string_view kind);

/// Where something was read.
struct Evidence {
  ArtifactIndex artifact = 0;
  std::uint64_t line = 0;  ///< from 1 in the decoded text; 0: the artifact as a whole
  std::uint64_t offset = 0;
  std::string text;  ///< the line, masked, at most Limits::max_excerpt bytes
};

/// A confirmed, typed line, or a state that a fact reader judged to be worth one.
struct Event {
  std::string pattern;              ///< pattern id; readers use their own ids, "facts.<source>.<name>"
  PatternIndex index = kNoPattern;  ///< into the PatternSet, when a pattern made it
  std::string kind;
  Severity severity = Severity::p2;
  Role role = Role::context;
  Scope scope = Scope::node;
  Speaker speaker;  ///< after `who` and the artifact's own speaker were joined in
  std::string gpu;  ///< PCI (dddd:bb:dd) or local index as text; "" unknown
  std::string nic;
  Instant time;
  Fields fields;
  Evidence evidence;
  std::uint64_t repeats = 1;  ///< how many equal ones this stands for (folded on the same entity)

  static constexpr PatternIndex kNoPattern = UINT32_MAX;
};

/// Texts for the kinds of events that fact readers make (patterns carry theirs): one row a reader id.
struct ReaderEventInfo {
  std::string_view id;  ///< "facts.kubernetes.oom_killed"
  std::string_view kind;
  std::string_view title;
  Severity severity;
  Role role;
  Scope scope;
  std::string_view meaning;
  std::string_view next;
  std::string_view reference;
};

/// A value read from a state file.
struct Fact {
  Speaker subject;    ///< node, pod, container
  std::string gpu;    ///< when the fact is about one
  std::string key;    ///< dotted, "gpu.driver_version", "version.nccl", "node.instance_id", "env.NCCL_DEBUG"
  std::string value;  ///< as printed, masked
  Instant time;
  Evidence evidence;
};

/// Two names that one artifact gives to one entity ("i-0abc..." and "ip-10-1-0-11"): raw material of
/// identity.
struct NameJoin {
  enum class Entity : std::uint8_t { node, gpu, pod, rank_node, rank_gpu };
  Entity entity = Entity::node;
  std::string a;
  std::string b;
  Evidence evidence;
};

/// All that one artifact yields beside coverage.
struct ReadResult {
  std::vector<Event> events;
  std::vector<Fact> facts;
  std::vector<NameJoin> joins;
  std::vector<std::string> notes;  ///< for coverage: what the reader could not make sense of
};

}  // namespace faultline
