// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/learning_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "data/split.hpp"
#include "pipeline/prepare.hpp"
#include "pipeline/search/score_candidates.hpp"

namespace dk {

namespace {

/// The rows of folds are divided into so many parts, of which one trains.
constexpr std::array<Index, 4> divisions{8, 4, 2, 1};
/// Fewer rows than these tell nothing of a machine.
constexpr Index fewest_training_rows = 10;

/// Takes about one in `parts` of a fold's training rows, of every class its share.
std::vector<Index> part_of(const Dataset& data, const std::vector<Index>& training, Index parts,
                           std::uint64_t seed) {
    if (parts == 1) return training;
    std::vector<Index> kept;
    for (const Index place : rows_of_fold(stratified_folds(data.select(training), parts, seed), 0, true))
        kept.push_back(training[place]);
    return kept;
}

/// Tells whether each fold can be divided so, and a part of it has every class that the fold has.
bool divides(const Dataset& data, const std::vector<Fold>& whole, const std::vector<Fold>& parts) {
    for (std::size_t f = 0; f < parts.size(); ++f) {
        if (std::ssize(parts[f].training) < fewest_training_rows) return false;
        if (!data.labels) continue;
        const auto classes = [&](const std::vector<Index>& rows) {
            return present_classes(*data.select(rows).labels).classes();
        };
        if (classes(parts[f].training) < classes(whole[f].training)) return false;
    }
    return true;
}

Report point_of(const FoldScores& scores, const std::vector<Fold>& folds, const std::string& metric) {
    double rows = 0;
    for (const Fold& fold : folds) rows += static_cast<double>(fold.training.size());
    const auto values = scores.values(metric);
    const double count = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values) mean += value / count;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    Report point;
    point.add("rows", static_cast<Index>(std::lround(rows / static_cast<double>(folds.size()))));
    point.add("mean", mean);
    if (count > 1) point.add("standard_error", std::sqrt(squares / (count - 1) / count));
    return point;
}

}  // namespace

std::vector<Report> learning_curve(const Dataset& data, const MachineSpecification& specification,
                                   const Candidate& candidate, const std::vector<Fold>& folds,
                                   const std::string& metric, Control& control) {
    const std::uint64_t seed = specification.parameters[parameter::seed];
    std::vector<Report> curve;
    double done = 0;
    for (const Index division : divisions) {
        // Trainings cost more than their rows, so that the last one has most of the work.
        const double end = 1 / static_cast<double>(division);
        const ProgressScope scope(control, done, end, "learning curve");
        done = end;
        std::vector<Fold> smaller = folds;
        const auto divisible = [&](const Fold& fold) {
            return most_folds(data.select(fold.training)) >= division;
        };
        if (!std::ranges::all_of(folds, divisible)) continue;
        for (Fold& fold : smaller) fold.training = part_of(data, fold.training, division, seed);
        if (!divides(data, folds, smaller)) continue;
        const auto scores = score_candidates(data, specification, {&candidate, 1}, smaller, control);
        curve.push_back(point_of(scores.front(), smaller, metric));
    }
    return curve;
}

}  // namespace dk
