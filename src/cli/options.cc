#include "cli/options.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <thread>

#include "base/text.h"
#include "base/time.h"

namespace faultline::cli {
namespace {

constexpr std::array<std::string_view, 6> kVerbs = {"analyze", "explain", "packs",
                                                    "scan",    "schema",  "timeline"};

constexpr const char* kAbout =
    "Says which node, rank or GPU of a distributed training job failed first, of what, and how that is "
    "known,\n"
    "from what was collected: HyperPod issue reports, CloudWatch exports, pod logs, journals, command "
    "output;\n"
    "nested, compressed, partly broken. Offline: no cluster, no credentials, no network.";

constexpr const char* kFooter =
    "\nExamples:\n"
    "  faultline case.zip                          analyze an upload as it came\n"
    "  faultline logs/ extra.log.gz                several inputs, any mix\n"
    "  kubectl logs pod | faultline -              standard input\n"
    "  faultline --format json -o r.json case.zip  report for a program\n"
    "  faultline timeline --since 2026-01-01T00:00:00Z case.zip\n"
    "  faultline explain gpu.xid.79                what a finding means and what to do\n"
    "\nExit codes: 0 nothing at or above --fail-on; 1 findings; 2 usage, pack or output error;\n"
    "3 nothing readable (or skips, with --strict); 4 internal error.";

// Sizes as people write them: 64M, 2GiB, 1048576.
std::optional<std::uint64_t> parse_size(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_number<std::uint64_t>(text.substr(0, digits));
  if (!number) return std::nullopt;
  std::string unit = lower(text.substr(digits));
  if (unit.ends_with("ib"))
    unit.resize(unit.size() - 2);
  else if (unit.ends_with("b"))
    unit.resize(unit.size() - 1);
  constexpr std::string_view kUnits = "kmgt";
  if (unit.empty()) return number;
  const std::size_t power = unit.size() == 1 ? kUnits.find(unit[0]) : std::string_view::npos;
  if (power == std::string_view::npos || *number > (UINT64_MAX >> (10 * (power + 1)))) return std::nullopt;
  return *number << (10 * (power + 1));
}

/// One of `names`, with a message that lists them; CLI11's own shows its template of the enum.
template <class T>
CLI::Option* one_of(CLI::Option* option, const std::map<std::string, T>& names, const char* shown) {
  const std::string list = shown;
  return option->transform([&names, list](const std::string& text) {
    for (const auto& [name, value] : names) {
      if (iequals(name, text)) return std::to_string(static_cast<int>(value));
    }
    throw CLI::ValidationError("'" + printable(text) + "' is none of " + list);
    return std::string();
  });
}

std::string check_size(const std::string& text) {
  return parse_size(text) ? std::string() : "'" + text + "' is not a size; write 64M or 2G";
}

std::string check_rank(const std::string& text) {
  return parse_number<std::int32_t>(text) ? std::string() : "'" + text + "' is no rank; write 3 or 1,2";
}

// An offset in seconds, from Z, UTC, +09:00, -0330.
std::optional<std::int32_t> parse_zone(std::string_view text) {
  if (iequals(text, "utc") || iequals(text, "z")) return 0;
  if (text.size() < 3 || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  std::string digits(text.substr(1));
  std::erase(digits, ':');
  if (digits.size() != 2 && digits.size() != 4) return std::nullopt;
  const auto hours = parse_number<std::int32_t>(std::string_view(digits).substr(0, 2));
  const auto minutes =
      digits.size() == 4 ? parse_number<std::int32_t>(std::string_view(digits).substr(2)) : 0;
  if (!hours || !minutes || *hours > 14 || *minutes > 59) return std::nullopt;
  const std::int32_t seconds = *hours * 3600 + *minutes * 60;
  return text[0] == '-' ? -seconds : seconds;
}

struct Raw {
  std::vector<std::string> paths;
  std::vector<std::string> formats;
  std::vector<std::string> outputs;
  std::string since, until, zone;
  std::map<std::string, std::string> sizes;
};

// An option that may be repeated takes one word each time: what follows is a PATH.
CLI::Option* one_a_time(CLI::Option* option) {
  return option->take_all()->allow_extra_args(false);
}

void add_reading_options(CLI::App& app, Options& options, Raw& raw) {
  app.add_option("PATH", raw.paths, "Files, directories, archives, or - for standard input")
      ->required()
      ->type_name("");
  one_a_time(app.add_option("--packs", options.settings.pack_directories,
                            "Directory with more packs (*.toml); same ids replace"))
      ->type_name("DIR");
  app.add_option("-j,--jobs", options.settings.jobs, "Threads (default: all cores)")
      ->check(CLI::Range(1, 256).description(""))
      ->type_name("N");
  app.add_option("--since", raw.since, "Leave out events before this time (2026-01-01T00:00:00Z)")
      ->type_name("TIME");
  app.add_option("--until", raw.until, "Leave out events after this time")->type_name("TIME");
  app.add_option("--tz", raw.zone, "Zone of stamps that print none: UTC (default), +09:00")
      ->type_name("ZONE");
  one_a_time(
      app.add_option("--rank", options.settings.ranks, "Only events of these ranks (1,2), or of no rank"))
      ->delimiter(',')
      ->check(check_rank)
      ->type_name("N");
  app.add_option("--max-depth", options.settings.limits.max_depth, "Archives inside archives");
  app.add_option("--max-members", options.settings.limits.max_members, "Members of one archive");
  app.add_option("--max-ratio", options.settings.limits.max_ratio, "Expanded to stored bytes of one stream");
  for (const char* name :
       {"--max-expanded-archive", "--max-expanded-total", "--max-line", "--max-document"}) {
    app.add_option(name, raw.sizes[name], "Limit in bytes (64M, 2G)")->check(check_size)->type_name("SIZE");
  }
  app.add_flag("--strict", options.strict, "Exit code 3 when anything was cut or skipped");
}

std::string resolve_reading(Options& options, const Raw& raw) {
  app::Settings& settings = options.settings;
  settings.paths = raw.paths;
  const auto moment = [](const std::string& text, std::optional<std::int64_t>& into) {
    if (text.empty()) return true;
    const auto parsed = try_any_time(text, TimeHints{});
    if (!parsed || parsed->length != text.size() || !parsed->time.wall()) return false;
    into = parsed->time.ns;
    return true;
  };
  if (!moment(raw.since, settings.since_ns))
    return "--since: '" + raw.since + "' is not a time like 2026-01-01T00:00:00Z";
  if (!moment(raw.until, settings.until_ns))
    return "--until: '" + raw.until + "' is not a time like 2026-01-01T00:00:00Z";
  if (!raw.zone.empty()) {
    const auto zone = parse_zone(raw.zone);
    if (!zone) return "--tz: '" + raw.zone + "' is not UTC or an offset like +09:00";
    settings.zone_offset_s = *zone;
  }
  const std::map<std::string, std::uint64_t*> targets = {
      {"--max-expanded-archive", &settings.limits.max_expanded_archive},
      {"--max-expanded-total", &settings.limits.max_expanded_total},
      {"--max-line", &settings.limits.max_line},
      {"--max-document", &settings.limits.max_document}};
  for (const auto& [name, text] : raw.sizes) {
    if (!text.empty()) *targets.at(name) = *parse_size(text);
  }
  if (settings.limits.max_line < 1024) return "--max-line: at least 1K";
  return {};
}

std::optional<Format> format_from_name(std::string_view name) {
  if (name == "text" || name == "txt") return Format::text;
  if (name == "json") return Format::json;
  if (name == "ndjson" || name == "jsonl") return Format::ndjson;
  return std::nullopt;
}

// Formats and files pair up in order. One format serves all files; without one the file's ending tells.
std::string resolve_outputs(Options& options, const Raw& raw, Format fallback) {
  if (raw.outputs.empty()) {
    if (raw.formats.size() > 1)
      return "--format given " + std::to_string(raw.formats.size()) + " times without -o";
    options.outputs.push_back({raw.formats.empty() ? fallback : *format_from_name(raw.formats[0]), ""});
    return {};
  }
  if (raw.formats.size() > 1 && raw.formats.size() != raw.outputs.size()) {
    return "--format and -o pair up: give one --format for each -o, or a single one";
  }
  if (std::find(raw.outputs.begin(), raw.outputs.end(), "") != raw.outputs.end())
    return "-o: the name of the file is empty";
  for (std::size_t i = 0; i < raw.outputs.size(); ++i) {
    Output output;
    output.file = raw.outputs[i];
    const std::size_t dot = output.file.rfind('.');
    const auto by_ending =
        dot == std::string::npos ? std::nullopt : format_from_name(output.file.substr(dot + 1));
    if (raw.formats.empty())
      output.format = by_ending.value_or(fallback);
    else
      output.format = *format_from_name(raw.formats[raw.formats.size() == 1 ? 0 : i]);
    options.outputs.push_back(output);
  }
  return {};
}

void add_output_options(CLI::App& app, Options& options, Raw& raw) {
  one_a_time(app.add_option("--format", raw.formats, "text, json or ndjson; repeat with -o"))
      ->check(CLI::IsMember({"text", "json", "ndjson"}))
      ->type_name("FORMAT");
  one_a_time(app.add_option("-o,--output", raw.outputs,
                            "Write to FILE instead of standard output; repeat with --format"))
      ->type_name("FILE");
  static const std::map<std::string, Color> kColors = {
      {"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}};
  one_of(app.add_option("--color", options.color, "auto, always or never (NO_COLOR is honoured)"), kColors,
         "auto, always, never");
  static const std::map<std::string, FailOn> kFailOn = {
      {"P0", FailOn::p0}, {"P1", FailOn::p1}, {"P2", FailOn::p2}, {"never", FailOn::never}};
  one_of(app.add_option("--fail-on", options.fail_on,
                        "Lowest severity that gives exit code 1: P0, P1 (default), P2, never"),
         kFailOn, "P0, P1, P2, never");
  app.add_flag("-q,--quiet", options.quiet, "Verdict and incidents only, no progress");
}

}  // namespace

Parsed parse_command_line(int argc, const char* const* argv) {
  // `faultline PATH...` is `faultline analyze PATH...`: the verb may be left out.
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool has_verb = !words.empty() && std::find(kVerbs.begin(), kVerbs.end(), words[0]) != kVerbs.end();
  const bool is_global =
      !words.empty() && (words[0] == "-h" || words[0] == "--help" || words[0] == "--version");
  Parsed parsed;
  if (words.empty()) {
    return {false, {}, "faultline: no PATH given; try 'faultline --help'\n", true, 2};
  }
  if (words.size() == 1 && words[0] == "help")
    words[0] = "--help";
  else if (!has_verb && !is_global)
    words.insert(words.begin(), "analyze");

  Options& options = parsed.options;
  options.settings.jobs = std::max(1U, std::thread::hardware_concurrency());
  Raw raw;
  CLI::App app(kAbout, "faultline");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("faultline ") + FAULTLINE_VERSION);
  app.require_subcommand(1);

  CLI::App* analyze = app.add_subcommand("analyze", "Diagnose a bundle (the default)")->footer(kFooter);
  add_reading_options(*analyze, options, raw);
  add_output_options(*analyze, options, raw);
  CLI::App* scan = app.add_subcommand("scan", "Print every event as one JSON line");
  add_reading_options(*scan, options, raw);
  add_output_options(*scan, options, raw);
  CLI::App* timeline = app.add_subcommand("timeline", "Print events of all nodes in order of time");
  add_reading_options(*timeline, options, raw);
  add_output_options(*timeline, options, raw);
  CLI::App* explain = app.add_subcommand("explain", "Explain a pattern, a kind or a runbook section");
  explain->add_option("ID", options.id, "gpu.xid.79, gpu_xid, or references/debugging-guide.md#7")
      ->required();
  one_a_time(explain->add_option("--packs", options.settings.pack_directories, "Directory with more packs"));
  CLI::App* packs = app.add_subcommand("packs", "List, check or test packs")->require_subcommand(1);
  CLI::App* list = packs->add_subcommand("list", "All patterns");
  list->add_flag("--stats", options.stats, "Counts of patterns, kinds, hits and misses only");
  one_a_time(list->add_option("--packs", options.settings.pack_directories, "Directory with more packs"));
  CLI::App* check = packs->add_subcommand("check", "Lint packs and prove every hit and near miss");
  one_a_time(check->add_option("--packs", options.settings.pack_directories, "Directory with more packs"));
  CLI::App* test = packs->add_subcommand("test", "Show which patterns match the lines of files");
  test->add_option("FILE", options.pack_files, "Text files; - for standard input")->required();
  one_a_time(test->add_option("--packs", options.settings.pack_directories, "Directory with more packs"));
  app.add_subcommand("schema", "Print the JSON schema of the report");

  std::reverse(words.begin(), words.end());  // CLI11 takes its vector from the back
  try {
    app.parse(words);
  } catch (const CLI::Success& success) {
    std::ostringstream out, err;
    app.exit(success, out, err);
    return {false, {}, out.str() + err.str(), false, 0};
  } catch (const CLI::ParseError& error) {
    return {false, {}, "faultline: " + printable(error.what()) + "; try 'faultline --help'\n", true, 2};
  }

  std::string mistake;
  Format fallback = Format::text;
  if (analyze->parsed()) options.verb = Verb::analyze;
  if (timeline->parsed()) options.verb = Verb::timeline;
  if (explain->parsed()) options.verb = Verb::explain;
  if (list->parsed()) options.verb = Verb::packs_list;
  if (check->parsed()) options.verb = Verb::packs_check;
  if (test->parsed()) options.verb = Verb::packs_test;
  if (scan->parsed()) {
    options.verb = Verb::scan;
    fallback = Format::ndjson;
  }
  if (app.got_subcommand("schema")) options.verb = Verb::schema;
  if (analyze->parsed() || scan->parsed() || timeline->parsed()) mistake = resolve_reading(options, raw);
  if (mistake.empty()) mistake = resolve_outputs(options, raw, fallback);
  if (!mistake.empty()) return {false, {}, "faultline: " + mistake + "\n", true, 2};
  parsed.run = true;
  return parsed;
}

}  // namespace faultline::cli
