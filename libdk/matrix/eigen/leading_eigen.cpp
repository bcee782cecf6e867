// SPDX-License-Identifier: Apache-2.0
//
// This file solves A v = lambda v for the largest lambda of a symmetric A, by the block Lanczos method with
// restarts. Some vectors X span, with their products A X, ... A^(s-1) X, a Krylov space, of which Q is an
// orthonormal basis. The eigenpairs theta, u of the small matrix Q' A Q give the Ritz pairs theta, v = Q u,
// which are near to eigenpairs of A. The best Ritz vectors are the X of the next basis, until every
// A v - theta v is small.
//
//   paper        code
//   A            matrix
//   X_1          start, which has the vectors in its rows
//   Q', Q' A     vectors_, products_ of KrylovBasis
//   theta, v     values, vectors of the pairs
//   p            block, the number of vectors in X
//   s            powers
//
// Golub, Van Loan: Matrix computations, 4th edition, 2013, section 10.3.7. Here every vector is made
// orthogonal to all that come before it, and Q' A Q is computed whole instead of three blocks a row.
#include "matrix/eigen/leading_eigen.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

/// The decomposition of the whole matrix is less work where it has at most this many rows.
constexpr Index decomposed_rows = 400;
/// A block has this many vectors more than are asked for, with which restarts converge faster.
constexpr Index further_vectors = 8;
/// A Krylov space is spanned by X, A X, ... A^(powers - 1) X.
constexpr Index powers = 4;
constexpr int most_restarts = 30;
/// The largest |A v - theta v| that is allowed, as a share of the largest eigenvalue.
constexpr double residual_tolerance = 1e-8;

/// The `most` largest eigenpairs of a decomposition, the largest first, without those whose eigenvalue does
/// not exceed `floor`.
LeadingEigen largest_of(const SymmetricEigen& all, Index most, double floor) {
    const Index n = all.values.size();
    Index count = 0;
    while (count < std::min(most, n) && all.values(n - 1 - count) > floor) ++count;
    return {all.values.tail(count).reverse(), all.vectors.view().bottomRows(count).colwise().reverse()};
}

/// A basis of orthonormal vectors, each of them a row, which has the products of the matrix and the vectors.
class KrylovBasis {
  public:
    KrylovBasis(const ConstMatrixRef& matrix, Index most_vectors, Control& control)
        : matrix_(matrix),
          control_(control),
          vectors_(most_vectors, matrix.cols()),
          products_(most_vectors, matrix.cols()) {}

    Index size() const { return size_; }

    void clear() { size_ = 0; }

    /// Appends to the basis the part of each row that is orthogonal to it, to unit length; a row of the space
    /// that the basis spans adds nothing.
    void add(const ConstMatrixRef& rows) {
        const Index before = size_;
        for (Index i = 0; i < rows.rows(); ++i) {
            if (control_.stopping()) control_.check();
            vectors_.row(size_) = rows.row(i);
            if (orthonormalise(size_)) ++size_;
        }
        multiply_from(before);
    }

    /// The products of the matrix and the basis vectors from `first` on.
    auto products(Index first) const { return products_.middleRows(first, size_ - first); }

    /// The `count` Ritz pairs with the largest values, the largest first.
    LeadingEigen ritz_pairs(Index count) const {
        LargeMatrix projected(size_, size_);  // Q' A Q
        multiply_transposed(vectors_.topRows(size_), products(0), projected.view(), Into::assign, control_);
        const SymmetricEigen small = symmetric_eigen(std::move(projected), control_);
        const LeadingEigen leading = largest_of(small, count, -infinity);
        LeadingEigen pairs{leading.values, Matrix(leading.values.size(), vectors_.cols())};
        multiply(leading.vectors, vectors_.topRows(size_), pairs.vectors, Into::assign, control_);
        return pairs;
    }

  private:
    /// Makes row k orthogonal to those before it, and gives it unit length. The answer is false when nothing
    /// but rounding remains of the row.
    bool orthonormalise(Index k) {
        auto last = vectors_.row(k);
        const double before = last.norm();
        for (int pass = 0; pass < 2; ++pass) {  // the second pass removes the rounding errors of the first
            for (Index i = 0; i < k; ++i) last -= last.dot(vectors_.row(i)) * vectors_.row(i);
        }
        const double length = last.norm();
        if (!(length > 1e-10 * before)) return false;
        last /= length;
        return true;
    }

    void multiply_from(Index first) {
        const Index count = size_ - first;
        if (count == 0) return;
        multiply_transposed(vectors_.middleRows(first, count), matrix_, products_.middleRows(first, count),
                            Into::assign, control_);
    }

    const ConstMatrixRef& matrix_;
    Control& control_;
    Matrix vectors_;
    Matrix products_;
    Index size_ = 0;
};

Matrix random_rows(Index rows, Index n) {
    Random random(1);
    return Matrix::NullaryExpr(rows, n, [&] { return random.uniform() - 0.5; });
}

/// The largest |A v - theta v| of the first `most` pairs whose values exceed `floor`; `basis` holds the
/// pairs' vectors.
double largest_residual(const LeadingEigen& pairs, const KrylovBasis& basis, Index most, double floor) {
    double worst = 0;
    const auto products = basis.products(0);
    for (Index k = 0; k < std::min(most, basis.size()) && pairs.values(k) > floor; ++k)
        worst = std::max(worst, (products.row(k) - pairs.values(k) * pairs.vectors.row(k)).norm());
    return worst;
}

}  // namespace

LeadingEigen leading_eigen(const ConstMatrixRef& matrix, Index most, double floor, Control& control) {
    const ProgressHold hold(control);
    const Index n = matrix.rows();
    if (n <= std::max(decomposed_rows, (most + further_vectors) * powers)) {
        LargeMatrix copy(n, n);
        copy.view() = matrix;
        return largest_of(symmetric_eigen(std::move(copy), control), most, floor);
    }
    const Index block = most + further_vectors;
    Matrix start = random_rows(block, n);
    KrylovBasis basis(matrix, block * powers + 1, control);
    LeadingEigen pairs;
    for (int restart = 0; restart < most_restarts; ++restart) {
        basis.clear();
        basis.add(start);
        for (Index power = 1, first = 0; power < powers; ++power) {
            const Matrix last = basis.products(first);
            first = basis.size();
            basis.add(last);
        }
        pairs = basis.ritz_pairs(block);
        // The basis computes A v of the vectors that are added to it, which the residuals need.
        basis.clear();
        basis.add(pairs.vectors);
        if (largest_residual(pairs, basis, most, floor) <= residual_tolerance * std::abs(pairs.values(0)))
            break;
        start = pairs.vectors;
    }
    Index wanted = 0;
    while (wanted < std::min(most, pairs.values.size()) && pairs.values(wanted) > floor) ++wanted;
    return {pairs.values.head(wanted), pairs.vectors.topRows(wanted)};
}

}  // namespace dk
