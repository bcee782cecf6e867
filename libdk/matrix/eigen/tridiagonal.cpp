// SPDX-License-Identifier: Apache-2.0
//
// This file finds a tridiagonal T = Q' A Q of a symmetric A, where Q = H_0 H_1 ... H_{n-2} is a product of
// Householder's reflections. The rows are taken in blocks. Inside a block the matrix stays as it was before;
// each row subtracts the updates v w' + w v' of the block's earlier reflections from what it reads. At the
// end of the block one product updates the rest of the matrix. Eigenvectors are multiplied by the reflections
// a block at a time as well, as I - V' S V with a triangular S.
//
//   paper        code
//   A            matrix, of which the upper half is read and overwritten
//   v_k          matrix.row(k) from column k + 1 on: the vector of reflection k
//   tau_k        factors(k), where H_k = I - tau_k v_k v_k'
//   V, W         v(), w(): the vectors of the block's updates, in rows
//   T            diagonal, below
//   S            the matrix that block_factor() gives; Schreiber and Van Loan call it T
//
// Dongarra, Sorensen, Hammarling: Block reduction of matrices to condensed forms for eigenvalue computations,
// J. Comput. Appl. Math. 27, 1989. Schreiber, Van Loan: A storage-efficient WY representation for products of
// Householder transformations, SIAM J. Sci. Stat. Comput. 10, 1989.
#include "matrix/eigen/tridiagonal.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "matrix/eigen/symmetric_product.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index panel_size = 32;     // the number of reflections between two updates of the whole matrix
constexpr Index update_tile = 192;   // the number of rows and of columns in a tile of the update
constexpr Index applied_block = 64;  // the number of reflections that are applied to eigenvectors at once
constexpr Index applied_rows = 128;  // the number of eigenvectors in a task

/// A vector whose elements are all below this counts as zero, in a matrix whose largest element is near 1.
constexpr double negligible = 1e-290;

/// The inner product a'b, in the fixed order of addition of multiply_vector(), which is vectorised.
double dot(const ConstVectorRef& a, const ConstVectorRef& b) {
    Vector sum(1);
    multiply_vector(view(a.data(), 1, a.size()), b, sum);
    return sum(0);
}

/// Replaces v by the vector of the reflection H for which all elements of H v but the first are zero. Returns
/// the factor tau of H, which is 0 where v has this form already, and sets `image` to the first element of H
/// v.
double make_reflection(VectorRef v, double& image) {
    image = v(0);
    const double largest = v.cwiseAbs().maxCoeff();
    if (largest < negligible) image = 0;
    if (!(largest >= negligible) || (v.tail(v.size() - 1).array() == 0).all()) return 0;
    const double unit =
        std::ldexp(1.0, std::ilogb(largest));  // a power of two by which no square overflows or underflows
    v *= 1 / unit;
    const double norm = std::sqrt(dot(v, v));
    const double sign = v(0) > 0 ? 1 : -1;
    image = -sign * norm * unit;
    v *= 1 / norm;
    v(0) += sign;  // |v|^2 = 2 + 2 |v(0) - sign| = 2 |v(0)|
    return 1 / std::abs(v(0));
}

class Tridiagonalisation {
  public:
    Tridiagonalisation(MatrixRef matrix, Control& control)
        : matrix_(matrix),
          n_(matrix.rows()),
          control_(control),
          panel_(3 * panel_size, n_),
          product_(n_),
          result_{Vector::Zero(n_), Vector::Zero(n_), Vector::Zero(n_)} {}

    Tridiagonal run() {
        for (Index first = 0; first < n_; first += panel_size) {
            const Index count = std::min(panel_size, n_ - first);
            panel_.rightCols(n_ - first).setZero();
            for (Index j = 0; j < count; ++j) reduce(first + j, j);
            update(first + count);
        }
        return std::move(result_);
    }

  private:
    // The panel has the rows of V, then those of W, then those of V again, so that [V; W] and [W; V] are both
    // blocks of its rows.
    auto v(Index count, Index begin) { return panel_.block(0, begin, count, n_ - begin); }
    auto w(Index count, Index begin) { return panel_.block(panel_size, begin, count, n_ - begin); }

    /// Takes row k of the matrix, the j-th of its block: brings it up to date, makes its reflection, and
    /// computes the reflection's update.
    void reduce(Index k, Index j) {
        VectorView row(&matrix_(k, k), n_ - k);
        coefficients_ = -v(j, k).col(0);
        add_transposed_product(w(j, k), coefficients_, row);
        coefficients_ = -w(j, k).col(0);
        add_transposed_product(v(j, k), coefficients_, row);
        result_.diagonal(k) = row(0);
        const Index begin = k + 1;
        if (begin == n_) return;
        VectorView reflected(&matrix_(k, begin), n_ - begin);
        const double factor = make_reflection(reflected, result_.below(k));
        result_.factors(k) = factor;
        if (factor == 0) return;
        VectorView p(&panel_(panel_size + j, begin), n_ - begin);
        product_.multiply(matrix_.bottomRightCorner(n_ - begin, n_ - begin), reflected, p, control_);
        subtract_updates(j, begin, reflected, p);
        // w = p - (tau / 2)(p'v) v with p = tau A v
        p *= factor;
        p -= 0.5 * factor * dot(p, reflected) * reflected;
        panel_.row(j).tail(n_ - begin) = reflected.transpose();
        panel_.row(2 * panel_size + j).tail(n_ - begin) = reflected.transpose();
    }

