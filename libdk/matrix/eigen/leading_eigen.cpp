// SPDX-License-Identifier: Apache-2.0
//
// This file solves A v = lambda v for the largest lambda of a symmetric A, by the block Lanczos method with
// thick restarts. A basis Q grows by blocks: a block is multiplied by A, and what is orthogonal to the basis
// in its products is the next block. The eigenpairs theta, u of the small matrix Q' A Q give the Ritz pairs
// theta, v = Q u, which are near to eigenpairs of A. When the basis is full, the best Ritz vectors take its
// place, and it grows on from the block that came next: nothing of the Krylov space is lost that they span.
// It ends when every |A v - theta v| that counts is small.
//
//   paper        code
//   A            matrix
//   Q', Q' A     vectors_, products_ of KrylovBasis
//   theta, v     values, vectors of the pairs
//   p            block_rows, the vectors of a block
//
// A block costs one pass over A however many vectors it has, if they are few, where the processor waits for
// memory; larger blocks need more vectors in all.
//
// Golub, Van Loan: Matrix computations, 4th edition, 2013, section 10.3.7; K. Wu, H. Simon, Thick-restart
// Lanczos method for large symmetric eigenvalue problems, SIAM Journal on Matrix Analysis and Applications
// 22, 2000. Here every block is made orthogonal to all of the basis, twice, and Q' A Q is computed whole.
#include "matrix/eigen/leading_eigen.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

/// The decomposition of the whole matrix is less work where it has at most this many rows.
constexpr Index decomposed_rows = 400;
/// A block has as many vectors as are asked for, within these limits. After a restart there are a block's
/// vectors more than are asked for, with which the others converge faster.
constexpr Index least_block = 4;
constexpr Index most_block = 24;
constexpr int most_restarts = 60;
/// The largest |A v - theta v| that is allowed, as a share of the largest eigenvalue.
constexpr double residual_tolerance = 1e-10;

/// The `most` largest eigenpairs of a decomposition, the largest first, without those whose eigenvalue does
/// not exceed `floor`.
LeadingEigen largest_of(const SymmetricEigen& all, Index most, double floor) {
    const Index n = all.values.size();
    Index count = 0;
    while (count < std::min(most, n) && all.values(n - 1 - count) > floor) ++count;
    return {all.values.tail(count).reverse(), all.vectors.view().bottomRows(count).colwise().reverse()};
}

/// Ritz pairs, and the products of the matrix and their vectors.
struct RitzPairs {
    Vector values;
    Matrix vectors;   // rows
    Matrix products;  // A v in the row of v
};

/// A basis of orthonormal vectors, each of them a row, with the products of the matrix and the vectors.
class KrylovBasis {
  public:
    KrylovBasis(const ConstMatrixRef& matrix, Index most_vectors, Control& control)
        : matrix_(matrix),
          control_(control),
          vectors_(most_vectors, matrix.cols()),
          products_(most_vectors, matrix.cols()) {}

    Index size() const { return size_; }
    bool has_room_for(Index rows) const { return size_ + rows <= vectors_.rows(); }

    /// Appends orthonormal rows, which are orthogonal to the basis, and gives their products with the matrix.
    Matrix append(const Matrix& block) {
        vectors_.middleRows(size_, block.rows()) = block;
        Matrix product(block.rows(), matrix_.cols());
        multiply_transposed(block, matrix_, product, Into::assign, control_);
        products_.middleRows(size_, block.rows()) = product;
        size_ += block.rows();
        return product;
    }

    /// Puts Ritz pairs in the place of the basis.
    void restart_from(const RitzPairs& pairs) {
        size_ = pairs.vectors.rows();
        vectors_.topRows(size_) = pairs.vectors;
        products_.topRows(size_) = pairs.products;
    }

    /// Gives an orthonormal basis of the parts of rows that are orthogonal to this one. Rows of which only
    /// rounding remains are left out.
    Matrix orthonormal_parts(Matrix rows) const {
        const Vector lengths = rows.rowwise().norm();
        Matrix kept(rows.rows(), rows.cols());
        Index count = 0;
        for (int pass = 0; pass < 2; ++pass) {  // the second pass removes the rounding errors of the first
            subtract_basis(rows);
            count = 0;
            for (Index i = 0; i < rows.rows(); ++i) {
                if (control_.stopping()) control_.check();
                auto last = kept.row(count);
                last = rows.row(i);
                for (Index twice = 0; twice < 2; ++twice) {
                    for (Index j = 0; j < count; ++j) last -= last.dot(kept.row(j)) * kept.row(j);
                }
                const double length = last.norm();
                const double before = pass == 0 ? lengths[i] : 1;
                if (!(length > 1e-10 * before)) continue;
                last /= length;
                ++count;
            }
            rows = kept.topRows(count);
        }
        return rows;
    }

