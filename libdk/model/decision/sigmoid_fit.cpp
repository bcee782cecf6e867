// SPDX-License-Identifier: Apache-2.0
// The program is
//     min over A, B of sum_i c_i (t_i x_i + log(1 + exp(-x_i))),   x_i = A f_i + B,
// where p_i = 1 / (1 + exp(x_i)) is the probability of the positive side and
//     A, B      slope, offset
//     f_i, c_i  decision, weight
//     t_i       target: (N+ + 1) / (N+ + 2) of positive rows and 1 / (N- + 2) of others (Platt 1999, section
//               2.2), where N+ and N- are the weights of the sides. The weights are scaled to a mean of 1, so
//               that they say how much a row counts beside others and not how many rows there are.
#include "model/decision/sigmoid_fit.hpp"

#include <algorithm>
#include <cmath>

#include "base/types.hpp"

namespace dk {

namespace {

struct Term {
    double decision;
    double target;
    double weight;
};

class Likelihood {
  public:
    explicit Likelihood(std::span<const CalibrationRow> rows) {
        double sum = 0;
        for (const CalibrationRow& row : rows) sum += row.weight;
        const double scale = sum > 0 ? static_cast<double>(rows.size()) / sum : 0;
        for (const CalibrationRow& row : rows) (row.positive ? positives_ : negatives_) += scale * row.weight;
        terms_.reserve(rows.size());
        for (const CalibrationRow& row : rows)
            terms_.push_back({row.decision,
                              row.positive ? (positives_ + 1) / (positives_ + 2) : 1 / (negatives_ + 2),
                              scale * row.weight});
    }

    /// Gives the sigmoid that says the same of all rows.
    Sigmoid prior() const { return {0, std::log((negatives_ + 1) / (positives_ + 1))}; }

    /// Computes the program's value, in the form that does not overflow.
    double loss(const Sigmoid& s) const {
        double loss = 0;
        for (const Term& term : terms_) {
            const double x = s.slope * term.decision + s.offset;
            loss += term.weight * (x >= 0 ? term.target * x + std::log1p(std::exp(-x))
                                          : (term.target - 1) * x + std::log1p(std::exp(x)));
        }
        return loss;
    }

    struct Step {
        Sigmoid by;
        Sigmoid gradient;
    };
    /// Gives Newton's step from a sigmoid, with or without the slope.
    Step newton_step(const Sigmoid& s, bool with_slope) const {
        double h11 = 1e-12;  // This keeps the Hessian positive definite.
        double h22 = 1e-12;
        double h21 = 0;
        Sigmoid gradient;
        for (const Term& term : terms_) {
            const double f = with_slope ? term.decision : 0;
            const double p = probability_of_positive(s, term.decision);
            const double curvature = term.weight * p * (1 - p);
            const double error = term.weight * (term.target - p);
            h11 += f * f * curvature;
            h22 += curvature;
            h21 += f * curvature;
            gradient.slope += f * error;
            gradient.offset += error;
        }
        const double determinant = h11 * h22 - h21 * h21;
        return {{-(h22 * gradient.slope - h21 * gradient.offset) / determinant,
                 -(h11 * gradient.offset - h21 * gradient.slope) / determinant},
                gradient};
    }

    /// Takes Newton's steps from `best`, with or without the slope.
    Sigmoid minimise(Sigmoid best, bool with_slope) const {
        double least = loss(best);
        for (int iteration = 0; iteration < 100; ++iteration) {
            const auto [by, gradient] = newton_step(best, with_slope);
            if (std::abs(gradient.slope) < 1e-5 && std::abs(gradient.offset) < 1e-5) break;
            const double descent = gradient.slope * by.slope + gradient.offset * by.offset;
            double size = 1;
            bool smaller = false;
            while (!smaller && size >= 1e-10) {
                const Sigmoid candidate{best.slope + size * by.slope, best.offset + size * by.offset};
                const double candidate_loss = loss(candidate);
                smaller = candidate_loss < least + 1e-4 * size * descent;
                size /= 2;
                if (!smaller) continue;
                best = candidate;
                least = candidate_loss;
            }
            if (!smaller) break;
        }
        return best;
    }

  private:
    std::vector<Term> terms_;
    double positives_ = 0;
    double negatives_ = 0;
};

/// Gives the slope at which the log odds of decisions a root mean square apart differ by a hundredth.
double flattest_slope(std::span<const CalibrationRow> rows) {
    double squares = 0;
    for (const CalibrationRow& row : rows) squares += row.decision * row.decision;
    const double width = std::sqrt(squares / static_cast<double>(rows.size()));
    return width > 0 && std::isfinite(width) ? -0.01 / width : -0.01;
}

}  // namespace

double probability_of_positive(const Sigmoid& sigmoid, double decision) {
    const double x = sigmoid.slope * decision + sigmoid.offset;
    return x >= 0 ? std::exp(-x) / (1 + std::exp(-x)) : 1 / (1 + std::exp(x));
}

Sigmoid fit_sigmoid(std::span<const CalibrationRow> rows) {
    const Likelihood likelihood(rows);
    return likelihood.minimise(likelihood.prior(), true);
}

bool loses_order(const Sigmoid& sigmoid, std::span<const CalibrationRow> rows) {
    return sigmoid.slope > flattest_slope(rows);
}

Sigmoid flattest_sigmoid(std::span<const CalibrationRow> rows) {
    const Likelihood likelihood(rows);
    return likelihood.minimise({flattest_slope(rows), likelihood.prior().offset}, false);
}

bool keep_sides(Sigmoid& sigmoid, std::span<const CalibrationRow> rows) {
    double below = -infinity;  // the largest decision of a row on the negative side
    double above = infinity;
    for (const CalibrationRow& row : rows) {
        if (row.positive) {
            above = std::min(above, row.decision);
        } else {
            below = std::max(below, row.decision);
        }
    }
    const bool all_on_their_sides = below < above && below <= 0 && above >= 0;
    if (!all_on_their_sides || !std::isfinite(above - below)) return false;
    const double half = -sigmoid.offset / sigmoid.slope;
    const double margin = 0.01 * (above - below);
    const double kept = std::clamp(half, below + margin, above - margin);
    if (kept == half) return false;
    sigmoid.offset = -sigmoid.slope * kept;
    return true;
}

}  // namespace dk
