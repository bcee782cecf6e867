// SPDX-License-Identifier: Apache-2.0
//
// The threads of a call: they work at the same time, are there when they are needed and not more often, and
// their lack is no failure.
#include "base/thread_team.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <mutex>
#include <set>
#include <thread>

#include "../sanitizers.hpp"
#include "base/parallel.hpp"
#include "support.hpp"

namespace dk::test {
namespace {

TEST(ThreadTeam, ThreadsWorkAtTheSameTime) {
    ThreadTeam team;
    std::barrier all(3);  // Each waits until three are there.
    std::atomic<int> met{0};
    team.run(2, [&] {
        all.arrive_and_wait();
        ++met;
    });
    EXPECT_EQ(met, 3);
}

TEST(ThreadTeam, KeepsItsThreads) {
    ThreadTeam team;
    std::set<std::thread::id> seen;
    for (int run = 0; run < 50; ++run) {
        std::barrier all(3);
        std::mutex mutex;
        team.run(2, [&] {
            all.arrive_and_wait();
            const std::lock_guard lock(mutex);
            seen.insert(std::this_thread::get_id());
        });
    }
    EXPECT_EQ(seen.size(), 3U);
    EXPECT_EQ(seen.count(std::this_thread::get_id()), 1U);
}

TEST(ThreadTeam, EveryIndexIsDoneOnceInRunsThatFollowFast) {
    BegunControl control(4);
    for (int run = 0; run < 2000; ++run) {
        std::vector<std::atomic<int>> done(7);
        parallel_for(7, control, [&](Index i) { ++done[i]; });
        for (const auto& times : done) ASSERT_EQ(times, 1) << run;
    }
}

TEST(ThreadTeam, WorkWithinWorkIsDoneByItsOwnThread) {
    BegunControl control(3);
    std::vector<std::thread::id> outer(4);
    std::vector<std::set<std::thread::id>> inner(4);
    parallel_for(4, control, [&](Index i) {
        outer[i] = std::this_thread::get_id();
        control.team().run(2, [&] { inner[i].insert(std::this_thread::get_id()); });
    });
    for (int i = 0; i < 4; ++i) EXPECT_EQ(inner[i], std::set{outer[i]});
}

TEST(ThreadTeam, TheFirstFailureEndsTheWork) {
    BegunControl control(3);
    std::atomic<Index> begun{0};
    const auto failing = [&](Index i) {
        ++begun;
        if (i == 5) fail(Status::numerical, "index ", i);
    };
    EXPECT_THROW(parallel_for(1000000, control, failing), Error);
    EXPECT_LT(begun, 1000000);
    parallel_for(10, control, [](Index) {});
}

/// Gives the exit status of a child process that does `work`, or 1000 more than the signal that ended it.
template <typename Work>
int in_child(Work work) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);  // This ends a child that waits for threads that are not there.
        _exit(work());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

int sum_with(Control& control) {
    std::atomic<Index> sum{0};
    parallel_for(10, control, [&](Index i) { sum += i; });
    return static_cast<int>(sum);
}

TEST(ThreadTeam, AChildOfAThreadAtWorkDoesItsWorkAlone) {
    BegunControl control(3);
    std::atomic<int> status{0};
    control.team().run(1, [&] {
        if (control.on_calling_thread()) status = in_child([&] { return sum_with(control); });
    });
    EXPECT_EQ(status, 45);
}

TEST(ThreadTeam, ChildrenHaveThreadsOfTheirOwn) {
    if (with_thread_sanitizer()) GTEST_SKIP() << "the thread sanitizer ends children that make threads";
    BegunControl control(3);
    EXPECT_EQ(sum_with(control), 45);
    EXPECT_EQ(in_child([&] { return sum_with(control); }), 45);
    EXPECT_EQ(sum_with(control), 45);
}

TEST(ThreadTeam, FewerThreadsDoTheWorkWhereTheSystemHasNoMore) {
    if (with_address_sanitizer() || with_thread_sanitizer())
        GTEST_SKIP() << "sanitizers reserve terabytes of addresses";
    const auto work = [] {
        rlimit addresses{};
        getrlimit(RLIMIT_AS, &addresses);
        addresses.rlim_cur = rlim_t{256} << 20U;  // A thread's stack takes 8 MB of them.
        if (setrlimit(RLIMIT_AS, &addresses) != 0) return 1;
        BegunControl control(1024);
        std::atomic<Index> done{0};
        parallel_for(100000, control, [&](Index) { ++done; });
        return done == 100000 ? 0 : 2;
    };
    EXPECT_EQ(in_child(work), 0);
}

}  // namespace
}  // namespace dk::test
