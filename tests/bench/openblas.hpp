// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dk_bench {

/// The functions of the distribution's OpenBLAS, which is loaded when the bench runs: so it may have threads,
/// and OPENBLAS_CORETYPE chooses its core.
struct OpenBlas {
    using Gemm = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, double alpha,
                          const double* a, int lda, const double* b, int ldb, double beta, double* c,
                          int ldc);
    using GemmSingle = void (*)(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                                const float* a, int lda, const float* b, int ldb, float beta, float* c,
                                int ldc);
    using Potrf = void (*)(const char* uplo, const int* n, double* a, const int* lda, int* info);
    using Syevd = void (*)(const char* jobz, const char* uplo, const int* n, double* a, const int* lda,
                           double* w, double* work, const int* lwork, int* iwork, const int* liwork,
                           int* info);

    Gemm dgemm;
    GemmSingle sgemm;
    Potrf dpotrf;
    Syevd dsyevd;
    void (*set_threads)(int);
    std::string core;
};

/// Loads libopenblas.so.0, or the file that DK_BENCH_OPENBLAS names. Ends the program with a message where
/// there is none (Debian: libopenblas0-pthread).
OpenBlas load_openblas();

}  // namespace dk_bench