    /// The `count` Ritz pairs with the largest values, the largest first.
    RitzPairs ritz_pairs(Index count) const {
        LargeMatrix projected(size_, size_);  // Q' A Q
        multiply_transposed(vectors_.topRows(size_), products_.topRows(size_), projected.view(), Into::assign,
                            control_);
        const SymmetricEigen small = symmetric_eigen(std::move(projected), control_);
        const LeadingEigen leading = largest_of(small, count, -infinity);
        const Index found = leading.values.size();
        RitzPairs pairs{leading.values, Matrix(found, vectors_.cols()), Matrix(found, vectors_.cols())};
        multiply(leading.vectors, vectors_.topRows(size_), pairs.vectors, Into::assign, control_);
        multiply(leading.vectors, products_.topRows(size_), pairs.products, Into::assign, control_);
        return pairs;
    }

  private:
    void subtract_basis(Matrix& rows) const {
        if (size_ == 0 || rows.rows() == 0) return;
        Matrix along(rows.rows(), size_);
        multiply_transposed(rows, vectors_.topRows(size_), along, Into::assign, control_);
        multiply(along, vectors_.topRows(size_), rows, Into::subtract, control_);
    }

    const ConstMatrixRef& matrix_;
    Control& control_;
    Matrix vectors_;
    Matrix products_;
    Index size_ = 0;
};

/// The largest |A v - theta v| of the first `most` pairs whose values exceed `floor`.
double largest_residual(const RitzPairs& pairs, Index most, double floor) {
    double worst = 0;
    for (Index k = 0; k < std::min(most, pairs.values.size()) && pairs.values(k) > floor; ++k)
        worst = std::max(worst, (pairs.products.row(k) - pairs.values(k) * pairs.vectors.row(k)).norm());
    return worst;
}

Index block_of(Index most) {
    return std::clamp(most, least_block, most_block);
}

/// Looks for the largest eigenpairs until they are near enough, or the restarts are used up.
RitzPairs leading_pairs(const ConstMatrixRef& matrix, Index most, double floor, Control& control) {
    const Index n = matrix.rows();
    const Index block_rows = block_of(most);
    const Index kept = most + block_rows;
    Random random(1);
    const auto random_block = [&] {
        return Matrix(Matrix::NullaryExpr(block_rows, n, [&] { return random.uniform() - 0.5; }));
    };
    KrylovBasis basis(matrix, std::min(n, 2 * kept + 4 * block_rows), control);
    Matrix next = basis.orthonormal_parts(random_block());
    RitzPairs pairs;
    for (int restart = 0; restart < most_restarts; ++restart) {
        while (basis.has_room_for(block_rows) && next.rows() > 0) {
            next = basis.orthonormal_parts(basis.append(next));
            // What the matrix maps into itself leaves nothing; what is orthogonal to it has its own pairs.
            if (next.rows() == 0) next = basis.orthonormal_parts(random_block());
        }
        pairs = basis.ritz_pairs(kept);
        const double scale = std::abs(pairs.values(0));
        if (next.rows() == 0 || largest_residual(pairs, most, floor) <= residual_tolerance * scale) break;
        basis.restart_from(pairs);
    }
    return pairs;
}

}  // namespace

LeadingEigen leading_eigen(const ConstMatrixRef& matrix, Index most, double floor, Control& control) {
    const ProgressHold hold(control);
    const Index n = matrix.rows();
    if (n <= std::max(decomposed_rows, 4 * (most + block_of(most)))) {
        LargeMatrix copy(n, n);
        copy.view() = matrix;
        return largest_of(symmetric_eigen(std::move(copy), control), most, floor);
    }
    const RitzPairs pairs = leading_pairs(matrix, most, floor, control);
    Index wanted = 0;
    while (wanted < std::min(most, pairs.values.size()) && pairs.values(wanted) > floor) ++wanted;
    return {pairs.values.head(wanted), pairs.vectors.topRows(wanted)};
}

}  // namespace dk
