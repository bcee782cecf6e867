// SPDX-License-Identifier: Apache-2.0
#include "machine/single_function.hpp"

#include <cmath>
#include <numeric>

namespace dk {

TrainedMachine single_function(const TrainingProblem& problem, std::vector<double> gamma, double offset,
                               Report report, DecisionRule rule) {
    ExpansionFunction function;
    function.rows.resize(gamma.size());
    std::iota(function.rows.begin(), function.rows.end(), Index{0});
    function.gamma = std::move(gamma);
    function.offset = offset;
    // A novelty detector has two classes: the second one is what is like the training rows.
    function.positive_class = rule == DecisionRule::regression ? -1 : 1;
    function.negative_class = rule == DecisionRule::regression ? -1 : 0;
    report.add("offset", offset);
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.predictor =
        make_kernel_expansion(problem.kernel, problem.data, {&function, 1}, {}, problem.precision,
                              problem.parameters[parameter::neighbours], problem.control);
    trained.rule = rule;
    trained.report.add("functions", std::vector<Report>{std::move(report)});
    return trained;
}

std::vector<double> row_weights(const Dataset& data) {
    return data.sample_weights.empty() ? std::vector<double>(data.rows(), 1.0) : data.sample_weights;
}

std::vector<double> class_targets(const Labels& labels, Index columns) {
    std::vector<double> targets;
    for (const Index own : labels.of_rows) {
        for (Index c = 0; c < columns; ++c) targets.push_back((columns == 1 ? own == 1 : own == c) ? 1 : -1);
    }
    return targets;
}

std::optional<double> constant_decision(const Dataset& data, Index label) {
    if (!data.label_sets) return std::nullopt;
    bool with = false;
    bool without = false;
    for (Index i = 0; i < data.rows(); ++i) {
        if (!data.sample_weights.empty() && data.sample_weights[i] == 0) continue;
        (data.has_label(i, label) ? with : without) = true;
    }
    if (with && without) return std::nullopt;
    return (with ? 1 : -1) * std::log1p(static_cast<double>(data.rows()));
}

Targets sign_targets(const Dataset& data) {
    if (data.label_sets) return {data.label_sets->indicators(-1, 1), data.label_sets->labels()};
    const Index columns = data.labels->classes() == 2 ? 1 : data.labels->classes();
    return {class_targets(*data.labels, columns), columns};
}

}  // namespace dk
