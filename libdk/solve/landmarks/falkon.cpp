// SPDX-License-Identifier: Apache-2.0
// FALKON solves, for n rows, M landmarks and lambda = ridge / n,
//
//     (K_nM' K_nM + lambda n K_MM) alpha = K_nM' Y
//
// by conjugate gradients on the preconditioned system B' (K_nM' K_nM + lambda n K_MM) B beta = B' K_nM' Y
// with alpha = B beta. The preconditioner replaces K_nM' K_nM by its estimate from the landmarks alone:
//
//     B = 1/sqrt(n) T^-1 A^-1,   T'T = K_MM,   A'A = T T' / M + lambda I,   T and A upper triangular.
//
// Where K_nM' K_nM is given, it takes the place of its estimate: A'A = T^-T K_nM' K_nM T^-1 / n + lambda I.
// That would solve the system at once, but for the rounding of K_nM' K_nM, which T^-1 magnifies in directions
// in which the landmarks hardly differ. So T'T = K_MM + jitter I has a jitter that keeps it below lambda, and
// two or three steps do the rest.
//
//     paper         code
//     K_nM' K_nM v  problem.normal_product(v)
//     K_nM' K_nM    problem.square(square, right)
//     K_nM' Y       problem.right(out)
//     K_MM          problem.landmark_gram
//     lambda        lambda_
//     T', A'        Preconditioner::t_, Preconditioner::a_ (lower triangular)
//     beta, alpha   `coefficients` during the steps, and at the end
//
// Reference: Rudi, Carratino, Rosasco, FALKON: an optimal large scale kernel method, NIPS 2017.
#include "solve/landmarks/falkon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"

namespace dk {

namespace {

/// A Preconditioner holds the triangular factors of the preconditioner, and multiplies a matrix by their
/// inverses in place.
class Preconditioner {
  public:
    Preconditioner(const LandmarkRidge& problem, double lambda, Control& control)
        : m_(problem.landmarks()),
          lambda_(lambda),
          largest_(problem.landmark_gram.diagonal().maxCoeff()),
          control_(control),
          large_jitter_(problem.square && jitter_for_square() <= most_jitter * largest_),
          t_(factor_of_landmarks(problem)),
          a_(m_, m_) {
        if (large_jitter_ && factor_of_square(problem)) return;
        LargeMatrix upper(m_, m_);  // T
        parallel_for_rows(m_, m_, control, [&](Index i) {
            for (Index j = 0; j < m_; ++j) upper(i, j) = j >= i ? t_(j, i) : 0;
        });
        outer_product(upper.view(), a_.view(), control);
        a_.view() /= m_;
        if (!factor_a())
            fail(Status::numerical,
                 "the landmarks' matrix is too close to singular; lower C or the landmarks");
    }

    /// Gives K_nM' Y where it came with the square, and nothing elsewhere.
    const Matrix& right() const { return right_; }
    /// Tells whether T'T has a jitter that the system shall not have.
    bool has_large_jitter() const { return large_jitter_; }
    /// Multiplies v by A^-1.
    void apply_inverse_a(Matrix& v) { solve_lower_transposed(a_.view(), v, control_); }
    /// Multiplies v by A^-T.
    void apply_inverse_a_transposed(Matrix& v) { solve_lower(a_.view(), v, control_); }
    /// Multiplies v by T^-1.
    void apply_inverse_t(Matrix& v) { solve_lower_transposed(t_.view(), v, control_); }
    /// Multiplies v by T^-T.
    void apply_inverse_t_transposed(Matrix& v) { solve_lower(t_.view(), v, control_); }

  private:
    /// With a larger jitter, as a share of K_MM's diagonal, the preconditioner would be that of another
    /// matrix.
    static constexpr double most_jitter = 1e-6;
    static constexpr double rounding = std::numeric_limits<double>::epsilon();

    /// Gives the jitter with which the rounding of K_nM' K_nM stays a tenth of lambda.
    double jitter_for_square() const {
        return 10 * rounding * std::sqrt(double(m_)) * largest_ * largest_ / lambda_;
    }

    /// Gives T' with T'T = K_MM + jitter I. The jitter is that for the square, where it has a factor with it.
    /// Else it begins at the rounding of K_MM, and grows while there is no factor.
    LargeMatrix factor_of_landmarks(const LandmarkRidge& problem) {
        LargeMatrix factor(m_, m_);
        const auto has_factor = [&](double jitter) {
            parallel_for_rows(m_, m_, control_,
                              [&](Index i) { factor.view().row(i) = problem.landmark_gram.row(i); });
            factor.view().diagonal().array() += jitter;
            return cholesky_factor(factor.view(), control_);
        };
        const double least = rounding * m_ * largest_;
        if (large_jitter_ && has_factor(std::max(least, jitter_for_square()))) return factor;
        large_jitter_ = false;
        double jitter = least;
        for (int attempt = 0; attempt < 8; ++attempt) {
            if (has_factor(jitter)) return factor;
            jitter *= 10;
        }
        fail(Status::numerical, "the kernel is not positive semidefinite on the landmarks");
    }

