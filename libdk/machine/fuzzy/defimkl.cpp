// SPDX-License-Identifier: Apache-2.0
// DeFIMKL trains a support vector machine for each kernel and combines their decisions by a Choquet integral
// (model/fuzzy_ensemble.cpp), whose fuzzy measure is the one of the least squared error to the labels
// (solve/fuzzy/choquet_fit.cpp):
//
//     min over g   sum_i (C_g(F(x_i)) - y_i)^2 + lambda |g|_p^p,   F_k = f_k / (1 + f_k^2)^(1/2).
//
// The decisions f_k at the training rows are those of machines that were trained without them, in five folds;
// the paper seems to take those of machines that know the rows, whose decisions are too good (insample=yes).
// Two classes have one measure; of more, each class has a machine against the rest in every kernel and a
// measure of its own. The weights of the kernels are the mean Shapley values of the measures. What pairs of
// kernels do together stands in the report as interaction indices.
//
//     letter       name
//     F            bounded, rows x (kernels x functions)
//     g            measures
//
// S. R. Price, D. T. Anderson, T. C. Havens, S. R. Price, Kernel matrix-based heuristic multiple kernel
// learning, Mathematics 10, 2022; A. J. Pinar, J. Rice, L. Hu, D. T. Anderson, T. C. Havens, Efficient
// multiple kernel classification using feature and decision level fusion, IEEE Transactions on Fuzzy Systems
// 25, 2017.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "data/split.hpp"
#include "kernel/gram/bank_similarities.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/reduction/support_functions.hpp"
#include "machine/single_function.hpp"
#include "model/fuzzy_ensemble.hpp"
#include "solve/fuzzy/choquet_fit.hpp"

