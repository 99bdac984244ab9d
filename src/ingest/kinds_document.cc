// Text that holds every marker string there is and reports no failure of its own: reports of diagnostics,
// scripts, markup, base64. They are never scanned as logs, so each of these asks for strong evidence.
#include <algorithm>

#include "base/text.h"
#include "ingest/sample.h"

namespace faultline::ingest {
namespace {

using K = ArtifactKind;

bool in_first_lines(const Sample& s, std::size_t count, std::string_view part) {
  for (std::size_t i = 0; i < std::min(count, s.lines.size()); ++i) {
    if (s.lines[i].find(part) != std::string_view::npos) return true;
  }
  return false;
}

std::optional<KindGuess> sniff_bug_report(const Sample& s) {
  constexpr std::string_view kRule = "____________________________________________";  // 44
  if (!s.has(kRule)) return std::nullopt;
  const bool report = s.has("Start of NVIDIA bug report") || s.has("nvidia-bug-report.sh Version:") ||
                      (s.has("\n*** /") && s.has("\n*** ls: "));
  if (!report) return std::nullopt;
  return narrow(K::nvidia_bug_report);
}

std::optional<KindGuess> sniff_diagnostic(const Sample& s) {
  const auto starts = [&](std::string_view part) {
    return s.percent([&](std::string_view line) { return line.starts_with(part); });
  };
  if (in_first_lines(s, 200, "=== NODE DIAGNOSTICS ===") ||
      in_first_lines(s, 20, "NCCL Diagnostic \xe2\x80\x94 SageMaker HyperPod") ||
      in_first_lines(s, 20, "NCCL Diagnostic ? SageMaker HyperPod") ||
      s.has("[P0 \xe2\x80\x94 Fix Immediately]")) {
    return narrow(K::diagnostic_report);
  }
  std::size_t verdicts = 0;
  std::size_t titles = 0;
  for (const std::string_view line : s.lines) {
    verdicts += line.starts_with("  [OK     ] ") || line.starts_with("  [CONCERN] ") ? 1 : 0;
    titles += line.starts_with("== ") && line.ends_with(" ==") ? 1 : 0;
  }
  if (verdicts != 0 && titles != 0) return narrow(K::diagnostic_report);
  if (starts("[PASS]") + starts("[FAIL]") + starts("[WARN]") + starts("[INFO]") + starts("  [PASS]") +
              starts("  [FAIL]") + starts("  [WARN]") + starts("[SKIP]") >=
          60 &&
      s.has("[PASS]") && s.lines.size() >= 5) {
    return narrow(K::diagnostic_report);
  }
  // Our own text report or timeline, handed in again: what it quotes was counted once already.
  if (!s.lines.empty() && s.lines[0].starts_with("COVERAGE  read ") && in_first_lines(s, 1, " of ")) {
    return narrow(K::diagnostic_report);
  }
  return std::nullopt;
}

std::optional<KindGuess> sniff_version_report(const Sample& s) {
  if (!s.has("========================================")) return std::nullopt;
  if (!(s.has("System Information") && s.has("CUDA Information")) && !s.has("Version Summary"))
    return std::nullopt;
  return narrow(K::version_report);
}

bool code_line(std::string_view line) {
  line = trim(line);
  constexpr std::string_view kOpenings[] = {
      "#!/",      "#include", "import ", "from ",      "def ",   "class ",     "function ", "if [",
      "fi",       "esac",     "done",    "for ",       "while ", "then",       "else",      "elif ",
      "return ",  "set -",    "echo ",   "export ",    "local ", "readonly ",  "sudo ",     "#SBATCH",
      "package ", "func ",    "const ",  "let ",       "var ",   "try:",       "except ",   "print(",
      "@",        "RUN ",     "FROM ",   "COPY ",      "ENV ",   "ENTRYPOINT", "WORKDIR ",  "CMD ",
      "trap ",    "source ",  "case ",   "namespace ", "using ", "template",   "static ",   "struct ",
      "int ",     "void ",    "with ",   "}",          "{",      "if ",        "cat <<",    "param(",
      "$",        "//",       "/*",      "\"\"\"",
  };
  return std::any_of(std::begin(kOpenings), std::end(kOpenings),
                     [&](std::string_view o) { return line.starts_with(o); });
}

std::optional<KindGuess> sniff_script(const Sample& s) {
  if (s.text.starts_with("#!/") || s.text.starts_with("#! /")) {
    // `cat script; ./script` and `set -x` captures start the same way; then log lines follow.
    if (log_lines(s) * 20 > s.lines.size()) return std::nullopt;
    return opaque(K::script, "script: holds the text of messages, reports none");
  }
  constexpr std::string_view kSuffixes[] = {".sh", ".bash", ".py",  ".pyx",    ".c",     ".cc",  ".cpp",
                                            ".h",  ".hpp",  ".cu",  ".cuh",    ".go",    ".js",  ".ts",
                                            ".rb", ".pl",   ".ps1", ".sbatch", ".slurm", ".lua", ".java",
                                            ".rs", ".awk",  ".tf",  ".j2",     ".tpl"};
  const bool suffix = std::any_of(std::begin(kSuffixes), std::end(kSuffixes),
                                  [&](std::string_view x) { return s.name.ends_with(x); });
  const bool dockerfile =
      s.name.starts_with("dockerfile") || s.name == "makefile" || s.name == "cmakelists.txt";
  if (!suffix && !dockerfile) return std::nullopt;
  if (log_lines(s) * 20 > s.lines.size() || s.percent(code_line) < 10) return std::nullopt;
  return opaque(K::script, "source text: holds the text of messages, reports none");
}

std::optional<KindGuess> sniff_xml(const Sample& s) {
  const std::string_view text = trim(s.text);
  if (!text.starts_with('<')) return std::nullopt;
  const std::string head = lower(text.substr(0, 2048));
  if (text.starts_with("<system version=") || text.starts_with("<graphs version="))
    return narrow(K::nccl_topology);
  if (head.find("<nvidia_smi_log") != std::string::npos) return narrow(K::nvidia_smi_query);
  if (head.starts_with("<?xml") && (head.find("<system version=") != std::string::npos ||
                                    head.find("<graphs version=") != std::string::npos)) {
    return narrow(K::nccl_topology);
  }
  if (head.find("<error>") != std::string::npos && head.find("<code>") != std::string::npos) {
    return opaque(K::markup, "error answer of a storage service in place of the file: fetch it again");
  }
  if (head.starts_with("<!doctype html") || head.starts_with("<html") ||
      head.find("<html") != std::string::npos) {
    return opaque(K::markup, "HTML page in place of a log, or beside it: not read");
  }
  if (head.starts_with("<?xml") || head.starts_with("<svg") || head.starts_with("<!doctype"))
    return opaque(K::markup, "XML: not read");
  return std::nullopt;
}

std::optional<KindGuess> sniff_markdown(const Sample& s) {
  std::size_t headings = 0;
  std::size_t marks = 0;
  for (const std::string_view line : s.lines) {
    headings += line.starts_with("# ") || line.starts_with("## ") || line.starts_with("### ") ? 1 : 0;
    marks += line.starts_with("```") || line.starts_with("- ") || line.starts_with("* ") ||
                     line.starts_with("| ") || line.starts_with("> ")
                 ? 1
                 : 0;
  }
  const bool name = s.name.ends_with(".md") || s.name.ends_with(".markdown") || s.name.ends_with(".rst") ||
                    s.name.starts_with("readme");
  const bool content =
      name ? headings + marks != 0 : headings >= 3 && marks >= 3 && s.has("\n## ") && s.has("\n```");
  if (!content || (!name && log_lines(s) * 4 > s.lines.size())) return std::nullopt;
  return opaque(K::markup, "documentation: not read (logs quoted in it count when handed in as files)");
}

std::optional<KindGuess> sniff_license(const Sample& s) {
  if (!in_first_lines(s, 5, "Apache License") && !in_first_lines(s, 5, "MIT License") &&
      !in_first_lines(s, 5, "GNU GENERAL PUBLIC LICENSE"))
    return std::nullopt;
  if (log_lines(s) != 0) return std::nullopt;
  return opaque(K::markup, "license text: not read");
}

bool base64_line(std::string_view line) {
  line = trim(line);
  if (line.size() < 44) return false;
  while (line.ends_with('=')) line.remove_suffix(1);
  return std::all_of(line.begin(), line.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '-' || c == '_';
  });
}

std::optional<KindGuess> sniff_base64(const Sample& s) {
  const bool one_line = s.lines.size() == 1 && s.lines[0].size() > 2000;
  if (s.lines.size() < 4 && !one_line) return std::nullopt;
  if (s.percent(base64_line) < 90) return std::nullopt;
  if (s.text.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos)
    return std::nullopt;  // a list of hashes
  return opaque(K::base64, "base64: not read, decode it and add the result");
}

constexpr Sniffer kSniffers[] = {sniff_bug_report, sniff_diagnostic, sniff_version_report, sniff_script,
                                 sniff_xml,        sniff_markdown,   sniff_license,        sniff_base64};

}  // namespace

Sniffers document_sniffers() {
  return {kSniffers, std::size(kSniffers)};
}

}  // namespace faultline::ingest
