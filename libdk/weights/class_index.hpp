// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "data/class_range.hpp"
#include "matrix/matrix.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

/// The kernel matrix of one kernel on rows that are sorted by class.
struct ClassMatrix {
    ConstMatrixView K;
    std::span<const ClassRange> classes;

    /// Gives the quadrant with the rows of class a and the columns of class b.
    auto quadrant(ClassRange a, ClassRange b) const { return K.block(a.begin, b.begin, a.size, b.size); }
    /// Gives the part of row i whose columns are those of a class.
    std::span<const double> row_of_quadrant(Index i, ClassRange columns) const {
        return std::span(K.row(i).data(), K.cols()).subspan(columns.begin, columns.size);
    }
};

/// Computes how well a kernel separates the classes, as a number that is 0 where it does not separate them.
using KernelIndex = std::function<double(const ClassMatrix& matrix, Control& control)>;

/// Weighs each kernel by its share of the sum of all indices, or all kernels equally where that sum is zero
/// or not finite. It computes the kernel matrices of a few kernels at a time. Where the data have very many
/// rows, it takes a seeded sample of each class, since a million values settle the statistics of a quadrant.
/// Messages name the strategy by `name`.
KernelWeights weigh_by_index(const WeightProblem& problem, const std::string& name, const KernelIndex& index);

/// Gives the index of all classes from that of pairs, index(first, second). Of two classes the first is the
/// positive one, which is the second of the table; `both_orders` asks for the mean of both orders. More than
/// two classes have the mean over the pairs of classes in both orders, weighted by their numbers of pairs of
/// rows.
double mean_over_pairs(std::span<const ClassRange> classes, bool both_orders,
                       const std::function<double(Index first, Index second)>& index);

}  // namespace dk
