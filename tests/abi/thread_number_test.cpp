// SPDX-License-Identifier: Apache-2.0
// This test counts the threads of the process, which Linux lists.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::thread_number_test {
namespace {

int64_t threads_of_this_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return std::distance(begin(tasks), end(tasks));
}

/// A thread that was joined is listed for a moment more.
int64_t threads_once_there_are(int64_t expected) {
    for (int tries = 0; tries < 10000 && threads_of_this_process() != expected; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return threads_of_this_process();
}

/// Trains under the control, and gives the most threads that the process had meanwhile.
int64_t most_threads_of_training(const Data& data, dk_control* control) {
    int64_t most_seen = 0;
    const auto count = [](double, const char*, void* user) -> int32_t {
        auto& most = *static_cast<int64_t*>(user);
        most = std::max(most, threads_of_this_process());
        return 0;
    };
    check(dk_control_set_progress(control, count, &most_seen));
    train(data, "svm", "", control);
    check(dk_control_set_progress(control, nullptr, nullptr));
    return most_seen;
}

TEST(Threads, AreTheCallersAndNobodyElses) {
    const Data data = dense(make_problem(1500, 5, 2, 1.0, 52));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // Those of tests before this one are gone.
    const int64_t before = threads_of_this_process();
    cpu_set_t processors_before, processors;
    sched_getaffinity(0, sizeof processors_before, &processors_before);
    std::thread caller([&] {
        const int64_t here = threads_of_this_process();
        const Control three = control_with(3);
        EXPECT_EQ(threads_of_this_process(), here) << "to set a number starts nothing";
        EXPECT_EQ(most_threads_of_training(data, control_with(1).get()), here)
            << "another control's number is not this call's";
        const int64_t with_three = most_threads_of_training(data, three.get());
        EXPECT_GE(with_three, here + 2);
        EXPECT_EQ(most_threads_of_training(data, three.get()), threads_of_this_process()) << "they are kept";
        EXPECT_LE(threads_of_this_process(), here + 4) << "two of the control and two of OpenMP at the most";
    });
    caller.join();
    EXPECT_EQ(threads_once_there_are(before), before) << "and they end with the control and the caller";
    sched_getaffinity(0, sizeof processors, &processors);
    EXPECT_TRUE(CPU_EQUAL(&processors, &processors_before));
}

bool with_openmp() {
    return std::string(dk_build_info()).find("OpenMP") != std::string::npos;
}

/// What TellTheirNumber shows a process that was begun with a variable for OpenMP.
TEST(DISABLED_Threads, TellTheirNumber) {
    const int64_t before = threads_of_this_process();
    const Data data = dense(make_problem(1500, 5, 2, 1.0, 52));
    const Control control = create<Control>(dk_control_create);
    _exit(static_cast<int>(most_threads_of_training(data, control.get()) - before));
}

int further_threads_with(const char* variable, const char* value) {
    const pid_t child = fork();
    if (child == 0) {
        setenv(variable, value, 1);
        // The test would be in one part of several only.
        unsetenv("GTEST_TOTAL_SHARDS");
        unsetenv("GTEST_SHARD_INDEX");
        execl("/proc/self/exe", "dk_abi_tests", "--gtest_also_run_disabled_tests",
              "--gtest_filter=DISABLED_Threads.TellTheirNumber", "--gtest_brief=1", nullptr);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Threads, OfACallThatNamesNoneAreWhatOpenMPIsTold) {
    if (!with_openmp()) GTEST_SKIP() << "this build has no OpenMP";
    EXPECT_EQ(further_threads_with("OMP_NUM_THREADS", "1"), 0);
    EXPECT_EQ(further_threads_with("OMP_THREAD_LIMIT", "1"), 0);
    EXPECT_GE(further_threads_with("OMP_NUM_THREADS", "3"), 2);
    EXPECT_LE(further_threads_with("OMP_NUM_THREADS", "3"), 4);
}

}  // namespace
}  // namespace dk_test::thread_number_test
