// SPDX-License-Identifier: Apache-2.0
//
// This program times dense products and factorisations of libdk beside Eigen, compiled for this machine, and
// the distribution's OpenBLAS, in one run: rates in GF/s and libdk's ratio to the better of the two.
// OPENBLAS_CORETYPE chooses OpenBLAS's core, which it cannot always find itself: SkylakeX where the processor
// has AVX-512, Haswell or Zen where it has AVX2.
//     product_bench [threads of the factorisations, default 2]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "matrix/cholesky.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/instructions.hpp"
#include "matrix/packed_rows.hpp"
#include "openblas.hpp"
#include "product_peers.hpp"

namespace dk_bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Gives the least time of many runs, because other work on the machine only ever adds.
template <typename Work>
double best_of(Work work, double at_least = 0.25, int runs = 5) {
    double best = 1e300;
    const auto begin = Clock::now();
    for (int run = 0; run < runs || seconds_since(begin) < at_least; ++run) {
        const auto start = Clock::now();
        work();
        best = std::min(best, seconds_since(start));
    }
    return best;
}

template <typename T>
std::vector<T> random_values(std::size_t count) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<T> values(count);
    for (T& value : values) value = static_cast<T>(uniform(generator));
    return values;
}

constexpr int row_major = 101;
constexpr int no_transpose = 111;
constexpr int transpose = 112;

void multiply_by_blas(const OpenBlas& blas, const double* a, const double* b, double* c, Shape s) {
    blas.dgemm(row_major, no_transpose, transpose, s.rows, s.cols, s.depth, 1.0, a, s.depth, b, s.depth, 0.0,
               c, s.cols);
}
void multiply_by_blas(const OpenBlas& blas, const float* a, const float* b, float* c, Shape s) {
    blas.sgemm(row_major, no_transpose, transpose, s.rows, s.cols, s.depth, 1.0F, a, s.depth, b, s.depth,
               0.0F, c, s.cols);
}

template <typename T>
double compare(const OpenBlas& blas, Shape shape) {
    const auto a = random_values<T>(static_cast<std::size_t>(shape.rows) * shape.depth);
    const auto b = random_values<T>(static_cast<std::size_t>(shape.cols) * shape.depth);
    std::vector<T> c(static_cast<std::size_t>(shape.rows) * shape.cols);
    const auto left = dk::view(a.data(), shape.rows, shape.depth);
    const auto right = dk::view(b.data(), shape.cols, shape.depth);
    const auto out = dk::view(c.data(), shape.rows, shape.cols);
    const double ours = best_of([&] { dk::multiply_transposed(left, right, out); });
    const dk::PackedRows<T> packed{dk::ConstMatrixRefOf<T>(right)};
    const double with_packed = best_of([&] { dk::multiply_transposed(left, packed, 0, out); });
    const double eigen = best_of([&] { multiply_by_eigen(a.data(), b.data(), c.data(), shape); });
    const double openblas = best_of([&] { multiply_by_blas(blas, a.data(), b.data(), c.data(), shape); });
    const double flops = 2e-9 * shape.rows * shape.cols * shape.depth;
    const double ratio = std::min(eigen, openblas) / ours;
    std::printf("%4d x %4d x %4d %-6s %8.1f %8.1f %8.1f %8.1f %7.2f\n", shape.rows, shape.cols, shape.depth,
                sizeof(T) == 8 ? "double" : "single", flops / ours, flops / with_packed, flops / eigen,
                flops / openblas, ratio);
    return ratio;
}

void products(const OpenBlas& blas) {
    std::printf("%-25s %8s %8s %8s %8s %7s\n", "C = A B', one thread, GF/s", "libdk", "packed", "Eigen",
                "OpenBLAS", "ratio");
    double logarithms = 0;
    int count = 0;
    for (const Shape tile : {Shape{256, 256, 0}, Shape{64, 2048, 0}}) {
        for (const int depth : {8, 16, 64, 256, 784}) {
            for (const double ratio : {compare<double>(blas, {tile.rows, tile.cols, depth}),
                                       compare<float>(blas, {tile.rows, tile.cols, depth})}) {
                logarithms += std::log(ratio);
                ++count;
            }
        }
    }
    std::printf("geometric mean of the ratios: %.2f\n\n", std::exp(logarithms / count));
}

