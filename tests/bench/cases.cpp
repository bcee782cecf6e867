// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <stdexcept>

namespace dk_bench {
namespace {

constexpr std::int64_t kBigRows = 15000;
constexpr std::int64_t kSmallRows = 6000;
constexpr std::int64_t kCols = 16;

Case rbf(std::int64_t rows) {
    Case result;
    result.family = "rbf";
    result.kernel = "rbf(gamma=0.0625)";
    result.rows = rows;
    result.cols = kCols;
    result.gamma = 0.0625;
    result.product = true;
    result.exponentials = 1;
    return result;
}

Case laplacian(std::int64_t rows) {
    Case result = rbf(rows);
    result.family = "laplacian";
    result.kernel = "laplacian(gamma=0.0625)";
    result.product = false;
    result.absolute = true;
    return result;
}

Case chi_square(std::int64_t rows) {
    Case result = rbf(rows);
    result.family = "chi_square";
    result.kernel = "chi_square(gamma=0.0625)";
    result.product = false;
    result.chi_square = true;
    return result;
}

Case poly(std::int64_t rows) {
    Case result = rbf(rows);
    result.family = "poly";
    result.kernel = "poly(degree=3, gamma=0.0625, coef0=1)";
    result.degree = 3;
    result.coef0 = 1;
    result.exponentials = 0;
    return result;
}

Case arccos(std::int64_t rows) {
    Case result = rbf(rows);
    result.family = "arccos";
    result.kernel = "arccos(0,1,2)";
    result.exponentials = 0;
    result.angles = 3;
    return result;
}

Case in_single(Case result) {
    result.single = true;
    return result;
}

/// The Gaussian kernel of rows with more columns, where the product takes most of the time.
Case wide(std::int64_t cols) {
    Case result = rbf(kSmallRows);
    result.family = "rbf_d" + std::to_string(cols);
    result.cols = cols;
    result.gamma = 1.0 / static_cast<double>(cols);
    result.kernel = "rbf(gamma=" + std::to_string(result.gamma) + ")";
    return result;
}

Case into_fresh_pages(Case result) {
    result.fresh_pages = true;
    return result;
}

}  // namespace

std::vector<Case> all_cases() {
    return {rbf(kBigRows),
            into_fresh_pages(rbf(kBigRows)),
            rbf(kSmallRows),
            in_single(rbf(kSmallRows)),
            laplacian(kSmallRows),
            in_single(laplacian(kSmallRows)),
            chi_square(kSmallRows),
            in_single(chi_square(kSmallRows)),
            poly(kSmallRows),
            arccos(kSmallRows),
            in_single(arccos(kSmallRows)),
            wide(64),
            in_single(wide(64)),
            wide(256),
            in_single(wide(256)),
            wide(784),
            in_single(wide(784))};
}

std::string Case::name() const {
    return family + (single ? " f32 " : " f64 ") + std::to_string(rows) +
           (fresh_pages ? " fresh" : " touched");
}

std::vector<double> make_data(std::int64_t rows, std::int64_t cols, bool non_negative) {
    std::mt19937_64 generator(20240229);
    std::vector<double> data(static_cast<std::size_t>(rows * cols));
    for (double& value : data) value = static_cast<double>(generator() >> 11) * 0x1p-52 - 1.0;
    if (non_negative)
        std::transform(data.begin(), data.end(), data.begin(), [](double v) { return std::abs(v); });
    return data;
}

Floor floor_of(const Case& what, double write_seconds, const VectorRates& vector_rates,
               const GemmRates& gemm_rates) {
    const double pairs = 0.5 * static_cast<double>(what.rows) * static_cast<double>(what.rows + 1);
    const double features = static_cast<double>(what.cols);
    const double exponential_rate =
        what.single ? vector_rates.exponential_single : vector_rates.exponential_double;
    const double flops_rate = what.single ? gemm_rates.single_precision : gemm_rates.double_precision;
    Floor floor;
    floor.write = write_seconds;
    floor.functions =
        pairs * (what.exponentials / exponential_rate + what.angles / vector_rates.angle_double);
    if (what.absolute) {
        floor.functions +=
            pairs * features /
            (what.single ? vector_rates.absolute_difference_single : vector_rates.absolute_difference_double);
    }
    if (what.chi_square) {
        floor.functions += pairs * features /
                           (what.single ? vector_rates.chi_square_single : vector_rates.chi_square_double);
    }
    if (what.product) floor.product = pairs * 2 * features / flops_rate;
    return floor;
}

void export_cases(const std::string& directory, const std::vector<Case>& cases) {
    std::ofstream list(directory + "/cases.txt");
    for (const Case& what : cases) {
        // The peers allocate their result anyway, and are compared at one number of columns.
        if (what.fresh_pages || what.cols != kCols) continue;
        const std::string path = directory + "/data_" + std::to_string(what.rows) +
                                 (what.chi_square ? "_non_negative" : "") + ".bin";
        const std::vector<double> data = make_data(what.rows, what.cols, what.chi_square);
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(data.data()),
                   static_cast<std::streamsize>(data.size() * sizeof(double)));
        list << what.family << ' ' << (what.single ? "f32" : "f64") << ' ' << what.rows << ' ' << what.cols
             << ' ' << what.gamma << ' ' << what.degree << ' ' << what.coef0 << ' ' << path << '\n';
    }
    if (!list.flush()) throw std::runtime_error("cannot write to " + directory);
}

}  // namespace dk_bench
