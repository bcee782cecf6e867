// SPDX-License-Identifier: Apache-2.0
#include "model/predictor.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "kernel/lowrank/feature_map.hpp"

namespace dk {

DecisionParts Predictor::decision_parts(const Dataset& row, Control& control) const {
    const PrototypeSet& set = prototypes();
    std::vector<double> contributions(set.count());
    explain(row, contributions.data(), control);
    DecisionParts parts;
    for (Index p = 0; p < set.count(); ++p) {
        const Index function = prototypes_are_pairs() ? p / 2 : decision_count() == 1 ? 0 : set.classes[p];
        if (contributions[p] != 0) parts.terms.push_back({function, p, -1, contributions[p]});
    }
    for (Index f = 0; f < decision_count(); ++f) parts.offsets.push_back(0.5 * set.shifts[f] / set.scales[f]);
    return parts;
}

Matrix Predictor::decisions_by_kernel(const Dataset& /*row*/, Control& /*control*/) const {
    return {};
}

std::shared_ptr<const Predictor> Predictor::with_threshold(double /*threshold*/, Control& /*control*/) const {
    fail(
        Status::unsupported,
        "this model decides by distances or votes, which have no threshold between two classes that could be "
        "moved");
}

std::shared_ptr<const Predictor> Predictor::renumbered(std::span<const Index> /*numbers*/,
                                                       Index /*training_rows*/, Control& /*control*/) const {
    fail(Status::unsupported, "this model keeps no training rows, so that they have no numbers in it");
}

Index Predictor::transform_count() const {
    const FeatureMap* map = kernel()->feature_map();
    return map ? map->dimension() : 0;
}

void Predictor::transform(const Dataset& data, double* out, Control& control) const {
    // Pieces take little memory beside the result, and a cancel waits for one of them alone.
    constexpr Index at_once = 2048;
    const FeatureMap& map = *kernel()->feature_map();
    for (Index first = 0; first < data.rows(); first += at_once) {
        const Index count = std::min(at_once, data.rows() - first);
        const ProgressScope scope(control, 1.0 * first / data.rows(), 1.0 * (first + count) / data.rows());
        control.check();
        std::vector<Index> rows(count);
        std::iota(rows.begin(), rows.end(), first);
        const LargeArray<double> features = map.features(data.select(rows), control);
        out = std::copy_n(features.data(), count * map.dimension(), out);
    }
}

void Predictor::dual_coefficients(MatrixRef) const {
    dual_offsets();
}

std::vector<double> Predictor::dual_offsets() const {
    fail(Status::unsupported, "decisions of this model (", type(),
         ") are no sums of kernel values with training rows, so that these have no coefficients");
}

void Predictor::reconstruct(const Dataset& /*data*/, double* /*out*/, Control& /*control*/) const {
    fail(Status::unsupported, "models of machine kernel_pca reconstruct rows; others keep no part of them");
}

}  // namespace dk
