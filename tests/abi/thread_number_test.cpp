// SPDX-License-Identifier: Apache-2.0
// This test counts the threads of the process, which Linux lists.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test {
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

TEST(Threads, AreTheControlsOwnAndNobodyElses) {
    const Data data = dense(make_problem(400, 5, 2, 1.0, 52));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // Those of tests before this one are gone.
    const int64_t before = threads_of_this_process();
    cpu_set_t processors_before, processors;
    sched_getaffinity(0, sizeof processors_before, &processors_before);
    int64_t most_seen = 0;
    const auto count = [](double, const char*, void* user) -> int32_t {
        auto& most = *static_cast<int64_t*>(user);
        most = std::max(most, threads_of_this_process());
        return 0;
    };
    {
        const Control three = control_with(3);
        EXPECT_EQ(threads_of_this_process(), before) << "to set a number starts nothing";
        const Control single = control_with(1);
        check(dk_control_set_progress(single.get(), count, &most_seen));
        train(data, "svm", "C=1000", single.get());
        EXPECT_EQ(most_seen, before) << "another control's number is not this call's";
        train(data, "svm", "C=1000", three.get());
        EXPECT_EQ(threads_of_this_process(), before + 2) << "it keeps its threads";
    }
    EXPECT_EQ(threads_once_there_are(before), before) << "and they end with it";
    sched_getaffinity(0, sizeof processors, &processors);
    EXPECT_TRUE(CPU_EQUAL(&processors, &processors_before));
}

}  // namespace
}  // namespace dk_test
