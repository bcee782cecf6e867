// SPDX-License-Identifier: Apache-2.0
#include "solve/penalised_box.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"

namespace dk {

namespace {

constexpr Index products_a_poll = 1000000;
constexpr Index products_a_part = 200000;  // of work that is dealt out to threads
constexpr Index most_parts = 8;            // each of which has a vector of its own

}  // namespace

PenalisedBox::PenalisedBox(const BoxProgram& program, Control& control)
    : program_(program),
      control_(control),
      features_(program.gram.features()),
      b_(program.start),
      weights_(unsigned_of(features_.dimension)) {
    std::vector<Index> nonzero;
    std::vector<double> values;
    for (Index t = 0; t < program.size(); ++t) {
        if (value(t) == 0) continue;
        nonzero.push_back(t);
        values.push_back(value(t));
    }
    weights_ = moves(nonzero, values).weights;
    // as large as the other features are together
    const auto diagonal = program.gram.diagonal();
    penalty_ = std::reduce(diagonal.begin(), diagonal.end()) / static_cast<double>(diagonal.size());
    if (!(penalty_ > 0)) penalty_ = 1;
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

double PenalisedBox::gradient(Index t) {
    const Index row = program_.row(t);
    const Index end = features_.row_offsets[row + 1];
    double product = 0;
    for (Index e = features_.row_offsets[row]; e < end; ++e)
        product += features_.values[e] * weights_[unsigned_of(features_.columns[e])];
    count(row);
    const std::size_t g = program_.group(t);
    return product + ridge(t) * value(t) + program_.linear[unsigned_of(t)] + multipliers_[g] +
           penalty_ * excess_[g];
}

void PenalisedBox::move_to(Index t, double value) {
    double& b = b_[unsigned_of(t)];
    const double by = value - b;
    if (by == 0) return;
    b = value;
    excess_[program_.group(t)] += by;
    const Index row = program_.row(t);
    const Index end = features_.row_offsets[row + 1];
    for (Index e = features_.row_offsets[row]; e < end; ++e)
        weights_[unsigned_of(features_.columns[e])] += by * features_.values[e];
    count(row);
}

PenalisedBox::Moves PenalisedBox::moves(std::span<const Index> variables, std::span<const double> by) {
    const ProgressHold hold(control_);
    Moves out;
    Index products = 0;
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Index t = variables[i];
        out.sums[program_.group(t)] += by[i];
        out.half_square += 0.5 * ridge(t) * by[i] * by[i];
        products += row_length(program_.row(t)) + 1;
    }
    products_ += products;
    const Index parts =
        std::clamp(products / std::max(products_a_part, features_.dimension), Index{1}, most_parts);
    const Index count = size_of(variables);
    const Index d = features_.dimension;
    std::vector<double> weights(unsigned_of(parts * d));
    parallel_for(parts, control_, [&](Index part) {
        double* sums = weights.data() + part * d;
        for (Index i = part * count / parts; i < (part + 1) * count / parts; ++i) {
            if (control_.stopping()) return;
            if (by[unsigned_of(i)] == 0) continue;
            const Index row = program_.row(variables[unsigned_of(i)]);
            for (Index e = features_.row_offsets[row]; e < features_.row_offsets[row + 1]; ++e)
                sums[features_.columns[e]] += by[unsigned_of(i)] * features_.values[e];
        }
    });
    for (Index part = 1; part < parts; ++part) {
        for (Index j = 0; j < d; ++j) weights[unsigned_of(j)] += weights[unsigned_of(part * d + j)];
    }
    weights.resize(unsigned_of(d));
    for (const double w : weights) out.half_square += 0.5 * w * w;
    for (const double s : out.sums) out.half_square += 0.5 * penalty_ * s * s;
    out.weights = std::move(weights);
    return out;
}

void PenalisedBox::curve(std::span<const Index> variables, std::span<const double> by, const Moves& moves,
                         std::span<double> out) {
    const ProgressHold hold(control_);
    Index products = 0;
    for (const Index t : variables) products += row_length(program_.row(t)) + 1;
    products_ += products;
    const Index parts = std::clamp(products / products_a_part, Index{1}, most_parts);
    const Index count = size_of(variables);
    parallel_for(parts, control_, [&](Index part) {
        for (Index i = part * count / parts; i < (part + 1) * count / parts; ++i) {
            if (control_.stopping()) return;
            const Index t = variables[unsigned_of(i)];
            const Index row = program_.row(t);
            double product = 0;
            for (Index e = features_.row_offsets[row]; e < features_.row_offsets[row + 1]; ++e)
                product += features_.values[e] * moves.weights[unsigned_of(features_.columns[e])];
            out[unsigned_of(i)] =
                product + ridge(t) * by[unsigned_of(i)] + penalty_ * moves.sums[program_.group(t)];
        }
    });
}

void PenalisedBox::apply(std::span<const Index> variables, std::span<const double> by, const Moves& moves) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const auto at = unsigned_of(variables[i]);
        b_[at] = std::clamp(b_[at] + by[i], program_.lower[at], program_.upper[at]);
    }
    for (std::size_t j = 0; j < weights_.size(); ++j) weights_[j] += moves.weights[j];
    for (std::size_t g = 0; g < 2; ++g) excess_[g] += moves.sums[g];
}

double PenalisedBox::renew_multipliers() {
    double largest = 0;
    for (std::size_t g = 0; g < program_.groups(); ++g) {
        const double lacking = penalty_ * excess_[g];
        stride_[g] = excess_[g] * last_excess_[g] > 0 ? 2 * stride_[g] : 1;
        last_excess_[g] = excess_[g];
        multipliers_[g] += stride_[g] * lacking;
        largest = std::max(largest, std::abs(lacking));
    }
    return largest;
}

}  // namespace dk
