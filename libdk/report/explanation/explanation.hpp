// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/explanation/counterfactual.hpp"
#include "report/explanation/influence.hpp"
#include "report/explanation/question.hpp"

namespace dk {

/// What a prototype, training row or kernel adds to the answer. Contributions and the offset sum to the
/// answer; the magnitudes of their shares sum to 100.
struct Pull {
    Index source;  // its position
    double contribution;
    double share;
};

/// Why a row got its prediction.
struct RowExplanation {
    Question question = {};
    double prediction = 0;   // a label, or a value
    double answer = 0;       // the sum of what pulls
    double distance = 0;     // the answer in units of feature space; NaN where the model has none
    double probability = 0;  // of the elected class; NaN without calibration
    double offset = 0;

    // The strongest ones are first. Training rows are those that the model needs; none where prototypes are
    // no sums of them. Kernels are those of the bank; none where the kernel is no weighted sum.
    std::vector<Pull> prototypes = {};
    double offset_share_of_prototypes = 0;
    std::vector<Pull> training_rows = {};
    double offset_share_of_rows = 0;
    std::vector<Pull> kernels = {};
    double offset_share_of_kernels = 0;

    std::optional<NearestOther> nearest_other = {};
    std::optional<Counterfactual> counterfactual = {};
    std::vector<RowInfluence> influences = {};
};

/// How far an explanation goes: sums take a row's kernel values, a counterfactual two decisions for each
/// feature and step, and influences the cube of the support rows.
enum class ExplanationDepth { sums, counterfactual, influences };

/// Explains the prediction for one row. `training` are the rows of which the model was trained, or null: with
/// them the explanation has the nearest row of another class, and features are compared by their deviations.
RowExplanation explanation_of(const Model& model, const Dataset& row, const TrainingRows* training,
                              ExplanationDepth depth, Control& control);

/// Computes what each kernel that has a weight adds to the answer for a row, without shares; nothing where
/// the kernel is no weighted sum of two or more.
std::vector<Pull> kernel_pulls(const Model& model, const Dataset& row, const Question& question,
                               Control& control);

/// Writes an explanation as JSON (see dk_explain_row). `row` is the position of the row in `data`.
std::string explanation_text(const Model& model, const RowExplanation& explanation, const Dataset& data,
                             Index row, const Dataset* training);

/// Throws Error(dimension) unless these may be the rows of which the model was trained.
void require_training_rows(const Model& model, const Dataset& training);

}  // namespace dk
