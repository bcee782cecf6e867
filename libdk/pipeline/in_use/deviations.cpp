// SPDX-License-Identifier: Apache-2.0
//
// Kernel ridge regression finds the mean of a Gaussian process f with the covariance k, which is observed at
// the training rows with noise of the variance 1 / C. With G = (K + I / C)^-1 the variance that is left at a
// row x is
//
//     v(x) = k(x, x) - k_x' G k_x,
//
// and with an offset of which nothing was known before, for u = 1 - 1'G k_x, it is v(x) + u^2 / (1'G 1).
//
//     book           code
//     sigma_n^2      1 / RidgeEquations::cost
//     K + sigma^2 I  RidgeFactor
//     k_*            columns of `values`
//
// C. Rasmussen, C. Williams, Gaussian processes for machine learning, 2006, equations 2.26 and 2.42.
#include "pipeline/in_use/deviations.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "model/kernel_expansion.hpp"
#include "model/predicted_values.hpp"
#include "model/ridge/ridge_equations.hpp"
#include "solve/squares/ridge_factor.hpp"

namespace dk {

namespace {

constexpr Index rows_at_once = 256;
/// So many rows are solved for together, also where they are fewer, so that bits are those of any other call.
constexpr Index solved_at_once = 16;

RidgeEquations required_equations(const Model& model) {
    if (model.task != "regression")
        fail(Status::unsupported, "machine ", model.machine,
             " predicts no values that could deviate; deviations are of kernel_ridge");
    if (const auto equations = ridge_equations(model)) return *equations;
    fail(Status::unsupported, "machine ", model.machine,
         " has no deviations as it was trained; they are of kernel_ridge with coefficients for all rows "
         "(solver=exact) and without sample weights");
}

std::shared_ptr<const RidgeFactor> factor_of(const Model& model, const Dataset& rows, double cost,
                                             Control& control) {
    if (model.factor) return model.factor;
    return model.factor_at_need->get([&] {
        const auto n = static_cast<double>(rows.rows());
        control.memory().require(8 * 3 * n * n,
                                 text("the kernel matrix of ", rows.rows(), " rows and its factor"));
        LargeMatrix gram(rows.rows(), rows.rows());
        GramEngine<double>(model.predictor->kernel(), rows, rows, &control).matrices(gram.data(), control);
        return std::make_shared<const RidgeFactor>(factor_with_ridge(gram.view(), 1 / cost, control),
                                                   control);
    });
}

}  // namespace

std::vector<double> deviations(const Model& model, const Dataset& data, Control& control) {
    const RidgeEquations equations = required_equations(model);
    const Dataset& rows = dynamic_cast<const KernelExpansion&>(*model.predictor).learned().support;
    const Dataset prepared = prepared_rows(model, data, control);
    const auto factor = factor_of(model, rows, equations.cost, control);
    const GramEngine<double> engine(model.predictor->kernel(), prepared, rows, &control);
    const std::vector<double> self = engine.self(Side::left);
    Matrix ones = Matrix::Ones(rows.rows(), 1);
    if (equations.offset) factor->solve(ones, control);
    const double precision = ones.sum();  // 1'G 1
    std::vector<double> found;
    for (Index first = 0; first < prepared.rows(); first += rows_at_once) {
        control.check(static_cast<double>(first) / static_cast<double>(prepared.rows()));
        const ProgressHold hold(control);
        std::vector<Index> some(std::min(rows_at_once, prepared.rows() - first));
        std::iota(some.begin(), some.end(), first);
        Matrix values(std::ssize(some), rows.rows());
        engine.rows_of(some, values.data(), control);
        for (Index begin = 0; begin < values.rows(); begin += solved_at_once) {
            const Index count = std::min(solved_at_once, values.rows() - begin);
            Matrix solved = Matrix::Zero(rows.rows(), solved_at_once);  // G k_x in each column
            solved.leftCols(count) = values.middleRows(begin, count).transpose();
            factor->solve(solved, control);
            for (Index c = 0; c < count; ++c) {
                const Index i = begin + c;
                double variance = self[first + i] - values.row(i).dot(solved.col(c));
                if (equations.offset) variance += std::pow(1 - solved.col(c).sum(), 2) / precision;
                found.push_back(std::sqrt(std::max(variance, 0.0)));
            }
        }
    }
    require_finite_results(found, 1);
    return found;
}

}  // namespace dk
