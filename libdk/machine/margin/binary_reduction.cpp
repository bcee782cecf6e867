// SPDX-License-Identifier: Apache-2.0
//
// Machines for two classes become machines for any number of classes T in one of two ways, which the
// parameter `multiclass` chooses:
//
//     one against one    learns a function for every pair of classes from the rows of the pair
//     one against rest   learns a function for every class from all rows, where all other classes are one
//
// model/decision_rule.cpp elects a class by these functions. Two classes take a single function. Labels of
// which rows may have several take a function each, like one against rest; where all rows have a label, or
// none has it, its function is constant.
//
// The third way keeps of the functions of each class against the rest their prototypes p_c alone, the p+ of
// equation (8) in prototype/canonical.cpp, and a row is of the class whose prototype is nearest:
//
//     argmin_c |x - p_c|^2 = argmax_c (2 <x, p_c> - |p_c|^2).
//
// Two classes have p+ and p- of their single function. Of the mean of class it is the nearest centroid.
//
// U. H.-G. Kressel, Pairwise classification and support vector machines, in Advances in Kernel Methods, 1999
// (one against one); V. Vapnik, Statistical Learning Theory, 1998 (one against rest); A. Graf, O. Bousquet,
// G. Raetsch, B. Schoelkopf, Prototype classification, Neural Computation 21, 2009, section 9 (nearest
// prototypes).
#include "machine/margin/binary_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernel/gram/class_grams.hpp"
#include "machine/margin/class_splits.hpp"
#include "machine/margin/margin_report.hpp"
#include "machine/single_function.hpp"
#include "model/dictionary/nearest_prototype.hpp"
#include "model/dictionary/prototype_dictionary.hpp"
#include "model/kernel_expansion.hpp"

namespace dk {

namespace {

DecisionRule rule_for(const TrainingProblem& problem) {
    if (problem.data.label_sets) return DecisionRule::labels;
    if (problem.data.labels->classes() == 2) return DecisionRule::binary;
    return problem.parameters[parameter::multiclass] == Multiclass::one_vs_one ? DecisionRule::one_vs_one
                                                                               : DecisionRule::one_vs_rest;
}

BinaryProblem binary_problem(const TrainingProblem& problem, const Split& split) {
    const Dataset& data = problem.data;
    BinaryProblem binary{.signs = {},
                         .sample_weights = {},
                         .positive_class = data.label_name(split.positive),
                         .negative_class = split.negative < 0 ? "" : data.label_name(split.negative),
                         .problem = problem,
                         .path = split.path,
                         .start = split.start};
    const auto& weights = data.sample_weights;
    for (const Index i : split.rows) {
        binary.signs.push_back(data.has_label(i, split.positive) ? 1.0 : -1.0);
        binary.sample_weights.push_back(weights.empty() ? 1.0 : weights[i]);
    }
    return binary;
}

/// Gives coefficients of own prototypes the signs of their classes.
std::vector<double> signed_prototypes(const BinarySolution& solution, const Split& split,
                                      const Dataset& data) {
    std::vector<double> coefficients = solution.prototypes;
    for (std::size_t r = 0; r < coefficients.size(); ++r) {
        if (!data.has_label(split.rows[r], split.positive)) coefficients[r] = -coefficients[r];
    }
    return coefficients;
}

ExpansionFunction expansion_function(BinarySolution solution, Split split, const Dataset& data) {
    std::vector<double> prototypes = signed_prototypes(solution, split, data);
    return {.rows = std::move(split.rows),
            .gamma = std::move(solution.gamma),
            .offset = solution.offset,
            .length = solution.length,
            .positive_class = split.positive,
            .negative_class = split.negative,
            .prototypes = std::move(prototypes),
            .may_be_constant = data.label_sets.has_value()};
}

constexpr double problems_at_once = 16;
constexpr double rows_of_a_solver = 2048;

/// A pair is small when the rows of the kernel matrix with which its solver works at a time are so small that
/// `problems_at_once` such pairs fit the budget. This depends on the problem alone and not on the number of
/// threads, so that a pair has the same memory, and its solver takes the same way, for any number of them.
bool is_small(const TrainingProblem& problem, const Split& split, MatrixUse use) {
    const double rows = std::ssize(split.rows);
    constexpr double share_of_a_pair = 4.0 / 3;
    const double bytes = use == MatrixUse::whole ? share_of_a_pair * 16 * rows * rows
                                                 : (problem.precision == Precision::real32 ? 4 : 8) * rows *
                                                       std::min(2 * rows, rows_of_a_solver);
    return bytes * problems_at_once <= problem.budget.bytes();
}

/// Trains machines that learn from kernel matrices, and has these matrices for all splits of one problem.
class GramLearning {
  public:
    GramLearning(const TrainingProblem& problem, const GramTrainer& trainer, DecisionRule rule, MatrixUse use)
        : trainer_(trainer), use_(use) {
        if (rule == DecisionRule::one_vs_one) {
            const ProgressHold hold(problem.control);
            const bool rough_search =
                use == MatrixUse::blocks_and_products && smo_options(problem.parameters).rough_search;
            of_classes_ =
                make_class_grams(problem.kernel, problem.data, rows_of_classes(*problem.data.labels),
                                 problem.precision, rough_search, problem.budget.part(4), problem.control);
        } else {
            whole_ = make_training_gram(problem.kernel, problem.data, problem.precision, problem.budget,
                                        &problem.control);
        }
    }

