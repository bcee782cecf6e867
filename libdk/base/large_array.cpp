// SPDX-License-Identifier: Apache-2.0
#include "base/large_array.hpp"

#include <sys/mman.h>

namespace dk {

void advise_huge_pages(void* block, std::size_t bytes) {
    static_cast<void>(::madvise(block, bytes, MADV_HUGEPAGE));
}

}  // namespace dk
