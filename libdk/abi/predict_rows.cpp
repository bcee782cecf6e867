// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "abi/guard.hpp"
#include "data/resize.hpp"
#include "pipeline/in_use/row_answers.hpp"

using namespace dk;
using namespace dk::abi;

namespace {

/// Copies rows of numbers, which may lack values where the model fills them.
Dataset copied_rows(const Model& model, const double* x, int64_t rows, int64_t cols) {
    if (rows < 1 || cols < 1 || rows > largest_size / cols)
        fail(Status::invalid_argument, "rows and cols are ", rows, " and ", cols,
             "; both must be at least 1 and their product at most 2^40");
    required(x, "x");
    DenseMatrix matrix{rows, cols};
    matrix.values.assign(x, x + rows * cols);
    matrix.may_miss = model.parameter("impute") != "none";
    Dataset::Features features(std::move(matrix));
    require_finite(features);
    return Dataset(std::move(features));
}

/// One of the caller's arrays, and what will be copied there when all is known.
class Output {
  public:
    Output(double* out, int64_t length, const char* name, int64_t rows, int64_t width, Control& control) {
        if (out == nullptr && length == 0) return;
        out_ = required_array(out, name, length, rows * width);
        resize_in_steps(values_, length, control);
    }
    std::span<double> values() { return values_; }
    void copy() { std::ranges::copy(values_, out_.begin()); }

  private:
    std::span<double> out_;
    std::vector<double> values_;
};

}  // namespace

dk_status dk_predict_rows(double* predictions, int64_t prediction_length, double* decisions,
                          int64_t decision_length, double* probabilities, int64_t probability_length,
                          const dk_model* model, const double* x, int64_t rows, int64_t cols,
                          dk_control* control) {
    return guarded([&] {
        const Model& known = required(model, "model").value;
        const Dataset data = copied_rows(known, x, rows, cols);
        Call call(control, "predicting");
        Output predicted(predictions, prediction_length, "predictions", rows, known.targets, call.control());
        Output decided(decisions, decision_length, "decisions", rows, known.predictor->decision_count(),
                       call.control());
        Output probable(probabilities, probability_length, "probabilities", rows, known.classes.classes(),
                        call.control());
        answer_rows(known, data, {predicted.values(), decided.values(), probable.values()}, call.control());
        call.finish();
        for (Output* const output : {&predicted, &decided, &probable}) output->copy();
    });
}
