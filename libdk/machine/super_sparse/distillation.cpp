// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/distillation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/error.hpp"
#include "base/random.hpp"
#include "data/deviations.hpp"

namespace dk {

namespace {

constexpr double noise = 0.5;  // in standard deviations of a column
constexpr Index rows_a_coordinate = 3;
constexpr Index most_copies = 20;
constexpr Index rows_between_checks = 64;  // of a cancel

double margin(std::span<const double> decisions) {
    if (decisions.size() == 1) return 2 * std::abs(decisions.front());
    double first = -std::numeric_limits<double>::infinity();
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
    const Index wanted = rows_a_coordinate * options.prototypes * data.cols();
    return std::clamp<Index>((wanted - 1) / data.rows(), 0, most_copies);
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
    if (rule == DecisionRule::one_vs_one || rule == DecisionRule::regression || focus == 0) return;
    const std::size_t rows = targets.row_weights.size();
    std::vector<double> margins(rows);
    double mean_square = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const auto functions = targets.functions;
        margins[i] = margin(std::span(targets.values).subspan(i * functions, functions));
        mean_square += targets.row_weights[i] * margins[i] * margins[i];
    }
    if (!(mean_square > 0) || !std::isfinite(mean_square)) return;
    double sum = 0;
    for (std::size_t i = 0; i < rows; ++i)
        sum += targets.row_weights[i] *= std::exp(-focus * margins[i] / std::sqrt(mean_square));
    for (double& weight : targets.row_weights) weight /= sum;
}

}  // namespace dk
