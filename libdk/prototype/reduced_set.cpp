// SPDX-License-Identifier: Apache-2.0
//
// A function w = sum_i alpha_i phi(x_i) is replaced by w' = sum_j beta_j phi(z_j) of fewer vectors z_j, which
// need not be rows. One vector is found at a time. With the residual
//
//     f(z) = <w - w', phi(z)> = sum_i c_i k(a_i, z),   c = [alpha; -beta],   A = [X; Z],
//
// the next vector is the one that helps most alone,
//
//     max over z of   f(z)^2 / k(z, z),
//
// and then all weights are the best for the vectors so far, beta = (K_zz + 1e-10 diag K_zz)^-1 K_zx alpha.
// For the Gaussian kernel the maximum is a fixed point of
//
//     z <- sum_i c_i k(a_i, z) a_i / sum_i c_i k(a_i, z);
//
// for others, and where this leads nowhere, L-BFGS goes along the gradient
// 2 f grad f / k(z, z) - f^2 grad k(z, z) / k(z, z)^2. Both start
// at the five rows with the largest |f| and at five at random. With `polish` all vectors move at last, along
//
//     grad_j |w - w'|^2 = -2 beta_j grad f(z_j),   where beta is the best for these z.
//
//     letter      name
//     X, alpha    rows, alpha
//     Z, beta     found.points, found.weights
//     A, c        Residual::rows, Residual::weights
//
// C. J. C. Burges, Simplified support vector decision rules, ICML 1996; B. Schoelkopf, S. Mika, C. J. C.
// Burges, P. Knirsch, K.-R. Mueller, G. Raetsch, A. J. Smola, Input space versus feature space in
// kernel-based methods, IEEE Transactions on Neural Networks 10, 1999.
#include "prototype/reduced_set.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/product.hpp"
#include "prototype/dense_points.hpp"
#include "prototype/gaussian_fixed_point.hpp"
#include "prototype/support_selection.hpp"
#include "solve/smooth/lbfgs.hpp"

namespace dk {

namespace {

constexpr Index best_starts = 5;
constexpr Index random_starts = 5;
constexpr int most_steps = 200;
constexpr double nothing_left = 1e-12;  // of |w|^2, beside which the rounding of a gain is small

/// What w' lacks of w, as a function of a point.
struct Residual {
    Dataset rows;    // A
    Vector weights;  // c
};

Residual residual_of(const Dataset& rows, const Vector& alpha, const ReducedSet& found) {
    const DenseMatrix& X = rows.dense();
    Residual residual{Dataset(DenseMatrix()), Vector(alpha.size() + found.weights.size())};
    DenseMatrix A{X.rows + found.points.rows(), X.cols, X.values};
    A.values.insert(A.values.end(), found.points.data(), found.points.data() + found.points.size());
    residual.rows = Dataset(std::move(A));
    residual.weights << alpha, -found.weights;
    return residual;
}

/// An objective at a point and its gradient there.
struct Value {
    double objective = 0;
    Vector gradient = {};
};

/// Gradients of a kernel in points: its own, or central differences where it has none.
class KernelSlopes {
  public:
    KernelSlopes(const KernelPointer& kernel, const Vector& spreads) : kernel_(kernel), spreads_(spreads) {}

    /// Computes out(j, :) = sum_i coefficients(j, i) grad_z k(z_j, a_i) for points z, one a row.
    Matrix weighted(const Matrix& z, const PreparedRows<double>& a, const Matrix& coefficients,
                    Control& control) const {
        Matrix out(z.rows(), z.cols());
        if (kernel_->differentiable()) {
            const Dataset points = dense_points(z);
            GramEngine<double>(kernel_, points, a, &control)
                .gradient(coefficients.data(), out.data(), control);
            return out;
        }
        for_columns(z, [&](Index column, double h, const Dataset& moved) {
            Matrix K(moved.rows(), a.data().rows());
            GramEngine<double>(kernel_, moved, a, &control).matrices(K.data(), control);
            const auto change = K.topRows(z.rows()) - K.bottomRows(z.rows());
            out.col(column) = coefficients.cwiseProduct(change).rowwise().sum() / (2 * h);
        });
        return out;
    }

    /// Computes the gradient of k(z, z) in one point.
    Vector own(const Vector& z, Control& control) const {
        if (kernel_->constant_diagonal()) return Vector::Zero(z.size());
        Vector out(z.size());
        if (kernel_->differentiable()) {  // The gradient in one side is half of it.
            const Dataset point = dense_points(z.transpose());
            const Dataset twin = dense_points(z.transpose());
            const double two = 2;
            GramEngine<double>(kernel_, point, twin, &control).gradient(&two, out.data(), control);
            return out;
        }
        for_columns(z.transpose(), [&](Index column, double h, const Dataset& moved) {
            const auto self = GramEngine<double>(kernel_, moved, moved, &control).self(Side::left);
            out[column] = (self[0] - self[1]) / (2 * h);
        });
        return out;
    }

