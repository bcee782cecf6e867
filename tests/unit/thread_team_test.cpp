// SPDX-License-Identifier: Apache-2.0
//
// The threads of a call: they work at the same time, and are there when they are needed and not more often.
#include "base/threads/thread_team.hpp"

#include <gtest/gtest.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "base/parallel.hpp"
#include "support.hpp"

namespace dk::test::thread_team_test {
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

/// Gives the threads that did the work of a region with two helpers, which all were at it at the same time.
std::set<std::thread::id> threads_of_a_region(ThreadTeam& team, Region region) {
    Meeting all(3);
    std::mutex mutex;
    std::set<std::thread::id> seen;
    const auto work = [&] {
        all.wait_for_all();
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
    };
    team.run(2, work, region);
    return seen;
}

class Regions : public testing::TestWithParam<Region> {};
INSTANTIATE_TEST_SUITE_P(Both, Regions, testing::Values(Region::brief, Region::lasting),
                         [](const auto& kind) { return kind.param == Region::brief ? "Brief" : "Lasting"; });

TEST_P(Regions, HaveThreadsAtTheSameTime) {
    ThreadTeam team;
    EXPECT_EQ(threads_of_a_region(team, GetParam()).size(), 3U);
}

TEST_P(Regions, KeepTheirThreads) {
    ThreadTeam team;
    std::set<std::thread::id> seen;
    for (int run = 0; run < 50; ++run) seen.merge(threads_of_a_region(team, GetParam()));
    EXPECT_EQ(seen.size(), 3U);
    EXPECT_EQ(seen.count(std::this_thread::get_id()), 1U);
}

TEST_P(Regions, ThatFollowFastDoEveryIndexOnce) {
    BegunControl control(4);
    const Workforce workforce{.most_threads = 4, .region = GetParam()};
    for (int run = 0; run < 2000; ++run) {
        std::vector<std::atomic<int>> done(7);
        parallel_for_with(
            7, control, [] { return 0; }, [&](int, Index i) { ++done[i]; }, workforce);
        for (const auto& times : done) ASSERT_EQ(times, 1) << run;
    }
}

TEST(Regions, OfOtherNumbersUseTheThreadsThatAreThere) {
    std::set<std::thread::id> seen;
    std::mutex mutex;
    BegunControl control(4);
    for (int run = 0; run < 50; ++run) {
        for (const int helpers : {3, 1, 2}) {
            const auto note = [&] {
                const std::lock_guard lock(mutex);
                seen.insert(std::this_thread::get_id());
            };
            control.team().run(helpers, note);
        }
    }
    EXPECT_LE(seen.size(), 4U);
}

TEST(Workforce, IsOneThreadForLittleOwnThreadsForSomeAndAllForMuch) {
    const BegunControl control(8);
    EXPECT_EQ(workforce_for(1000, control).most_threads, 1);
    EXPECT_EQ(workforce_for(400'000, control).most_threads, 3);
    EXPECT_EQ(workforce_for(400'000, control).region, Region::brief);
    EXPECT_EQ(workforce_for(1e8, control).most_threads, 8);
    EXPECT_EQ(workforce_for(1e8, control).region, Region::lasting);
}

#ifdef _OPENMP
TEST(OpenMP, ARegionOfTheProgramHasOwnThreadsWithin) {
    std::atomic<int> met{0};
#pragma omp parallel num_threads(2)
    {
        ThreadTeam team;
        met += static_cast<int>(threads_of_a_region(team, Region::lasting).size());
    }
    EXPECT_EQ(met, 6);
}

TEST(OpenMP, SaysHowManyThreadsACallHas) {
    std::thread([] {
        omp_set_num_threads(3);
        EXPECT_EQ(Control().threads(), 3);
        Control five;
        five.set_threads(5);
        EXPECT_EQ(five.threads(), 5) << "a number that is given counts";
    }).join();
}
#endif

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
    constexpr Index indices = 1000000;
    std::atomic<Index> begun{indices};
    const auto failing = [&](Index i) {
        ++begun;
        if (i == 5) fail(Status::numerical, "index ", i);
    };
    // A busy machine may stop the thread that fails until the others have done the rest, but not each time.
    for (int again = 0; again < 100 && begun == indices; ++again) {
        begun = 0;
        EXPECT_THROW(parallel_for(indices, control, failing), Error);
    }
    EXPECT_LT(begun, indices);
    parallel_for(10, control, [](Index) {});
}

}  // namespace
}  // namespace dk::test::thread_team_test
