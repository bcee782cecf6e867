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
// constraint g_r'u >= h_r has one or two terms. Mehrotra's interior-point method solves it, with the slack
// s = G u - h and multipliers z, both above 0, from u0, where every slack is 1 / m. A step solves
//
//     (H + G' diag(z / s) G) du = -r - G' (complement / s),   H = 2 (Z'Z + ...),   r = H u + q - G' z,
//     ds = G du,   dz = -(complement + z ds) / s,
//
// first for complement = s z, and then for s z + ds dz - sigma mean(s z), where sigma is the cube of the
// share of s'z that the first step would leave. Norms other than 1 and 2 are reweighted squares.
//
//     letter       name
//     u, s, z      u, slack, multipliers
//     G, h         constraints
//
// S. Mehrotra, On the implementation of a primal-dual interior point method, SIAM Journal on Optimization 2,
// 1992; D. T. Anderson, S. R. Price, T. C. Havens, Regularization-based learning of the Choquet integral,
// FUZZ-IEEE 2014.
#include "solve/fuzzy/choquet_fit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "matrix/cholesky.hpp"

namespace dk {

namespace {

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

/// The constraints G u >= h, whose rows have one or two terms.
class MonotoneConstraints {
  public:
    explicit MonotoneConstraints(Index sources) : all_(monotone_constraints(sources)) {}

    Index count() const { return std::ssize(all_); }
    /// Computes G u.
    Vector times(const Vector& u) const {
        Vector product(count());
        for (Index r = 0; r < count(); ++r) product[r] = at(u, all_[r].upper) - at(u, all_[r].lower);
        return product;
    }
    Vector bounds() const {
        Vector h(count());
        for (Index r = 0; r < count(); ++r) h[r] = all_[r].bound;
        return h;
    }
    /// Computes G' x for so many unknowns.
    Vector transposed_times(const Vector& x, Index unknowns) const {
        Vector product = Vector::Zero(unknowns);
        for (Index r = 0; r < count(); ++r) {
            if (all_[r].upper >= 0) product[all_[r].upper] += x[r];
            if (all_[r].lower >= 0) product[all_[r].lower] -= x[r];
        }
        return product;
    }
    /// Adds G' diag(weights) G to the lower half of a matrix.
    void add_square(const Vector& weights, Matrix& square) const {
        for (Index r = 0; r < count(); ++r) {
            const auto [upper, lower, bound] = all_[r];
            if (upper >= 0) square(upper, upper) += weights[r];
            if (lower >= 0) square(lower, lower) += weights[r];
            if (upper >= 0 && lower >= 0)
                square(std::max(upper, lower), std::min(upper, lower)) -= weights[r];
        }
    }

  private:
    static double at(const Vector& u, Index place) { return place < 0 ? 0 : u[place]; }

    std::vector<MonotoneConstraint> all_;
};

/// How far a positive vector may go along a direction until an element vanishes, and 1 at most.
double longest_step(const Vector& x, const Vector& direction) {
    double step = 1;
    for (Index r = 0; r < x.size(); ++r) {
        if (direction[r] < 0) step = std::min(step, -x[r] / direction[r]);
    }
    return step;
}

struct InteriorSolution {
    Vector u;
    std::int64_t steps = 0;
    bool converged = false;
};

/// Minimises 1/2 u'H u + q'u within the constraints, from a point that is strictly within them.
InteriorSolution solve_interior(const Matrix& H, const Vector& q, const MonotoneConstraints& constraints,
                                Vector u, Control& control) {
    constexpr std::int64_t most_steps = 100;
    constexpr double enough = 1e-15;  // of s'z, relative to the objective's size
    constexpr double kept_away = 0.995;
    const Index n = u.size();
    Vector slack = constraints.times(u) - constraints.bounds();
    const double scale = 1 + std::abs(q.dot(u)) + u.dot(H * u);
    Vector multipliers = (scale / static_cast<double>(slack.size())) * slack.cwiseInverse();
    InteriorSolution solution;
    for (; solution.steps < most_steps; ++solution.steps) {
        control.check();
        const Vector r = H * u + q - constraints.transposed_times(multipliers, n);
        const double gap = slack.dot(multipliers);
        solution.converged = gap <= enough * scale && r.cwiseAbs().maxCoeff() <= 1e-10 * scale;
        if (solution.converged) break;
        Matrix system = H;
        constraints.add_square(multipliers.cwiseQuotient(slack), system);
        if (!cholesky_factor(system, control)) break;
        Vector du;
        Vector ds;
        Vector dz;
        const auto find_step = [&](const Vector& complement) {
            du = constraints.transposed_times(complement.cwiseQuotient(slack), n);
            du = -r - du;
            cholesky_solve(system, du, control);
            ds = constraints.times(du);
            dz = -(complement + multipliers.cwiseProduct(ds)).cwiseQuotient(slack);
        };
        const Vector products = slack.cwiseProduct(multipliers);
        find_step(products);
        const double first = std::min(longest_step(slack, ds), longest_step(multipliers, dz));
        const double left = (slack + first * ds).dot(multipliers + first * dz);
        const double sigma = std::pow(std::max(left, 0.0) / gap, 3);
        const double aim = sigma * gap / static_cast<double>(slack.size());
        find_step((products + ds.cwiseProduct(dz)).array() - aim);
        const double step = kept_away * std::min(longest_step(slack, ds), longest_step(multipliers, dz));
        // Where rounding leaves nothing to gain, the point is as near as it gets.
        if (!(step > 1e-8) || !du.allFinite() || !dz.allFinite()) break;
        u += step * du;
        multipliers += step * dz;
        // The slack is computed anew, so that its rounding does not add up.
        slack = (constraints.times(u) - constraints.bounds()).cwiseMax(1e-300);
    }
    solution.u = std::move(u);
    return solution;
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
    const MonotoneConstraints constraints(m);
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
        const InteriorSolution solved = solve_interior(H, q, constraints, shares, control);
        fit.converged = solved.converged;
        fit.steps += solved.steps;
        u = solved.u;
    }
    fit.violation = std::max(0.0, (constraints.bounds() - constraints.times(u)).maxCoeff());
    fit.converged = fit.converged && fit.violation <= 1e-9;
    for (Index j = 0; j < unknowns; ++j) fit.measure.worth[j + 1] = u[j];
    make_monotone(fit.measure);
    const Eigen::Map<const Vector> mended(fit.measure.worth.data() + 1, unknowns);
    fit.error = (mended.dot(sums.squares * mended) - 2 * mended.dot(sums.products) + sums.constant) /
                static_cast<double>(F.rows());
    return fit;
}

}  // namespace dk
