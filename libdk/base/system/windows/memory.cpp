// SPDX-License-Identifier: Apache-2.0
#include "base/system/memory.hpp"

#include <malloc.h>
#include <windows.h>

namespace dk {

void* allocate_aligned(std::size_t alignment, std::size_t bytes) {
    return _aligned_malloc(bytes, alignment);
}

void free_aligned(void* block) {
    _aligned_free(block);
}

// Windows gives huge pages to those alone who have a right of their own to lock memory.
void advise_huge_pages(void* /*block*/, std::size_t /*bytes*/) {}

double physical_memory() {
    MEMORYSTATUSEX status{};
    status.dwLength = sizeof(status);
    constexpr double what_every_machine_has = 1024.0 * 1024.0 * 1024.0;
    return GlobalMemoryStatusEx(&status) != 0 ? 1.0 * status.ullTotalPhys : what_every_machine_has;
}

}  // namespace dk
