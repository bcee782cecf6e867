// SPDX-License-Identifier: Apache-2.0
//
// This program measures what the public interface hides: rows asked for in blocks, banks that share products,
// and the global alignment kernel against the recursion written straight down.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "base/large_array.hpp"
#include "cases.hpp"
#include "data/dataset.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/language/bank.hpp"
#include "parallel_timer.hpp"

namespace dk_bench {
namespace {

constexpr int kRepeats = 7;

double median_of(const std::function<void()>& work) {
    std::vector<double> seconds;
    for (int i = 0; i < kRepeats; ++i) seconds.push_back(seconds_of(work));
    std::nth_element(seconds.begin(), seconds.begin() + kRepeats / 2, seconds.end());
    return seconds[kRepeats / 2];
}

dk::Dataset dense_data(dk::Index rows, dk::Index cols, bool non_negative = false) {
    return dk::Dataset(dk::DenseMatrix{rows, cols, make_data(rows, cols, non_negative)});
}

/// Times blocks of 64 rows from all over against the whole matrix, in pairs a second that are computed.
template <typename T>
void row_blocks(const char* text, const char* type, dk::Control& control) {
    constexpr dk::Index rows = 6000;
    constexpr dk::Index block = 64;
    const dk::Dataset data = dense_data(rows, 16, true);
    const dk::GramEngine<T> engine(dk::make_kernel(text, data), data, data);
    dk::LargeArray<T> matrix(rows * rows);
    const double whole = median_of([&] { engine.matrices(matrix.data(), control); });
    std::vector<dk::Index> wanted(block);
    const double blocks = median_of([&] {
        for (dk::Index first = 0; first < rows / block; ++first) {
            for (dk::Index r = 0; r < block; ++r)
                wanted[static_cast<std::size_t>(r)] = first + r * (rows / block);
            engine.rows_of(wanted, matrix.data(), control);
        }
    });
    const double whole_rate = 0.5 * rows * (rows + 1) / whole;
    const double block_rate = static_cast<double>(rows / block * block) * rows / blocks;
    std::printf("%-26s %-4s %10.0f %10.0f %7.2f\n", text, type, whole_rate * 1e-6, block_rate * 1e-6,
                block_rate / whole_rate);
}

void bank(dk::Control& control) {
    constexpr dk::Index rows = 2000;
    for (const dk::Index cols : {16, 200}) {
        const dk::Dataset data = dense_data(rows, cols);
        dk::LargeArray<double> out(20 * rows * rows);
        const auto time_of = [&](const char* text) {
            const dk::GramEngine<double> engine(dk::make_bank(text, data), data, data);
            return median_of([&] { engine.matrices(out.data(), control); });
        };
        const double one = time_of("rbf(gamma=0.01)");
        const double product = time_of("linear");
        const double twenty = time_of(
            "grid(rbf, "
            "gamma=0.01:0.02:0.03:0.04:0.05:0.06:0.07:0.08:0.09:0.1:0.11:0.12:0.13:0.14:0.15:0.16:0.17:"
            "0.18:0.19:0.2)");
        std::printf(
            "20 rbf kernels, %lld columns: %.4f s; one: %.4f s, times 20: %.4f s; the product: %.4f s\n",
            static_cast<long long>(cols), twenty, one, 20 * one, product);
    }
}

/// Computes the recursion as the paper writes it, in logarithms (Cuturi 2011), on one core, one pair after
/// the other.
double alignment_by_logarithms(const std::vector<double>& x, const std::vector<double>& y, double sigma) {
    const double lowest = -std::numeric_limits<double>::infinity();
    std::vector<double> before(y.size() + 1, lowest);
    std::vector<double> row(y.size() + 1, lowest);
    before[0] = 0;
    for (const double a : x) {
        row[0] = lowest;
        for (std::size_t j = 1; j <= y.size(); ++j) {
            const double difference = a - y[j - 1];
            double local = -difference * difference / (2 * sigma * sigma);
            local -= std::log(2 - std::exp(local));
            const double largest = std::max({before[j], before[j - 1], row[j - 1]});
            row[j] = largest == lowest
                         ? lowest
                         : local + largest +
                               std::log(std::exp(before[j] - largest) + std::exp(before[j - 1] - largest) +
                                        std::exp(row[j - 1] - largest));
        }
        std::swap(before, row);
    }
    return before.back();
}

/// Computes the alignment sum as tslearn does (metrics/softdtw_variants.py): a matrix of local kernels by
/// exp(l - log(2 - exp(l))), then sums of values in a second matrix, which overflow for long series.
double alignment_by_values(const std::vector<double>& x, const std::vector<double>& y, double sigma) {
    const std::size_t width = y.size() + 1;
    std::vector<double> local(x.size() * y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < y.size(); ++j) {
            const double difference = x[i] - y[j];
            const double logarithm = -difference * difference / (2 * sigma * sigma);
            local[i * y.size() + j] = std::exp(logarithm - std::log(2 - std::exp(logarithm)));
        }
    }
    std::vector<double> sums((x.size() + 1) * width, 0.0);
    sums[0] = 1;
    for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < y.size(); ++j) {
            sums[(i + 1) * width + j + 1] =
                (sums[i * width + j + 1] + sums[(i + 1) * width + j] + sums[i * width + j]) *
                local[i * y.size() + j];
        }
    }
    return std::log(sums.back());
}

