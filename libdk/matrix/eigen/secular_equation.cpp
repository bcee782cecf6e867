// SPDX-License-Identifier: Apache-2.0
//
// The eigenvalues of D + rho z z' are the roots of the secular equation
//     f(lambda) = 1 / rho + sum_i z_i^2 / (d_i - lambda) = 0.
// Between two neighbouring poles d_j and d_{j+1}, f rises from minus to plus infinity, so that it has one
// root there. The search keeps lambda as an offset x from the pole that is nearer to the root, because the
// gaps d_i - lambda would cancel otherwise. Each step replaces f by c + s / (d_j - x) + S / (d_{j+1} - x),
// which has the value and the slope of f at the present x, and goes to the root of that. These are
// two conditions for the three numbers c, s and S. One of two rules gives the third. The fixed weight keeps
// z_i^2 as the numerator of the nearer pole. The middle way lets the first fraction have the slope of the sum
// over the poles on the left, and the second that of the sum on the right. The search changes between the two
// where a step brings little, and halves a bracket of the root where neither brings enough.
//
//   paper                  code
//   d, z                   poles_, z_
//   1 / rho                constant_
//   psi, phi               left_, right_: the sums over the poles left and right of the root
//   Delta_j, Delta_{j+1}   left_gap, right_gap: the distances of the two poles from x
//   c                      c in next_offset()
//
// Li: Solving secular equations stably and efficiently, University of California, Berkeley, 1993. Gu,
// Eisenstat: A divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem, SIAM J. Matrix Anal.
// Appl. 16, 1995.
#include "matrix/eigen/secular_equation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "matrix/eigen/secular_sums.hpp"

namespace dk {

namespace {

constexpr int most_root_steps = 200;  // bisection alone needs fewer steps; the search usually takes five

/// The root of c x^2 - a x + b = 0 that lies between the two poles of the function that replaces f, computed
/// without cancellation.
double quadratic_root(double a, double b, double c) {
    const double root = std::sqrt(std::abs(a * a - 4 * b * c));
    return a <= 0 ? (a - root) / (2 * c) : 2 * b / (a + root);
}

class RootSearch {
  public:
    RootSearch(const ConstVectorRef& poles, const ConstVectorRef& z, double rho, Index j)
        : poles_(poles),
          z_(z),
          constant_(1 / rho),
          j_(j),
          last_(j + 1 == poles.size()),
          // Behind the last pole a pole of weight 0 takes the place of d_{j+1}. It lies 2 rho |z|^2 away, and
          // the last root lies in the first half of this interval.
          width_(last_ ? 2 * rho * z.squaredNorm() : poles(j + 1) - poles(j)) {}

    SecularRoot run() {
        choose_pole();
        for (int step = 0; step < most_root_steps; ++step) {
            evaluate(x_);
            const double rounding =
                constant_ + 16 * (std::abs(left_.value) + std::abs(right_.value)) + std::abs(x_) * slope();
            if (std::abs(f_) <= 0.5 * std::numeric_limits<double>::epsilon() * rounding) return {pole_, x_};
            (f_ < 0 ? low_ : high_) = x_;
            const double next = next_offset();
            if (next <= low_ || next >= high_) return {pole_, x_};  // no number lies inside the bracket
            x_ = next;
        }
        fail(Status::numerical, "a root of the secular equation was not found in ", most_root_steps,
             " steps");
    }

  private:
    double slope() const { return left_.slope + right_.slope; }
    double left_gap(double x) const { return (pole_ == j_ ? 0 : -width_) - x; }
    double right_gap(double x) const { return (pole_ == j_ ? width_ : 0) - x; }
    double left_weight() const { return z_(j_) * z_(j_); }
    double right_weight() const { return last_ ? 0 : z_(j_ + 1) * z_(j_ + 1); }

