// SPDX-License-Identifier: Apache-2.0
#include "prototype/canonical.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace dk {

namespace {

/// t = 2 / sum |gamma| for each function.
std::vector<double> scales_of(std::span<const double> gamma, Index functions) {
    std::vector<double> sums(unsigned_of(functions));
    for (std::size_t e = 0; e < gamma.size(); ++e) sums[e % sums.size()] += std::abs(gamma[e]);
    for (double& sum : sums) {
        if (!(sum > 0)) {
            fail(Status::numerical,
                 "a decision function is constant: every coefficient is zero, so it has no prototypes");
        }
        sum = 2 / sum;
    }
    return sums;
}

/// The nearest rows to one prototype by |x_i - p|^2 = k_ii - 2 (K a)_i + |p|^2; ties to the first row.
void append_nearest(PrototypeSet& set, std::span<const double> self, std::span<const double> products,
                    Index column) {
    const double squared_norm = set.squared_norms[unsigned_of(column)];
    std::vector<double> distances(self.size());
    for (std::size_t i = 0; i < self.size(); ++i) {
        const double product = products[i * unsigned_of(size_of(set.squared_norms)) + unsigned_of(column)];
        distances[i] = std::sqrt(std::max(0.0, self[i] - 2 * product + squared_norm));
    }
    std::vector<Index> order(self.size());
    std::iota(order.begin(), order.end(), Index{0});
    const auto end = order.begin() + set.neighbours;
    std::ranges::partial_sort(order, end, {},
                              [&](Index i) { return std::pair(distances[unsigned_of(i)], i); });
    for (auto i = order.begin(); i != end; ++i) {
        set.nearest_rows.push_back(*i);
        set.nearest_distances.push_back(distances[unsigned_of(*i)]);
    }
}

}  // namespace

std::vector<double> prototype_weights(std::span<const double> gamma, std::span<const double> scales) {
    std::vector<double> weights(2 * gamma.size());
    for (std::size_t e = 0; e < gamma.size(); ++e) {
        const double scaled = gamma[e] * scales[e % scales.size()];
        weights[2 * e + (scaled > 0 ? 0 : 1)] = std::abs(scaled);
    }
    return weights;
}

template <typename T>
PrototypeSet canonical_prototypes(const GramEngine<T>& engine, std::span<const Index> support_ids,
                                  std::span<const double> gamma, std::span<const double> offsets,
                                  Index neighbours, Control& control) {
    const Index functions = size_of(offsets);
    const Index prototypes = 2 * functions;
    PrototypeSet set;
    set.scales = scales_of(gamma, functions);
    const auto weights = prototype_weights(gamma, set.scales);
    std::vector<double> products(unsigned_of(engine.rows() * prototypes));
    engine.product(weights.data(), prototypes, products.data(), control);

    set.squared_norms.resize(unsigned_of(prototypes));
    std::vector<double> crossed(unsigned_of(functions));  // p+ . p-
    for (Index s = 0; s < size_of(support_ids); ++s) {
        const double* a = weights.data() + s * prototypes;
        const double* row = products.data() + support_ids[unsigned_of(s)] * prototypes;
        for (Index p = 0; p < prototypes; ++p) set.squared_norms[unsigned_of(p)] += a[p] * row[p];
        for (Index f = 0; f < functions; ++f) crossed[unsigned_of(f)] += a[2 * f] * row[2 * f + 1];
    }
    for (Index f = 0; f < functions; ++f) {
        const double positive = set.squared_norms[unsigned_of(2 * f)];
        const double negative = set.squared_norms[unsigned_of(2 * f + 1)];
        const double scale = set.scales[unsigned_of(f)];
        set.shifts.push_back(2 * scale * offsets[unsigned_of(f)] + positive - negative);
        set.norms.push_back(std::sqrt(std::max(0.0, positive + negative - 2 * crossed[unsigned_of(f)])) /
                            scale);
    }
    set.neighbours = std::min(neighbours, engine.rows());
    if (set.neighbours > 0) {
        const auto self = engine.self(Side::left);
        for (Index p = 0; p < prototypes; ++p) append_nearest(set, self, products, p);
    }
    return set;
}

template PrototypeSet canonical_prototypes(const GramEngine<double>&, std::span<const Index>,
                                           std::span<const double>, std::span<const double>, Index, Control&);
template PrototypeSet canonical_prototypes(const GramEngine<float>&, std::span<const Index>,
                                           std::span<const double>, std::span<const double>, Index, Control&);

}  // namespace dk