void alignments(int most_threads) {
    constexpr dk::Index count = 64;
    constexpr dk::Index length = 200;
    constexpr double sigma = 5;
    dk::SeriesSet set{1, {0}, make_data(count, length)};
    for (dk::Index i = 0; i < count; ++i) set.step_offsets.push_back((i + 1) * length);
    std::vector<std::vector<double>> series;
    for (dk::Index i = 0; i < count; ++i) {
        const auto steps = set.series(i);
        series.emplace_back(steps.begin(), steps.end());
    }
    const dk::Dataset data(std::move(set));
    const double cells = 0.5 * count * (count + 1) * length * length;
    double sum = 0;
    const auto pairs = [&](auto alignment) {
        return median_of([&] {
            for (std::size_t i = 0; i < series.size(); ++i) {
                for (std::size_t j = i; j < series.size(); ++j) sum += alignment(series[i], series[j], sigma);
            }
        });
    };
    const double logarithms = pairs(alignment_by_logarithms);
    const double values = pairs(alignment_by_values);
    std::printf(
        "global alignment, %lld series of %lld steps, Mcells a second: logarithms %.0f, as tslearn %.0f "
        "(%g)\n",
        static_cast<long long>(count), static_cast<long long>(length), cells / logarithms * 1e-6,
        cells / values * 1e-6, sum == 0 ? 1.0 : 0.0);
    std::vector<double> out(count * count);
    for (int threads = 1; threads <= most_threads; ++threads) {
        dk::Control control;
        control.set_threads(threads);
        control.begin();
        const auto kernel = dk::make_kernel("gak(sigma=5)", data);
        const dk::GramEngine<double> engine(kernel, data, data, &control);
        const double ours = median_of([&] { engine.matrices(out.data(), control); });
        std::printf(
            "  libdk, %d threads: %.0f, %.1f times the logarithms, %.1f times tslearn's way, for each core\n",
            threads, cells / ours * 1e-6, logarithms / ours / threads, values / ours / threads);
    }
}

}  // namespace
}  // namespace dk_bench

// dk_engine_bench [THREADS]
int main(int count, char** arguments) {
    const int threads = count > 1 ? std::atoi(arguments[1]) : 2;
    dk::Control control;
    control.set_threads(threads);
    control.begin();
    std::printf("\nblocks of 64 rows of 6000, million pairs a second\n%-26s %-4s %10s %10s %7s\n", "kernel",
                "type", "whole", "blocks", "ratio");
    for (const char* text : {"rbf(gamma=0.0625)", "laplacian(gamma=0.0625)", "chi_square(gamma=0.0625)",
                             "poly(degree=3)", "arccos(0, 1, 2)"}) {
        dk_bench::row_blocks<double>(text, "f64", control);
        dk_bench::row_blocks<float>(text, "f32", control);
    }
    std::printf("\n");
    dk_bench::bank(control);
    dk_bench::alignments(threads);
}