    BinarySolution of_pair(const TrainingProblem& problem, const Split& split,
                           const std::shared_ptr<RowMemory>& memory) const {
        const auto gram = of_classes_->pair(split.positive, split.negative, problem.budget.part(4.0 / 3),
                                            problem.control, memory);
        return trainer_(binary_problem(problem, split), *gram);
    }
    BinarySolution of_all(const BinaryProblem& problem) const { return trainer_(problem, *whole_); }
    /// Tells whether several threads may solve splits of all rows at the same time.
    bool many_may_use_the_matrix() const {
        return use_ == MatrixUse::blocks_and_products && whole_ && whole_->features().sparse();
    }

  private:
    const GramTrainer& trainer_;
    MatrixUse use_;
    std::unique_ptr<ClassGrams> of_classes_;  // where splits are pairs
    std::unique_ptr<TrainingGram> whole_;     // where splits have all rows
};

/// Trains machines that learn from rows.
class RowLearning {
  public:
    RowLearning(const TrainingProblem&, const RowTrainer& trainer, DecisionRule, MatrixUse)
        : trainer_(trainer) {}

    BinarySolution of_pair(const TrainingProblem& problem, const Split& split,
                           const std::shared_ptr<RowMemory>&) const {
        const Dataset rows = problem.data.select(split.rows);
        return trainer_(binary_problem(problem, split), rows);
    }
    BinarySolution of_all(const BinaryProblem& binary) const { return trainer_(binary, binary.problem.data); }
    bool many_may_use_the_matrix() const { return false; }