  private:
    /// Calls body(column, h, moved) for each column, where `moved` has all points h further along it, and
    /// behind them all points h less far.
    template <typename Body>
    void for_columns(const Matrix& z, const Body& body) const {
        for (Index column = 0; column < z.cols(); ++column) {
            const double h = 1e-5 * spreads_[column];
            Matrix both(2 * z.rows(), z.cols());
            both << z, z;
            both.col(column).head(z.rows()).array() += h;
            both.col(column).tail(z.rows()).array() -= h;
            body(column, h, dense_points(both));
        }
    }

    const KernelPointer& kernel_;
    const Vector& spreads_;
};

/// Computes -f(z)^2 / k(z, z).
Value value_at(const KernelPointer& kernel, const KernelSlopes& slopes, const Residual& residual,
               const PreparedRows<double>& prepared, const Vector& z, Control& control) {
    const Matrix one = z.transpose();
    const Dataset point = dense_points(one);
    const GramEngine<double> engine(kernel, point, prepared, &control);
    double f = 0;
    engine.product(residual.weights.data(), 1, &f, control);
    const double own = engine.self(Side::left).front();
    if (!(own > 0)) return {0, Vector::Zero(z.size())};
    const Vector slope =
        slopes.weighted(one, prepared, residual.weights.transpose(), control).transpose();  // grad f
    const Vector own_slope = slopes.own(z, control);
    return {-f * f / own, -2 * f / own * slope + f * f / (own * own) * own_slope};
}

/// Goes down from a point by L-BFGS, whose steps are halved until the objective falls enough (Armijo's rule).
/// A first step moves no coordinate by more than a tenth of its spread.
template <typename Objective>
Vector descend(Vector z, const Vector& spreads, const Objective& objective, Control& control) {
    LimitedMemory memory(10);
    Value now = objective(z);
    int idle = 0;
    for (int step = 0; step < most_steps && idle < 2; ++step) {
        control.check();
        const Vector direction = memory.direction(now.gradient);
        const double slope = direction.dot(now.gradient);
        double length = 1;
        if (memory.empty()) {
            const double largest = direction.cwiseQuotient(spreads).cwiseAbs().maxCoeff();
            if (!(largest > 0)) break;
            length = 0.1 / largest;
        }
        bool moved = false;
        for (int half = 0; half < 30 && slope < 0 && !moved; ++half) {
            const Vector tried = z + length * direction;
            Value there = objective(tried);
            const double promised = 1e-4 * length * slope;
            length *= 0.5;
            if (!(there.objective < now.objective + promised)) continue;
            memory.add(tried - z, there.gradient - now.gradient);
            const double fell = now.objective - there.objective;
            idle = fell < 1e-14 * std::abs(now.objective) ? idle + 1 : 0;
            z = tried;
            now = std::move(there);
            moved = true;
        }
        if (moved) continue;
        if (memory.empty()) break;
        memory.clear();  // The next direction is the plain gradient, which may still descend.
    }
    return z;
}

/// Chooses the rows where the search starts: those with the largest |f|, and some at random.
std::vector<Index> starts_of(const Vector& f, Random& random) {
    std::vector<Index> order(f.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, std::ranges::greater(), [&](Index i) { return std::abs(f[i]); });
    const Index best = std::min<Index>(best_starts, f.size());
    random.shuffle(std::span(order).subspan(best));
    order.resize(std::min<Index>(best + random_starts, f.size()));
    return order;
}

class ReducedSetSearch {
  public:
    ReducedSetSearch(const KernelPointer& kernel, const Dataset& rows, const Vector& alpha,
                     const ReducedSetOptions& options, Control& control)
        : kernel_(kernel), rows_(rows), alpha_(alpha), options_(options), control_(control) {
        spreads_ = column_spreads(rows, control);
        found_.points.resize(0, rows.cols());
        const Matrix K = kernel_values(kernel, rows, rows, control);
        semidefinite_spectrum(K, control);
        Vector image(alpha.size());
        multiply_vector(K, alpha, image);
        found_.squared_norm = alpha.dot(image);
    }

    ReducedSet run() {
        Random random(options_.seed);
        for (Index j = 0; j < options_.vectors; ++j) {
            control_.check(1.0 * j / options_.vectors);
            const ProgressHold hold(control_);
            if (!add_vector(random)) break;
        }
        if (options_.polish && found_.points.rows() > 0) polish();
        return std::move(found_);
    }

