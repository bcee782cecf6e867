// SPDX-License-Identifier: Apache-2.0
//
// A call has threads in children of a process too, and does its work with fewer where the system gives no
// more.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "../sanitizers.hpp"
#include "base/parallel.hpp"
#include "base/threads/thread_team.hpp"
#include "support.hpp"

namespace dk::test::thread_team_posix_test {
namespace {

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

TEST(ThreadTeam, ItsThreadsLeaveSignalsToThoseOfTheProgram) {
    for (const Region region : {Region::brief, Region::lasting}) {
        // A thread of its own has no threads of OpenMP yet.
        std::thread([region] {
            ThreadTeam team;
            const auto caller = std::this_thread::get_id();
            std::atomic<int> here{0};
            std::atomic<int> open{0};
            const auto look = [&] {
                ++here;
                while (here < 3) std::this_thread::yield();
                sigset_t blocked;
                pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
                const bool is_open = sigismember(&blocked, SIGTERM) == 0;
                if (is_open && std::this_thread::get_id() != caller) ++open;
                EXPECT_TRUE(is_open || std::this_thread::get_id() != caller) << "the caller's are as before";
            };
            team.run(2, look, region);
            EXPECT_EQ(open, 0);
        }).join();
    }
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
}  // namespace dk::test::thread_team_posix_test
