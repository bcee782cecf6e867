// SPDX-License-Identifier: Apache-2.0
// This file solves the lasso by coordinate descent,
//
//     min over beta of   P(beta) = 1/2 |y - S beta|^2 + lambda |beta|_1.
//
// The columns of S and y have no mean, and their elements are multiplied by sqrt(u_i). With u_i = 1 / n it is
// the usual min over beta, b of |y - S beta - 1 b|^2 / (2 n) + lambda |beta|_1. In turn each weight takes the
// value that is best for the present others,
//
//     z = S_j' r + a_j beta_j,   beta_j <- sign(z) max(|z| - lambda, 0) / a_j,   r = y - S beta,
//
// where a_j = |S_j|^2. The weights that are not zero take turns until they hardly move, then all do. Every
// theta with |S' theta|_inf <= lambda bounds the least value of P from below by
//
//     D(theta) = 1/2 |y|^2 - 1/2 |theta - y|^2,   here with   theta = r min(1, lambda / |S' r|_inf),
//
// and learning ends when the gap P - D is small beside |y|^2 / 2.
//
// Where columns are nearly alike, sweeps creep. So from time to time all weights that are not zero, A, take
// Newton's step for as long as no sign changes, along which P falls too; a weight that becomes zero leaves A,
// and the others take another step,
//
//     d = (S_A' S_A)^-1 (S_A' r - lambda sign(beta_A)),
//     beta_A <- beta_A + t d,   t = min(d' (S_A' r - lambda sign(beta_A)) / |S_A d|^2, the first change).
//
//     symbol     code
//     S_j, y     row j of columns_, targets_
//     a_j        squares_
//     beta, r    beta_, residual_
//     A, S_A, d  face, S, step
//
// References: R. Tibshirani, Regression shrinkage and selection via the lasso, JRSS B 58, 1996; J. Friedman,
// T. Hastie, R. Tibshirani, Regularization paths for generalized linear models via coordinate descent,
// Journal of Statistical Software 33, 2010 (coordinate descent, the path); O. Fercoq, A. Gramfort, J. Salmon,
// Mind the duality gap: safer rules for the lasso, ICML 2015 (theta).
#include "solve/squares/lasso.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr std::int64_t sweep_limit = 10000;  // for one lambda
constexpr std::int64_t sweeps_between_steps = 5;
/// What moves so little, in shares of |y|^2, is rounding.
constexpr double lost_in_rounding = 1e-28;
constexpr Index path_steps = 100;
constexpr double path_end = 1e-3;

/// Computes S_j' v of all columns.
Vector products_with(const ConstMatrixView& columns, const Vector& v, Control& control) {
    Vector out(columns.rows());
    constexpr Index at_once = 32;
    const ProgressHold hold(control);
    parallel_for((out.size() + at_once - 1) / at_once, 1.0 * columns.size(), control, [&](Index block) {
        const Index first = block * at_once;
        const Index count = std::min(at_once, out.size() - first);
        multiply_vector(columns.middleRows(first, count), v, out.segment(first, count));
    });
    return out;
}

double inner_product(const ConstMatrixView& columns, Index j, const Vector& v) {
    double out = 0;
    multiply_vector(columns.middleRows(j, 1), v, Eigen::Map<Vector>(&out, 1));
    return out;
}

}  // namespace

Lasso::Lasso(const CentredColumns& centred, Index function, double tolerance)
    : columns_(centred.columns.view()),
      targets_(centred.targets.row(function)),
      tolerance_(tolerance),
      scale_(targets_.squaredNorm()),
      squares_(columns_.rowwise().squaredNorm()),
      beta_(Vector::Zero(centred.count())),
      residual_(targets_) {}

/// Gives beta_j its best value and returns a_j times the square of its change, which is by how much at least
/// the objective fell, twice.
double Lasso::renew(Index j, double lambda) {
    const double a = squares_[j];
    if (!(a > 0)) return 0;
    const double before = beta_[j];
    const double z = inner_product(columns_, j, residual_) + a * before;
    const double after = std::copysign(std::max(std::abs(z) - lambda, 0.0), z) / a;
    if (after == before) return 0;
    beta_[j] = after;
    residual_ -= (after - before) * columns_.row(j).transpose();
    return a * (after - before) * (after - before);
}

double Lasso::sweep_all(double lambda, Control& control) {
    Polls polls(control, 1 + (Index{1} << 20U) / (1 + targets_.size()));
    double moved = 0;
    for (Index j = 0; j < beta_.size(); ++j) {
        moved = std::max(moved, renew(j, lambda));
        polls.step();
    }
    ++sweeps_;
    return moved;
}

