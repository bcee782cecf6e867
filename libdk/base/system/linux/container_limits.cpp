// SPDX-License-Identifier: Apache-2.0
#include "base/system/linux/container_limits.hpp"

#include <algorithm>
#include <fstream>
#include <functional>
#include <optional>
#include <vector>

namespace dk {

namespace {

/// Gives the numbers with which a file begins, at most two; what is no number, as max is, gives none.
std::vector<double> numbers_in(const std::string& path) {
    std::ifstream file(path);
    std::vector<double> numbers;
    for (double number = 0; numbers.size() < 2 && file >> number;) numbers.push_back(number);
    return numbers;
}

/// Gives the first number in a file, if there is one and it is positive.
std::optional<double> limit_in(const std::string& path) {
    const auto numbers = numbers_in(path);
    if (numbers.empty() || numbers.front() <= 0) return {};
    return numbers.front();
}

void lower_memory(ContainerLimits& limits, const std::string& file) {
    if (const auto bytes = limit_in(file)) limits.memory = std::min(limits.memory, *bytes);
}

void lower_processors(ContainerLimits& limits, double quota, double period) {
    if (quota > 0 && period > 0) limits.processors = std::min(limits.processors, quota / period);
}

/// The second version has one tree for everything: memory.max is a number or max, and cpu.max a quota and its
/// period, or max and a period.
void read_unified(ContainerLimits& limits, const std::string& group) {
    lower_memory(limits, group + "/memory.max");
    const auto quota = numbers_in(group + "/cpu.max");
    if (quota.size() == 2) lower_processors(limits, quota[0], quota[1]);
}

/// The first version has a tree for each controller. A quota of -1 is none, and no limit of memory is a
/// number that is larger than any machine.
void read_memory_controller(ContainerLimits& limits, const std::string& group) {
    lower_memory(limits, group + "/memory.limit_in_bytes");
}

void read_processor_controller(ContainerLimits& limits, const std::string& group) {
    const auto quota = limit_in(group + "/cpu.cfs_quota_us");
    const auto period = limit_in(group + "/cpu.cfs_period_us");
    if (quota && period) lower_processors(limits, *quota, *period);
}

/// Reads a group and all groups around it, up to the root of its tree. Inside of a container the tree often
/// begins with the container's own group, so that folders of the path are missing.
void read_groups(const std::string& tree, std::string path,
                 const std::function<void(const std::string&)>& read) {
    while (true) {
        while (path.ends_with('/')) path.pop_back();
        read(tree + path);
        if (path.empty()) return;
        path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
    }
}

/// Says whether a list such as "cpu,cpuacct" has a name.
bool lists(const std::string& controllers, const std::string& name) {
    return ("," + controllers + ",").find("," + name + ",") != std::string::npos;
}

}  // namespace

ContainerLimits container_limits(const std::string& root) {
    ContainerLimits limits;
    std::ifstream groups(root + "/proc/self/cgroup");
    const std::string trees = root + "/sys/fs/cgroup";
    // A line is number:controllers:path, and the second version's has no controllers.
    for (std::string line; std::getline(groups, line);) {
        const auto first = line.find(':');
        const auto second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string path = line.substr(second + 1);
        if (controllers.empty()) {
            for (const char* tree : {"", "/unified"})
                read_groups(trees + tree, path, [&](const auto& group) { read_unified(limits, group); });
        }
        if (lists(controllers, "memory"))
            read_groups(trees + "/memory", path,
                        [&](const auto& group) { read_memory_controller(limits, group); });
        if (lists(controllers, "cpu")) {
            for (const std::string& tree : {"/" + controllers, std::string("/cpu")})
                read_groups(trees + tree, path,
                            [&](const auto& group) { read_processor_controller(limits, group); });
        }
    }
    return limits;
}

}  // namespace dk
