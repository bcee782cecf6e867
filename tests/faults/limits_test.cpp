// SPDX-License-Identifier: Apache-2.0
// The system's own limits: a full disk, a folder that nobody may write, files of a largest size, and no more
// threads.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "work.hpp"

namespace dk_test {
namespace {

constexpr int cannot_try = 77;

/// Runs a body in a process of its own, whose limits are its own too, and gives its exit code.
int in_a_process(const std::function<int()>& body) {
    const pid_t child = fork();
    if (child == 0) _exit(body());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Mounts an empty file system of `size` on a folder, which this process alone sees.
bool mount_small(const std::string& folder, const char* size) {
    if (unshare(CLONE_NEWNS) != 0) return false;
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
    return mount("tmpfs", folder.c_str(), "tmpfs", 0, (std::string("size=") + size).c_str()) == 0;
}

/// Expects that a model can't be saved at `path`, where an old model stays as it is. Gives an exit code.
int refuses_to_save(const dk_model* model, const std::string& path, const std::string& old_content) {
    const auto content = [&] {
        std::ifstream file(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    if (dk_model_save(model, path.c_str()) != DK_ERR_IO) return 2;
    if (std::string(dk_last_error()).find(path) == std::string::npos) return 3;
    return content() == old_content ? 0 : 4;
}

class Limits : public testing::Test {
  protected:
    const TemporaryDirectory directory;
    const Model model = train(dense(make_problem(600, 40, 2, 0.5, 3)), "svm", "kernel=rbf(gamma=0.1)");
};

TEST_F(Limits, AFullDiskKeepsTheOldModel) {
    const int code = in_a_process([&] {
        if (!mount_small(directory.path(""), "64k")) return cannot_try;
        const std::string path = directory.write("model.dk", "an old model");
        return refuses_to_save(model.get(), path, "an old model");
    });
    if (code == cannot_try) GTEST_SKIP() << "this process may not mount file systems";
    EXPECT_EQ(code, 0);
}

TEST_F(Limits, AFolderThatIsReadOnlyKeepsTheOldModel) {
    const int code = in_a_process([&] {
        const std::string folder = directory.path("");
        if (!mount_small(folder, "4m")) return cannot_try;
        const std::string path = directory.write("model.dk", "an old model");
        if (mount(nullptr, folder.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0) return cannot_try;
        return refuses_to_save(model.get(), path, "an old model");
    });
    if (code == cannot_try) GTEST_SKIP() << "this process may not mount file systems";
    EXPECT_EQ(code, 0);
}

TEST_F(Limits, ALargestSizeOfFilesKeepsTheOldModel) {
    const int code = in_a_process([&] {
        const std::string path = directory.write("model.dk", "an old model");
        signal(SIGXFSZ, SIG_IGN);  // Else the system ends the process, before libdk hears of it.
        const rlimit small{20000, 20000};
        if (setrlimit(RLIMIT_FSIZE, &small) != 0) return cannot_try;
        return refuses_to_save(model.get(), path, "an old model");
    });
    EXPECT_EQ(code, 0);
}

/// Trains with 1024 threads under limits, and gives 0 when that gives the same model as ever, or says that
/// memory ended.
int trains_under(const std::function<bool()>& set_limits, const std::vector<unsigned char>& expected) {
    const Data data = training_rows(300);
    const Control control = create<Control>(dk_control_create);
    check(dk_control_set_threads(control.get(), 1024));
    const Params params = parameters("svm");
    if (!set_limits()) return cannot_try;
    dk_model* out = nullptr;
    const dk_status status = dk_train(&out, data.get(), params.get(), control.get());
    const Model trained(out);
    if (status == DK_ERR_OUT_OF_MEMORY) return out == nullptr ? 0 : 2;
    if (status != DK_OK) return 3;
    return bytes_of(trained.get()) == expected ? 0 : 4;
}

TEST_F(Limits, NoMoreProcessesLeavesTheWorkToFewerThreads) {
    const auto expected = bytes_of(train(training_rows(300), "svm").get());
    const int code = in_a_process([&] {
        return trains_under(
            [] {
                // The limit holds for users other than root.
                if (getuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return false;
                const rlimit none{1, 1};
                return setrlimit(RLIMIT_NPROC, &none) == 0;
            },
            expected);
    });
    EXPECT_EQ(code, 0);
}

TEST_F(Limits, FewAddressesLeaveTheWorkToFewerThreads) {
    const auto expected = bytes_of(train(training_rows(300), "svm").get());
    for (const rlim_t megabytes : {16, 64, 256}) {
        const int code = in_a_process([&] {
            return trains_under(
                [&] {
                    std::uint64_t pages = 0;
                    std::ifstream("/proc/self/statm") >> pages;
                    const rlim_t most =
                        pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (megabytes << 20U);
                    const rlimit limit{most, most};
                    return setrlimit(RLIMIT_AS, &limit) == 0;
                },
                expected);
        });
        EXPECT_EQ(code, 0) << megabytes << " MB";
    }
}

}  // namespace
}  // namespace dk_test
