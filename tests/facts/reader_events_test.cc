#include <catch2/catch.hpp>

#include <set>

#include "facts/facts.h"
#include "facts/reader_events.h"
#include "packs/packs.h"

using namespace faultline;

TEST_CASE("the texts of reader events are complete, sorted and point at sections that exist", "[facts]") {
  std::string_view before;
  for (const ReaderEventInfo& info : facts::reader_events()) {
    INFO(info.id);
    CHECK(before < info.id);
    before = info.id;
    CHECK(info.id.substr(0, 6) == "facts.");
    CHECK_FALSE(info.kind.empty());
    CHECK(info.title.size() <= 60);
    CHECK_FALSE(info.title.empty());
    CHECK_FALSE(info.meaning.empty());
    CHECK_FALSE(info.next.empty());
    CHECK(packs::reference_exists(info.reference));
    // What only supports another finding never ends a job by itself.
    if (info.role == Role::context || info.role == Role::progress) CHECK(info.severity != Severity::p0);
  }
}

TEST_CASE("an event's name and its row are the same one", "[facts]") {
  using facts::ReaderEvent;
  struct Row {
    ReaderEvent event;
    std::string_view id;
  };
  const Row rows[] = {
      {ReaderEvent::aws_group_lacks_rule, "facts.aws.group_lacks_rule"},
      {ReaderEvent::disk_full, "facts.disk.full"},
      {ReaderEvent::kubernetes_condition, "facts.kubernetes.condition"},
      {ReaderEvent::kubernetes_evicted, "facts.kubernetes.evicted"},
      {ReaderEvent::kubernetes_oom_killed, "facts.kubernetes.oom_killed"},
      {ReaderEvent::kubernetes_xid, "facts.kubernetes.xid"},
      {ReaderEvent::nccl_ras_missing, "facts.nccl_ras.missing"},
      {ReaderEvent::nvidia_smi_ecc, "facts.nvidia_smi.ecc"},
      {ReaderEvent::nvidia_smi_remap_pending, "facts.nvidia_smi.remap_pending"},
      {ReaderEvent::slurm_gres, "facts.slurm.gres"},
      {ReaderEvent::slurm_prolog, "facts.slurm.prolog"},
      {ReaderEvent::torchrun_exception, "facts.torchrun.exception"},
  };
  for (const Row& row : rows) CHECK(facts::reader_event(row.event).id == row.id);
}
