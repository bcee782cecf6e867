// SPDX-License-Identifier: Apache-2.0
#include "base/system/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "base/system/linux/container_limits.hpp"

namespace dk {

void* allocate_aligned(std::size_t alignment, std::size_t bytes) {
    return std::aligned_alloc(alignment, bytes);
}

void free_aligned(void* block) {
    std::free(block);
}

void advise_huge_pages(void* block, std::size_t bytes) {
    static_cast<void>(::madvise(block, bytes, MADV_HUGEPAGE));
}

double physical_memory() {
    // Files of limits take longer to read than some calls do, and some calls ask often; a second is soon
    // enough for whoever changes a limit. Threads that read at the same time find the same.
    using std::chrono::steady_clock;
    constexpr std::int64_t fresh = std::chrono::nanoseconds(std::chrono::seconds(1)).count();
    static std::atomic<std::int64_t> looked{0};
    static std::atomic<double> found{0};
    const std::int64_t now = std::chrono::nanoseconds(steady_clock::now().time_since_epoch()).count();
    if (const double known = found; known > 0 && now - looked < fresh) return known;
    const double machine = 1.0 * sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGE_SIZE);
    found = std::min(machine, container_limits().memory);
    looked = now;
    return found;
}

}  // namespace dk
