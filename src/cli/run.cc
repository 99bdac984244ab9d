#include "cli/run.h"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "app/analyze.h"
#include "app/explain.h"
#include "app/pack_check.h"
#include "app/render.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace faultline::cli {
namespace {

std::atomic<bool> interrupted_by_user{false};  // written by the signal handler alone

void on_interrupt(int) {
  // The second Ctrl-C ends the process at once: the handler was installed for one signal only.
  interrupted_by_user = true;
}

void watch_for_interrupt() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a write error, not our death
}

int print_all(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) print_problem(problem);
  return kUsage;
}

bool wants_color(const Options& options, const Output& output) {
  if (options.color != Color::automatic) return options.color == Color::always;
  const char* no_color = std::getenv("NO_COLOR");
  return output.file.empty() && stdout_is_terminal() && (no_color == nullptr || *no_color == '\0');
}

int write_outputs(const Options& options, const std::function<std::string(const Output&)>& render) {
  int code = kClean;
  for (const Output& output : options.outputs) {
    if (Result<void> written = write_output(output.file, render(output)); !written) {
      print_problem(written.error());
      code = kUsage;
    }
  }
  return code;
}

bool overwrites_input(const Options& options) {
  for (const Output& output : options.outputs) {
    if (output.file.empty() || !app::is_an_input(options.settings, output.file)) continue;
    print_problem({Rung::stop, output.file, "is one of the inputs: not overwritten",
                   "choose another file with -o, or remove an older report first"});
    return true;
  }
  return false;
}

int exit_code_of(const Options& options, const CaseReport& report) {
  if (app::nothing_readable(report.coverage)) return kNothingReadable;
  if (options.strict && report.coverage.totals.partial + report.coverage.totals.skipped > 0)
    return kNothingReadable;
  if (options.fail_on == FailOn::never) return kClean;
  const auto threshold = static_cast<Severity>(options.fail_on);
  return app::has_finding_at_or_above(report, threshold) ? kFindings : kClean;
}

int run_reading(const Options& options, const app::Engine& engine) {
  watch_for_interrupt();
  app::Observer observer;
  observer.interrupted = [] { return interrupted_by_user.load(); };
  Result<CaseReport> report = [&] {
    Progress progress(!options.quiet);
    observer.progress = [&](std::uint64_t bytes, const std::string& chain) { progress.add(bytes, chain); };
    return app::analyze(options.settings, engine, observer);
  }();
  if (!report) {
    print_problem(report.error());
    return kNothingReadable;
  }
  const int written = write_outputs(options, [&](const Output& output) {
    app::RenderOptions render;
    render.width = output.file.empty() ? terminal_width() : 80;
    render.color = wants_color(options, output);
    render.quiet = options.quiet;
    switch (output.format) {
      case Format::json:
        return app::render_json(*report);
      case Format::ndjson:
        return app::render_ndjson(*report);
      case Format::text:
        break;
    }
    return options.verb == Verb::timeline ? app::render_timeline(*report, render)
                                          : app::render_text(*report, render);
  });
  if (written != kClean) return written;
  if (app::nothing_readable(report->coverage)) {
    print_problem({Rung::stop, options.settings.paths.front(), "nothing in it could be read",
                   "see the coverage: every artifact that was met is listed with its reason"});
  }
  return exit_code_of(options, *report);
}

int run_scan(const Options& options, const app::Engine& engine) {
  watch_for_interrupt();
  app::Observer observer;
  observer.interrupted = [] { return interrupted_by_user.load(); };
  Result<correlate::Evidences> evidences = app::collect(options.settings, engine, observer);
  if (!evidences) {
    print_problem(evidences.error());
    return kNothingReadable;
  }
  const int written = write_outputs(options, [&](const Output&) { return app::render_events(*evidences); });
  if (written != kClean) return written;
  return app::nothing_readable(evidences->coverage) ? kNothingReadable : kClean;
}

}  // namespace

int run(const Options& options) {
  if (options.verb == Verb::schema) {
    return write_outputs(options, [](const Output&) { return app::report_schema(); });
  }
  if (options.verb == Verb::packs_check) {
    const app::PackCheck check = app::check_packs(options.settings.pack_directories, options.settings.limits);
    for (const Problem& problem : check.problems) print_problem(problem);
    return write_outputs(options, [&](const Output&) { return check.summary; }) == kClean &&
                   check.problems.empty()
               ? kClean
               : kUsage;
  }
  auto engine = app::make_engine(options.settings.pack_directories, options.settings.limits);
  if (!engine) return print_all(engine.error().problems);
  switch (options.verb) {
    case Verb::packs_list:
      return write_outputs(options, [&](const Output&) {
        return options.stats ? app::pack_stats(engine->patterns) : app::pack_list(engine->patterns);
      });
    case Verb::packs_test: {
      Result<std::string> text = app::test_files(*engine, options.pack_files, options.settings.limits);
      if (!text) return print_all({text.error()});
      return write_outputs(options, [&](const Output&) { return *text; });
    }
    case Verb::explain: {
      Result<std::string> text = app::explain(engine->patterns, options.id);
      if (!text) return print_all({text.error()});
      return write_outputs(options, [&](const Output&) { return *text; });
    }
    case Verb::scan:
      if (overwrites_input(options)) return kUsage;
      return run_scan(options, *engine);
    case Verb::analyze:
    case Verb::timeline:
      if (overwrites_input(options)) return kUsage;
      return run_reading(options, *engine);
    case Verb::packs_check:
    case Verb::schema:
      break;
  }
  return kInternal;
}

}  // namespace faultline::cli
