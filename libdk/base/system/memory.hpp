// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace dk {

/// Gives a block that begins at a multiple of `alignment`, which is a power of two and divides `bytes`, or
/// nullptr where the system refuses it. free_aligned() takes it back.
void* allocate_aligned(std::size_t alignment, std::size_t bytes);
void free_aligned(void* block);

/// Asks the system for huge pages in a block that begins and ends on their boundaries. The system may not
/// give them.
void advise_huge_pages(void* block, std::size_t bytes);

/// Gives the bytes of memory that the machine has, or the container where that allows less.
double physical_memory();

}  // namespace dk