    void evaluate(double x) {
        const double origin = poles_(pole_);
        const Index right = poles_.size() - j_ - 1;
        left_ = secular_sum(poles_.head(j_ + 1), z_.head(j_ + 1), origin, x);
        right_ = secular_sum(poles_.tail(right), z_.tail(right), origin, x);
        f_ = constant_ + left_.value + right_.value;
    }

    /// Chooses the pole that offsets count from, the first bracket and the first offset. The sign of f in the
    /// middle of the interval tells which pole is nearer to the root. The terms of the other poles, as they
    /// are in the middle, bound the size of the offset from below. The first offset is the root of f with the
    /// terms of all poles but the two held constant.
    void choose_pole() {
        const double middle = 0.5 * width_;
        const double beyond = middle * (1 + 4 * std::numeric_limits<double>::epsilon());
        pole_ = j_;
        evaluate(middle);
        const double others = f_ + left_weight() / middle;  // all terms but the left pole's
        const double rest = others - right_weight() / middle;
        const bool left = last_ || f_ >= 0;
        if (left) {
            high_ = beyond;
            low_ = std::clamp(0.5 * left_weight() / others, std::numeric_limits<double>::min(), middle);
        } else {
            pole_ = j_ + 1;
            const double others_right = right_weight() / middle - f_;
            low_ = -beyond;
            high_ =
                -std::clamp(0.5 * right_weight() / others_right, std::numeric_limits<double>::min(), middle);
        }
        const double sum = left_weight() + right_weight();
        x_ = left ? quadratic_root(rest * width_ + sum, left_weight() * width_, rest)
                  : quadratic_root(sum - rest * width_, -right_weight() * width_, rest);
        if (!(x_ > low_ && x_ < high_)) x_ = bisected();
    }

    /// An offset inside the bracket: its middle, or its geometric middle where its ends differ in size.
    double bisected() const {
        const double near = std::min(std::abs(low_), std::abs(high_));
        const double far = std::max(std::abs(low_), std::abs(high_));
        const double size = far > 4 * near ? std::sqrt(near) * std::sqrt(far) : 0.5 * (near + far);
        return std::clamp(pole_ == j_ ? size : -size, low_, high_);
    }

    /// The offset of the next step: the root of the function that replaces f at x_.
    double next_offset() {
        if (std::abs(f_) > 0.1 * previous_) {
            middle_way_ = !middle_way_;
            ++slow_;
        }
        previous_ = std::abs(f_);
        if (slow_ > 4) {
            slow_ = 0;
            return bisected();
        }
        const double p = left_gap(x_);
        const double q = right_gap(x_);
        double c = 0;
        if (middle_way_) {
            c = f_ - p * left_.slope - q * right_.slope;
        } else if (pole_ == j_) {
            c = f_ - q * slope() + (q - p) * (z_(j_) / p) * (z_(j_) / p);
        } else {
            c = f_ - p * slope() - (q - p) * (z_(j_ + 1) / q) * (z_(j_ + 1) / q);
        }
        const double next = x_ + quadratic_root((p + q) * f_ - p * q * slope(), p * q * f_, c);
        return next > low_ && next < high_ ? next : bisected();
    }

    const ConstVectorRef& poles_;
    const ConstVectorRef& z_;
    double constant_;
    Index j_;
    bool last_;
    double width_;  // the length of the interval between the two poles

    Index pole_ = 0;  // the pole from which offsets count
    double x_ = 0;    // the present offset
    double low_ = 0;  // the bracket: the root lies between low_ and high_
    double high_ = 0;
    SecularSum left_{};
    SecularSum right_{};
    double f_ = 0;
    double previous_ = infinity;  // |f| one step earlier
    bool middle_way_ = false;
    int slow_ = 0;  // counts the steps that did not make |f| ten times smaller
};

}  // namespace

SecularRoot secular_root(const ConstVectorRef& poles, const ConstVectorRef& z, double rho, Index j) {
    return RootSearch(poles, z, rho, j).run();
}

}  // namespace dk
