// SPDX-License-Identifier: Apache-2.0
#include "pipeline/calibration.hpp"

#include <algorithm>

#include "model/decision/sigmoid_fit.hpp"

namespace dk {

namespace {

/// Says how much rows count in training: as their samples do, times the factors of their classes.
class TrainingWeights {
  public:
    TrainingWeights(const Dataset& data, const MachineSpecification& specification) : data_(data) {
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
                            const Model& model, const Matrix& held_out, Control& control) {
    const Index width = model.predictor->decision_count();
    const auto in_training = decisions(model, data, control);
    const TrainingWeights weights(data, specification);
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
