// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <cstdlib>
#include <memory>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#endif

namespace command {

void keep_memory() {
#ifdef __GLIBC__
    constexpr int largest_kept = 32 << 20;  // This is the largest block that glibc allows to keep.
    constexpr int kept = 256 << 20;
    constexpr std::size_t huge_page = std::size_t{2} << 20U;
    mallopt(M_MMAP_THRESHOLD, largest_kept);
    mallopt(M_TRIM_THRESHOLD, kept);
    // The block makes the heap grow, and the heap stays as large when the block is freed.
    std::size_t room = largest_kept - huge_page;
    const std::unique_ptr<void, decltype(&std::free)> block(std::malloc(room), std::free);
    void* first = block.get();
    if (first == nullptr || std::align(huge_page, huge_page, first, room) == nullptr) return;
    static_cast<void>(madvise(first, room / huge_page * huge_page, MADV_HUGEPAGE));
#endif
}

}  // namespace command
