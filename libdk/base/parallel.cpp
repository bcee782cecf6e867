// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.hpp"

#include <unistd.h>

namespace dk {

bool threads_survived_fork() {
    // This is the process that has OpenMP's threads: the first one that asks.
    static std::atomic<pid_t> owner{0};
    const pid_t self = ::getpid();
    pid_t known = 0;
    return owner.compare_exchange_strong(known, self) || known == self;
}

}  // namespace dk
