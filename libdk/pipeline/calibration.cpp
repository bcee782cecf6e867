// SPDX-License-Identifier: Apache-2.0
#include "pipeline/calibration.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "data/split.hpp"
#include "matrix/matrix.hpp"
#include "model/decision/sigmoid_fit.hpp"
#include "pipeline/train.hpp"

namespace dk {

namespace {

void require_rows_for_folds(const Dataset& data) {
    const Labels& labels = *data.labels;
    std::vector<Index> counts(labels.classes());
    for (const Index c : labels.of_rows) ++counts[c];
    for (Index c = 0; c < labels.classes(); ++c) {
        if (counts[c] == 1) {
            fail(Status::invalid_data, "probability=yes needs at least 2 rows of every class; class ",
                 labels.class_name(c), " has 1");
        }
    }
    if (most_folds(data) < 2)
        fail(Status::invalid_data, "probability=yes needs at least 2 groups of rows; there is 1");
}

/// Computes the decisions for each row, rows x functions, by a model that was trained without that row.
Matrix out_of_fold_decisions(const Dataset& data, const MachineSpecification& specification, Index width,
                             Control& control) {
    require_rows_for_folds(data);
    // More folds than five would cost more and tell little more. Some machines have folds of their own, of
    // which there may be none.
    constexpr Index enough = 5;
    const Index asked = specification.parameters[parameter::folds];
    const Index folds = std::min({enough, asked < 2 ? enough : asked, most_folds(data)});
    const auto fold_of = stratified_folds(data, folds, specification.parameters[parameter::seed]);
    Matrix all(data.rows(), width);
    for (Index fold = 0; fold < folds; ++fold) {
        const ProgressScope scope(control, 1.0 * fold / folds, (fold + 1.0) / folds, "probabilities");
        const auto held_out = rows_of_fold(fold_of, fold, true);
        if (held_out.empty()) continue;
        const Model model =
            train_uncalibrated(data.select(rows_of_fold(fold_of, fold, false)), specification, control);
        if (model.predictor->decision_count() != width) {
            fail(Status::invalid_data,
                 "probability=yes: a class has too few rows, or groups of rows, to be in every fold");
        }
        const auto values = decisions(model, data.select(held_out), control);
        all(held_out, Eigen::all) = view(values.data(), std::ssize(held_out), width);
    }
    return all;
}

/// Says how much rows count in training: as their samples do, times the factors of their classes.
class RowWeights {
  public:
    RowWeights(const Dataset& data, const MachineSpecification& specification) : data_(data) {
        const Machine& machine = *specification.machine;
        if (machine.loss) loss_ = machine.loss(specification.parameters, data);
    }

    /// Weighs the rows of one function, which has those of its positive side and, of the rest, those of its
    /// negative side or all.
    void weigh(std::vector<CalibrationRow>& rows, std::span<const Index> ids,
               const FunctionSides& sides) const {
        const double positives = std::ranges::count(rows, true, &CalibrationRow::positive);
        const double negatives = rows.size() - positives;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            double& weight = rows[r].weight;
            if (!data_.sample_weights.empty()) weight *= data_.sample_weights[ids[r]];
            if (loss_.balanced) weight *= rows.size() / (2 * (rows[r].positive ? positives : negatives));
            // A class against all others has its own factor; the others' side has none in training.
            const bool has_class = rows[r].positive || sides.negative >= 0;
            if (!loss_.class_costs.empty() && has_class)
                weight *= loss_.class_costs[data_.labels->of_rows[ids[r]]];
        }
    }

  private:
    const Dataset& data_;
    MachineLoss loss_;
};

/// The rows that are on a side of a function.
std::vector<Index> rows_of(const FunctionSides& sides, const Labels& labels) {
    std::vector<Index> rows;
    for (Index i = 0; i < std::ssize(labels.of_rows); ++i) {
        const Index c = labels.of_rows[i];
        if (c == sides.positive || sides.negative < 0 || c == sides.negative) rows.push_back(i);
    }
    return rows;
}

}  // namespace

FittedCalibration calibrate(const Dataset& data, const MachineSpecification& specification,
                            const Model& model, Control& control) {
    const Index width = model.predictor->decision_count();
    Matrix held_out;
    {
        const ProgressScope scope(control, 0, 0.95);
        held_out = out_of_fold_decisions(data, specification, width, control);
    }
    const ProgressScope scope(control, 0.95, 1);
    const auto in_training = decisions(model, data, control);
    const RowWeights weights(data, specification);
    const auto sides = function_sides(model.rule, model.classes.classes());
    FittedCalibration fitted;
    Index bounded = 0;
    Index moved = 0;
    for (Index f = 0; f < width; ++f) {
        const auto ids = rows_of(sides[f], *data.labels);
        std::vector<CalibrationRow> rows;
        std::vector<CalibrationRow> learned;
        for (const Index i : ids) {
            const bool positive = data.labels->of_rows[i] == sides[f].positive;
            rows.push_back({.decision = held_out(i, f), .positive = positive});
            learned.push_back({.decision = in_training[i * width + f], .positive = positive});
        }
        weights.weigh(rows, ids, sides[f]);
        Sigmoid sigmoid = fit_sigmoid(rows);
        if (loses_order(sigmoid, rows)) {
            sigmoid = flattest_sigmoid(rows);
            ++bounded;
        }
        if (keep_sides(sigmoid, learned)) ++moved;
        fitted.calibration.slopes.push_back(sigmoid.slope);
        fitted.calibration.offsets.push_back(sigmoid.offset);
    }
    fitted.report.add("functions", std::int64_t{width});
    fitted.report.add("worse_than_chance", std::int64_t{bounded});
    fitted.report.add("kept_on_their_sides", std::int64_t{moved});
    return fitted;
}

Calibration log_odds_calibration(Index functions) {
    return {.slopes = std::vector<double>(functions, -1.0), .offsets = std::vector<double>(functions, 0.0)};
}

}  // namespace dk
