// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>

namespace dk {

/// What control groups allow a process, as containers limit it by them; infinity where nothing limits it.
struct ContainerLimits {
    double memory = std::numeric_limits<double>::infinity();      // bytes
    double processors = std::numeric_limits<double>::infinity();  // 0.5 is half of one
};

/// Reads the limits of this process, those of the groups around its own among them, in both versions of
/// control groups. `root` is the folder in which /proc and /sys lie.
///
/// https://docs.kernel.org/admin-guide/cgroup-v2.html (memory.max, cpu.max);
/// https://docs.kernel.org/admin-guide/cgroup-v1/memory.html (memory.limit_in_bytes);
/// https://docs.kernel.org/scheduler/sched-bwc.html (cpu.cfs_quota_us, cpu.cfs_period_us).
ContainerLimits container_limits(const std::string& root = "");

}  // namespace dk