namespace dk {

namespace parameter {
constexpr RealKey penalty{
    "lambda",
    0,
    {0, 1e300},
    "The worth of all sets of kernels, to the power p, costs so much beside the squared "
    "errors."};
constexpr RealKey penalty_norm{"p", 1, {1, 10}, "This is the power of that penalty."};
constexpr FlagKey in_sample{"insample", false,
                            "With yes, the measure is fitted to decisions at rows that the machines know; "
                            "otherwise to those of machines that were trained without them."};
}  // namespace parameter

namespace {

Parameters parameters_of_machines(const Parameters& own, bool keeps_neighbours) {
    Parameters parameters = inner_parameters(svm_machine(), own);
    for (const ParameterSpec& spec : passed_to_svm()) parameters.set(spec.name, own.text(spec.name));
    parameters.set(parameter::multiclass.name, "ovr");
    if (keeps_neighbours) parameters.set(parameter::neighbours.name, own.text(parameter::neighbours.name));
    return parameters;
}

/// Trains the machine of one kernel.
TrainedMachine train_one(const TrainingProblem& problem, const Dataset& data, const KernelPointer& kernel,
                         const Parameters& parameters) {
    const Bank bank{kernel};
    return svm_machine().train(
        {data, kernel, bank, parameters, problem.precision, problem.budget, problem.control});
}

/// Writes the bounded decisions of a machine at some rows to these rows of F.
void note_decisions(const Predictor& predictor, const Dataset& data, std::span<const Index> rows, MatrixRef F,
                    Control& control) {
    const Index functions = F.cols();
    std::size_t row = 0;
    predictor.decide(
        data,
        [&](std::span<const double> decisions) {
            for (; !decisions.empty(); decisions = decisions.subspan(functions), ++row) {
                for (Index f = 0; f < functions; ++f) F(rows[row], f) = bounded_decision(decisions[f]);
            }
        },
        control);
}

Index function_count(const TrainingProblem& problem) {
    const Index classes = problem.data.labels->classes();
    return classes == 2 ? 1 : classes;
}

/// Divides the rows into folds, each class evenly.
std::vector<Index> folds_of(const TrainingProblem& problem, Index& folds) {
    std::vector<Index> counts(problem.data.labels->classes());
    for (const Index c : problem.data.labels->of_rows) ++counts[c];
    folds = std::min({Index{5}, std::ranges::min(counts), most_folds(problem.data)});
    if (folds < 2)
        fail(Status::invalid_data,
             "defimkl needs at least 2 rows, and 2 groups of rows, of each class; the smallest class has ",
             std::ranges::min(counts), " rows; insample=yes needs one");
    return stratified_folds(problem.data, folds, problem.parameters[parameter::seed]);
}

/// Computes F at the training rows by machines that were trained without them.
Matrix held_out_decisions(const TrainingProblem& problem) {
    const Index functions = function_count(problem);
    Index folds = 0;
    const auto fold_of = folds_of(problem, folds);
    // Kernel values are computed once where they fit.
    Dataset rows = problem.data;
    Bank bank = problem.bank;
    if (problem.data.kind() != DataKind::gram) {
        if (auto shared =
                bank_similarities(problem.bank, problem.data, problem.budget.part(2), problem.control)) {
            rows = *shared;
            bank = similarity_bank(rows);
        }
    }
    const Parameters parameters = parameters_of_machines(problem.parameters, false);
    Matrix F(problem.data.rows(), std::ssize(bank) * functions);
    for (Index fold = 0; fold < folds; ++fold) {
        const Dataset known = rows.select(rows_of_fold(fold_of, fold, false));
        const std::vector<Index> unseen = rows_of_fold(fold_of, fold, true);
        const Dataset held_out = rows.select(unseen);
        for (Index k = 0; k < std::ssize(bank); ++k) {
            const double done = static_cast<double>(fold * std::ssize(bank) + k);
            const double all = static_cast<double>(folds * std::ssize(bank));
            const ProgressScope scope(problem.control, done / all, (done + 1) / all, "held-out decisions");
            const TrainedMachine trained = train_one(problem, known, bank[k], parameters);
            note_decisions(*trained.predictor, held_out, unseen, F.middleCols(k * functions, functions),
                           problem.control);
        }
    }
    return F;
}

Report report_of(const ChoquetFit& fit) {
    const Vector shapley = shapley_values(fit.measure);
    const Matrix interaction = interaction_indices(fit.measure);
    std::vector<Report> pairs;
    for (Index j = 0; j < interaction.rows(); ++j) {
        for (Index k = j + 1; k < interaction.rows(); ++k) {
            Report pair;
            pair.add("first", std::int64_t{j}).add("second", std::int64_t{k}).add("index", interaction(j, k));
            pairs.push_back(std::move(pair));
        }
    }
    Report report;
    report.add("shapley", std::vector<double>(shapley.begin(), shapley.end()))
        .add("interactions", std::move(pairs))
        .add("mean_squared_error", fit.error)
        .add("iterations", fit.steps)
        .add("converged", fit.converged);
    // Of many kernels nobody reads the worth of all sets.
    constexpr Index most_listed = 5;
    if (fit.measure.sources <= most_listed) report.add("worth", fit.measure.worth);
    return report;
}

TrainedMachine train_ensemble(const TrainingProblem& problem) {
    if (std::ssize(problem.bank) > most_sources)
        fail(Status::unsupported, "defimkl has a number for each set of kernels; the bank has ",
             problem.bank.size(), " kernels, and at most ", most_sources, " are allowed");
    const Index functions = function_count(problem);
    const bool in_sample = problem.parameters[parameter::in_sample];
    Matrix F(problem.data.rows(), std::ssize(problem.bank) * functions);
    if (!in_sample && problem.bank.size() > 1) {
        const ProgressScope scope(problem.control, 0, 0.7);
        F = held_out_decisions(problem);
    }
    FuzzyEnsemble::Members members{.training_rows = problem.data.rows()};
    const Parameters parameters = parameters_of_machines(problem.parameters, true);
    std::vector<Index> all(problem.data.rows());
    std::iota(all.begin(), all.end(), Index{0});
    for (Index k = 0; k < std::ssize(problem.bank); ++k) {
        const ProgressScope scope(problem.control, 0.7 + 0.2 * k / std::ssize(problem.bank),
                                  0.7 + 0.2 * (k + 1) / std::ssize(problem.bank), "machines");
        members.machines.push_back(
            std::move(train_one(problem, problem.data, problem.bank[k], parameters).predictor));
        if (in_sample)
            note_decisions(*members.machines.back(), problem.data, all,
                           F.middleCols(k * functions, functions), problem.control);
    }
    const std::vector<double> targets = class_targets(*problem.data.labels, functions);
    const ConstMatrixView Y = view(targets.data(), problem.data.rows(), functions);
    TrainedMachine trained;
    std::vector<Report> reports;
    bool converged = true;
    const ProgressScope scope(problem.control, 0.9, 1, "fuzzy measures");
    for (Index f = 0; f < functions; ++f) {
        const ProgressHold hold(problem.control);
        const Matrix of_function = F(Eigen::all, Eigen::seqN(f, std::ssize(problem.bank), functions));
        const ChoquetFit fit = fit_choquet(of_function, Y.col(f),
                                           {.lambda = problem.parameters[parameter::penalty],
                                            .p = problem.parameters[parameter::penalty_norm]},
                                           problem.control);
        reports.push_back(report_of(fit));
        converged = converged && fit.converged;
        members.measures.push_back(fit.measure);
    }
    auto predictor = std::make_unique<FuzzyEnsemble>(std::move(members));
    const Vector& worth = predictor->kernel_worth();
    trained.kernel_weights.assign(worth.begin(), worth.end());
    trained.report.add("functions", std::move(reports)).add("converged", converged);
    trained.predictor = std::move(predictor);
    trained.rule = functions == 1 ? DecisionRule::binary : DecisionRule::largest;
    return trained;
}

}  // namespace

Machine defimkl_machine() {
    std::vector<ParameterSpec> parameters = passed_to_svm();
    parameters.insert(parameters.end(), {parameter::penalty, parameter::penalty_norm, parameter::in_sample});
    return {
        .name = "defimkl",
        .doc =
            "DeFIMKL trains a support vector machine for each kernel of a bank and combines their "
            "decisions by a Choquet integral, whose fuzzy measure says what each set of kernels is worth. "
            "The weights are the kernels' Shapley values. Each kernel is normalised: rows have length 1 in "
            "its feature space.",
        .reference =
            "Price, Anderson, Havens, Price, Kernel matrix-based heuristic multiple kernel learning, "
            "Mathematics 10, 2022; Pinar, Rice, Hu, Anderson, Havens, Efficient multiple kernel "
            "classification using feature and decision level fusion, IEEE Transactions on Fuzzy Systems "
            "25, 2017",
        .prototypes =
            "Prototypes are the pairs p+ and p- of a machine for each kernel. Explanations of the prototypes "
            "2 f and 2 f + 1 of all kernels sum to decision f. Features are the bounded decisions of each "
            "kernel's machine.",
        .task = Task::classification,
        .parameters = std::move(parameters),
        .train = train_ensemble,
        .weighs_kernels = true};
}

}  // namespace dk