double Lasso::sweep_support(double lambda, Control& control) {
    Polls polls(control, 1 + (Index{1} << 20U) / (1 + targets_.size()));
    double moved = 0;
    for (Index j = 0; j < beta_.size(); ++j) {
        if (beta_[j] == 0) continue;
        moved = std::max(moved, renew(j, lambda));
        polls.step();
    }
    ++sweeps_;
    return moved;
}

/// Takes Newton's steps on the face of the weights that are not zero. A weight that would change its sign
/// becomes zero and leaves the face, on which the next step goes on.
void Lasso::step_on_face(double lambda, Control& control) {
    std::vector<Index> support;
    for (Index j = 0; j < beta_.size(); ++j) {
        if (beta_[j] != 0) support.push_back(j);
    }
    const Index count = std::ssize(support);
    if (count == 0) return;
    const Matrix S = columns_(support, Eigen::all);
    Matrix square(count, count);
    const ProgressHold hold(control);
    outer_product(S, square, control);
    const double jitter = 1e-12 * square.trace() / count;  // Columns may depend on each other.
    const Vector start = beta_(support);
    Vector slope =
        products_with(view(S.data(), count, S.cols()), residual_, control) - lambda * start.cwiseSign();
    Vector weights = start;
    std::vector<Index> face(count);
    std::iota(face.begin(), face.end(), Index{0});
    while (!face.empty()) {
        control.check();
        Matrix factor = square(face, face);
        factor.diagonal().array() += jitter;
        if (!cholesky_factor(factor, control)) break;
        Vector on_face = slope(face);
        cholesky_solve(factor, on_face, control);
        Vector step = Vector::Zero(count);
        step(face) = on_face;
        Vector change(count);
        multiply_vector(square, step, change);
        double length = step.dot(slope) / step.dot(change);
        if (!(length > 0) || !std::isfinite(length)) break;
        Index first_change = -1;
        for (Index a = 0; a < std::ssize(face); ++a) {
            const double limit = -weights[face[a]] / step[face[a]];
            if (!(limit > 0 && limit <= length)) continue;
            length = limit;
            first_change = a;
        }
        weights += length * step;
        slope -= length * change;
        if (first_change < 0) break;
        weights[face[first_change]] = 0;
        face.erase(face.begin() + first_change);
    }
    beta_(support) = weights;
    Vector moved = Vector::Zero(residual_.size());
    add_transposed_product(S, weights - start, moved);
    residual_ -= moved;
}

/// Lets the weights that are not zero take turns until none moves much.
void Lasso::settle_support(double lambda, double enough, std::int64_t limit, Control& control) {
    for (std::int64_t sweep = 1; sweeps_ < limit; ++sweep) {
        control.check();
        if (sweep_support(lambda, control) <= enough) return;
        if (sweep % sweeps_between_steps == 0) step_on_face(lambda, control);
    }
}

double Lasso::gap_of(double lambda, Control& control) const {
    const double steepest = products_with(columns_, residual_, control).cwiseAbs().maxCoeff();
    const double shrink = steepest > lambda ? lambda / steepest : 1.0;
    const double objective = 0.5 * residual_.squaredNorm() + lambda * beta_.lpNorm<1>();
    const double bound = 0.5 * scale_ - 0.5 * (shrink * residual_ - targets_).squaredNorm();
    return objective - bound;
}

const Vector& Lasso::solve(double lambda, Control& control) {
    const std::int64_t limit = sweeps_ + sweep_limit;
    double enough = std::max(0.01 * tolerance_, lost_in_rounding) * scale_;
    while (true) {
        const double moved = sweep_all(lambda, control);
        gap_ = gap_of(lambda, control);
        if (gap_ <= 0.5 * tolerance_ * scale_ || moved <= lost_in_rounding * scale_) break;
        if (sweeps_ >= limit) {
            converged_ = false;
            break;
        }
        settle_support(lambda, enough, limit, control);
        // Small steps of many weights may add up to more than the gap allows, so that they go on then.
        enough = std::max(0.1 * enough, lost_in_rounding * scale_);
    }
    return beta_;
}

double largest_lasso_lambda(const CentredColumns& centred, Control& control) {
    double largest = 0;
    for (Index c = 0; c < centred.functions(); ++c) {
        const Vector products = products_with(centred.columns.view(), centred.targets.row(c), control);
        largest = std::max(largest, products.cwiseAbs().maxCoeff());
    }
    return largest;
}

std::vector<double> lasso_path(double largest) {
    std::vector<double> lambdas;
    for (Index step = 0; step < path_steps; ++step)
        lambdas.push_back(largest * std::pow(path_end, 1.0 * step / (path_steps - 1)));
    return lambdas;
}

}  // namespace dk
