// SPDX-License-Identifier: Apache-2.0
#include "solve/nonnegative_pursuit.hpp"

#include <algorithm>
#include <cmath>

namespace dk {

namespace {

/// The factor L of a matrix of few rows, grown by one row at a time.
class SmallCholesky {
  public:
    void clear() { rows_.clear(); }

    /// Appends a row of the matrix: its elements with the rows before, and its diagonal. Gives what is left
    /// of the diagonal; the row is taken only where that exceeds `least`.
    double append(std::vector<double> row, double diagonal, double least) {
        double left = diagonal;
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            for (std::size_t k = 0; k < r; ++k) row[r] -= rows_[r][k] * row[k];
            row[r] /= rows_[r][r];
            left -= row[r] * row[r];
        }
        if (!(left > least)) return left;
        row.push_back(std::sqrt(left));
        rows_.push_back(std::move(row));
        return left;
    }

    std::vector<double> solve(std::vector<double> b) const {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            for (std::size_t k = 0; k < r; ++k) b[r] -= rows_[r][k] * b[k];
            b[r] /= rows_[r][r];
        }
        for (std::size_t r = rows_.size(); r-- > 0;) {
            for (std::size_t k = r + 1; k < rows_.size(); ++k) b[r] -= rows_[k][r] * b[k];
            b[r] /= rows_[r][r];
        }
        return b;
    }

  private:
    std::vector<std::vector<double>> rows_;
};

class Pursuit {
  public:
    Pursuit(const double* matrix, Index size, std::span<const double> linear, Index most)
        : matrix_(matrix),
          size_(size),
          linear_(linear),
          most_(most),
          gradient_(linear.begin(), linear.end()) {
        double largest = 0;
        for (Index j = 0; j < size; ++j) largest = std::max(largest, element(j, j));
        out_.resize(unsigned_of(size));
        for (Index j = 0; j < size; ++j) out_[unsigned_of(j)] = !(element(j, j) > 1e-14 * largest);
        for (const double c : linear) scale_ = std::max(scale_, std::abs(c));
    }

    PursuitSolution run() {
        const Index limit = 10 * most_ + 50;
        for (Index turn = 0; turn < limit && size_of(now_.support) < most_; ++turn) {
            const Index j = steepest();
            if (j < 0) break;
            if (is_dependent(j)) {
                out_[unsigned_of(j)] = 1;
                continue;
            }
            const PursuitSolution before = now_;
            now_.support.push_back(j);
            now_.values.push_back(0);
            solve_chosen();
            now_.objective = objective();
            if (!(now_.objective < before.objective)) {
                now_ = before;
                out_[unsigned_of(j)] = 1;
                continue;
            }
            renew_gradient();
        }
        return std::move(now_);
    }

  private:
    double element(Index i, Index j) const { return matrix_[i * size_ + j]; }

    bool is_chosen(Index j) const { return std::ranges::find(now_.support, j) != now_.support.end(); }

    Index steepest() const {
        Index best = -1;
        double least = -1e-9 * scale_;
        for (Index j = 0; j < size_; ++j) {
            if (gradient_[unsigned_of(j)] >= least || out_[unsigned_of(j)] != 0 || is_chosen(j)) continue;
            least = gradient_[unsigned_of(j)];
            best = j;
        }
        return best;
    }

    std::vector<double> elements_with(Index j, std::size_t count) const {
        std::vector<double> row(count);
        for (std::size_t s = 0; s < count; ++s) row[s] = element(j, now_.support[s]);
        return row;
    }

    void factor_chosen() {
        factor_.clear();
        for (std::size_t s = 0; s < now_.support.size(); ++s) {
            const Index i = now_.support[s];
            factor_.append(elements_with(i, s), element(i, i), 0);
        }
    }

    bool is_dependent(Index j) {
        if (now_.support.empty()) return false;
        factor_chosen();
        const double least = 1e-10 * element(j, j);
        return !(factor_.append(elements_with(j, now_.support.size()), element(j, j), least) > least);
    }

    /// The exact solution over the chosen, of which those leave that would become negative.
    void solve_chosen() {
        while (!now_.support.empty()) {
            factor_chosen();
            std::vector<double> right;
            for (const Index i : now_.support) right.push_back(-linear_[unsigned_of(i)]);
            const std::vector<double> target = factor_.solve(std::move(right));
            if (std::ranges::all_of(target, [](double v) { return v > 0; })) {
                now_.values = target;
                return;
            }
            double step = 1;
            for (std::size_t s = 0; s < target.size(); ++s) {
                const double x = now_.values[s];
                if (target[s] <= 0) step = std::min(step, x > target[s] ? x / (x - target[s]) : 0.0);
            }
            const std::size_t before = now_.support.size();
            move_and_drop(target, step);
            if (now_.support.size() < before) continue;
            now_ = {};  // the matrix is not positive semidefinite: the turn is undone
        }
    }

    void move_and_drop(const std::vector<double>& target, double step) {
        std::vector<Index> support;
        std::vector<double> values;
        for (std::size_t s = 0; s < target.size(); ++s) {
            const double x = now_.values[s];
            const bool blocks = target[s] <= 0 && (x > target[s] ? x / (x - target[s]) : 0.0) <= step;
            if (blocks) continue;
            support.push_back(now_.support[s]);
            values.push_back(x + step * (target[s] - x));
        }
        now_.support = std::move(support);
        now_.values = std::move(values);
    }

    double objective() const {
        double sum = 0;
        for (std::size_t s = 0; s < now_.support.size(); ++s) {
            double product = 0;
            for (std::size_t t = 0; t < now_.support.size(); ++t)
                product += element(now_.support[s], now_.support[t]) * now_.values[t];
            sum += now_.values[s] * (0.5 * product + linear_[unsigned_of(now_.support[s])]);
        }
        return sum;
    }

    void renew_gradient() {
        std::ranges::copy(linear_, gradient_.begin());
        for (std::size_t s = 0; s < now_.support.size(); ++s) {
            const double* row = matrix_ + now_.support[s] * size_;
            const double value = now_.values[s];
            for (Index j = 0; j < size_; ++j) gradient_[unsigned_of(j)] += value * row[j];
        }
    }

    const double* matrix_;
    Index size_;
    std::span<const double> linear_;
    Index most_;
    double scale_ = 0;
    std::vector<double> gradient_;
    std::vector<char> out_;  // cannot be chosen
    SmallCholesky factor_;
    PursuitSolution now_;
};

}  // namespace

PursuitSolution nonnegative_pursuit(const double* matrix, Index size, std::span<const double> linear,
                                    Index most) {
    return Pursuit(matrix, size, linear, std::min(most, size)).run();
}

}  // namespace dk
