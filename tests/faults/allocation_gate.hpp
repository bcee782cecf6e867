// SPDX-License-Identifier: Apache-2.0
// This program's own malloc() stands before that of the C library, for all that the process loads. It counts
// what libdk allocates and can refuse one allocation, or all from one on.
#ifndef DK_TESTS_FAULTS_ALLOCATION_GATE_HPP
#define DK_TESTS_FAULTS_ALLOCATION_GATE_HPP

#include <cstdint>

namespace dk_test {

enum class Refusal { once, ever_after };

/// Refuses the allocation with this number, counted from 1 and from now on, in all threads.
void refuse_allocation(int64_t number, Refusal refusal);

/// Refuses nothing any more. Gives how many allocations were refused.
int64_t allow_allocations();

/// Counts allocations since the last call of refuse_allocation() or of this function.
int64_t allocations_since();

/// The number of blocks that are allocated.
int64_t live_blocks();

/// Bytes that are allocated, and the most that were since reset_peak(). Memory that nobody has written counts
/// too.
int64_t live_bytes();
int64_t peak_bytes();
void reset_peak();

}  // namespace dk_test

#endif  // DK_TESTS_FAULTS_ALLOCATION_GATE_HPP
