// SPDX-License-Identifier: Apache-2.0
// Many threads at once: more than the machine has processors, forks in their midst, and a race that is
// planted, which the thread sanitizer has to find, or else its silence about the others would say nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "../sanitizers.hpp"
#include "expectations.hpp"
#include "handles.hpp"

namespace dk_test::races_test {
namespace {

TEST(ManyThreads, OfACallGiveTheSameBits) {
    const Data data = dense(make_problem(500, 9, 2, 1.0, 61));
    const auto expected = bytes_of(train(data, "svm", "", control_with(1).get()).get());
    const Control many = control_with(64);
    for (int run = 0; run < 3; ++run) EXPECT_EQ(bytes_of(train(data, "svm", "", many.get()).get()), expected);
}

TEST(ManyThreads, OfACallerShareOneModel) {
    const Data data = dense(make_problem(200, 9, 3, 1.0, 62));
    const Model model = train(data, "svm");
    const std::vector<double> expected = decisions(model, data);
    std::atomic<int> different{0};
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 64; ++caller) {
        callers.emplace_back([&] {
            const Control own = control_with(2);
            std::vector<double> values(expected.size());
            const auto length = static_cast<int64_t>(values.size());
            const dk_status status = dk_decision(values.data(), length, model.get(), data.get(), own.get());
            if (status != DK_OK || values != expected) ++different;
        });
    }
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(different, 0);
}

TEST(ManyThreads, ForksInTheirMidstAnswer) {
    if (dk::with_thread_sanitizer() || dk::with_address_sanitizer())
        GTEST_SKIP() << "sanitizers start no threads in children of a process that has some";
    const Data data = dense(make_problem(300, 5, 2, 1.0, 63));
    const Params params = parameters("svm", "kernel=rbf(gamma=0.5)");
    const auto expected = bytes_of(create<Model>(dk_train, data.get(), params.get(), nullptr).get());
    std::atomic<bool> ending{false};
    std::atomic<int> trained{0};
    std::thread other([&] {
        const Control control = control_with(2);
        while (!ending) {
            create<Model>(dk_train, data.get(), params.get(), control.get());
            ++trained;
        }
    });
    while (trained == 0) std::this_thread::yield();
    for (int fork_number = 0; fork_number < 10; ++fork_number) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(60);  // This ends a child that waits for threads that are not there.
            const Control own = control_with(2);
            dk_model* out = nullptr;
            const dk_status status = dk_train(&out, data.get(), params.get(), own.get());
            _exit(status == DK_OK && bytes_of(out) == expected ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    ending = true;
    other.join();
    EXPECT_GT(trained, 0);
}

/// Similarities whose callback counts without a lock, though several threads call it.
int32_t similarities_with_a_race(double* out, const int64_t* rows, int64_t row_count,
                                 const int64_t* training_rows, int64_t training_count, void* user) {
    ++*static_cast<int64_t*>(user);
    for (int64_t i = 0; i < row_count; ++i) {
        for (int64_t j = 0; j < training_count; ++j)
            out[i * training_count + j] = rows[i] == training_rows[j] ? 2.0 : 1.0;
    }
    return 0;
}

void compute_with_a_race() {
    constexpr int64_t rows = 600;
    int64_t calls = 0;
    const Data data = create<Data>(dk_data_from_similarity, rows, rows, similarities_with_a_race,
                                   static_cast<void*>(&calls), nullptr, int32_t{1});
    std::vector<double> values(rows * rows);
    const Control control = control_with(2);
    check(dk_gram(values.data(), rows * rows, data.get(), nullptr, "gram(0)", control.get()));
}

TEST(PlantedRace, IsFoundByTheThreadSanitizer) {
    if (!dk::with_thread_sanitizer()) GTEST_SKIP() << "this is no build with the thread sanitizer";
    // Whoever of two threads finds work first may do all of it, so that the race is not in every run.
    for (int attempt = 0; attempt < 20; ++attempt) {
        const pid_t child = fork();
        if (child == 0) {
            const std::string filter = "--gtest_filter=PlantedRace.DISABLED_Runs";
            std::array<const char*, 4> arguments{"races", filter.c_str(), "--gtest_also_run_disabled_tests",
                                                 nullptr};
            setenv("TSAN_OPTIONS", "exitcode=66 halt_on_error=1 log_path=/dev/null", 1);
            execv("/proc/self/exe", const_cast<char* const*>(arguments.data()));
            _exit(1);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status));
        if (WEXITSTATUS(status) == 66) return;
    }
    FAIL() << "two threads wrote to one number, and nobody saw it";
}

/// Runs in a process of its own, for the test above.
TEST(PlantedRace, DISABLED_Runs) {
    compute_with_a_race();
}

}  // namespace
}  // namespace dk_test::races_test
