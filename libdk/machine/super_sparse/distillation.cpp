// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/distillation.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/random.hpp"
#include "data/scaling/deviations.hpp"
#include "kernel/maps/maps.hpp"

namespace dk {

namespace {

constexpr double noise = 0.5;  // standard deviations of a column
constexpr Index rows_a_coordinate = 3;
constexpr Index copy_limit = 20;
constexpr Index rows_between_checks = 64;

/// The margin of a row is the difference of its two largest decisions, or twice the size of the only one.
template <typename Row>
double margin(const Row& decisions) {
    if (decisions.size() == 1) return 2 * std::abs(decisions(0));
    double first = -infinity;
    double second = first;
    for (const double decision : decisions) {
        second = std::max(second, std::min(first, decision));
        first = std::max(first, decision);
    }
    return first - second;
}

}  // namespace

Index perturbed_copy_count(const Dataset& data, const SuperSparseOptions& options) {
    if (data.kind() != DataKind::dense || !options.moves) return 0;
    if (options.copies >= 0) return options.copies;
    if (data.dense().similarity) return 0;  // The caller knows nothing of copies.
    const Index wanted = rows_a_coordinate * options.prototypes * data.cols();
    return std::clamp<Index>((wanted - 1) / data.rows(), 0, copy_limit);
}

Dataset with_perturbed_copies(const Dataset& data, Index copies, std::uint64_t seed, Control& control) {
    const DenseMatrix& rows = data.dense();
    control.memory().require(8.0 * (copies + 1) * rows.rows * rows.cols,
                             text(copies, " copies of ", rows.rows, " rows"));
    const std::vector<double> deviations = column_deviations(rows, control);
    DenseMatrix joined{(copies + 1) * rows.rows, rows.cols, {}, rows.may_miss};
    joined.values.reserve(joined.rows * joined.cols);
    std::vector<Index> sources;
    Random random(seed);
    for (Index copy = 0; copy <= copies; ++copy) {
        for (Index i = 0; i < rows.rows; ++i) {
            if (i % rows_between_checks == 0) control.check();
            sources.push_back(i);
            const auto row = rows.row(i);
            for (std::size_t j = 0; j < row.size(); ++j)
                joined.values.push_back(row[j] + (copy == 0 ? 0 : noise * deviations[j] * random.normal()));
        }
    }
    const Dataset known = data.with_features(DenseMatrix{rows.rows, 0}).select(sources);
    return known.with_features(std::move(joined));
}

void focus_on_boundary(SuperSparseTargets& targets, DecisionRule rule, double focus) {
    const bool elects_one = rule != DecisionRule::regression && rule != DecisionRule::labels;
    if (rule == DecisionRule::one_vs_one || !elects_one || focus == 0) return;
    const ConstMatrixView Y = targets.Y();
    VectorView u = as_vector(targets.row_weights);
    Eigen::ArrayXd margins(Y.rows());
    for (Index i = 0; i < Y.rows(); ++i) margins(i) = margin(Y.row(i));
    const double mean_square = (u.array() * margins * margins).sum();
    if (!(mean_square > 0) || !std::isfinite(mean_square)) return;
    tile_maps<double>().exponential(margins.data(), -focus / std::sqrt(mean_square), 1, margins.size(),
                                    margins.size(), margins.data(), margins.size());
    u.array() *= margins;
    u /= u.sum();
}

}  // namespace dk
