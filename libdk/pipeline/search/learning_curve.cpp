// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/learning_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "data/split.hpp"
#include "pipeline/search/comparison.hpp"
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

Index classes_of(const Labels& labels, const std::vector<Index>& rows) {
    std::vector<bool> present(static_cast<std::size_t>(labels.classes()));
    for (const Index row : rows) present[labels.of_rows[row]] = true;
    return std::ranges::count(present, true);
}

/// Tells whether each fold's part has every class that the fold has, and rows enough.
bool divides(const Dataset& data, const std::vector<Fold>& whole, const std::vector<Fold>& parts) {
    for (std::size_t f = 0; f < parts.size(); ++f) {
        if (std::ssize(parts[f].training) < fewest_training_rows) return false;
        if (data.labels &&
            classes_of(*data.labels, parts[f].training) < classes_of(*data.labels, whole[f].training))
            return false;
    }
    return true;
}

Report point_of(const FoldScores& scores, const std::vector<Fold>& folds, const std::string& metric) {
    double rows = 0;
    for (const Fold& fold : folds) rows += static_cast<double>(fold.training.size());
    const auto [mean, error] = mean_and_error(scores.values(metric));
    Report point;
    point.add("rows", static_cast<Index>(std::lround(rows / static_cast<double>(folds.size()))));
    if (!std::isnan(mean)) point.add("mean", mean);
    if (!std::isnan(error)) point.add("standard_error", error);
    return point;
}

/// Adds by how much more rows are better than the fewer ones before, fold by fold.
void add_gain(Report& point, const FoldScores& scores, const FoldScores& before, const std::string& metric) {
    const auto [gain, error] = mean_and_error(differences(scores, before, metric));
    if (!std::isnan(gain)) point.add("gain", gain);
    if (!std::isnan(error)) point.add("error_of_gain", error);
}

}  // namespace

std::vector<Report> learning_curve(const Dataset& data, const MachineSpecification& specification,
                                   const Candidate& candidate, const std::vector<Fold>& folds,
                                   const std::string& metric, Control& control) {
    const std::uint64_t seed = specification.parameters[parameter::seed];
    std::vector<Report> curve;
    std::vector<FoldScores> before;
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
        auto scores = score_candidates(data, specification, {&candidate, 1}, smaller, control);
        Report& point = curve.emplace_back(point_of(scores.front(), smaller, metric));
        if (!before.empty()) add_gain(point, scores.front(), before.front(), metric);
        before = std::move(scores);
    }
    return curve;
}

}  // namespace dk
