// SPDX-License-Identifier: Apache-2.0
// This file computes the canonical form of decision functions f(x) = sum_i gamma_i k(x_i, x) + b, whose
// normal vectors in feature space are w = sum_i gamma_i x_i. The prototypes of a function combine the rows
// with positive and with negative gamma,
//
//     (8)  p+ = sum_i a+_i x_i,   p- = sum_i a-_i x_i,   a+ = t max(gamma, 0),   a- = t max(-gamma, 0)
//          t = 1 / max(sum_i max(gamma_i, 0), sum_i max(-gamma_i, 0)),
//
// so that t w = p+ - p-. With the shift S the function compares the distances from both prototypes:
//
//     (7)  2 t f(x) = |x - p-|^2 - |x - p+|^2 + S
//     (9)  S = 2 t b + |p+|^2 - |p-|^2
//
// The paper takes functions whose gamma sum to zero; both prototypes are convex combinations then. Where the
// gamma do not sum to zero (a penalised offset, one class), one of them has coefficients that sum to less
// than 1, and the rest is at the origin of feature space. A constant function, all of whose gamma are zero,
// has t = 1 and both prototypes there.
//
//     paper             code
//     y_i alpha_i       gamma, with alpha_i of any scale
//     p+, p-            prototypes 2 f and 2 f + 1 of function f
//     S                 PrototypeSet::shifts
//     |p+|^2, |p-|^2    PrototypeSet::squared_norms
//     K a               products, with a column for each prototype
//
// Reference: Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification: insights from machine learning,
// Neural Computation 21, 2009, section 3.
#include "prototype/canonical.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/error.hpp"
#include "matrix/matrix.hpp"
#include "prototype/inner_products.hpp"
#include "prototype/nearest_rows.hpp"

