#pragma once
// Reads a text as an artifact of one kind and asks for what came out.
#include <string>
#include <string_view>
#include <vector>

#include "facts/facts.h"

namespace faultline::test {

struct Given {
  ArtifactKind kind = ArtifactKind::command_output;
  std::string chain = "case/output.txt";
  std::string collection;
  std::string instance_group;
  Speaker speaker;
  TimeHints hints;
};

inline ReadResult read(std::string_view text, const Given& given = {}) {
  Artifact artifact;
  artifact.kind = given.kind;
  artifact.chain = given.chain;
  artifact.collection = given.collection;
  artifact.instance_group = given.instance_group;
  artifact.speaker = given.speaker;
  return facts::read_state(artifact, text, given.hints, Limits{});
}

inline Given as(ArtifactKind kind, std::string chain = "case/output.txt") {
  Given given;
  given.kind = kind;
  given.chain = std::move(chain);
  return given;
}

inline std::vector<Event> events_of(const ReadResult& result, std::string_view kind) {
  std::vector<Event> out;
  for (const Event& event : result.events) {
    if (event.kind == kind) out.push_back(event);
  }
  return out;
}

inline std::string field(const Event& event, std::string_view name) {
  const auto at = event.fields.find(name);
  return at == event.fields.end() ? std::string() : field_text(at->second);
}

/// "kind@line" of every event, in order: what a test compares with.
inline std::vector<std::string> told(const ReadResult& result) {
  std::vector<std::string> out;
  for (const Event& event : result.events)
    out.push_back(event.kind + "@" + std::to_string(event.evidence.line));
  return out;
}
using Told = std::vector<std::string>;

/// Value of the first fact of that key (about that node, pod or GPU when given); "" when there is none.
inline std::string value(const ReadResult& result, std::string_view key, std::string_view about = {}) {
  for (const Fact& fact : result.facts) {
    const bool fits = about.empty() || fact.subject.node == about || fact.subject.pod == about ||
                      fact.subject.container == about || fact.gpu == about;
    if (fact.key == key && fits) return fact.value;
  }
  return {};
}

inline bool joined(const ReadResult& result, std::string_view a, std::string_view b) {
  for (const NameJoin& join : result.joins) {
    if ((join.a == a && join.b == b) || (join.a == b && join.b == a)) return true;
  }
  return false;
}

}  // namespace faultline::test
