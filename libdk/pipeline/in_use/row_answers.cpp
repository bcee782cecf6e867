// SPDX-License-Identifier: Apache-2.0
#include "pipeline/in_use/row_answers.hpp"

#include <algorithm>

#include "pipeline/score.hpp"

namespace dk {

void answer_rows(const Model& model, const Dataset& rows, const RowAnswers& answers, Control& control) {
    auto prediction = answers.predictions.begin();
    auto decision = answers.decisions.begin();
    auto probability = answers.probabilities.begin();
    const auto answer = [&](std::span<const double> some) {
        if (!answers.decisions.empty()) decision = std::ranges::copy(some, decision).out;
        if (!answers.probabilities.empty())
            probability = std::ranges::copy(probabilities(model, some, control), probability).out;
        if (!answers.predictions.empty())
            prediction = std::ranges::copy(predictions_from(model, some, control), prediction).out;
    };
    decide(model, rows, answer, control);
}

}  // namespace dk
