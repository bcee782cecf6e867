// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>

#include "support.hpp"

namespace dk::test {

/// Random rows with landmarks among them, and targets without any pattern.
struct LandmarkProblem {
    Matrix rows;     // K_nM
    Matrix own;      // K_MM
    Matrix targets;  // Y
};

inline LandmarkProblem landmark_problem(Index n, Index m, Index columns, std::uint64_t seed) {
    const Dataset data = random_dense(n, 3, seed);
    std::vector<Index> chosen(m);
    std::iota(chosen.begin(), chosen.end(), Index{0});
    const Dataset some = data.select(chosen);
    const auto kernel = make_kernel("rbf(gamma=0.5)", data);
    const auto values = gram_matrix(kernel, data, some);
    const auto own = gram_matrix(kernel, some, some);
    const auto targets = normal_values(n * columns, seed + 1);
    return {Eigen::Map<const Matrix>(values.data(), n, m), Eigen::Map<const Matrix>(own.data(), m, m),
            Eigen::Map<const Matrix>(targets.data(), n, columns)};
}

}  // namespace dk::test
