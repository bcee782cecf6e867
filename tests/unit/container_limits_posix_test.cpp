// SPDX-License-Identifier: Apache-2.0
// Limits of containers, planted as files in a folder that stands for the root of the machine.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "base/system/linux/container_limits.hpp"

namespace dk::test::container_limits_posix_test {
namespace {

namespace fs = std::filesystem;

class ContainerLimitsOf : public testing::Test {
  protected:
    ContainerLimitsOf() {
        std::string folder = (fs::temp_directory_path() / "libdk-XXXXXX").string();
        root_ = ::mkdtemp(folder.data());
    }
    ~ContainerLimitsOf() override { fs::remove_all(root_); }

    void plant(const std::string& path, const std::string& content) const {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << content;
    }
    ContainerLimits limits() const { return container_limits(root_.string()); }

    static constexpr double none = std::numeric_limits<double>::infinity();

  private:
    fs::path root_;
};

TEST_F(ContainerLimitsOf, AMachineWithoutGroupsAreNone) {
    EXPECT_EQ(limits().memory, none);
    EXPECT_EQ(limits().processors, none);
}

TEST_F(ContainerLimitsOf, TheSecondVersionAreTheLeastOnTheWayToTheRoot) {
    plant("proc/self/cgroup", "0::/kubepods/pod7/web\n");
    plant("sys/fs/cgroup/kubepods/pod7/web/memory.max", "max\n");
    plant("sys/fs/cgroup/kubepods/pod7/web/cpu.max", "50000 100000\n");
    plant("sys/fs/cgroup/kubepods/pod7/memory.max", "268435456\n");
    plant("sys/fs/cgroup/kubepods/pod7/cpu.max", "max 100000\n");
    plant("sys/fs/cgroup/kubepods/memory.max", "1073741824\n");
    EXPECT_EQ(limits().memory, 268435456);
    EXPECT_EQ(limits().processors, 0.5);
}

TEST_F(ContainerLimitsOf, AGroupThatIsTheRootOfWhatItSeesAreRead) {
    plant("proc/self/cgroup", "0::/\n");
    plant("sys/fs/cgroup/memory.max", "536870912\n");
    plant("sys/fs/cgroup/cpu.max", "150000 100000\n");
    EXPECT_EQ(limits().memory, 536870912);
    EXPECT_EQ(limits().processors, 1.5);
}

// A container without a view of its own sees its path outside, and its own files at the root.
TEST_F(ContainerLimitsOf, APathThatIsNotThereAreThoseOfTheRoot) {
    plant("proc/self/cgroup",
          "12:memory:/docker/3f2a\n4:cpu,cpuacct:/docker/3f2a\n1:name=systemd:/docker/3f2a\n0::/\n");
    plant("sys/fs/cgroup/memory/memory.limit_in_bytes", "209715200\n");
    plant("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000\n");
    plant("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(limits().memory, 209715200);
    EXPECT_EQ(limits().processors, 2);
}

TEST_F(ContainerLimitsOf, TheFirstVersionWithoutAnyAreNoneThatCounts) {
    plant("proc/self/cgroup", "4:memory:/a\n1:cpu:/\n");
    plant("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
    plant("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    plant("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_GT(limits().memory, 1e18);
    EXPECT_EQ(limits().processors, none);
}

TEST_F(ContainerLimitsOf, DamagedFilesAreNone) {
    plant("proc/self/cgroup", "0\n:::\n0::relative\n7:memory\n");
    plant("sys/fs/cgroup/memory.max", "many\n");
    plant("sys/fs/cgroup/cpu.max", "100000\n");
    EXPECT_EQ(limits().memory, none);
    EXPECT_EQ(limits().processors, none);
}

}  // namespace
}  // namespace dk::test::container_limits_posix_test
