// SPDX-License-Identifier: Apache-2.0
#include "base/system/threads.hpp"

#include <windows.h>

#include <algorithm>
#include <bit>
#include <thread>

namespace dk {

int usable_processors() {
    DWORD_PTR of_process = 0;
    DWORD_PTR of_system = 0;
    if (GetProcessAffinityMask(GetCurrentProcess(), &of_process, &of_system) != 0 && of_process != 0)
        return std::popcount(static_cast<std::uint64_t>(of_process));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int processors_of_container() {
    return usable_processors();
}

std::int64_t process_number() {
    return GetCurrentProcessId();
}

// Windows runs the handlers of signals in threads of their own.
void make_threads_without_signals(const std::function<void()>& make) {
    make();
}

}  // namespace dk
