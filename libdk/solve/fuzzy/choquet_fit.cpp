// SPDX-License-Identifier: Apache-2.0
// With the values of each row in descending order v_1 >= ... >= v_m and the sets A_j of their first j
// sources, the Choquet integral is linear in the worth u(A) of the sets that are neither empty nor all,
//
//     C(i) = sum_{j < m} (v_j - v_{j+1}) u(A_j) + v_m,
//
// so that the measure of the least squared error solves the quadratic program
//
//     min over u   |Z u - t|^2 + lambda sum_A |u(A)|^p + delta |u - u0|^2,   t_i = y_i - v_m(i),
//     subject to   u(A + b) >= u(A),   u({k}) >= 0,   u(A) <= 1,
//
// with u0(A) = |A| / m. Sets at the head of no row leave Z'Z singular, for which delta is there. Each
// constraint g_r'u >= h_r has one or two terms. Hildreth's method goes up the dual one multiplier after the
// other, and keeps u = H^-1 (G'l - q) as it goes:
//
//     l_r <- max(0, l_r + (h_r - g_r'u) / M_rr),   M = G H^-1 G',   H = 2 (Z'Z + ...).
//
// Norms other than 1 and 2 are reweighted squares.
//
//     letter       name
//     u, l         worth_, multipliers_
//     H^-1         inverse_
//     G, h         constraints_
//
// C. Hildreth, A quadratic programming procedure, Naval Research Logistics Quarterly 4, 1957; D. T. Anderson,
// S. R. Price, T. C. Havens, Regularization-based learning of the Choquet integral, FUZZ-IEEE 2014.
#include "solve/fuzzy/choquet_fit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"
#include "matrix/cholesky.hpp"

namespace dk {

namespace {

constexpr std::int64_t most_fitting_sweeps = 20000;
constexpr double least_move =
    1e-11;  // No sweep moves the slack of a constraint by more than this at the end.
constexpr int reweighted_rounds = 20;

/// A constraint u(upper) - u(lower) >= bound, where -1 stands for no term.
struct MonotoneConstraint {
    Index upper;
    Index lower;
    double bound;
};

/// The position of a set among the unknowns: masks 1, 2, ..., all - 1.
constexpr Index place_of(std::size_t mask) {
    return static_cast<Index>(mask) - 1;
}

std::vector<MonotoneConstraint> monotone_constraints(Index sources) {
    std::vector<MonotoneConstraint> constraints;
    const std::size_t all = (std::size_t{1} << static_cast<std::size_t>(sources)) - 1;
    for (std::size_t mask = 1; mask < all; ++mask) {
        if (std::has_single_bit(mask)) constraints.push_back({place_of(mask), -1, 0});
        for (Index k = 0; k < sources; ++k) {
            const std::size_t larger = mask | (std::size_t{1} << static_cast<std::size_t>(k));
            if (larger == mask) continue;
            if (larger == all) {
                constraints.push_back({-1, place_of(mask), -1});
            } else {
                constraints.push_back({place_of(larger), place_of(mask), 0});
            }
        }
    }
    return constraints;
}

/// The sums Z'Z and Z't, and |t|^2.
struct NormalEquations {
    Matrix squares;
    Vector products;
    double constant = 0;
};

NormalEquations normal_equations(const ConstMatrixRef& F, const ConstVectorRef& targets, Index unknowns,
                                 Control& control) {
    NormalEquations sums{Matrix::Zero(unknowns, unknowns), Vector::Zero(unknowns)};
    const Index m = F.cols();
    std::vector<Index> places(m - 1);
    std::vector<double> differences(m - 1);
    std::vector<double> row(m);
    Polls polls(control);
    for (Index i = 0; i < F.rows(); ++i) {
        polls.step(m * m);
        for (Index k = 0; k < m; ++k) row[k] = F(i, k);
        const auto order = descending_order(row);
        std::size_t mask = 0;
        for (Index j = 0; j + 1 < m; ++j) {
            mask |= std::size_t{1} << static_cast<std::size_t>(order[j]);
            places[j] = place_of(mask);
            differences[j] = row[order[j]] - row[order[j + 1]];
        }
        const double t = targets[i] - row[order.back()];
        sums.constant += t * t;
        for (Index j = 0; j + 1 < m; ++j) {
            sums.products[places[j]] += differences[j] * t;
            for (Index l = 0; l + 1 < m; ++l)
                sums.squares(places[j], places[l]) += differences[j] * differences[l];
        }
    }
    return sums;
}

class HildrethMethod {
  public:
    HildrethMethod(const std::vector<MonotoneConstraint>& constraints, Matrix H, const Vector& q,
                   Control& control)
        : constraints_(constraints), control_(control), multipliers_(Vector::Zero(std::ssize(constraints))) {
        if (!cholesky_factor(H, control))
            fail(Status::numerical, "the decisions of the kernels leave their measure undetermined");
        const Index n = H.rows();
        inverse_ = Matrix::Identity(n, n);
        for (Index j = 0; j < n; ++j) {
            Vector column = inverse_.col(j);
            cholesky_solve(H, column, control);
            inverse_.col(j) = column;
        }
        worth_ = -(inverse_ * q);
    }

