// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/prototype_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "data/split.hpp"

namespace dk {

namespace {

SuperSparseTargets rows_of(const SuperSparseTargets& targets, const std::vector<Index>& rows) {
    SuperSparseTargets out{.values = {}, .functions = targets.functions, .row_weights = {}};
    double sum = 0;
    for (const Index i : rows) {
        const auto first = targets.values.begin() + i * targets.functions;
        out.values.insert(out.values.end(), first, first + targets.functions);
        out.row_weights.push_back(targets.row_weights[i]);
        sum += out.row_weights.back();
    }
    for (double& u : out.row_weights) u /= std::max(sum, 1e-300);
    return out;
}

/// The prototypes with the largest weights.
Dataset heaviest(const SuperSparseSolution& solution, Index count, Index functions) {
    std::vector<double> sizes;
    for (Index j = 0; j < solution.points.rows(); ++j) {
        double squares = 0;
        for (Index c = 0; c < functions; ++c) {
            const double w = solution.weights[j * functions + c];
            squares += w * w;
        }
        sizes.push_back(squares);
    }
    std::vector<Index> order(sizes.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](Index j) { return sizes[j]; });
    order.resize(count);
    std::ranges::sort(order);
    return solution.points.select(order);
}

}  // namespace

PrototypeChoice choose_prototypes(const KernelPointer& kernel, const Dataset& data,
                                  const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                  double rho, Control& control) {
    constexpr Index folds = 3;
    if (data.rows() < 2 * folds)
        fail(Status::invalid_data, "choose_prototypes needs ", 2 * folds, " rows; there are ", data.rows());
    PrototypeChoice choice;
    std::vector<Index> numbers;
    for (Index m = options.prototypes; m >= 1; m = std::min(m - 1, m * 3 / 4)) numbers.push_back(m);
    choice.errors.assign(numbers.size(), 0.0);
    const auto fold_of = stratified_folds(data, std::min(folds, data.rows()), options.seed);
    for (Index fold = 0; fold < folds; ++fold) {
        const ProgressScope scope(control, 1.0 * fold / folds, 1.0 * (fold + 1) / folds,
                                  "number of prototypes");
        const auto training = rows_of_fold(fold_of, fold, false);
        const auto held_out = rows_of_fold(fold_of, fold, true);
        if (held_out.empty()) continue;
        const Dataset rows = data.select(training);
        const Dataset others = data.select(held_out);
        const SuperSparseTargets known = rows_of(targets, training);
        const SuperSparseTargets judged = rows_of(targets, held_out);
        SuperSparseSolution solution = fit_super_sparse(kernel, rows, known, options, control);
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            if (numbers[k] < solution.points.rows()) {
                const Dataset start = heaviest(solution, numbers[k], targets.functions);
                solution = fit_super_sparse(kernel, rows, known, options, control, &start);
            }
            choice.errors[k] += super_sparse_error(kernel, others, judged, solution, control) / folds;
        }
    }
    const double price = rho > 0 ? rho : 0.01 * choice.errors.front();
    double least = std::numeric_limits<double>::infinity();
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
