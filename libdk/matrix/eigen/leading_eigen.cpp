// SPDX-License-Identifier: Apache-2.0
//
// A v = lambda v for the largest lambda of a symmetric A. An orthonormal basis Q of the Krylov space of some
// vectors X, that is of X, A X, ... A^(p-1) X, gives Ritz pairs: the eigenpairs of the small matrix Q' A Q.
// The best of them are the X of the next basis, until A v - theta v is small.
//
//   A = matrix
//   X = start, by rows
//   Q', Q' A = vectors_, products_ of KrylovBasis, by rows
//   theta, v = the pairs' values and vectors
//   p = powers
//
// Golub, Van Loan: Matrix computations, section 10.3 (block Lanczos methods with restarts).
#include "matrix/eigen/leading_eigen.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index decomposed_rows = 400;  // up to so many rows the whole decomposition is less work
constexpr Index further_vectors = 8;    // beside those asked for, which makes restarts converge faster
constexpr Index powers = 4;             // of the matrix in a Krylov basis
constexpr int most_restarts = 30;
constexpr double residual_tolerance = 1e-8;

/// The first pairs of an ascending decomposition's end, as many as exceed the floor.
LeadingEigen largest_of(const SymmetricEigen& all, Index most, double floor) {
    const Index n = all.values.size();
    Index count = 0;
    while (count < std::min(most, n) && all.values(n - 1 - count) > floor) ++count;
    return {all.values.tail(count).reverse(), all.vectors.view().bottomRows(count).colwise().reverse()};
}

/// Orthonormal vectors, each a row, with their products with the matrix.
class KrylovBasis {
  public:
    KrylovBasis(const ConstMatrixRef& matrix, Index most_vectors, Control& control)
        : matrix_(matrix),
          control_(control),
          vectors_(most_vectors, matrix.cols()),
          products_(most_vectors, matrix.cols()) {}

    Index size() const { return size_; }

    void clear() { size_ = 0; }

    /// Takes of some rows what is new to the basis.
    void add(const ConstMatrixRef& rows) {
        const Index before = size_;
        for (Index i = 0; i < rows.rows(); ++i) {
            if (control_.stopping()) control_.check();
            vectors_.row(size_) = rows.row(i);
            if (orthonormalise(size_)) ++size_;
        }
        multiply_from(before);
    }

    /// The products of the vectors from `first` on.
    auto products(Index first) const { return products_.middleRows(first, size_ - first); }

    /// Eigenpairs of the matrix restricted to the basis, the largest first.
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
    /// Makes a row orthogonal to those before it, and a unit vector; false when nothing remains of it.
    bool orthonormalise(Index k) {
        auto last = vectors_.row(k);
        const double before = last.norm();
        for (int pass = 0; pass < 2; ++pass) {  // the second removes what the first's rounding left
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

/// The largest |A v - theta v| of the pairs asked for; `basis` holds the pairs' vectors.
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
        // the residuals show when the best vectors are taken as the start of another basis
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
