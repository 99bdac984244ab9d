#pragma once
// The readers of command output. Each looks through the whole document for blocks of its own form and leaves
// the rest alone, so that one file may hold the output of several commands. A reader that finds nothing gives
// nothing.
#include "facts/reading.h"

namespace faultline::facts {

void read_kubectl_text(Reading& reading);
void read_nvidia_smi_panel(Reading& reading);
void read_nvidia_smi_query(Reading& reading);
void read_nvidia_smi_csv(Reading& reading);
void read_nvidia_smi_failures(Reading& reading);
void read_nvlink(Reading& reading);
void read_gpu_topology(Reading& reading);
void read_dcgm_diag(Reading& reading);
void read_dcgm_health(Reading& reading);
void read_sinfo(Reading& reading);
void read_squeue(Reading& reading);
void read_sacct(Reading& reading);
void read_scontrol(Reading& reading);
void read_version_lines(Reading& reading);
void read_efa_packages(Reading& reading);
void read_fabric_info(Reading& reading);
void read_package_list(Reading& reading);
void read_version_report(Reading& reading);
void read_disk_usage(Reading& reading);
void read_nccl_tests(Reading& reading);
void read_nccl_ras(Reading& reading);

}  // namespace faultline::facts
