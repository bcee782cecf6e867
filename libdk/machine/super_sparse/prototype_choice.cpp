// SPDX-License-Identifier: Apache-2.0
//
// The number m of prototypes is chosen by the program (8),
//
//     min over m of   L(m) + rho m,
//
// where L(m) is the error on held-out rows, here the mean over three folds, or two where the rows have but
// two groups. Each fold learns the largest
// number of prototypes, then leaves out those with the smallest weights and learns on with the others, until
// the smallest number is reached.
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
#include <numeric>

#include "base/error.hpp"
#include "data/split.hpp"

namespace dk {

namespace {

/// Selects the targets of some rows, and divides the weights of these by their sum.
SuperSparseTargets targets_of_rows(const SuperSparseTargets& targets, const std::vector<Index>& rows) {
    const Matrix values = targets.Y()(rows, Eigen::all);
    Vector weights = as_vector(targets.row_weights)(rows);
    weights /= std::max(weights.sum(), 1e-300);
    return {.values = {values.data(), values.data() + values.size()},
            .functions = targets.functions,
            .row_weights = {weights.begin(), weights.end()}};
}

/// Selects the prototypes with the largest weights.
Dataset heaviest(const SuperSparseSolution& solution, Index count) {
    const Vector sizes = solution.beta().rowwise().squaredNorm();
    std::vector<Index> order(solution.points.rows());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](Index j) { return sizes(j); });
    order.resize(count);
    std::ranges::sort(order);
    return solution.points.select(order);
}

}  // namespace

PrototypeChoice choose_prototypes(const KernelPointer& kernel, const Dataset& data,
                                  const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                  double rho, Control& control) {
    constexpr Index most = 3;
    if (data.rows() < 2 * most)
        fail(Status::invalid_data, "choose_prototypes needs ", 2 * most, " rows; there are ", data.rows());
    const Index folds = std::min(most, most_folds(data));
    if (folds < 2)
        fail(Status::invalid_data, "choose_prototypes needs at least 2 groups of rows; there is 1");
    PrototypeChoice choice;
    std::vector<Index> numbers;
    for (Index m = options.prototypes; m >= 1; m = std::min(m - 1, m * 3 / 4)) numbers.push_back(m);
    choice.errors.assign(numbers.size(), 0.0);
    const auto fold_of = stratified_folds(data, folds, options.seed);
    for (Index fold = 0; fold < folds; ++fold) {
        const ProgressScope scope(control, 1.0 * fold / folds, 1.0 * (fold + 1) / folds,
                                  "number of prototypes");
        const auto training = rows_of_fold(fold_of, fold, false);
        const auto held_out = rows_of_fold(fold_of, fold, true);
        if (held_out.empty()) continue;
        const Dataset rows = data.select(training);
        const Dataset others = data.select(held_out);
        const SuperSparseTargets known = targets_of_rows(targets, training);
        const SuperSparseTargets judged = targets_of_rows(targets, held_out);
        SuperSparseSolution solution = fit_super_sparse(kernel, rows, known, options, control);
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            if (numbers[k] < solution.points.rows()) {
                const Dataset start = heaviest(solution, numbers[k]);
                solution = fit_super_sparse(kernel, rows, known, options, control, &start);
            }
            choice.errors[k] += super_sparse_error(kernel, others, judged, solution, control) / folds;
        }
    }
    const double price = rho > 0 ? rho : 0.01 * choice.errors.front();
    double least = infinity;
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        choice.numbers.push_back(numbers[k]);
        const double cost = choice.errors[k] + price * choice.numbers[k];
        if (cost < least) {
            least = cost;
            choice.prototypes = numbers[k];
        }
    }
    return choice;
}

}  // namespace dk
