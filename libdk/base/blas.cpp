// SPDX-License-Identifier: Apache-2.0
#include "base/blas.hpp"

#include <mutex>

// The distribution's serial OpenBLAS is built without USE_LOCKING: two threads that enter it together can
// be handed the same work buffer, and then compute wrong products now and then. The linker's --wrap
// (libdk/cmake/Dependencies.cmake) sends all requests for buffers through here, one at a time; the products
// themselves run side by side.

namespace {
std::mutex buffers;
}

extern "C" {

// The linker gives these names.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
void* __real_blas_memory_alloc(int position);
void __real_blas_memory_free(void* buffer);

void* __wrap_blas_memory_alloc(int position) {
    const std::scoped_lock lock(buffers);
    return __real_blas_memory_alloc(position);
}

void __wrap_blas_memory_free(void* buffer) {
    const std::scoped_lock lock(buffers);
    __real_blas_memory_free(buffer);
}

// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

}  // extern "C"