    /// Computes p -= (V'W + W'V) x for the `count` updates of the block so far, from column `begin` on.
    void subtract_updates(Index count, Index begin, const ConstVectorRef& x, VectorRef p) {
        coefficients_.resize(count);
        multiply_vector(w(count, begin), x, coefficients_);
        coefficients_ = -coefficients_;
        add_transposed_product(v(count, begin), coefficients_, p);
        multiply_vector(v(count, begin), x, coefficients_);
        coefficients_ = -coefficients_;
        add_transposed_product(w(count, begin), coefficients_, p);
    }

    /// Computes A -= V'W + W'V for the rows and columns from `begin` on, in tiles of the upper half.
    void update(Index begin) {
        const Index tiles = (n_ - begin + update_tile - 1) / update_tile;
        std::vector<std::pair<Index, Index>> upper;
        for (Index row = 0; row < tiles; ++row) {
            for (Index col = row; col < tiles; ++col) upper.emplace_back(row, col);
        }
        const ProgressHold hold(control_);
        const double values = std::ssize(upper) * update_tile * update_tile * (1 + panel_size / 8.0);
        parallel_for(std::ssize(upper), values, control_, [&](Index t) {
            const Index row = begin + upper[t].first * update_tile;
            const Index col = begin + upper[t].second * update_tile;
            const Index height = std::min(update_tile, n_ - row);
            const Index width = std::min(update_tile, n_ - col);
            transposed_multiply(panel_.block(0, row, 2 * panel_size, height),
                                panel_.block(panel_size, col, 2 * panel_size, width),
                                matrix_.block(row, col, height, width), Into::subtract);
        });
    }

    MatrixRef matrix_;
    Index n_;
    Control& control_;
    Matrix panel_;
    SymmetricProduct product_;
    Vector coefficients_;
    Tridiagonal result_;
};

/// The upper triangular S for which H_0 H_1 ... = I - V' S V, where the vectors v_j are the rows of V. Column
/// j of S is -tau_j S (V v_j) above the diagonal, with the part of S that is known already, and tau_j on it.
Matrix block_factor(const ConstMatrixRef& v, const ConstVectorRef& factors) {
    const Index count = v.rows();
    Matrix products(count, count);
    multiply_transposed(v, v, products);
    Matrix t = Matrix::Zero(count, count);
    for (Index j = 0; j < count; ++j) {
        for (Index i = 0; i < j; ++i) {
            double sum = 0;
            for (Index l = i; l < j; ++l) sum += t(i, l) * products(l, j);
            t(i, j) = -factors(j) * sum;
        }
        t(j, j) = factors(j);
    }
    return t;
}

}  // namespace

Tridiagonal tridiagonalise(MatrixRef matrix, Control& control) {
    Tridiagonal result = Tridiagonalisation(matrix, control).run();
    const Index n = matrix.rows();
    parallel_for_rows(n, n, control, [&](Index k) { matrix.row(k).head(k + 1).setZero(); });
    return result;
}

void apply_reflections(const ConstMatrixRef& reflections, const Vector& factors, MatrixRef rows,
                       Control& control) {
    const Index n = rows.cols();
    const Index count = n - 1;  // the number of reflections
    if (count < 1) return;
    const Index blocks = (count + applied_block - 1) / applied_block;
    const auto block_rows = [&](Index b) { return std::min(applied_block, count - b * applied_block); };
    // v_k begins in column k + 1, and no vector of a block begins before the block's first one.
    const auto vectors = [&](Index b) {
        const Index first = b * applied_block;
        return reflections.block(first, first + 1, block_rows(b), n - first - 1);
    };
    std::vector<Matrix> triangles(blocks);
    parallel_for(blocks, control, [&](Index b) {
        triangles[b] = block_factor(vectors(b), factors.segment(b * applied_block, block_rows(b)));
    });
    const double values = 2 * values_of_product(rows.rows(), n, n);
    parallel_for((rows.rows() + applied_rows - 1) / applied_rows, values, control, [&](Index task) {
        const Index first = task * applied_rows;
        const Index height = std::min(applied_rows, rows.rows() - first);
        for (Index b = blocks - 1; b >= 0 && !control.stopping(); --b) {
            // R -= (R V') S' V, which multiplies each row of R, as a column, by I - V' S V.
            const auto v = vectors(b);
            auto part = rows.block(first, n - v.cols(), height, v.cols());
            Matrix projected(height, v.rows());
            Matrix weights(height, v.rows());
            multiply_transposed(part, v, projected);
            multiply_transposed(projected, triangles[b], weights);
            multiply(weights, v, part, Into::subtract);
        }
    });
}

}  // namespace dk
