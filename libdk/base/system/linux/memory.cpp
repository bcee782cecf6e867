// SPDX-License-Identifier: Apache-2.0
#include "base/system/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
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
    const double machine = 1.0 * sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGE_SIZE);
    return std::min(machine, container_limits().memory);
}

}  // namespace dk
