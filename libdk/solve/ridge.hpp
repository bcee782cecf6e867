// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/large_array.hpp"
#include "solve/gram_source.hpp"

namespace dk {

/// Ridge regression in the dual, for several targets at once: A = (K + ridge I)^-1 (Y - 1 b').
struct RidgeProgram {
    std::span<const double> targets;  // Y, rows x columns, row-major
    Index columns = 1;
    double ridge = 1;
    bool offset = false;         // whether b is found too, else it is zero: least squares support vectors
    bool leave_one_out = false;  // whether to find what each row is predicted by all the others

    Index rows() const { return size_of(targets) / columns; }
};

struct RidgeSolution {
    std::vector<double> coefficients = {};  // A, rows x columns
    std::vector<double> offsets = {};       // b
    std::vector<double> left_out = {};      // rows x columns, where asked for
    double ridge = 0;  // the one used: more than asked where K is not positive semidefinite
};

/// By Cholesky's factors of K (rows x rows), for which it takes as much memory again. Throws Error(numerical)
/// where K is so indefinite that a larger ridge does not help.
RidgeSolution ridge_by_cholesky(const double* gram, const RidgeProgram& program, Control& control);

/// The same where K = F F': work and memory grow with rows, not with their square.
RidgeSolution ridge_by_features(const FeatureRows& features, const RidgeProgram& program, Control& control);

/// For each of the ridges the solution with its leave-one-out predictions, from one eigendecomposition of K;
/// `judge` hears of them in their order. Eigenvalues below zero count as zero.
void ridges_by_eigenvalues(const double* gram, RidgeProgram program, std::span<const double> ridges,
                           Control& control, const std::function<void(RidgeSolution)>& judge);

}  // namespace dk
