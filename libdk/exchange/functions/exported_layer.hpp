// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "kernel/language/expression.hpp"
#include "kernel/lowrank/random_features.hpp"
#include "model/preparation.hpp"

namespace dk {

struct LearnedFeatures;

/// A kernel as formats write it: its expression, and what those of its operators compute that have learned
/// from rows.
struct ExportedKernel {
    std::shared_ptr<const Expression> expression;
    std::vector<std::shared_ptr<LearnedFeatures>> learned = {};
};

/// Functions f(x) = W' k(Z, x) + b of some columns of a row, or without W the values k(Z, x).
struct ExportedExpansion {
    ExportedKernel kernel = {};
    Dataset points = Dataset(DenseMatrix());  // the rows Z
    Matrix weights = {};                      // W, points x functions
    std::vector<double> offsets = {};         // b
    Columns columns = {};                     // of a row, and of the points; all where there are none
};

/// The functions of several expansions of the same row, side by side.
using JoinedExpansions = std::vector<ExportedExpansion>;

/// A step between the scaled rows and those that the machine knows: a selection of columns, a linear map, or
/// functions that are the new columns.
using ExportedLayer =
    std::variant<KeptColumns, LinearMap, ExportedExpansion, JoinedExpansions, RandomNetwork>;

/// What an operator of a kernel has learned, as features phi of a row, which a layer makes. lowrank and
/// corrected are phi(x).phi(z); center has the one feature m(x), the mean of k(x, r) over the rows r that it
/// has learned from, and is k(x, z) - m(x) - m(z) + the mean of m(r).
struct LearnedFeatures {
    const Expression* call = nullptr;
    ExportedLayer layer = {};
    Matrix of_points = {};  // phi(Z), points x features
    double grand_mean = 0;  // of m
};

/// Gives the columns that a call on(0:9, 12, k) names.
Columns columns_named_by(const Expression& call);

/// Tells whether a kernel is a product phi(x).phi(z) of features that it has learned, and nothing besides.
bool is_product_of_features(const Kernel& kernel);

/// Gives a kernel with what its operators compute of the points Z. The expression is that of the kernel's
/// text.
ExportedKernel exported_kernel(const Kernel& kernel, const Dataset& points);

}  // namespace dk
