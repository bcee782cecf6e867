// SPDX-License-Identifier: Apache-2.0
//
// The number m of prototypes is chosen by the program (8),
//
//     min over m of   L(m) + rho m,
//
// where L(m) is the error on held-out rows, here the mean over three folds, or two where the rows have but
// two groups: the share of rows whose class is missed, or the mean absolute error of a regression. Folds are
// of the rows as they were given, and judged by their true labels: the teacher and the noisy copies of a fold
// know its training rows alone. A teacher of all rows would have seen those held out, and copies would stand
// on both sides, which makes large m look good. Each fold learns the largest number of prototypes, then
// leaves out those with the smallest weights and learns on with the others, until the smallest number is
// reached.
//
//     letter     name
//     m          numbers
//     L(m)       choice.errors
//     rho        rho, or price where it is 0
//
// A. Demontis, M. Melis, B. Biggio, G. Fumera, F. Roli, Super-sparse learning in similarity spaces, IEEE
// Computational Intelligence Magazine 11, 2016.
#include "machine/super_sparse/prototype_choice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "data/split.hpp"

namespace dk {

namespace {

/// Selects the prototypes with the largest weights.
SuperSparseSolution heaviest(const SuperSparseSolution& solution, Index count) {
    const Vector sizes = solution.beta().rowwise().squaredNorm();
    std::vector<Index> order(solution.points.rows());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](Index j) { return sizes(j); });
    order.resize(count);
    std::ranges::sort(order);
    SuperSparseSolution start{.points = solution.points.select(order)};
    for (const Index j : order) start.training_ids.push_back(solution.training_ids[j]);
    return start;
}

/// Counts errors of classes, or sums absolute errors of a regression, over rows with known labels.
double sum_of_errors(const Dataset& rows, const Matrix& decisions, DecisionRule rule) {
    double sum = 0;
    for (Index i = 0; i < rows.rows(); ++i) {
        const Eigen::RowVectorXd g = decisions.row(i);
        if (rule == DecisionRule::regression) {
            sum += std::abs(g[0] - rows.targets[i]);
            continue;
        }
        const Index elected = rule == DecisionRule::binary
                                  ? static_cast<Index>(g[0] > 0)
                                  : first_largest({g.data(), static_cast<std::size_t>(g.size())});
        sum += elected == rows.labels->of_rows[i] ? 0 : 1;
    }
    return sum;
}

/// Throws where a fold's training rows lack a class, which then has no function.
void require_all_classes(const Dataset& rows) {
    if (!rows.labels) return;
    std::vector<char> present(rows.labels->classes(), 0);
    for (const Index c : rows.labels->of_rows) present[c] = 1;
    const Index missing = std::ranges::find(present, 0) - present.begin();
    if (missing < std::ssize(present))
        fail(Status::invalid_data, "choose_prototypes needs every class in every fold; class ",
             rows.labels->class_name(missing), " has too few rows or groups");
}

}  // namespace

std::vector<Index> PrototypeChoice::path() const {
    std::vector<Index> path;
    for (const double number : numbers) {
        if (number >= static_cast<double>(prototypes)) path.push_back(static_cast<Index>(number));
    }
    return path;
}

SuperSparseSolution fit_along(const KernelPointer& kernel, const Dataset& rows,
                              const SuperSparseTargets& targets, const SuperSparseOptions& options,
                              std::span<const Index> numbers,
                              const std::function<void(std::size_t, const SuperSparseSolution&)>& see,
                              Control& control) {
    SuperSparseOptions largest = options;
    largest.prototypes = numbers.front();
    SuperSparseSolution solution = fit_super_sparse(kernel, rows, targets, largest, control);
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        if (numbers[k] < solution.points.rows()) {
            const SuperSparseSolution start = heaviest(solution, numbers[k]);
            solution = fit_super_sparse(kernel, rows, targets, options, control, &start);
        }
        if (see) see(k, solution);
    }
    return solution;
}

PrototypeChoice choose_prototypes(const TrainingProblem& problem, const LessonMaker& lesson_of,
                                  DecisionRule rule, const SuperSparseOptions& options, double rho) {
    constexpr Index most = 3;
    const Dataset& data = problem.data;
    Control& control = problem.control;
    if (data.rows() < 2 * most)
        fail(Status::invalid_data, "choose_prototypes needs ", 2 * most, " rows; there are ", data.rows());
    const Index folds = std::min(most, most_folds(data));
    if (folds < 2)
        fail(Status::invalid_data, "choose_prototypes needs rows of at least 2 groups; all are of one");
    PrototypeChoice choice;
    std::vector<Index> numbers;
    for (Index m = options.prototypes; m >= 1; m = std::min(m - 1, m * 3 / 4)) numbers.push_back(m);
    choice.numbers.assign(numbers.begin(), numbers.end());
    choice.errors.assign(numbers.size(), 0.0);
    const auto fold_of = stratified_folds(data, folds, options.seed);
    for (Index fold = 0; fold < folds; ++fold) {
        const ProgressScope scope(control, 1.0 * fold / folds, 1.0 * (fold + 1) / folds,
                                  "number of prototypes");
        const Dataset known = data.select(rows_of_fold(fold_of, fold, false));
        const Dataset held_out = data.select(rows_of_fold(fold_of, fold, true));
        if (held_out.rows() == 0) continue;
        require_all_classes(known);
        const SuperSparseLesson lesson = lesson_of(known, control);
        const Dataset rows = learning_rows(problem.kernel, lesson.rows, control);
        const Dataset judged = learning_rows(problem.kernel, held_out, control);
        const auto judge = [&](std::size_t k, const SuperSparseSolution& solution) {
            const Matrix g = super_sparse_decisions(problem.kernel, judged, solution, control);
            choice.errors[k] += sum_of_errors(held_out, g, rule) / static_cast<double>(data.rows());
        };
        fit_along(problem.kernel, rows, lesson.targets, options, numbers, judge, control);
    }
    const double price = rho > 0 ? rho : 0.01 * choice.errors.front();
    double least = infinity;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        const double cost = choice.errors[k] + price * choice.numbers[k];
        if (cost <= least) {  // Of equal costs the smaller number is taken.
            least = cost;
            choice.prototypes = numbers[k];
        }
    }
    return choice;
}

}  // namespace dk
