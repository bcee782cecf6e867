// SPDX-License-Identifier: Apache-2.0
#include "prototype/canonical.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "prototype/nearest_rows.hpp"

namespace dk {

namespace {

/// t = 1 / max(sum of positive gamma, sum of negative ones) for each function.
std::vector<double> scales_of(std::span<const WeightBlock> gamma, Index functions) {
    std::vector<double> positive(functions);
    std::vector<double> negative(functions);
    for (const WeightBlock& block : gamma) {
        for (std::size_t e = 0; e < block.weights.size(); ++e) {
            const auto f = block.columns[e % block.columns.size()];
            (block.weights[e] > 0 ? positive : negative)[f] += std::abs(block.weights[e]);
        }
    }
    std::vector<double> scales;
    for (std::size_t f = 0; f < positive.size(); ++f) {
        const double sum = std::max(positive[f], negative[f]);
        if (!(sum > 0)) {
            fail(Status::numerical,
                 "a decision function is constant: every coefficient is zero, so it has no prototypes");
        }
        scales.push_back(1 / sum);
    }
    return scales;
}

/// Inner products of prototypes, from their products with the support rows, which come in any chunks of rows.
class InnerProducts {
  public:
    InnerProducts(std::span<const WeightBlock> weights, std::span<const Index> support_ids, Index rows,
                  Index functions)
        : squared_norms_(2 * functions), crossed_(functions), support_of_(rows, -1) {
        for (Index s = 0; s < std::ssize(support_ids); ++s) support_of_[support_ids[s]] = s;
        for (const WeightBlock& block : weights) block_of_.insert(block_of_.end(), block.rows, &block);
    }

    void add(Index row, const double* products) {
        const Index s = support_of_[row];
        if (s < 0) return;
        const WeightBlock& block = *block_of_[s];
        const double* a = block.weights.data() + (s - block.first) * std::ssize(block.columns);
        for (std::size_t c = 0; c < block.columns.size(); ++c) {
            const Index p = block.columns[c];
            squared_norms_[p] += a[c] * products[p];
            if (p % 2 == 0) crossed_[p / 2] += a[c] * products[p + 1];
        }
    }

    const std::vector<double>& squared_norms() const { return squared_norms_; }
    /// p+ . p- of each function
    const std::vector<double>& crossed() const { return crossed_; }

  private:
    std::vector<double> squared_norms_;
    std::vector<double> crossed_;
    std::vector<Index> support_of_;             // of training rows, -1 for the others
    std::vector<const WeightBlock*> block_of_;  // of support rows
};

}  // namespace

std::vector<WeightBlock> prototype_weights(std::span<const WeightBlock> gamma,
                                           std::span<const double> scales) {
    std::vector<WeightBlock> weights;
    for (const WeightBlock& block : gamma) {
        const std::size_t functions = block.columns.size();
        // the prototypes that some row of the block is part of
        std::vector<char> used(2 * functions);
        for (std::size_t e = 0; e < block.weights.size(); ++e) {
            if (block.weights[e] != 0) used[2 * (e % functions) + (block.weights[e] > 0 ? 0 : 1)] = 1;
        }
        WeightBlock out{.first = block.first, .rows = block.rows};
        std::vector<std::size_t> position(2 * functions);
        for (std::size_t p = 0; p < used.size(); ++p) {
            position[p] = out.columns.size();
            if (used[p] != 0) out.columns.push_back(2 * block.columns[p / 2] + static_cast<Index>(p % 2));
        }
        out.weights.resize(block.rows * out.columns.size());
        for (std::size_t e = 0; e < block.weights.size(); ++e) {
            if (block.weights[e] == 0) continue;
            const std::size_t p = position[2 * (e % functions) + (block.weights[e] > 0 ? 0 : 1)];
            out.weights[e / functions * out.columns.size() + p] =
                std::abs(block.weights[e]) * scales[block.columns[e % functions]];
        }
        weights.push_back(std::move(out));
    }
    return weights;
}

template <typename T>
PrototypeSet canonical_prototypes(const GramEngine<T>& engine, std::span<const Index> support_ids,
                                  std::span<const WeightBlock> gamma, std::span<const double> offsets,
                                  Index neighbours, Control& control) {
    const Index functions = std::ssize(offsets);
    const Index prototypes = 2 * functions;
    PrototypeSet set;
    set.scales = scales_of(gamma, functions);
    set.neighbours = std::min(neighbours, engine.rows());
    const auto weights = prototype_weights(gamma, set.scales);
    const auto self = engine.self(Side::left);

    InnerProducts inner(weights, support_ids, engine.rows(), functions);
    NearestRows nearest(prototypes, set.neighbours);
    engine.product(
        weights, prototypes,
        [&](Index first, std::span<const double> products) {
            const ProgressHold hold(control);
            const Index count = std::ssize(products) / prototypes;
            for (Index i = 0; i < count; ++i) inner.add(first + i, products.data() + i * prototypes);
            nearest.see(first, count, std::span(self).subspan(first), products.data(), control);
        },
        control);
    set.squared_norms = inner.squared_norms();
    for (Index f = 0; f < functions; ++f) {
        const double positive = set.squared_norms[2 * f];
        const double negative = set.squared_norms[2 * f + 1];
        const double scale = set.scales[f];
        set.shifts.push_back(2 * scale * offsets[f] + positive - negative);
        set.norms.push_back(std::sqrt(std::max(0.0, positive + negative - 2 * inner.crossed()[f])) / scale);
    }
    nearest.write(set.squared_norms, set.nearest_rows, set.nearest_distances);
    return set;
}

template PrototypeSet canonical_prototypes(const GramEngine<double>&, std::span<const Index>,
                                           std::span<const WeightBlock>, std::span<const double>, Index,
                                           Control&);
template PrototypeSet canonical_prototypes(const GramEngine<float>&, std::span<const Index>,
                                           std::span<const WeightBlock>, std::span<const double>, Index,
                                           Control&);

}  // namespace dk