/// Times the product of one row with packed rows, beside the time of reading them.
template <typename T>
void one_row(int depth) {
    constexpr int cols = 2048;
    const auto a = random_values<T>(depth);
    const auto b = random_values<T>(static_cast<std::size_t>(cols) * depth);
    std::vector<T> c(cols);
    const dk::PackedRows<T> packed{dk::ConstMatrixRefOf<T>(dk::view(b.data(), cols, depth))};
    const double product = best_of([&] {
        dk::multiply_transposed(dk::view(a.data(), 1, depth), packed, 0, dk::view(c.data(), 1, cols));
    });
    volatile T sink = 0;
    const double reading = best_of([&] { sink = read_all(packed.data(), static_cast<long>(b.size())); });
    std::printf("one row x %d x %3d %s: %.2f of the time of reading the packed rows\n", cols, depth,
                sizeof(T) == 8 ? "double" : "single", product / reading);
}

void factorisations(const OpenBlas& blas, int threads) {
    blas.set_threads(threads);
    dk::Control control;
    control.set_threads(threads);
    for (const int n : {4000, 15000}) {
        const std::size_t size = static_cast<std::size_t>(n) * n;
        std::vector<double> matrix(size);
        const auto noise = random_values<double>(size);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j <= i; ++j)
                matrix[static_cast<std::size_t>(i) * n + j] =
                    0.01 * noise[static_cast<std::size_t>(i) * n + j];
            matrix[static_cast<std::size_t>(i) * n + i] = n;
        }
        const int runs = n > 10000 ? 1 : 5;
        std::vector<double> copy;
        double ours = 1e300;
        double lapack = 1e300;
        for (int run = 0; run < runs; ++run) {
            copy = matrix;
            auto start = Clock::now();
            dk::cholesky_factor(dk::view(copy.data(), n, n), control);
            ours = std::min(ours, seconds_since(start));
            copy = matrix;
            start = Clock::now();
            int info = 0;
            blas.dpotrf("U", &n, copy.data(), &n, &info);
            lapack = std::min(lapack, seconds_since(start));
        }
        std::printf("Cholesky %5d, %d threads: libdk %.2f s, dpotrf %.2f s\n", n, threads, ours, lapack);
    }
    const int n = 2000;
    const auto noise = random_values<double>(static_cast<std::size_t>(n) * n);
    double ours = 1e300;
    double lapack = 1e300;
    for (int run = 0; run < 3; ++run) {
        dk::LargeMatrix matrix(n, n);
        std::vector<double> copy(noise.size());
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j)
                copy[static_cast<std::size_t>(i) * n + j] = matrix(i, j) =
                    noise[static_cast<std::size_t>(std::max(i, j)) * n + std::min(i, j)];
        }
        auto start = Clock::now();
        dk::symmetric_eigen(std::move(matrix), control);
        ours = std::min(ours, seconds_since(start));
        std::vector<double> values(n);
        std::vector<double> work(1 + 6 * n + 2 * static_cast<std::size_t>(n) * n);
        std::vector<int> iwork(3 + 5 * n);
        const int lwork = static_cast<int>(work.size());
        const int liwork = static_cast<int>(iwork.size());
        int info = 0;
        start = Clock::now();
        blas.dsyevd("V", "L", &n, copy.data(), &n, values.data(), work.data(), &lwork, iwork.data(), &liwork,
                    &info);
        lapack = std::min(lapack, seconds_since(start));
    }
    std::printf("eigenvectors %d, %d threads: libdk %.2f s, dsyevd %.2f s\n", n, threads, ours, lapack);
}

}  // namespace
}  // namespace dk_bench

int main(int argc, char** argv) {
    using namespace dk_bench;
    const OpenBlas blas = load_openblas();
    std::printf("libdk: %s, OpenBLAS: %s\n", std::string(dk::name_of(dk::instructions())).c_str(),
                blas.core.c_str());
    products(blas);
    for (const int depth : {16, 64, 256}) {
        one_row<double>(depth);
        one_row<float>(depth);
    }
    factorisations(blas, 1);
    factorisations(blas, argc > 1 ? std::atoi(argv[1]) : 2);
    return 0;
}
