// SPDX-License-Identifier: Apache-2.0
// What dk.h promises of memory and files, seen by the allocations and system calls that are
// made.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include "../abi/expectations.hpp"
#include "allocation_gate.hpp"
#include "system_gate.hpp"
#include "work.hpp"

namespace dk_test {
namespace {

constexpr int64_t megabyte = int64_t{1} << 20U;

/// What the container of this process allows, in either version of control groups, where its own group is the
/// root of what it sees.
double memory_of_container() {
    double least = std::numeric_limits<double>::infinity();
    for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        double bytes = 0;
        if (std::ifstream(path) >> bytes) least = std::min(least, bytes);
    }
    return least;
}

TEST(Promises, HalfOfTheMachineIsTheMemoryByDefault) {
    const double machine =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    const double half = 0.5 * std::min(machine, memory_of_container());
    // The whole kernel matrix of these rows takes a little more.
    const auto rows = static_cast<int64_t>(1.01 * std::sqrt(half / sizeof(double)));
    const Data data = dense(make_problem(rows, 1, 2, 1.0, 3));
    expect_no_handle<dk_model>(
        [&](dk_model** out) {
            return dk_train(out, data.get(), parameters("kelm", "solver=exact kernel=rbf(gamma=1)").get(),
                            nullptr);
        },
        DK_ERR_MEMORY_BUDGET);
    const std::string message = dk_last_error();
    std::smatch allowed;
    ASSERT_TRUE(std::regex_search(message, allowed, std::regex("allows ([0-9]+)"))) << message;
    EXPECT_EQ(std::stod(allowed[1]), std::floor(half / static_cast<double>(megabyte)));
}

TEST(Promises, AProductWithAKernelMatrixNeverStoresIt) {
    constexpr int64_t rows = 5000;
    const Data data = dense(make_problem(rows, 4, 2, 1.0, 4));
    const std::vector<double> v(rows, 1.0);
    std::vector<double> out(rows);
    const int64_t before = live_bytes();
    reset_peak();
    check(dk_gram_product(out.data(), rows, data.get(), nullptr, "rbf(gamma=1)", v.data(), 1, nullptr));
    EXPECT_LE(peak_bytes() - before, rows * rows * 8 / 20)
        << "the matrix has " << rows * rows * 8 << " bytes";
}

TEST(Promises, OperatorsLearnNothingForACountOfKernels) {
    const Data data = dense(make_problem(4000, 4, 2, 1.0, 5));
    int64_t count = 0;
    const int64_t before = live_bytes();
    reset_peak();
    // To learn the factor takes 4000 x 1500 numbers.
    check(dk_kernel_count(&count, data.get(), "[lowrank(rbf(gamma=0.05), rank=1500), linear]"));
    EXPECT_EQ(count, 2);
    EXPECT_LE(peak_bytes() - before, megabyte);
}

TEST(Promises, AModelIsSyncedBeforeItHasItsName) {
    const TemporaryDirectory directory;
    const Data data = dense(make_problem(40, 3, 2, 1.0, 7));
    const Model model = create<Model>(dk_train, data.get(), parameters("svm").get(), nullptr);
    const std::string path = directory.path("model.dk");
    for (int time = 0; time < 2; ++time) {  // The second replaces a file.
        fail_system_call(0, 0);
        check(dk_model_save(model.get(), path.c_str()));
        allow_system_calls();
        const std::string calls = system_calls();
        const std::size_t written = calls.rfind('w');
        const std::size_t synced = calls.find('s', written);
        const std::size_t named = calls.find_first_of("ln");
        ASSERT_NE(written, std::string::npos) << calls;
        ASSERT_NE(synced, std::string::npos) << calls;
        ASSERT_NE(named, std::string::npos) << calls;
        EXPECT_LT(synced, named) << calls;
    }
}

}  // namespace
}  // namespace dk_test
