// SPDX-License-Identifier: Apache-2.0
#include "machine/binary_reduction.hpp"

#include <numeric>

#include "model/kernel_expansion.hpp"

namespace dk {

namespace {

/// One of the two-class problems: which rows, and which of them are positive.
struct Split {
    Index positive;
    Index negative;  // -1: all the others
    std::vector<Index> rows;
};

std::vector<Split> splits_of(const Labels& labels, DecisionRule rule) {
    const auto rows_where = [&](auto wanted) {
        std::vector<Index> rows;
        for (Index i = 0; i < size_of(labels.of_rows); ++i) {
            if (wanted(labels.of_rows[unsigned_of(i)])) rows.push_back(i);
        }
        return rows;
    };
    const auto all_rows = rows_where([](Index) { return true; });
    if (rule == DecisionRule::binary) return {{1, 0, all_rows}};
    std::vector<Split> splits;
    for (Index a = 0; a < labels.classes(); ++a) {
        if (rule == DecisionRule::one_vs_rest) {
            splits.push_back({a, -1, all_rows});
            continue;
        }
        for (Index b = a + 1; b < labels.classes(); ++b) {
            splits.push_back({a, b, rows_where([&](Index c) { return c == a || c == b; })});
        }
    }
    return splits;
}

DecisionRule rule_for(const TrainingProblem& problem) {
    if (problem.data.labels->classes() == 2) return DecisionRule::binary;
    return problem.parameters.text("multiclass") == "ovr" ? DecisionRule::one_vs_rest
                                                          : DecisionRule::one_vs_one;
}

BinaryProblem binary_problem(const TrainingProblem& problem, const Split& split, TrainingGram& gram) {
    const Labels& labels = *problem.data.labels;
    BinaryProblem binary{.gram = gram,
                         .signs = {},
                         .sample_weights = {},
                         .positive_class = labels.class_name(split.positive),
                         .negative_class = split.negative < 0 ? "" : labels.class_name(split.negative),
                         .weighted = !problem.data.sample_weights.empty(),
                         .problem = problem};
    for (const Index i : split.rows) {
        binary.signs.push_back(labels.of_rows[unsigned_of(i)] == split.positive ? 1.0 : -1.0);
        binary.sample_weights.push_back(binary.weighted ? problem.data.sample_weights[unsigned_of(i)] : 1.0);
    }
    return binary;
}

ExpansionFunction expansion_function(const BinarySolution& solution, const Split& split,
                                     Index training_rows) {
    ExpansionFunction function;
    function.gamma.resize(unsigned_of(training_rows));
    for (std::size_t r = 0; r < split.rows.size(); ++r)
        function.gamma[unsigned_of(split.rows[r])] = solution.gamma[r];
    function.offset = solution.offset;
    function.positive_class = split.positive;
    function.negative_class = split.negative;
    return function;
}

}  // namespace

TrainedMachine train_by_binary_reduction(const TrainingProblem& problem, const BinaryTrainer& trainer) {
    const DecisionRule rule = rule_for(problem);
    const auto splits = splits_of(*problem.data.labels, rule);
    std::vector<ExpansionFunction> functions;
    std::vector<Report> reports;
    std::unique_ptr<TrainingGram> shared;
    for (std::size_t s = 0; s < splits.size(); ++s) {
        const auto share = [&](std::size_t k) {
            return 0.9 * static_cast<double>(k) / static_cast<double>(splits.size());
        };
        const ProgressScope scope(problem.control, share(s), share(s + 1));
        const Split& split = splits[s];
        BinarySolution solution;
        if (rule == DecisionRule::one_vs_one) {
            const Dataset pair = problem.data.select(split.rows);
            const auto gram =
                make_training_gram(problem.kernel, pair, problem.precision, problem.budget, &problem.control);
            solution = trainer(binary_problem(problem, split, *gram));
        } else {
            if (!shared)
                shared = make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget,
                                            &problem.control);
            solution = trainer(binary_problem(problem, split, *shared));
        }
        functions.push_back(expansion_function(solution, split, problem.data.rows()));
        Report report;
        report.add("positive", problem.data.labels->class_name(split.positive));
        report.add("negative", split.negative < 0 ? std::string("rest")
                                                  : problem.data.labels->class_name(split.negative));
        for (const auto& [name, value] : solution.report.entries()) report.add(name, value);
        report.add("offset", solution.offset);
        reports.push_back(std::move(report));
    }
    shared.reset();
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained;
    trained.predictor =
        make_kernel_expansion(problem.kernel, problem.data, functions, problem.precision,
                              static_cast<Index>(problem.parameters.integer("neighbours")), problem.control);
    trained.rule = rule;
    trained.report.add("functions", std::move(reports));
    return trained;
}

ParameterSpec multiclass_parameter() {
    return choice_parameter("multiclass", {"ovo", "ovr"},
                            "more than two classes: a function for every pair (ovo) or every class (ovr)");
}

}  // namespace dk