namespace dk {

namespace {

ConstMatrixView matrix_of(const WeightBlock& block) {
    return view(block.weights.data(), block.rows, std::ssize(block.columns));
}

}  // namespace

std::vector<double> canonical_scales(std::span<const WeightBlock> gamma, Index functions) {
    Vector positive = Vector::Zero(functions);
    Vector negative = Vector::Zero(functions);
    for (const WeightBlock& block : gamma) {
        const auto values = matrix_of(block);
        for (Index i = 0; i < values.rows(); ++i) {
            for (Index c = 0; c < values.cols(); ++c) {
                const Index f = block.columns[c];
                (values(i, c) > 0 ? positive : negative)(f) += std::abs(values(i, c));
            }
        }
    }
    const Vector sums = positive.cwiseMax(negative);
    const Vector scales = (sums.array() == 0).select(1.0, sums.cwiseInverse());
    for (Index f = 0; f < functions; ++f) {
        if (std::isfinite(scales[f]) && scales[f] > 0) continue;
        fail(Status::numerical, "the coefficients of a decision function sum to ", sums[f],
             ", which has no inverse that a number can hold; scale the data or the targets");
    }
    return {scales.begin(), scales.end()};
}

namespace {

/// Throws where numbers of the rows are so large that their squares or the offsets' parts overflow.
void require_finite(const PrototypeSet& set) {
    for (const auto* values : {&set.squared_norms, &set.shifts, &set.norms}) {
        const auto found = std::ranges::find_if_not(*values, [](double v) { return std::isfinite(v); });
        if (found == values->end()) continue;
        fail(Status::numerical, "lengths of the prototypes overflow (", *found,
             "); scale the data or the targets");
    }
}

/// One prototype's part of a block of gamma: the elements of column c that have a sign.
struct SignedColumn {
    Index c;
    double sign;
};

/// Finds the prototypes that some row of the block is part of.
std::vector<SignedColumn> used_prototypes(const ConstMatrixView& gamma) {
    std::vector<SignedColumn> used;
    for (Index c = 0; c < gamma.cols(); ++c) {
        for (const double sign : {1.0, -1.0}) {
            if ((sign * gamma.col(c).array() > 0).any()) used.push_back({c, sign});
        }
    }
    return used;
}

}  // namespace

std::vector<WeightBlock> prototype_weights(std::span<const WeightBlock> gamma,
                                           std::span<const double> scales) {
    std::vector<WeightBlock> weights;
    for (const WeightBlock& block : gamma) {
        const auto values = matrix_of(block);
        const auto used = used_prototypes(values);
        WeightBlock out{.first = block.first, .rows = block.rows};
        out.weights.resize(block.rows * used.size());
        auto a = view(out.weights.data(), block.rows, std::ssize(used));
        for (Index p = 0; p < a.cols(); ++p) {
            const auto [c, sign] = used[p];
            const Index f = block.columns[c];
            out.columns.push_back(sign > 0 ? 2 * f : 2 * f + 1);
            a.col(p) = scales[f] * (sign * values.col(c)).cwiseMax(0.0);  // equation (8)
        }
        weights.push_back(std::move(out));
    }
    return weights;
}

namespace {

/// Tells for each training row which support row it is, -1 where it is none.
std::vector<Index> support_of_rows(std::span<const Index> support_ids, Index rows) {
    std::vector<Index> support_of(rows, -1);
    for (Index s = 0; s < std::ssize(support_ids); ++s) support_of[support_ids[s]] = s;
    return support_of;
}

/// Tells whether the engine has the matrix of the support rows alone, whose symmetry saves work.
template <typename T>
bool is_symmetric(const GramEngine<T>& engine) {
    return engine.symmetric() && !engine.factored();
}
bool is_symmetric(const FeatureEngine&) {
    return false;
}

template <typename Engine>
PrototypeSet find_prototypes(const Engine& engine, std::span<const Index> support_ids,
                             std::span<const WeightBlock> gamma, std::span<const double> offsets,
                             std::span<const double> lengths, Index neighbours, Control& control) {
    const Index functions = std::ssize(offsets);
    const Index prototypes = 2 * functions;
    PrototypeSet set;
    set.scales = canonical_scales(gamma, functions);
    set.neighbours = std::min(neighbours, engine.rows());
    const auto weights = prototype_weights(gamma, set.scales);

    using Parts = InnerProducts::Parts;
    const bool lengths_known = !lengths.empty();
    InnerProducts inner(weights, functions, lengths_known ? Parts::norms_alone : Parts::norms_and_crossed);
    NearestRows nearest(prototypes, set.neighbours);
    if (set.neighbours == 0 && is_symmetric(engine)) {
        if constexpr (!std::is_same_v<Engine, FeatureEngine>) inner.add_all(engine, control);
    } else {
        // Lengths of rows are for distances alone, and in features they cost as much as a square.
        const auto self = set.neighbours > 0 ? engine.self(Side::left) : std::vector<double>();
        const auto support_of = support_of_rows(support_ids, engine.rows());
        engine.product(
            weights, prototypes,
            [&](Index first, std::span<const double> products) {
                const ProgressHold hold(control);
                inner.add_rows(first, products, support_of);
                if (set.neighbours == 0) return;
                const Index count = std::ssize(products) / prototypes;
                nearest.see(first, count, std::span(self).subspan(first), products.data(), control);
            },
            control);
    }
    set.squared_norms = inner.squared_norms();
    for (Index f = 0; f < functions; ++f) {
        const double positive = set.squared_norms[2 * f];
        const double negative = set.squared_norms[2 * f + 1];
        const double t = set.scales[f];
        set.shifts.push_back(2 * t * offsets[f] + positive - negative);  // equation (9)
        const auto length = [&] {
            return std::sqrt(std::max(0.0, positive + negative - 2 * inner.crossed()[f])) / t;
        };
        set.norms.push_back(lengths_known ? lengths[f] : length());
    }
    require_finite(set);
    nearest.write(set.squared_norms, set.nearest_rows, set.nearest_distances);
    return set;
}

}  // namespace

PrototypeSet canonical_prototypes(const GramEngine<double>& engine, std::span<const Index> support_ids,
                                  std::span<const WeightBlock> gamma, std::span<const double> offsets,
                                  std::span<const double> lengths, Index neighbours, Control& control) {
    return find_prototypes(engine, support_ids, gamma, offsets, lengths, neighbours, control);
}
PrototypeSet canonical_prototypes(const GramEngine<float>& engine, std::span<const Index> support_ids,
                                  std::span<const WeightBlock> gamma, std::span<const double> offsets,
                                  std::span<const double> lengths, Index neighbours, Control& control) {
    return find_prototypes(engine, support_ids, gamma, offsets, lengths, neighbours, control);
}
PrototypeSet canonical_prototypes(const FeatureEngine& engine, std::span<const Index> support_ids,
                                  std::span<const WeightBlock> gamma, std::span<const double> offsets,
                                  std::span<const double> lengths, Index neighbours, Control& control) {
    return find_prototypes(engine, support_ids, gamma, offsets, lengths, neighbours, control);
}

}  // namespace dk
