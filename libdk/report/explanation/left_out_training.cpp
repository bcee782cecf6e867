// SPDX-License-Identifier: Apache-2.0
// The answer without a training row, by training without it. A row that the functions do not need, because
// its coefficient is 0, leaves them as they are; each of the others is left out once:
//     for each row i that is asked for
//         f_i = train(rows of both classes of the question without i), with the model's kernel and parameters
//         answer_i = f_i(x)
// Rows are prepared for the model before, so that scaling and layers stay those of the model.
#include "report/explanation/left_out_training.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "pipeline/train.hpp"

namespace dk {

namespace {

/// So many support rows times squared rows are trained anew: 400 rows of which all are needed.
constexpr double most_work = 6.4e7;

/// Rows of the two classes of the question alone, under their names.
Dataset rows_of_pair(const Dataset& data, std::span<const Index> rows, const Question& question) {
    Dataset pair = data.select(rows);
    const Labels& all = *data.labels;
    const Index low = std::min(question.elected, question.instead);
    const Index high = std::max(question.elected, question.instead);
    Labels labels{.of_rows = {}, .values = {all.values[low], all.values[high]}, .names = {}};
    if (!all.names.empty()) {
        labels.values = {0, 1};
        labels.names = {all.names[low], all.names[high]};
    }
    for (const Index i : rows) labels.of_rows.push_back(all.of_rows[i] == high ? 1 : 0);
    pair.labels = std::move(labels);
    return pair;
}

}  // namespace

bool may_train_anew(const Model& model, const Dataset& training) {
    const bool pair = model.rule == DecisionRule::binary || model.rule == DecisionRule::one_vs_one;
    if (!pair || model.task != "classification" || !training.labels) return false;
    // Factors of classes that the pair does not have would be refused.
    const MachineSpecification specification = specification_as_trained(model);
    const std::string& factors = specification.parameters.text("class_weight");
    if (model.classes.classes() > 2 && factors != "none" && factors != "balanced") return false;
    if (training.labels->values != model.classes.values || training.labels->names != model.classes.names)
        return false;
    const double rows = static_cast<double>(training.rows());
    return rows * rows * static_cast<double>(model.predictor->support_count()) <= most_work;
}

std::vector<double> answers_without(const Model& model, const Question& question, const Dataset& row,
                                    const Dataset& training, std::span<const Index> left_out,
                                    Control& control) {
    const MachineSpecification specification = specification_as_trained(model);
    const Dataset prepared = prepared_rows(model, training, control);
    std::vector<Index> members;
    for (Index i = 0; i < prepared.rows(); ++i) {
        const Index c = prepared.labels->of_rows[i];
        if (c == question.elected || c == question.instead) members.push_back(i);
    }
    const double sign = question.elected > question.instead ? 1 : -1;
    std::vector<double> answers;
    for (std::size_t k = 0; k < left_out.size(); ++k) {
        const ProgressScope scope(control, double(k) / double(left_out.size()),
                                  double(k + 1) / double(left_out.size()));
        std::vector<Index> rows = members;
        std::erase(rows, left_out[k]);
        try {
            const Model without = train(rows_of_pair(prepared, rows, question), specification, control);
            answers.push_back(sign * decisions(without, row, control).front());
        } catch (const Error& error) {
            if (error.status() == Status::cancelled || error.status() == Status::memory_budget) throw;
            answers.push_back(std::numeric_limits<double>::quiet_NaN());
        }
    }
    return answers;
}

}  // namespace dk
