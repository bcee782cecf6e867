// SPDX-License-Identifier: Apache-2.0
//
// The threads of a call: they work at the same time, and are there when they are needed and not more often.
#include "base/thread_team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "base/parallel.hpp"
#include "support.hpp"

namespace dk::test {
namespace {

/// Threads wait in it until so many are there. In std::barrier they waited for ever now and then under wine.
class Meeting {
  public:
    explicit Meeting(int awaited) : awaited_(awaited) {}

    void wait_for_all() {
        std::unique_lock lock(mutex_);
        if (--awaited_ == 0) all_there_.notify_all();
        all_there_.wait(lock, [&] { return awaited_ == 0; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable all_there_;
    int awaited_;
};

TEST(ThreadTeam, ThreadsWorkAtTheSameTime) {
    ThreadTeam team;
    Meeting all(3);
    std::atomic<int> met{0};
    team.run(2, [&] {
        all.wait_for_all();
        ++met;
    });
    EXPECT_EQ(met, 3);
}

TEST(ThreadTeam, KeepsItsThreads) {
    ThreadTeam team;
    std::set<std::thread::id> seen;
    for (int run = 0; run < 50; ++run) {
        Meeting all(3);
        std::mutex mutex;
        team.run(2, [&] {
            all.wait_for_all();
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

}  // namespace
}  // namespace dk::test
