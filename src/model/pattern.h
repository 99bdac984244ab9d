#pragma once
// Knowledge about log lines, as loaded from packs (schema 1, see patterns/README.md).
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/artifact.h"

namespace faultline {

using PatternIndex = std::uint32_t;  ///< position in PatternSet::patterns

enum class Severity : std::uint8_t { p0, p1, p2 };
enum class Role : std::uint8_t { cause, cascade, confirmation, context, benign, progress };
enum class Scope : std::uint8_t { cluster, node, gpu, nic, rank, process, pod };
enum class Status : std::uint8_t { stable, trial };
/// How the text of a capture becomes a value.
enum class FieldType : std::uint8_t {
  integer,
  hex,
  number,
  text,
  pci,
  guid,
  host,
  ip,
  rank,
  bytes,
  duration,
  time,
  pod_uid
};

std::string_view severity_name(Severity severity);  ///< "P0"
std::string_view role_name(Role role);
std::string_view scope_name(Scope scope);

/// TOML: `[[pattern.near]]` with before, after, regex, until, required, forbidden.
/// Extra captures from the lines around a hit: the frame of an OOM block, the rows of a ChildFailedError
/// table.
struct NearRule {
  std::uint32_t before = 0;  ///< lines to look back, at most 512; beyond 64 as far as the batch reaches
  std::uint32_t after = 0;   ///< lines to look ahead, likewise
  std::string regex;         ///< first match wins, nearest line first; captures add to the fields
  std::string until;         ///< optional: stop at a line that matches this
  bool required = false;     ///< without a match there is no event ("ValueError: x" only after a "Traceback")
  bool forbidden = false;    ///< with a match there is no event; captures are not used
};

struct PatternExample {
  std::string line;                           ///< may hold several lines; the pattern must hit one of them
  std::map<std::string, std::string> fields;  ///< expected, by printed form
  std::string why;                            ///< of a miss
};

struct Pattern {
  std::string id;     ///< area.topic.name
  std::string kind;   ///< neutral event kind
  std::string title;  ///< at most 60 characters
  Severity severity = Severity::p2;
  Role role = Role::context;
  Status status = Status::stable;
  bool needs_symptom = false;  ///< a cause only while something in evidence hangs on it
  Scope scope = Scope::node;
  std::vector<Family> families;     ///< `in`
  std::vector<std::string> any;     ///< alternatives, RE2 syntax, byte mode
  std::vector<std::string> unless;  ///< `not`: tried on the confirmed line only
  std::vector<NearRule> near;
  std::map<std::string, FieldType> fields;       ///< capture -> type
  std::map<std::string, std::string> constants;  ///< `set`: fields that the pattern itself knows
  std::map<std::string, std::string> who;        ///< entity part (node, pod, rank, gpu, ...) -> capture
  std::string meaning;
  std::string next;
  std::string reference;              ///< references/debugging-guide.md#7
  std::vector<std::string> explains;  ///< pattern ids or kinds
  std::int64_t within_s = 0;          ///< how long after it an explained event may follow
  std::string source;
  std::vector<std::string> overlaps;  ///< ids that may match the same line by intent
  std::vector<PatternExample> hits;
  std::vector<PatternExample> misses;
  std::string file;        ///< pack it came from
  std::uint32_t line = 0;  ///< where in that file
};

struct PatternSet {
  std::vector<Pattern> patterns;  ///< sorted by id
  std::string hash;               ///< of all pack bytes, 16 hex digits
};

}  // namespace faultline
