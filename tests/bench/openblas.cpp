// SPDX-License-Identifier: Apache-2.0
#include "openblas.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace dk_bench {

namespace {

template <typename Function>
Function function_of(void* library, const char* name) {
    void* const found = dlsym(library, name);
    if (found == nullptr) {
        std::fprintf(stderr, "OpenBLAS has no %s\n", name);
        std::exit(1);
    }
    return reinterpret_cast<Function>(found);
}

}  // namespace

OpenBlas load_openblas() {
    const char* const named = std::getenv("DK_BENCH_OPENBLAS");
    void* const library = dlopen(named != nullptr ? named : "libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::fprintf(stderr, "ABSENT: OpenBLAS (Debian: libopenblas0-pthread): %s\n", dlerror());
        std::exit(1);
    }
    OpenBlas blas{.dgemm = function_of<OpenBlas::Gemm>(library, "cblas_dgemm"),
                  .sgemm = function_of<OpenBlas::GemmSingle>(library, "cblas_sgemm"),
                  .dpotrf = function_of<OpenBlas::Potrf>(library, "dpotrf_"),
                  .dsyevd = function_of<OpenBlas::Syevd>(library, "dsyevd_"),
                  .set_threads = function_of<void (*)(int)>(library, "openblas_set_num_threads"),
                  .core = function_of<char* (*)()>(library, "openblas_get_corename")()};
    blas.set_threads(1);
    return blas;
}

}  // namespace dk_bench