  private:
    /// Adds the vector that helps most; false where nothing helps.
    bool add_vector(Random& random) {
        const Residual residual = residual_of(rows_, alpha_, found_);
        const PreparedRows<double> prepared(*kernel_, residual.rows, control_);
        Vector f(rows_.rows());
        GramEngine<double>(kernel_, rows_, prepared, &control_)
            .product(residual.weights.data(), 1, f.data(), control_);
        const std::vector<Index> starts = starts_of(f, random);
        const bool gaussian = is_gaussian(*kernel_);
        std::vector<std::optional<Vector>> ends(starts.size());
        std::vector<double> gains(starts.size());
        parallel_for(std::ssize(starts), control_, [&](Index s) {
            Control own(Control::Part{}, control_);
            const auto row = rows_.dense().row(starts[s]);
            const Vector start = as_vector(row);
            const KernelSlopes slopes(kernel_, spreads_);
            const auto objective = [&](const Vector& z) {
                return value_at(kernel_, slopes, residual, prepared, z, own);
            };
            if (gaussian)
                ends[s] = gaussian_fixed_point(kernel_, prepared, residual.weights, start,
                                               {.most_steps = most_steps}, own);
            // The fixed point of weights of both signs may be nowhere, or worse than where it began.
            const bool found =
                ends[s] && ends[s]->allFinite() && objective(*ends[s]).objective < objective(start).objective;
            if (!found) ends[s] = descend(start, spreads_, objective, own);
            gains[s] = -objective(*ends[s]).objective;
        });
        const auto best = std::ranges::max_element(gains) - gains.begin();
        if (!(gains[best] > nothing_left * found_.squared_norm)) return false;
        Matrix points(found_.points.rows() + 1, found_.points.cols());
        points << found_.points, ends[best]->transpose();
        found_.left.push_back(solve_weights(points));
        return true;
    }

    /// Takes these points with their best weights, and gives what of |w|^2 is left. Of kernels without a
    /// constant diagonal some vectors may be much longer than others, so that each one's own length counts.
    double solve_weights(const Matrix& points) {
        const Dataset z = dense_points(points);
        const Matrix K = kernel_values(kernel_, z, z, control_);
        Vector wanted(points.rows());  // K_zx alpha
        GramEngine<double>(kernel_, z, rows_, &control_).product(alpha_.data(), 1, wanted.data(), control_);
        Matrix factor = K;
        factor.diagonal() *= 1 + 1e-10;
        if (!cholesky_factor(factor, control_))
            fail(Status::numerical, "the kernel is not positive semidefinite on ", points.rows(),
                 " reduced vectors; choose fewer prototypes, or another kernel");
        found_.points = points;
        found_.weights = wanted;
        cholesky_solve(factor, found_.weights, control_);
        const double changed = found_.weights.dot(K * found_.weights) - 2 * found_.weights.dot(wanted);
        return std::max(0.0, found_.squared_norm + changed);
    }

    /// Moves all vectors together.
    void polish() {
        const Index count = found_.points.rows();
        const Index cols = found_.points.cols();
        const Vector spreads = spreads_.replicate(count, 1);
        const auto objective = [&](const Vector& all) {
            const double left = solve_weights(view(all.data(), count, cols));
            const Residual residual = residual_of(rows_, alpha_, found_);
            const Matrix coefficients = -2 * found_.weights * residual.weights.transpose();
            const PreparedRows<double> prepared(*kernel_, residual.rows, control_);
            const Matrix gradient =
                KernelSlopes(kernel_, spreads_).weighted(found_.points, prepared, coefficients, control_);
            return Value{left, gradient.reshaped<Eigen::RowMajor>()};
        };
        const ProgressHold hold(control_);
        const Vector end = descend(found_.points.reshaped<Eigen::RowMajor>(), spreads, objective, control_);
        found_.left.push_back(solve_weights(view(end.data(), count, cols)));
    }

    const KernelPointer& kernel_;
    const Dataset& rows_;
    const Vector& alpha_;
    const ReducedSetOptions& options_;
    Control& control_;
    Vector spreads_;
    ReducedSet found_;
};

}  // namespace

void require_reducible(const Kernel& kernel, const Dataset& rows) {
    if (rows.kind() != DataKind::dense)
        fail(Status::unsupported, "reduced vectors are vectors that move, which kernel ", kernel.text(),
             " has not on ", name_of(rows.kind()),
             " data; machine selected_svm keeps support vectors instead");
}

ReducedSet reduced_set(const KernelPointer& kernel, const Dataset& rows, const Vector& alpha,
                       const ReducedSetOptions& options, Control& control) {
    require_reducible(*kernel, rows);
    ReducedSet found = ReducedSetSearch(kernel, rows, alpha, options, control).run();
    if (found.points.rows() == 0)
        fail(Status::numerical, "no vector comes nearer to the function than none, whose squared length is ",
             found.squared_norm);
    return found;
}

}  // namespace dk
