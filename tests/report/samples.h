#pragma once
// Case reports built by hand, as the stages before would fill them: one with all there is, one undecided, one
// without events, one without input, and one whose every string comes from an enemy. All values are invented.
#include <string>

#include "model/case_report.h"

namespace faultline::samples {

inline Instant at(std::int64_t seconds_after_midnight, std::int64_t precision_ns = kSecond) {
  Instant time;
  time.base = Instant::Base::epoch;
  time.ns = (1'767'225'600 + seconds_after_midnight) * kSecond;  // 2026-01-01T00:00:00Z
  time.precision_ns = precision_ns;
  return time;
}

inline CoverageRow row(std::string chain, ArtifactKind kind, std::string node, std::uint64_t bytes,
                       std::uint64_t lines) {
  CoverageRow made;
  made.chain = std::move(chain);
  made.kind = kind;
  made.node = std::move(node);
  made.bytes = bytes;
  made.lines = lines;
  return made;
}

inline Evidence evidence(ArtifactIndex artifact, std::uint64_t line, std::string text) {
  return {artifact, line, line * 100, std::move(text)};
}

/// Xid 79 on one node, watchdogs on the ranks of the others, an older attempt that was cancelled.
inline CaseReport rich() {
  CaseReport report;
  report.tool_version = "9.9.9";
  report.pack_hash = "00112233445566aa";
  report.verdict =
      "node ip-10-1-0-13 failed first: GPU 0000:9a:00 fell off the bus (Xid 79); 24 ranks waited for it";

  Coverage& coverage = report.coverage;
  const std::string case_zip = "case-demo.zip!demo_20260101_004000/instances/";
  coverage.rows = {
      row("case-demo.zip", ArtifactKind::archive, "", 0, 0),
      row(case_zip + "workers_i-0aaa1111bbb222213.tar.gz!hyperpod_report_workers_i-0aaa1111bbb222213_"
                     "20260101_004012/kern.log",
          ArtifactKind::kernel_log, "ip-10-1-0-13", 1'234'567, 10'234),
      row("case-demo.zip!slurm-4711.out", ArtifactKind::training_log, "", 73'400'320, 812'004),
      row(case_zip + "workers_i-0aaa1111bbb222213.tar.gz!hyperpod_report_workers_i-0aaa1111bbb222213_"
                     "20260101_004012/nvidia_smi.txt",
          ArtifactKind::nvidia_smi, "ip-10-1-0-13", 4'096, 60),
      row(case_zip + "workers_i-0aaa1111bbb222214.tar.gz", ArtifactKind::archive, "ip-10-1-0-14", 812'000, 0),
      row("case-demo.zip!demo_20260101_004000/collector_script.sh", ArtifactKind::script, "", 0, 0),
      row("case-demo.zip!notes/secret.zip!plan.docx", ArtifactKind::binary, "", 0, 0),
      row(case_zip + "workers_i-0aaa1111bbb222212.tar.gz!x/syslog.1", ArtifactKind::syslog, "ip-10-1-0-12",
          900'000, 9'000)};
  coverage.rows[1].first = at(-3600);
  coverage.rows[1].last = at(2300);
  coverage.rows[2].first = at(0);
  coverage.rows[2].last = at(1200);
  coverage.rows[2].notes = {"carriage returns became line ends"};
  coverage.rows[4].state = CoverageRow::State::partial;
  coverage.rows[4].reason = "truncated gzip input: what came before the cut was read";
  coverage.rows[5].state = CoverageRow::State::skipped;
  coverage.rows[5].reason = "a script holds every marker string there is";
  coverage.rows[6].state = CoverageRow::State::skipped;
  coverage.rows[6].reason = "encrypted member";
  coverage.rows[7].notes = {"year inferred from the collection time"};
  coverage.totals = totals_of(coverage.rows);
  coverage.totals.input_bytes = 21'000'000;
  coverage.missing = {{"node i-0aaa1111bbb222211 (workers)", "Operation timed out during command execution.",
                       "collect the node again, or its kernel log by hand: sudo journalctl -k -b -o "
                       "short-iso-precise > kern.txt",
                       "case-demo.zip!demo_20260101_004000/summary.json:1"}};
  coverage.limits_hit = {"max-line: 1 artifact"};

  Instance xid;
  xid.speaker.node = "ip-10-1-0-13";
  xid.gpu = "0000:9a:00";
  xid.time = at(131, kMillisecond);
  xid.time.zone = Instant::Zone::assumed;
  xid.time.year_inferred = true;
  xid.fields = {{"xid", std::int64_t{79}}, {"pci", std::string("0000:9a:00")}};
  xid.evidence = evidence(1, 9120,
                          "[ 8123.401] NVRM: Xid (PCI:0000:9a:00): 79, pid='<unknown>', name=<unknown>, GPU "
                          "has fallen off the bus.");

  Finding fallen;
  fallen.id = 1;
  fallen.kind = "gpu_xid";
  fallen.pattern = "gpu.xid.79";
  fallen.severity = Severity::p0;
  fallen.role = Role::cause;
  fallen.scope = Scope::gpu;
  fallen.title = "GPU fell off the bus";
  fallen.meaning = "The device no longer answers on PCIe. Ranks on it cannot continue.";
  fallen.next = "Check for PCIe AER lines just before; drain, reboot, and replace if it comes back.";
  fallen.reference = "references/debugging-guide.md#7";
  fallen.count = 1;
  fallen.first = fallen.last = xid.time;
  fallen.outcome = Outcome::terminal;
  fallen.instances = {xid};

  Finding watchdog;
  watchdog.id = 2;
  watchdog.kind = "collective_timeout";
  watchdog.pattern = "torch.watchdog.timeout";
  watchdog.severity = Severity::p0;
  watchdog.role = Role::cascade;
  watchdog.scope = Scope::rank;
  watchdog.title = "A collective ran past its timeout";
  watchdog.meaning = "This rank had enqueued the collective and waited for somebody: a witness.";
  watchdog.next = "Look at the ranks that printed nothing.";
  watchdog.reference = "references/debugging-guide.md#1";
  watchdog.first = at(730);
  watchdog.last = at(733);
  watchdog.outcome = Outcome::terminal;
  ChainLink waited;
  for (std::int32_t rank = 0; rank < 32; ++rank) {
    if (rank >= 16 && rank < 24) continue;
    Instance waiting;
    waiting.speaker.rank = rank;
    waiting.speaker.node = "ip-10-1-0-1" + std::to_string(1 + rank / 8);
    waiting.time = at(730 + rank / 8);
    waiting.fields = {
        {"op", std::string("ALLREDUCE")}, {"ran_ms", std::int64_t{600041}}, {"seq", std::int64_t{5121}}};
    waiting.evidence = evidence(
        2, 700'000 + static_cast<std::uint64_t>(rank),
        "[rank" + std::to_string(rank) + "]:[E101 00:12:10.482913004 ProcessGroupNCCL.cpp:629] [Rank " +
            std::to_string(rank) +
            "] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5121, OpType=ALLREDUCE, "
            "NumelIn=8388608, NumelOut=8388608, Timeout(ms)=600000) ran for 600041 milliseconds "
            "before timing out.");
    watchdog.instances.push_back(waiting);
    waited.ranks.push_back(rank);
  }
  watchdog.count = watchdog.instances.size();

  Finding aer;
  aer.id = 3;
  aer.kind = "pcie_aer";
  aer.pattern = "kernel.aer.corrected";
  aer.severity = Severity::p2;
  aer.role = Role::context;
  aer.title = "Corrected PCIe error";
  aer.reference = "references/node-hardware.md#14";
  aer.count = 17;
  aer.outcome = Outcome::recovered;
  Instance corrected;
  corrected.speaker.node = "ip-10-1-0-12";
  corrected.time.base = Instant::Base::boot;
  corrected.time.ns = 77'500 * kMillisecond;
  corrected.time.precision_ns = kMillisecond;
  corrected.repeats = 17;
  corrected.evidence = evidence(7, 4, "pcieport 0000:10:00.0: AER: Corrected error received: 0000:10:1b.0");
  aer.instances = {corrected};
  report.findings = {fallen, watchdog, aer};

  Incident incident;
  incident.id = 1;
  incident.primary = true;
  incident.job = "4711";
  incident.begin = at(131);
  incident.end = at(733);
  incident.stall_start = at(129);
  incident.cause = Cause{"gpu_xid", "gpu.xid.79", "GPU 0000:9a:00 of node ip-10-1-0-13 fell off the bus", 1};
  incident.culprit = Culprit{
      "ip-10-1-0-13",
      "",
      19,
      "0000:9a:00",
      {"i-0aaa1111bbb222213", "10.1.0.13", "workers-3", "GPU-0a1b2c3d-0000-4000-8000-00000000019a", "3"}};
  incident.confidence = Confidence::high;
  incident.reasons = {
      "Xid 79 stands 2 s after the stall began, on the only node whose ranks printed no watchdog",
      "24 of 24 other ranks wait in one collective (ALLREDUCE, SeqNum 5121)",
      "the kernel log of that node covers the whole window"};
  incident.alternatives = {
      {"network", "no EFA error names a peer; kernel logs of two nodes are missing or cut"}};
  ChainLink first;
  first.role = Role::cause;
  first.label = "GPU 0000:9a:00 of node ip-10-1-0-13 fell off the bus";
  first.finding = 1;
  first.time = xid.time;
  first.evidence = xid.evidence;
  waited.role = Role::cascade;
  waited.label = "the ranks of the other nodes ran into the collective's timeout";
  waited.finding = 2;
  waited.time = at(730);
  waited.evidence = watchdog.instances.front().evidence;
  incident.chain = {first, waited};
  incident.missing = {"nvidia-bug-report of ip-10-1-0-13, taken before the reboot"};

  Incident older;
  older.id = 2;
  older.job = "4690";
  older.begin = at(-7200);
  older.end = at(-7000);
  older.cause =
      Cause{"scheduler_cancelled", "slurm.job.cancelled", "the scheduler cancelled the job on request", 0};
  older.confidence = Confidence::medium;
  older.reasons = {"slurmstepd printed CANCELLED without a reason"};
  report.incidents = {incident, older};

  report.checks = {
      {"gpu.count",
       Verdict::fail,
       Severity::p0,
       "7 of 8 GPUs are visible on one node",
       {"ip-10-1-0-13"},
       {evidence(3, 9, "Unable to determine the device handle for GPU3: 0000:9A:00.0: Unknown Error")},
       "references/debugging-guide.md#7",
       ""},
      {"versions.skew",
       Verdict::warn,
       Severity::p1,
       "libnccl differs between containers",
       {"ip-10-1-0-14"},
       {},
       "references/debugging-guide.md#10",
       ""},
      {"gpu.ecc",
       Verdict::unknown,
       Severity::p1,
       "no nvidia-smi -q output in this input",
       {},
       {},
       "references/debugging-guide.md#21",
       "nvidia-smi -q -d ECC,ROW_REMAPPER > smi-q.txt"},
      {"gpu.remap",
       Verdict::unknown,
       Severity::p1,
       "no nvidia-smi -q output in this input",
       {},
       {},
       "references/debugging-guide.md#21",
       "nvidia-smi -q -d ECC,ROW_REMAPPER > smi-q.txt"},
      {"host.shm",
       Verdict::pass,
       Severity::p1,
       "/dev/shm holds 1.0 TB",
       {"ip-10-1-0-13"},
       {},
       "references/debugging-guide.md#17",
       ""},
      {"slurm.controller",
       Verdict::pass,
       Severity::p0,
       "slurmctld answers",
       {},
       {},
       "references/debugging-guide.md#8",
       ""}};
  report.versions = {
      {"driver", "host", {{"570.86.15", {"ip-10-1-0-11", "ip-10-1-0-12", "ip-10-1-0-13"}}}, false},
      {"nccl", "container", {{"2.26.2", {"ranks 0-23"}}, {"2.21.5", {"ranks 24-31"}}}, true}};
  report.entities.nodes = {
      {"ip-10-1-0-13", {"i-0aaa1111bbb222213", "10.1.0.13"}, "workers", "ml.p5.48xlarge"}};
  report.entities.ranks = {{19, "ip-10-1-0-13", "", "0000:9a:00"}};
  report.entities.gpus = {{"ip-10-1-0-13", "0000:9a:00", "GPU-0a1b2c3d-0000-4000-8000-00000000019a", "", 3,
                           "NVIDIA H100 80GB HBM3"}};
  report.entities.contradictions = {
      "ip-10-1-0-12 is i-0aaa1111bbb222212 by its tarball and i-0aaa1111bbb222299 by resource_config.json"};
  report.timeline = {
      {xid.time, "ip-10-1-0-13", Severity::p0, "gpu_xid", 1, "GPU fell off the bus (0000:9a:00)"},
      {at(730), "ip-10-1-0-11", Severity::p0, "collective_timeout", 2,
       "ranks 0-7: a collective ran past its timeout"}};
  report.timeline_total = 42;
  report.suggested = {{"Save the evidence of the node before anything else",
                       "sudo nvidia-bug-report.sh",
                       false,
                       {"a session on ip-10-1-0-13"},
                       "none; takes minutes"},
                      {"Reboot the node",
                       "aws sagemaker batch-reboot-cluster-nodes --cluster-name demo --region us-west-2 "
                       "--node-ids '[\"i-0aaa1111bbb222213\"]'",
                       true,
                       {"the node is drained", "its logs are saved"},
                       "every process on ip-10-1-0-13 ends"}};
  return report;
}

/// Watchdogs everywhere and nothing that explains them.
inline CaseReport undecided() {
  CaseReport report = rich();
  report.verdict = "undecided: 24 ranks ran into a collective timeout, and no input shows why";
  report.findings.erase(report.findings.begin());
  report.incidents.pop_back();
  Incident& incident = report.incidents.front();
  incident.cause.reset();
  incident.culprit = Culprit{"ip-10-1-0-13", "", std::nullopt, "", {}};
  incident.confidence = Confidence::undecided;
  incident.reasons = {"a collective timeout is a symptom; nothing in evidence explains it"};
  incident.alternatives = {
      {"gpu_xid", "ranks 16-23 printed nothing, and the kernel log of their node is not in the input"},
      {"efa_provider_error", "plugin lines are absent: NCCL_DEBUG was not INFO"}};
  incident.chain.erase(incident.chain.begin());
  incident.missing = {"kernel log of ip-10-1-0-13 from 2025-12-31T23:55:00Z to 2026-01-01T00:15:00Z",
                      "flight-recorder dumps of all ranks"};
  report.checks.erase(report.checks.begin());
  report.suggested.pop_back();
  report.timeline.erase(report.timeline.begin());
  return report;
}

/// Logs were read, and nothing above P2 stands in them.
inline CaseReport no_events() {
  CaseReport report;
  report.tool_version = "9.9.9";
  report.pack_hash = "00112233445566aa";
  report.coverage.rows = {row("pod.log", ArtifactKind::pod_log, "hyperpod-i-0aaa1111bbb222213", 5'000, 50)};
  report.coverage.rows[0].first = at(0);
  report.coverage.rows[0].last = at(60);
  report.coverage.totals = totals_of(report.coverage.rows);
  return report;
}

/// Not one artifact.
inline CaseReport no_input() {
  CaseReport report;
  report.tool_version = "9.9.9";
  return report;
}

/// Every string an attack on some door: escapes, bidi, newlines, quotes, HTML, broken UTF-8, wide characters.
inline std::string nasty(const std::string& name) {
  return name +
         "\x1b]0;pwned\x07\x1b[2J\x1b[31m<script>alert('\"x\"')</script>&amp;\r\nVERDICT all is well "
         "\xe2\x80\xae" +
         "drowssap\xe2\x81\xa9 \xff\xfe\xc0\xaf \xe4\xb8\xad\xe6\x96\x87 \xf0\x9f\x94\xa5 | $(reboot) `id` "
         "\\ \xc2\x9b" +
         "31m" + std::string("\0end", 4);
}

inline CaseReport hostile() {
  CaseReport report = rich();
  const auto spoil = [](std::string& text) { text = nasty(text); };
  spoil(report.verdict);
  spoil(report.pack_hash);
  spoil(report.tool_version);
  for (CoverageRow& r : report.coverage.rows) {
    spoil(r.chain);
    spoil(r.node);
    spoil(r.reason);
    for (std::string& note : r.notes) spoil(note);
  }
  for (MissingInput& m : report.coverage.missing)
    for (std::string* text : {&m.what, &m.why, &m.collect, &m.where}) spoil(*text);
  for (std::string& limit : report.coverage.limits_hit) spoil(limit);
  for (Finding& f : report.findings) {
    for (std::string* text : {&f.kind, &f.pattern, &f.title, &f.meaning, &f.next, &f.reference}) spoil(*text);
    for (Instance& i : f.instances) {
      for (std::string* text : {&i.speaker.node, &i.speaker.pod, &i.speaker.container, &i.speaker.stream,
                                &i.gpu, &i.nic, &i.evidence.text})
        spoil(*text);
      i.fields[nasty("key")] = nasty("value");
    }
  }
  for (Incident& i : report.incidents) {
    spoil(i.job);
    if (i.cause)
      for (std::string* text : {&i.cause->kind, &i.cause->pattern, &i.cause->text}) spoil(*text);
    if (i.culprit) {
      for (std::string* text : {&i.culprit->node, &i.culprit->pod, &i.culprit->gpu}) spoil(*text);
      for (std::string& alias : i.culprit->aliases) spoil(alias);
    }
    for (std::string& reason : i.reasons) spoil(reason);
    for (std::string& missing : i.missing) spoil(missing);
    for (Alternative& a : i.alternatives) spoil(a.kind), spoil(a.why);
    for (ChainLink& link : i.chain) spoil(link.label), spoil(link.evidence.text);
  }
  for (CheckResult& c : report.checks) {
    for (std::string* text : {&c.id, &c.title, &c.reference, &c.collect}) spoil(*text);
    for (std::string& subject : c.subjects) spoil(subject);
    for (Evidence& e : c.evidence) spoil(e.text);
  }
  for (VersionRow& v : report.versions) {
    spoil(v.component), spoil(v.scope);
    for (VersionValue& value : v.values) {
      spoil(value.value);
      for (std::string& subject : value.subjects) spoil(subject);
    }
  }
  for (NodeEntity& n : report.entities.nodes) spoil(n.name), spoil(n.instance_group), spoil(n.instance_type);
  for (GpuEntity& g : report.entities.gpus)
    spoil(g.node), spoil(g.uuid), spoil(g.serial), spoil(g.product), spoil(g.pci);
  for (RankEntity& r : report.entities.ranks) spoil(r.node), spoil(r.pod), spoil(r.gpu);
  for (std::string& c : report.entities.contradictions) spoil(c);
  report.entities.pods = {nasty("pod")};
  for (TimelineEntry& t : report.timeline) spoil(t.node), spoil(t.text), spoil(t.kind);
  for (SuggestedCommand& s : report.suggested) {
    for (std::string* text : {&s.title, &s.command, &s.blast_radius}) spoil(*text);
    for (std::string& precondition : s.preconditions) spoil(precondition);
  }
  return report;
}

}  // namespace faultline::samples
