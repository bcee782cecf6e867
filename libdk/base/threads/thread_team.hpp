// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>

namespace dk {

/// How long a region of parallel work is. All threads of OpenMP have to come to a region and to leave it, for
/// which the calling thread waits: up to milliseconds where a program has the processor of one of them. A
/// brief region is done by own threads, of which those are not waited for that have not begun.
enum class Region { brief, lasting };

/// Says who does the work of a loop: at most so many threads, and of which kind the region is.
struct Workforce {
    int most_threads = 1;
    Region region = Region::brief;
};

/// Threads that help the one that makes a call: OpenMP's, and own ones where the region is brief or OpenMP
/// can't (openmp_threads.hpp). Own threads are made when work first needs them, and sleep between two pieces
/// of work.
class ThreadTeam {
  public:
    ThreadTeam() = default;
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    /// Runs work() on the calling thread and on up to `helpers` others at the same time, and returns when all
    /// of them have ended. There may be fewer, or none where the team is at work already or where the system
    /// gives no threads, so that one run of work() must do all that is left to do. It must not throw.
    void run(int helpers, const std::function<void()>& work, Region region = Region::lasting) noexcept;

  private:
    void run_by_own_threads(int helpers, const std::function<void()>& work) noexcept;

    class Helpers;
    struct EndHelpers {
        void operator()(Helpers* helpers) const;
    };

    std::unique_ptr<Helpers, EndHelpers> helpers_;
    std::atomic<bool> busy_{false};
};

}  // namespace dk