    /// Makes A of K_nM' K_nM; gives false where that has no factor.
    bool factor_of_square(const LandmarkRidge& problem) {
        LargeMatrix square(m_, m_);
        {
            const ProgressHold hold(control_);
            right_ = Matrix(m_, problem.columns);
            problem.square(square.view(), right_);
        }
        solve_lower(t_.view(), square.view(), control_);
        a_.view() = square.view().transpose() / problem.rows;
        solve_lower(t_.view(), a_.view(), control_);
        return factor_a();
    }

    /// Adds lambda I to A'A, which it replaces by its factor.
    bool factor_a() {
        a_.view().diagonal().array() += lambda_;
        return cholesky_factor(a_.view(), control_);
    }

    Index m_;
    double lambda_;
    double largest_;
    Control& control_;
    bool large_jitter_;
    Matrix right_ = {};
    LargeMatrix t_;
    LargeMatrix a_;
};

using Columns = Eigen::RowVectorXd;  // one number for each column of the targets

/// Gives the dot products of the columns of two matrices.
Columns column_products(const Matrix& a, const Matrix& b) {
    return a.cwiseProduct(b).colwise().sum();
}

/// Gives a / b, and 0 where b is not positive, because such a column has converged.
Columns ratios(const Columns& a, const Columns& b) {
    return (b.array() > 0).select(a.array() / b.array(), 0.0);
}

class Falkon {
  public:
    Falkon(const LandmarkRidge& problem, Control& control)
        : problem_(problem),
          control_(control),
          lambda_(problem.ridge / problem.rows),
          preconditioner_(problem, lambda_, control) {}

    /// Runs conjugate gradients on all columns together; each column has step lengths of its own.
    LandmarkRidgeSolution solve() {
        Matrix residual = right_side();
        Matrix direction = residual;
        Columns squares = column_products(residual, residual);
        const Columns first = squares;
        LandmarkRidgeSolution solution;
        solution.coefficients = Matrix::Zero(problem_.landmarks(), problem_.columns);
        while (true) {
            solution.residual = std::sqrt(ratios(squares, first).maxCoeff());
            solution.converged = solution.residual <= problem_.tolerance;
            if (solution.converged || solution.iterations == problem_.most_iterations) break;
            control_.check(1.0 * solution.iterations++ / problem_.most_iterations);
            const Matrix image = apply(direction);
            const Columns lengths = ratios(squares, column_products(direction, image));
            solution.coefficients += direction * lengths.asDiagonal();
            residual -= image * lengths.asDiagonal();
            const Columns renewed = column_products(residual, residual);
            direction = residual + direction * ratios(renewed, squares).asDiagonal();
            squares = renewed;
        }
        preconditioner_.apply_inverse_a(solution.coefficients);
        preconditioner_.apply_inverse_t(solution.coefficients);
        return solution;
    }

  private:
    /// Gives the right side A^-T T^-T K_nM' Y / n. This is B' K_nM' Y / sqrt(n), so that alpha is T^-1 A^-1
    /// beta without the factor 1/sqrt(n) of B.
    Matrix right_side() {
        Matrix out = preconditioner_.right();
        if (out.size() == 0) {
            out = Matrix(problem_.landmarks(), problem_.columns);
            problem_.right(out);
        }
        out /= problem_.rows;
        preconditioner_.apply_inverse_t_transposed(out);
        preconditioner_.apply_inverse_a_transposed(out);
        return out;
    }

    /// Multiplies u by the matrix of the preconditioned system: A^-T (T^-T K_nM' K_nM T^-1 / n + lambda I)
    /// A^-1 u. Where the jitter of T is large, T^-T K_MM T^-1 takes the place of I.
    Matrix apply(const Matrix& u) {
        Matrix v = u;
        preconditioner_.apply_inverse_a(v);
        Matrix w = v;
        preconditioner_.apply_inverse_t(w);
        Matrix penalty = Matrix::Zero(w.rows(), w.cols());
        if (preconditioner_.has_large_jitter())
            multiply(problem_.landmark_gram, w, penalty, Into::assign, control_);
        const ProgressHold hold(control_);
        Matrix image(w.rows(), w.cols());
        problem_.normal_product(w, image);
        w = image / problem_.rows + lambda_ * penalty;
        preconditioner_.apply_inverse_t_transposed(w);
        if (!preconditioner_.has_large_jitter()) w += lambda_ * v;
        preconditioner_.apply_inverse_a_transposed(w);
        return w;
    }

    const LandmarkRidge& problem_;
    Control& control_;
    double lambda_;
    Preconditioner preconditioner_;
};

}  // namespace

LandmarkRidgeSolution solve_landmark_ridge(const LandmarkRidge& problem, Control& control) {
    return Falkon(problem, control).solve();
}

}  // namespace dk
