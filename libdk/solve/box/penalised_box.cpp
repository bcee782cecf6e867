// SPDX-License-Identifier: Apache-2.0
#include "solve/box/penalised_box.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/parallel.hpp"

namespace dk {

namespace {

constexpr Index products_a_poll = 1000000;
constexpr Index products_a_part = 200000;  // the work that makes another thread worth its start
constexpr Index most_parts = 8;            // Each part takes the memory of one vector of features.

// The penalty acts like one more feature with the same value in every row. As a small share of what rows are
// long, it does not hold back the steps of single variables, and the multipliers still hold the sums: on rows
// of counts, whose lengths differ a hundredfold, a penalty like the mean length takes twenty times as many
// passes.
constexpr double penalty_share = 0.01;
constexpr double excess_weight = 10;  // A sum shall err by so much less than the penalty alone asks.

/// Gives the median of the squared lengths of rows that are not zero, or 1 where all are.
double usual_length(std::span<const double> diagonal) {
    std::vector<double> lengths;
    std::ranges::copy_if(diagonal, std::back_inserter(lengths), [](double length) { return length > 0; });
    if (lengths.empty()) return 1;
    const auto middle = lengths.begin() + std::ssize(lengths) / 2;
    std::ranges::nth_element(lengths, middle);
    return *middle;
}

/// Adds by f to v, where f is a row of the features.
template <typename Values>
void add_row(const FeatureRows& features, Index row, double by, Values&& v) {
    const Index end = features.row_offsets[row + 1];
    for (Index e = features.row_offsets[row]; e < end; ++e) v[features.columns[e]] += by * features.values[e];
}

}  // namespace

PenalisedBox::PenalisedBox(const BoxProgram& program, Control& control)
    : program_(program), control_(control), features_(program.gram.features()), b_(as_vector(program.start)) {
    std::vector<Index> nonzero;
    for (Index t = 0; t < program.size(); ++t) {
        if (b_[t] != 0) nonzero.push_back(t);
    }
    weights_ = moves(nonzero, b_(nonzero)).weights;
    penalty_ = penalty_share * usual_length(program.gram.diagonal());
}

void PenalisedBox::begin_multipliers() {
    std::array<double, 2> sums{};
    std::array<double, 2> counts{};
    for (Index t = 0; t < b_.size(); ++t) {
        if (b_[t] == 0 || b_[t] == lower(t) || b_[t] == upper(t)) continue;
        sums[program_.group(t)] += gradient(t);
        counts[program_.group(t)] += 1;
    }
    for (std::size_t g = 0; g < program_.groups(); ++g) {
        if (counts[g] > 0) multipliers_[g] -= sums[g] / counts[g];
    }
}

void PenalisedBox::count(Index row) {
    products_ += row_length(row) + 1;
    unpolled_ += row_length(row) + 1;
    if (unpolled_ < products_a_poll) return;
    unpolled_ = 0;
    control_.check();
}

void PenalisedBox::prefetch(Index t) const {
    constexpr Index line = 64 / sizeof(double);
    const Index row = program_.row(t);
    for (Index e = features_.row_offsets[row]; e < features_.row_offsets[row + 1]; e += line) {
        __builtin_prefetch(features_.values + e);
        __builtin_prefetch(features_.columns + e);
    }
}

/// Gives f'v, where f is a row of the features.
double PenalisedBox::row_product(Index row, const Vector& v) const {
    const Index end = features_.row_offsets[row + 1];
    double sum = 0;
    for (Index e = features_.row_offsets[row]; e < end; ++e)
        sum += features_.values[e] * v[features_.columns[e]];
    return sum;
}

double PenalisedBox::gradient(Index t) {
    const Index row = program_.row(t);
    const std::size_t g = program_.group(t);
    count(row);
    return row_product(row, weights_) + ridge(t) * b_[t] + program_.linear[t] + multipliers_[g] +
           penalty_ * excess_[g];
}

void PenalisedBox::move_to(Index t, double value) {
    const double by = value - b_[t];
    if (by == 0) return;
    b_[t] = value;
    excess_[program_.group(t)] += by;
    const Index row = program_.row(t);
    add_row(features_, row, by, weights_);
    count(row);
}

Index PenalisedBox::products_of(std::span<const Index> variables) const {
    Index products = 0;
    for (const Index t : variables) products += row_length(program_.row(t)) + 1;
    return products;
}

PenalisedBox::Moves PenalisedBox::moves(std::span<const Index> variables, const Vector& by) {
    const ProgressHold hold(control_);
    Moves out;
    for (Index i = 0; i < by.size(); ++i) {
        const Index t = variables[i];
        out.sums[program_.group(t)] += by[i];
        out.half_square += 0.5 * ridge(t) * by[i] * by[i];
    }
    const Index products = products_of(variables);
    products_ += products;
    // The parts depend on the work alone, and are added in their order, so that the result has the same bits
    // for any number of threads.
    const Index parts =
        std::clamp(products / std::max(products_a_part, features_.dimension), Index{1}, most_parts);
    const Index count = by.size();
    Matrix sums = Matrix::Zero(parts, features_.dimension);
    parallel_for(parts, products, control_, [&](Index part) {
        for (Index i = part * count / parts; i < (part + 1) * count / parts; ++i) {
            if (control_.stopping()) return;
            if (by[i] != 0) add_row(features_, program_.row(variables[i]), by[i], sums.row(part));
        }
    });
    out.weights = sums.row(0);
    for (Index part = 1; part < parts; ++part) out.weights += sums.row(part).transpose();
    out.half_square += 0.5 * out.weights.squaredNorm();
    for (const double s : out.sums) out.half_square += 0.5 * penalty_ * s * s;
    return out;
}

Vector PenalisedBox::curve(std::span<const Index> variables, const Vector& by, const Moves& moves) {
    const ProgressHold hold(control_);
    const Index products = products_of(variables);
    products_ += products;
    const Index parts = std::clamp(products / products_a_part, Index{1}, most_parts);
    const Index count = by.size();
    Vector out(count);
    parallel_for(parts, products, control_, [&](Index part) {
        for (Index i = part * count / parts; i < (part + 1) * count / parts; ++i) {
            if (control_.stopping()) return;
            const Index t = variables[i];
            out[i] = row_product(program_.row(t), moves.weights) + ridge(t) * by[i] +
                     penalty_ * moves.sums[program_.group(t)];
        }
    });
    return out;
}

void PenalisedBox::apply(std::span<const Index> variables, const Vector& by, const Moves& moves) {
    for (Index i = 0; i < by.size(); ++i) {
        const Index t = variables[i];
        b_[t] = std::clamp(b_[t] + by[i], lower(t), upper(t));
    }
    weights_ += moves.weights;
    for (std::size_t g = 0; g < 2; ++g) excess_[g] += moves.sums[g];
}

double PenalisedBox::renew_multipliers() {
    double largest = 0;
    for (std::size_t g = 0; g < program_.groups(); ++g) {
        stride_[g] = excess_[g] * last_excess_[g] > 0 ? 2 * stride_[g] : 1;
        last_excess_[g] = excess_[g];
        multipliers_[g] += stride_[g] * penalty_ * excess_[g];
        largest = std::max(largest, excess_weight * penalty_ * std::abs(excess_[g]));
    }
    return largest;
}

}  // namespace dk
