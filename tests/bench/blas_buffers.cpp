// SPDX-License-Identifier: Apache-2.0
//
// The serial OpenBLAS hands out its work buffers without a lock, because it was built for one caller at a
// time. Here every thread calls it at once; so the linker (--wrap) leads both functions through this lock.
#include <mutex>

// The names are the linker's.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __real_blas_memory_alloc(int position);
void __real_blas_memory_free(void* buffer);
void* __wrap_blas_memory_alloc(int position);
void __wrap_blas_memory_free(void* buffer);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace {
std::mutex buffers;
}

void* __wrap_blas_memory_alloc(int position) {
    const std::lock_guard lock(buffers);
    return __real_blas_memory_alloc(position);
}

void __wrap_blas_memory_free(void* buffer) {
    const std::lock_guard lock(buffers);
    __real_blas_memory_free(buffer);
}
