// SPDX-License-Identifier: Apache-2.0
#include "solve/falkon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "solve/cholesky.hpp"

namespace dk {

namespace {

/// B = 1/sqrt(n) T^-1 A^-1 with T'T = K_MM and A'A = T T' / M + lambda I, by the lower factors T' and A'.
class Preconditioner {
  public:
    Preconditioner(const LandmarkRidge& problem, double lambda, Control& control)
        : m_(problem.landmarks), columns_(problem.columns), control_(control) {
        landmarks_ = factor_of_landmarks(problem);
        mean_ = LargeArray<double>(m_ * m_);
        // T T' = (T')' T': the products of the columns of the lower factor
        LargeArray<double> upper(m_ * m_);
        parallel_for(m_, control, [&](Index i) {
            for (Index j = 0; j < m_; ++j)
                upper[unsigned_of(i * m_ + j)] = j >= i ? landmarks_[unsigned_of(j * m_ + i)] : 0;
        });
        outer_product(upper.data(), m_, m_, mean_.data(), control);
        for (Index i = 0; i < m_; ++i) {
            for (Index j = 0; j < m_; ++j) mean_[unsigned_of(i * m_ + j)] /= static_cast<double>(m_);
            mean_[unsigned_of(i * m_ + i)] += lambda;
        }
        if (!cholesky_factor(mean_.data(), m_, control))
            fail(Status::numerical,
                 "the landmarks' matrix is too close to singular; lower C or the landmarks");
    }

    void inverse_mean(std::vector<double>& v) {
        solve_lower_transposed(mean_.data(), m_, v.data(), columns_, control_);
    }
    void inverse_mean_transposed(std::vector<double>& v) {
        solve_lower(mean_.data(), m_, v.data(), columns_, control_);
    }
    void inverse_landmarks(std::vector<double>& v) {
        solve_lower_transposed(landmarks_.data(), m_, v.data(), columns_, control_);
    }
    void inverse_landmarks_transposed(std::vector<double>& v) {
        solve_lower(landmarks_.data(), m_, v.data(), columns_, control_);
    }

  private:
    LargeArray<double> factor_of_landmarks(const LandmarkRidge& problem) {
        double largest = 0;
        for (Index i = 0; i < m_; ++i) largest = std::max(largest, problem.landmark_gram[i * m_ + i]);
        double jitter = std::numeric_limits<double>::epsilon() * static_cast<double>(m_) * largest;
        for (int attempt = 0; attempt < 8; ++attempt) {
            LargeArray<double> factor(m_ * m_);
            parallel_for(m_, control_, [&](Index i) {
                std::copy_n(problem.landmark_gram + i * m_, m_, factor.data() + i * m_);
            });
            for (Index i = 0; i < m_; ++i) factor[unsigned_of(i * m_ + i)] += jitter;
            if (cholesky_factor(factor.data(), m_, control_)) return factor;
            jitter *= 10;
        }
        fail(Status::numerical, "the kernel is not positive semidefinite on the landmarks");
    }

    Index m_;
    Index columns_;
    Control& control_;
    LargeArray<double> landmarks_;  // T', lower
    LargeArray<double> mean_;       // A', lower
};

/// Dot products of the columns of two matrices.
std::vector<double> column_products(const std::vector<double>& a, const std::vector<double>& b,
                                    Index columns) {
    std::vector<double> sums(unsigned_of(columns));
    for (std::size_t e = 0; e < a.size(); ++e) sums[e % sums.size()] += a[e] * b[e];
    return sums;
}

void add_scaled(std::vector<double>& out, const std::vector<double>& factors, const std::vector<double>& v) {
    for (std::size_t e = 0; e < out.size(); ++e) out[e] += factors[e % factors.size()] * v[e];
}

class Falkon {
  public:
    Falkon(const LandmarkRidge& problem, Control& control)
        : problem_(problem),
          control_(control),
          lambda_(problem.ridge / static_cast<double>(problem.rows)),
          preconditioner_(problem, lambda_, control),
          of_rows_(unsigned_of(problem.rows * problem.columns)) {}

    LandmarkRidgeSolution solve() {
        const std::size_t size = unsigned_of(problem_.landmarks * problem_.columns);
        LandmarkRidgeSolution solution;
        std::vector<double> residual = right_side();
        std::vector<double> direction = residual;
        solution.coefficients.assign(size, 0.0);
        std::vector<double> squares = column_products(residual, residual, problem_.columns);
        const std::vector<double> first = squares;
        while (true) {
            solution.residual = relative(squares, first);
            solution.converged = solution.residual <= problem_.tolerance;
            if (solution.converged || solution.iterations == problem_.most_iterations) break;
            control_.check(static_cast<double>(solution.iterations++) /
                           static_cast<double>(problem_.most_iterations));
            const std::vector<double> image = apply(direction);
            std::vector<double> lengths = column_products(direction, image, problem_.columns);
            for (std::size_t c = 0; c < lengths.size(); ++c)
                lengths[c] = lengths[c] > 0 ? squares[c] / lengths[c] : 0;
            add_scaled(solution.coefficients, lengths, direction);
            for (double& length : lengths) length = -length;
            add_scaled(residual, lengths, image);
            const std::vector<double> renewed = column_products(residual, residual, problem_.columns);
            std::vector<double> turns(renewed.size());
            for (std::size_t c = 0; c < turns.size(); ++c)
                turns[c] = squares[c] > 0 ? renewed[c] / squares[c] : 0;
            for (std::size_t e = 0; e < direction.size(); ++e)
                direction[e] = residual[e] + turns[e % turns.size()] * direction[e];
            squares = renewed;
        }
        preconditioner_.inverse_mean(solution.coefficients);
        preconditioner_.inverse_landmarks(solution.coefficients);
        return solution;
    }

  private:
    static double relative(const std::vector<double>& squares, const std::vector<double>& first) {
        double worst = 0;
        for (std::size_t c = 0; c < squares.size(); ++c)
            worst = std::max(worst, first[c] > 0 ? std::sqrt(squares[c] / first[c]) : 0.0);
        return worst;
    }

    std::vector<double> right_side() {
        std::vector<double> out(unsigned_of(problem_.landmarks * problem_.columns));
        problem_.transposed_product(problem_.targets.data(), out.data());
        for (double& v : out) v /= static_cast<double>(problem_.rows);
        preconditioner_.inverse_landmarks_transposed(out);
        preconditioner_.inverse_mean_transposed(out);
        return out;
    }

    /// A^-T (T^-T K_nM' K_nM T^-1 / n + lambda) A^-1 u
    std::vector<double> apply(const std::vector<double>& u) {
        std::vector<double> v = u;
        preconditioner_.inverse_mean(v);
        std::vector<double> w = v;
        preconditioner_.inverse_landmarks(w);
        const ProgressHold hold(control_);
        problem_.product(w.data(), of_rows_.data());
        problem_.transposed_product(of_rows_.data(), w.data());
        for (double& value : w) value /= static_cast<double>(problem_.rows);
        preconditioner_.inverse_landmarks_transposed(w);
        for (std::size_t e = 0; e < w.size(); ++e) w[e] += lambda_ * v[e];
        preconditioner_.inverse_mean_transposed(w);
        return w;
    }

    const LandmarkRidge& problem_;
    Control& control_;
    double lambda_;
    Preconditioner preconditioner_;
    std::vector<double> of_rows_;
};

}  // namespace

LandmarkRidgeSolution solve_landmark_ridge(const LandmarkRidge& problem, Control& control) {
    return Falkon(problem, control).solve();
}

}  // namespace dk
