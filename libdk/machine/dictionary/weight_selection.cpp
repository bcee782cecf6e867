// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/weight_selection.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/select.hpp"
#include "data/split.hpp"
#include "model/decision/decision_rule.hpp"

namespace dk {

namespace {

struct Candidate {
    WeighingOptions options;
    std::vector<char> is_right = {};  // for each row, by the dictionary that was learned without it
    Index kernels_used = 0;           // in all folds together

    Index right() const { return std::ranges::count(is_right, 1); }
};

/// Lists what is compared, first what was given. The paper does not say how its parameters were found; these
/// are ours.
std::vector<Candidate> candidates_of(const WeighingOptions& given, Index kernels) {
    std::vector<Candidate> candidates{{.options = given}};
    const auto add = [&](auto change) {
        Candidate candidate{.options = given};
        change(candidate.options);
        candidates.push_back(candidate);
    };
    if (given.policy == WeightPolicy::diverse) {
        for (const double rho : {3.0, 10.0, 30.0}) {
            for (const double kappa : {0.0, 1.0}) {
                if (rho == given.rho && kappa == given.kappa) continue;
                add([&](WeighingOptions& options) {
                    options.rho = rho;
                    options.kappa = kappa;
                });
            }
        }
        add([&](WeighingOptions& options) {
            options.policy = WeightPolicy::quadratic;
            options.kernels = (kernels + 1) / 2;
        });
        add([](WeighingOptions& options) { options.policy = WeightPolicy::uniform; });
    } else if (given.policy == WeightPolicy::quadratic || given.policy == WeightPolicy::capped) {
        for (const Index part : {32, 16, 8, 4, 2})
            add([&](WeighingOptions& options) { options.kernels = (kernels + part - 1) / part; });
    }
    return candidates;
}

/// Notes which rows have the largest decision for their class.
void note_right(Candidate& candidate, const Predictor& predictor, const Dataset& data,
                std::span<const Index> rows, Control& control) {
    const Index classes = predictor.decision_count();
    std::size_t row = 0;
    predictor.decide(
        data,
        [&](std::span<const double> decisions) {
            for (Index first = 0; first < std::ssize(decisions); first += classes, ++row) {
                const Index elected = first_largest(decisions.subspan(first, classes));
                candidate.is_right[rows[row]] = elected == data.labels->of_rows[row] ? 1 : 0;
            }
        },
        control);
}

/// Learns each candidate's dictionary without the rows of a fold, and notes which of these are told rightly.
void score_on_fold(std::vector<Candidate>& candidates, const std::vector<Index>& learned_rows,
                   const std::vector<Index>& held_rows, const TrainingProblem& problem,
                   DictionaryOptions options) {
    Control& control = problem.control;
    const Dataset training = problem.data.select(learned_rows);
    const Dataset held = problem.data.select(held_rows);
    const ClassOrder ordered(*training.labels);
    const Dataset rows = training.select(ordered.order);
    BankMatrices stream(problem.bank, rows, problem.budget, control);
    const BankFacts facts(stream, options.weighing->sketch_size(), problem.budget, control);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
        const ProgressScope scope(control, 1.0 * c / candidates.size(), (c + 1.0) / candidates.size());
        options.weighing = candidates[c].options;
        const Dictionary dictionary = learn_dictionary(stream, &facts, ordered, options, control);
        const auto predictor = predictor_of(dictionary, ordered, problem.bank, training, problem,
                                            options.learning.prototypes_of_row);
        note_right(candidates[c], *predictor, held, held_rows, control);
        candidates[c].kernels_used += dictionary.kernels_used();
    }
}

/// Refuses folds one of which has all rows of a class, which groups of rows can bring about.
void require_classes_outside(const Dataset& data, std::span<const Index> fold_of, Index folds) {
    const Labels& labels = *data.labels;
    for (Index fold = 0; fold < folds; ++fold) {
        std::vector<bool> outside(labels.classes());
        for (const Index i : rows_of_fold(fold_of, fold, false)) outside[labels.of_rows[i]] = true;
        const auto lacking = std::ranges::find(outside, false) - outside.begin();
        if (lacking == labels.classes()) continue;
        fail(Status::invalid_data, "tune=yes: all rows of class ", labels.class_name(lacking),
             " are in one fold, since they are of too few groups; use tune=no");
    }
}

/// Tells whether a candidate is right about more rows than what was given, by more than one standard error of
/// the paired difference. The best of several that are alike is best by chance.
bool is_better(const Candidate& candidate, const Candidate& given) {
    double gained = 0;
    double lost = 0;
    for (std::size_t i = 0; i < given.is_right.size(); ++i) {
        gained += candidate.is_right[i] > given.is_right[i] ? 1 : 0;
        lost += candidate.is_right[i] < given.is_right[i] ? 1 : 0;
    }
    const double difference = gained - lost;
    const double variance = gained + lost - difference * difference / std::ssize(given.is_right);
    return difference > std::sqrt(variance);
}

Report report_of(const std::vector<Candidate>& candidates, Index rows, Index folds) {
    std::vector<Report> lines;
    for (const Candidate& candidate : candidates) {
        const WeighingOptions& options = candidate.options;
        Report line;
        line.add("policy", std::string(name_of(options.policy)));
        if (options.policy == WeightPolicy::diverse) line.add("rho", options.rho).add("kappa", options.kappa);
        if (options.policy == WeightPolicy::quadratic || options.policy == WeightPolicy::capped)
            line.add("kernels", options.kernels);
        line.add("accuracy", 1.0 * candidate.right() / rows)
            .add("kernels_used", 1.0 * candidate.kernels_used / folds);
        lines.push_back(std::move(line));
    }
    Report report;
    report.add("folds", folds).add("candidates", std::move(lines));
    return report;
}

}  // namespace

SelectedWeighing select_weighing(const TrainingProblem& problem, const DictionaryOptions& options) {
    const Index smallest = ClassOrder(*problem.data.labels).smallest_class();
    if (smallest < 2) {
        fail(Status::invalid_data,
             "tune=yes needs at least 2 rows of each class, and the smallest class has ", smallest,
             "; use tune=no");
    }
    const Index folds = std::min({Index{5}, smallest, most_folds(problem.data)});
    if (folds < 2) fail(Status::invalid_data, "tune=yes needs at least 2 groups of rows; use tune=no");
    const auto fold_of = stratified_folds(problem.data, folds, problem.parameters[parameter::seed]);
    require_classes_outside(problem.data, fold_of, folds);
    auto candidates = candidates_of(*options.weighing, std::ssize(problem.bank));
    for (Candidate& candidate : candidates) candidate.is_right.assign(problem.data.rows(), 0);
    for (Index fold = 0; fold < folds; ++fold) {
        const ProgressScope scope(problem.control, 1.0 * fold / folds, (fold + 1.0) / folds,
                                  "choosing weights");
        score_on_fold(candidates, rows_of_fold(fold_of, fold, false), rows_of_fold(fold_of, fold, true),
                      problem, options);
    }
    const auto best = std::ranges::max_element(candidates, [](const Candidate& a, const Candidate& b) {
        return a.right() != b.right() ? a.right() < b.right() : a.kernels_used > b.kernels_used;
    });
    const Candidate& given = candidates.front();
    return {is_better(*best, given) ? best->options : given.options,
            report_of(candidates, problem.data.rows(), folds)};
}

}  // namespace dk