    /// Sweeps until nothing moves; false where that takes too long.
    bool run() {
        const Index size = std::ssize(constraints_) * worth_.size();
        Polls polls(control_);
        for (; sweeps_ < most_fitting_sweeps; ++sweeps_) {
            polls.step(size);
            double moved = 0;
            for (Index r = 0; r < multipliers_.size(); ++r) moved = std::max(moved, renew(r));
            if (moved <= least_move) return true;
        }
        return false;
    }

    const Vector& worth() const { return worth_; }
    std::int64_t sweeps() const { return sweeps_; }

  private:
    static double at(const Vector& u, Index place) { return place < 0 ? 0 : u[place]; }

    /// Renews one multiplier, and tells by how much the slack of its constraint changes.
    double renew(Index r) {
        const auto [upper, lower, bound] = constraints_[r];
        const double slack = at(worth_, upper) - at(worth_, lower) - bound;
        if (slack >= 0 && multipliers_[r] == 0) return 0;
        double curvature = 0;
        if (upper >= 0) curvature += inverse_(upper, upper);
        if (lower >= 0) curvature += inverse_(lower, lower);
        if (upper >= 0 && lower >= 0) curvature -= 2 * inverse_(upper, lower);
        const double after = std::max(0.0, multipliers_[r] - slack / curvature);
        const double step = after - multipliers_[r];
        multipliers_[r] = after;
        if (upper >= 0) worth_ += step * inverse_.row(upper).transpose();
        if (lower >= 0) worth_ -= step * inverse_.row(lower).transpose();
        return std::abs(step) * curvature;
    }

    const std::vector<MonotoneConstraint>& constraints_;
    Control& control_;
    Matrix inverse_;
    Vector worth_;
    Vector multipliers_;
    std::int64_t sweeps_ = 0;
};

double largest_violation(const std::vector<MonotoneConstraint>& constraints, const Vector& u) {
    double violation = 0;
    for (const auto& [upper, lower, bound] : constraints) {
        const double slack = (upper < 0 ? 0 : u[upper]) - (lower < 0 ? 0 : u[lower]) - bound;
        violation = std::max(violation, -slack);
    }
    return violation;
}

}  // namespace

ChoquetFit fit_choquet(const ConstMatrixRef& F, const ConstVectorRef& targets, const ChoquetPenalty& penalty,
                       Control& control) {
    const Index m = F.cols();
    ChoquetFit fit{.measure = {m, std::vector<double>(std::size_t{1} << static_cast<std::size_t>(m))}};
    fit.measure.worth.back() = 1;
    if (m == 1) {  // One source is worth all.
        fit.error = (F.col(0) - targets).squaredNorm() / static_cast<double>(F.rows());
        fit.converged = true;
        return fit;
    }
    const Index unknowns = static_cast<Index>(fit.measure.all()) - 1;
    const NormalEquations sums = normal_equations(F, targets, unknowns, control);
    Vector shares(unknowns);  // u0
    for (Index j = 0; j < unknowns; ++j)
        shares[j] = 1.0 * std::popcount(static_cast<std::size_t>(j) + 1) / static_cast<double>(m);
    const double delta =
        std::max(penalty.delta * sums.squares.trace() / static_cast<double>(unknowns), 1e-12);
    const auto constraints = monotone_constraints(m);
    Vector u = shares;
    const bool reweighted = penalty.lambda > 0 && penalty.p != 1 && penalty.p != 2;
    for (int round = 0; round < (reweighted ? reweighted_rounds : 1); ++round) {
        Matrix H = 2 * sums.squares;
        Vector q = -2 * sums.products - 2 * delta * shares;
        H.diagonal().array() += 2 * delta;
        if (penalty.p == 1) {
            q.array() += penalty.lambda;  // u is not negative.
        } else {
            H.diagonal().array() += penalty.p * penalty.lambda * u.array().max(1e-6).pow(penalty.p - 2);
        }
        HildrethMethod method(constraints, std::move(H), q, control);
        fit.converged = method.run();
        fit.sweeps += method.sweeps();
        u = method.worth();
    }
    fit.violation = largest_violation(constraints, u);
    fit.converged = fit.converged && fit.violation <= 1e-9;
    for (Index j = 0; j < unknowns; ++j) fit.measure.worth[j + 1] = u[j];
    make_monotone(fit.measure);
    const Eigen::Map<const Vector> mended(fit.measure.worth.data() + 1, unknowns);
    fit.error = (mended.dot(sums.squares * mended) - 2 * mended.dot(sums.products) + sums.constant) /
                static_cast<double>(F.rows());
    return fit;
}

}  // namespace dk
