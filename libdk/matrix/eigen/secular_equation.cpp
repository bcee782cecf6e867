// SPDX-License-Identifier: Apache-2.0
//
// The secular equation f(lambda) = 1 / rho + sum_i z_i^2 / (d_i - lambda) = 0 of the eigenvalues of
// D + rho z z'. Between two poles f rises from minus to plus infinity. The root is sought as an offset x from
// the nearer of its two poles. Each step replaces f by c + s / (d_j - x) + S / (d_{j+1} - x), which has f's
// value and slope at x, and takes the root of that: with the weight of the nearer pole as it is, or, where
// that is slow, with each side's sum replaced by its own pole (the middle way). A bracket makes it safe.
//
//   d, z, rho       poles, z, rho
//   psi, phi        the sums over the poles left and right of the root
//   Delta_j, Delta_{j+1} = left_gap, right_gap: the distances of the two poles from x
//
// Li: Solving secular equations stably and efficiently, LAPACK working note 89, 1993. Gu, Eisenstat: A
// divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem, SIAM J. Matrix Anal. Appl. 16,
// 1995.
#include "matrix/eigen/secular_equation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "matrix/eigen/secular_sums.hpp"

namespace dk {

namespace {

constexpr int most_root_steps = 200;  // bisection alone takes fewer; five are usual

/// The root of c x^2 - a x + b = 0 that lies between the two poles of the model, computed without
/// cancellation.
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
          // the last root lies in the first half of an interval that ends at a pole of no weight
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
            if (next <= low_ || next >= high_) return {pole_, x_};  // no number lies between
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

    /// The sign of f in the middle of the interval tells the nearer pole, and what the other terms add up to
    /// there bounds the offset from below. The first offset is that of f with these terms constant.
    void choose_pole() {
        const double middle = 0.5 * width_;
        const double beyond = middle * (1 + 4 * std::numeric_limits<double>::epsilon());
        pole_ = j_;
        evaluate(middle);
        const double others = f_ + left_weight() / middle;  // than the left pole's
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

    double bisected() const {
        const double near = std::min(std::abs(low_), std::abs(high_));
        const double far = std::max(std::abs(low_), std::abs(high_));
        const double size = far > 4 * near ? std::sqrt(near) * std::sqrt(far) : 0.5 * (near + far);
        return std::clamp(pole_ == j_ ? size : -size, low_, high_);
    }

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
    double width_;  // of the interval between the two poles

    Index pole_ = 0;  // offsets count from it
    double x_ = 0;
    double low_ = 0;
    double high_ = 0;
    SecularSum left_{};
    SecularSum right_{};
    double f_ = 0;
    double previous_ = infinity;
    bool middle_way_ = false;
    int slow_ = 0;
};

}  // namespace

SecularRoot secular_root(const ConstVectorRef& poles, const ConstVectorRef& z, double rho, Index j) {
    return RootSearch(poles, z, rho, j).run();
}

}  // namespace dk
