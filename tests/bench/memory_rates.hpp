// SPDX-License-Identifier: Apache-2.0
//
// This measures how fast this machine writes memory.
#pragma once

#include <cstddef>

namespace dk_bench {

struct WriteTimes {
    double streaming = 0;  // seconds with non-temporal stores
    double ordinary = 0;   // seconds with ordinary vector stores
    double library = 0;    // seconds with the C library's memcpy
    double best() const;
};

// Gives the seconds that all threads together need to write `bytes` into memory that is already touched.
WriteTimes measure_writing(int threads, double* memory, std::size_t bytes);

// Gives the seconds to write `bytes` of pages that the process has never touched.
double measure_first_touch(int threads, std::size_t bytes);

}  // namespace dk_bench
