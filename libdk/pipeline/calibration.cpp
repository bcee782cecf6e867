// SPDX-License-Identifier: Apache-2.0
#include "pipeline/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
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
            const Index own = rows[r].positive ? sides.positive : sides.negative;
            if (!loss_.class_costs.empty() && own >= 0) weight *= loss_.class_costs[own];
        }
    }

  private:
    const Dataset& data_;
    MachineLoss loss_;
};

/// The rows that are on a side of a function.
std::vector<Index> rows_of(const FunctionSides& sides, const Dataset& data) {
    std::vector<Index> rows;
    for (Index i = 0; i < data.rows(); ++i) {
        if (sides.negative < 0 || data.has_label(i, sides.positive) || data.has_label(i, sides.negative))
            rows.push_back(i);
    }
    return rows;
}

/// The mean logarithm of what the true classes have, less, as a function of the one slope of all sigmoids.
class TemperatureLoss {
  public:
    /// So many rows are looked at that the probabilities of a slope take little time, also of many classes.
    TemperatureLoss(const Labels& labels, const Model& model, const Matrix& held_out)
        : labels_(labels), model_(model), held_out_(held_out) {
        constexpr Index most_values = Index{1} << 24U;
        const Index classes = labels.classes();
        const Index most = std::max<Index>(most_values / (classes * classes), 100);
        rows_.resize(held_out.rows());
        std::iota(rows_.begin(), rows_.end(), Index{0});
        if (held_out.rows() <= most) return;
        Random random(1);
        random.shuffle(std::span(rows_));
        rows_.resize(most);
    }

    double operator()(double slope, Control& control) const {
        const Index width = held_out_.cols();
        const Index classes = labels_.classes();
        const Calibration calibration{.slopes = std::vector<double>(width, -slope),
                                      .offsets = std::vector<double>(width, 0.0)};
        const Index rows = std::ssize(rows_);
        std::vector<double> losses(rows);
        parallel_for(rows, static_cast<double>(rows * classes * classes), control, [&](Index r) {
            const Index i = rows_[r];
            std::vector<double> of_classes(classes);
            class_probabilities(model_.rule, classes, {held_out_.row(i).data(), std::size_t(width)},
                                calibration, of_classes);
            losses[r] = -std::log(std::max(of_classes[labels_.of_rows[i]], 1e-15));
        });
        return std::accumulate(losses.begin(), losses.end(), 0.0) / rows;
    }

  private:
    const Labels& labels_;
    const Model& model_;
    const Matrix& held_out_;
    std::vector<Index> rows_;
};

/// Finds the temperature T with P(positive | f) = 1 / (1 + exp(-f / T)) for all functions that makes the true
/// classes of held-out rows likeliest (C. Guo, G. Pleiss, Y. Sun, K. Weinberger, On calibration of modern
/// neural networks, ICML 2017, section 4.2, with this library's ways from functions to classes in the place
/// of the softmax). It looks along powers of two, and then between the neighbours of the best.
FittedCalibration one_temperature(const Labels& labels, const Model& model, const Matrix& held_out,
                                  Control& control) {
    const ProgressHold hold(control);
    const TemperatureLoss loss(labels, model, held_out);
    const double typical = std::max(held_out.cwiseAbs().mean(), 1e-300);
    constexpr int powers = 10;
    double best = 0;  // the exponent
    double least = infinity;
    const auto try_exponent = [&](double exponent) {
        const double value = loss(std::exp2(exponent) / typical, control);
        if (value < least) {
            least = value;
            best = exponent;
        }
    };
    for (int power = -powers; power <= powers; ++power) try_exponent(power);
    double step = 0.5;
    for (int halving = 0; halving < 6; ++halving) {
        const double middle = best;
        try_exponent(middle - step);
        try_exponent(middle + step);
        step /= 2;
    }
    const double slope = std::exp2(best) / typical;
    FittedCalibration fitted{.calibration = {.slopes = std::vector<double>(held_out.cols(), -slope),
                                             .offsets = std::vector<double>(held_out.cols(), 0.0)},
                             .report = {}};
    fitted.report.add("temperature", 1 / slope).add("log_loss", least);
    return fitted;
}

}  // namespace

FittedCalibration calibrate(const Dataset& data, const MachineSpecification& specification,
                            const Model& model, const Matrix& held_out, Control& control) {
    const bool temperature =
        specification.parameters[parameter::calibration] == parameter::CalibrationKind::temperature;
    if (temperature && data.label_sets)
        fail(Status::unsupported,
             "calibration=temperature is of rows with one class; rows with several labels have a sigmoid for "
             "each label, calibration=sigmoid");
    if (temperature) return one_temperature(*data.labels, model, held_out, control);
    const Index width = model.predictor->decision_count();
    const auto in_training = decisions(model, data, control);
    const TrainingWeights weights(data, specification);
    const auto sides = function_sides(model.rule, model.classes.classes());
    FittedCalibration fitted;
    Index bounded = 0;
    Index moved = 0;
    for (Index f = 0; f < width; ++f) {
        const auto ids = rows_of(sides[f], data);
        std::vector<CalibrationRow> rows;
        std::vector<CalibrationRow> learned;
        for (const Index i : ids) {
            const bool positive = data.has_label(i, sides[f].positive);
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
