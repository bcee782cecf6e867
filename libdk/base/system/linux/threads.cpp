// SPDX-License-Identifier: Apache-2.0
#include "base/system/threads.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "base/system/linux/container_limits.hpp"

namespace dk {

namespace {

/// While it lives, this thread and those that it makes hear no signals.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_{};
};

}  // namespace

int usable_processors() {
    cpu_set_t usable;
    const int count = sched_getaffinity(0, sizeof(usable), &usable) == 0 ? CPU_COUNT(&usable) : 0;
    return std::max(1, count > 0 ? count : static_cast<int>(std::thread::hardware_concurrency()));
}

int processors_of_container() {
    constexpr double most = 1 << 20;
    static const int processors =
        static_cast<int>(std::clamp(std::ceil(container_limits().processors), 1.0, most));
    return processors;
}

std::int64_t process_number() {
    return ::getpid();
}

void make_threads_without_signals(const std::function<void()>& make) {
    const SignalsBlocked blocked;
    make();
}

}  // namespace dk
