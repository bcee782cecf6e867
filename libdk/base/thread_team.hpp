// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>

namespace dk {

/// Threads that help the one that makes a call. They are made when work first needs them, and sleep between
/// two pieces of work. OpenMP would do the same, but ends the process when a thread can't be made or memory
/// ends, and waits for ever in a child of a process that has threads.
class ThreadTeam {
  public:
    ThreadTeam() = default;
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    /// Runs work() on the calling thread and on up to `helpers` others at the same time, and returns when all
    /// of them have ended. There may be fewer, or none where the team is at work already or where the system
    /// gives no threads, so that one run of work() must do all that is left to do. It must not throw.
    void run(int helpers, const std::function<void()>& work) noexcept;

  private:
    class Helpers;
    struct EndHelpers {
        void operator()(Helpers* helpers) const;
    };

    std::unique_ptr<Helpers, EndHelpers> helpers_;
    std::atomic<bool> busy_{false};
};

}  // namespace dk
