// SPDX-License-Identifier: Apache-2.0
//
// Kernel ridge regression finds the mean of a Gaussian process f with the covariance k, which is observed at
// the training rows with noise of the variance 1 / C. With G = (K + I / C)^-1 the variance that is left at a
// row x is
//
//     v(x) = k(x, x) - k_x' G k_x = k(x, x) - |L^-1 k_x|^2,   L L' = K + I / C,
//
// and with an offset of which nothing was known before, for u = 1 - 1'G k_x, it is v(x) + u^2 / (1'G 1).
//
//     book           code
//     sigma_n^2      1 / RidgeEquations::cost
//     K + sigma^2 I  RidgeFactor
//     k_*, L^-1 k_*  rows of `values`, columns of `solved`
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
constexpr Index solved_at_once = 64;

RidgeEquations required_equations(const Model& model) {
    if (model.task != "regression")
        fail(Status::unsupported, "machine ", model.machine,
             " predicts no values that could deviate; deviations are of kernel_ridge");
    if (model.kind == DataKind::gram || model.predictor->kernel()->asks_caller())
        fail(Status::unsupported,
             "deviations ask for the similarities of training rows to each other, which a model of "
             "the caller's similarities does not keep");
    if (const auto equations = ridge_equations(model)) return *equations;
    fail(Status::unsupported, "machine ", model.machine,
         " has no deviations as it was trained; they are of kernel_ridge that keeps all rows it learned from "
         "(solver=exact), and whose rows have no sample weights");
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

/// What is left to deviate at rows whose kernel values with the training rows are given, rows x training
/// rows.
class PosteriorVariances {
  public:
    PosteriorVariances(const RidgeFactor& factor, bool offset, Control& control)
        : factor_(factor), offset_(offset), control_(control) {
        if (!offset) return;
        Matrix ones = Matrix::Zero(factor.rows(), solved_at_once);
        ones.col(0).setOnes();
        factor.solve_lower(ones, control);
        of_ones_ = ones.col(0);
    }

    /// Appends the deviations of the rows, of which k(x, x) are given.
    void append(const Matrix& values, std::span<const double> self, std::vector<double>& deviations) const {
        for (Index begin = 0; begin < values.rows(); begin += solved_at_once) {
            const Index count = std::min(solved_at_once, values.rows() - begin);
            Matrix solved = Matrix::Zero(factor_.rows(), solved_at_once);
            solved.leftCols(count) = values.middleRows(begin, count).transpose();
            factor_.solve_lower(solved, control_);
            for (Index c = 0; c < count; ++c) {
                const Vector of_row = solved.col(c);
                double variance = self[begin + c] - of_row.squaredNorm();
                if (offset_) variance += std::pow(1 - of_ones_.dot(of_row), 2) / of_ones_.squaredNorm();
                deviations.push_back(std::sqrt(std::max(variance, 0.0)));
            }
        }
    }

  private:
    const RidgeFactor& factor_;
    bool offset_;
    Control& control_;
    Vector of_ones_;  // L^-1 1, whose square is 1'G 1
};

}  // namespace

std::vector<double> deviations(const Model& model, const Dataset& data, Control& control) {
    const RidgeEquations equations = required_equations(model);
    const Dataset& rows = dynamic_cast<const KernelExpansion&>(*model.predictor).learned().support;
    const Dataset prepared = prepared_rows(model, data, control);
    const Index n = prepared.rows();
    const double columns = static_cast<double>(std::min(rows_at_once, n) + 2 * solved_at_once);
    control.memory().require(8 * columns * static_cast<double>(rows.rows()),
                             text("deviations by ", rows.rows(), " rows"));
    const auto factor = factor_of(model, rows, equations.cost, control);
    const PosteriorVariances variances(*factor, equations.offset, control);
    const GramEngine<double> engine(model.predictor->kernel(), prepared, rows, &control);
    const std::vector<double> self = engine.self(Side::left);
    std::vector<double> found;
    for (Index first = 0; first < n; first += rows_at_once) {
        control.check(static_cast<double>(first) / static_cast<double>(n));
        const ProgressHold hold(control);
        std::vector<Index> some(std::min(rows_at_once, n - first));
        std::iota(some.begin(), some.end(), first);
        Matrix values(std::ssize(some), rows.rows());
        engine.rows_of(some, values.data(), control);
        variances.append(values, std::span(self).subspan(first, some.size()), found);
    }
    require_finite_results(found, 1);
    return found;
}

}  // namespace dk