  private:
    const RowTrainer& trainer_;
};

/// Runs solve(problem, split, memory) for some splits side by side, each with one thread and a part of the
/// budget. The memory for rows is that of the thread.
template <typename Solve>
void solve_side_by_side(const TrainingProblem& problem, std::span<const std::size_t> splits, Solve solve) {
    const MemoryBudget part = problem.budget.part(problems_at_once);
    const auto new_memory = [] { return std::make_shared<RowMemory>(); };
    const double count = std::ssize(splits);
    const auto solve_split = [&](const auto& memory, Index at) {
        Control control(Control::Part{at / count, (at + 1) / count}, problem.control);
        const TrainingProblem own{problem.data,      problem.kernel, problem.bank, problem.parameters,
                                  problem.precision, part,           control,      problem.path,
                                  problem.earlier};
        solve(own, splits[at], memory);
    };
    const double pairs = 1.0 * problem.data.rows() * problem.data.rows();
    parallel_for_with(std::ssize(splits), problem.control, new_memory, solve_split,
                      workforce_of_tasks(pairs, problem.control));
}

/// Solves large pairs one after the other with all threads, and then small ones side by side with one thread
/// each, those of the most rows first.
template <typename Learning>
std::vector<BinarySolution> solve_pairs(const TrainingProblem& problem, const std::vector<Split>& splits,
                                        const Learning& learning, MatrixUse use) {
    std::vector<BinarySolution> solutions(splits.size());
    std::vector<std::size_t> small;
    std::vector<std::size_t> large;
    for (std::size_t s = 0; s < splits.size(); ++s) {
        const bool alone = only_the_calling_thread(problem.data) || !is_small(problem, splits[s], use);
        (alone ? large : small).push_back(s);
    }
    std::ranges::stable_sort(small, std::ranges::greater(),
                             [&](std::size_t s) { return splits[s].rows.size(); });
    const double share = 1.0 / std::ssize(splits);
    double done = 0;
    const auto memory = std::make_shared<RowMemory>();
    for (const std::size_t s : large) {
        const ProgressScope scope(problem.control, done * share, (done + 1) * share);
        solutions[s] = learning.of_pair(problem, splits[s], memory);
        done += 1;
    }
    const ProgressScope scope(problem.control, done * share, 1);
    solve_side_by_side(
        problem, small,
        [&](const TrainingProblem& own, std::size_t s, const std::shared_ptr<RowMemory>& own_memory) {
            solutions[s] = learning.of_pair(own, splits[s], own_memory);
        });
    return solutions;
}

/// Solves a split of all rows. Labels that all rows have, or none, need no machine.
template <typename Learning>
BinarySolution solve_split(const TrainingProblem& problem, const Split& split, const Learning& learning) {
    const auto decision = constant_decision(problem.data, split.positive);
    if (!decision) return learning.of_all(binary_problem(problem, split));
    BinarySolution constant{.gamma = std::vector<double>(split.rows.size(), 0.0), .offset = *decision};
    constant.report.add("constant", true).add("converged", true);
    return constant;
}

/// Solves splits of all rows one after the other, or side by side where the matrix allows it and there is one
/// for every thread. Solvers give the same bits for any number of threads, so that the choice is free.
template <typename Learning>
std::vector<BinarySolution> solve_on_all_rows(const TrainingProblem& problem,
                                              const std::vector<Split>& splits, const Learning& learning) {
    std::vector<BinarySolution> solutions(splits.size());
    if (learning.many_may_use_the_matrix() && 2 * std::ssize(splits) >= problem.control.threads()) {
        std::vector<std::size_t> all(splits.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        solve_side_by_side(problem, all,
                           [&](const TrainingProblem& own, std::size_t s, const std::shared_ptr<RowMemory>&) {
                               solutions[s] = solve_split(own, splits[s], learning);
                           });
        return solutions;
    }
    const double share = 1.0 / std::ssize(splits);
    for (std::size_t s = 0; s < splits.size(); ++s) {
        const auto done = static_cast<double>(s);
        const ProgressScope scope(problem.control, done * share, (done + 1) * share);
        solutions[s] = solve_split(problem, splits[s], learning);
    }
    return solutions;
}

Report function_report(const Dataset& data, const Split& split, const BinarySolution& solution) {
    Report report;
    report.add("positive", data.label_name(split.positive));
    report.add("negative", split.negative < 0 ? std::string("rest") : data.label_name(split.negative));
    for (const auto& [name, value] : solution.report.entries()) report.add(name, value);
    report.add("offset", solution.offset);
    return report;
}

/// Gives the coefficients of the prototype of each class over all training rows, rows x classes.
Matrix class_prototypes(const std::vector<BinarySolution>& solutions, const std::vector<Split>& splits,
                        const Dataset& data) {
    Matrix prototypes = Matrix::Zero(data.rows(), data.label_count());
    for (std::size_t s = 0; s < splits.size(); ++s) {
        const std::vector<double> own = signed_prototypes(solutions[s], splits[s], data);
        const auto gamma = as_vector(own.empty() ? solutions[s].gamma : own);
        const Vector positive = gamma.cwiseMax(0.0);
        const Vector negative = (-gamma).cwiseMax(0.0);
        const double largest = std::max(positive.sum(), negative.sum());
        if (!(largest > 0 && std::isfinite(1 / largest)))
            fail(Status::numerical, "the function of class ", data.label_name(splits[s].positive),
                 " against the others is constant, so that it has no prototypes");
        prototypes.col(splits[s].positive) = positive / largest;
        if (splits[s].negative >= 0) prototypes.col(splits[s].negative) = negative / largest;
    }
    return prototypes;
}

/// Makes the rule of the nearest prototype of each class.
TrainedMachine keep_prototypes(const TrainingProblem& problem, const std::vector<BinarySolution>& solutions,
                               const std::vector<Split>& splits) {
    const Matrix prototypes = class_prototypes(solutions, splits, problem.data);
    std::vector<Index> classes(problem.data.label_count());
    std::iota(classes.begin(), classes.end(), Index{0});
    TrainedMachine trained;
    trained.rule = DecisionRule::largest;
    trained.predictor = make_prototype_dictionary(
        {.kernel = problem.kernel,
         .coefficients = view(prototypes.data(), prototypes.rows(), prototypes.cols()),
         .rule = std::make_shared<const NearestPrototype>(),
         .classes = std::move(classes)},
        problem.data, problem.precision, problem.parameters[parameter::neighbours], problem.control);
    return trained;
}

/// Makes the rule of the functions.
TrainedMachine keep_functions(const TrainingProblem& problem, std::vector<BinarySolution> solutions,
                              std::vector<Split> splits, DecisionRule rule) {
    std::vector<ExpansionFunction> functions;
    for (std::size_t s = 0; s < splits.size(); ++s)
        functions.push_back(expansion_function(std::move(solutions[s]), std::move(splits[s]), problem.data));
    std::span<const Index> groups;
    if (rule == DecisionRule::one_vs_one) groups = problem.data.labels->of_rows;
    TrainedMachine trained;
    trained.rule = rule;
    trained.predictor =
        make_kernel_expansion(problem.kernel, problem.data, functions, groups, problem.precision,
                              problem.parameters[parameter::neighbours], problem.control);
    return trained;
}

/// Asks the budget for what is kept of each function: its report, its prototypes and its coefficients. Of
/// hundreds of classes the pairs are so many that this is more than the rows and their kernel matrix.
void require_memory_of_functions(const TrainingProblem& problem, DecisionRule rule) {
    constexpr double bytes_of_a_report = 2048;
    constexpr double bytes_of_a_prototype = 160;
    constexpr double bytes_of_a_neighbour = 32;
    constexpr double bytes_of_a_coefficient =
        48;  // with its row, and as a part of a function and a prototype
    const auto classes = static_cast<double>(problem.data.label_count());
    const auto rows = static_cast<double>(problem.data.rows());
    const auto neighbours = static_cast<double>(problem.parameters[parameter::neighbours]);
    const bool pairs = rule == DecisionRule::one_vs_one;
    const double of_a_function =
        bytes_of_a_report + 2 * (bytes_of_a_prototype + bytes_of_a_neighbour * neighbours);
    const double functions = pairs ? classes * (classes - 1) / 2 : classes;
    const double functions_of_a_row = pairs ? classes - 1 : classes;
    problem.budget.require(of_a_function * functions + bytes_of_a_coefficient * rows * functions_of_a_row,
                           text("a function for each ", pairs ? "pair of " : "of ", classes,
                                problem.data.label_sets ? " labels" : " classes",
                                pairs ? " (multiclass=ovr has one for each class)" : ""));
}

template <typename Learning, typename Trainer>
TrainedMachine train_reduced(const TrainingProblem& problem, const Trainer& trainer, MatrixUse use) {
    const DecisionRule rule = rule_for(problem);
    const Dataset& data = problem.data;
    const bool nearest = problem.parameters[parameter::multiclass] == Multiclass::nearest_prototype;
    if (nearest && rule == DecisionRule::labels)
        fail(Status::unsupported,
             "multiclass=nearest elects the class whose prototype is nearest, and rows have several labels");
    if (rule != DecisionRule::binary) require_memory_of_functions(problem, rule);
    auto splits = splits_of(data, rule);
    if (problem.path != nullptr) {
        problem.path->functions.resize(splits.size());
        for (std::size_t s = 0; s < splits.size(); ++s) splits[s].path = &problem.path->functions[s];
    }
    if (problem.earlier != nullptr) start_at_earlier_model(problem.earlier->coefficients, splits);
    const bool pairs = rule == DecisionRule::one_vs_one;
    std::vector<BinarySolution> solutions;
    {
        const ProgressScope scope(problem.control, 0, 0.9);
        const Learning learning(problem, trainer, rule, use);
        solutions = pairs ? solve_pairs(problem, splits, learning, use)
                          : solve_on_all_rows(problem, splits, learning);
    }
    std::vector<Report> reports;
    for (std::size_t s = 0; s < splits.size(); ++s) {
        reports.push_back(function_report(data, splits[s], solutions[s]));
        solutions[s].report = {};
    }
    const ProgressScope scope(problem.control, 0.9, 1.0, "prototypes");
    TrainedMachine trained = nearest ? keep_prototypes(problem, solutions, splits)
                                     : keep_functions(problem, std::move(solutions), std::move(splits), rule);
    trained.report.add("functions", std::move(reports));
    return trained;
}

}  // namespace

TrainedMachine train_by_binary_reduction(const TrainingProblem& problem, const GramTrainer& trainer,
                                         MatrixUse use) {
    return train_reduced<GramLearning>(problem, trainer, use);
}

TrainedMachine train_by_binary_reduction(const TrainingProblem& problem, const RowTrainer& trainer) {
    return train_reduced<RowLearning>(problem, trainer, MatrixUse::any);
}

}  // namespace dk
