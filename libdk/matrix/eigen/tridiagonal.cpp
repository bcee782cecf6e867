// SPDX-License-Identifier: Apache-2.0
//
// Q' A Q = T for a symmetric A, an orthogonal Q = H_0 H_1 ... H_{n-2} of Householder's reflections and a
// tridiagonal T. The reflections of a block of rows see the matrix as it was before the block, less the
// updates v w' + w v' so far; the rest of the matrix is updated once a block, by a product. Reflections are
// applied to eigenvectors a block at a time too, as I - V' T V.
//
//   A = matrix            the upper half is read and overwritten
//   v_k = matrix.row(k)   the vectors of the reflections, from column k + 1 on
//   tau_k = factors       of the reflections H_k = I - tau_k v_k v_k'
//   V, W = v(), w()       the vectors of the block's updates, in rows
//   d, e = diagonal, below
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

constexpr Index block_size = 32;     // reflections between two updates of the whole matrix
constexpr Index update_tile = 192;   // rows and columns of a tile of the update
constexpr Index applied_block = 64;  // reflections that are applied to eigenvectors at once
constexpr Index applied_rows = 128;  // eigenvectors that one task takes

/// Vectors whose elements are below this count as zero in a matrix whose largest element is near 1.
constexpr double negligible = 1e-290;

/// a'b in the order of the product, which is vectorised.
double dot(const ConstVectorRef& a, const ConstVectorRef& b) {
    Vector sum(1);
    multiply_vector(view(a.data(), 1, a.size()), b, sum);
    return sum(0);
}

/// Turns v into the vector of a reflection that keeps its first element alone; gives the factor of the
/// reflection (0 when nothing is to do) and what the first element becomes.
double make_reflection(VectorRef v, double& image) {
    image = v(0);
    const double largest = v.cwiseAbs().maxCoeff();
    if (largest < negligible) image = 0;
    if (!(largest >= negligible) || (v.tail(v.size() - 1).array() == 0).all()) return 0;
    const double unit = std::ldexp(1.0, std::ilogb(largest));  // so that no square over- or underflows
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
          panel_(3 * block_size, n_),
          product_(n_),
          result_{Vector::Zero(n_), Vector::Zero(n_), Vector::Zero(n_)} {}

    Tridiagonal run() {
        for (Index first = 0; first < n_; first += block_size) {
            const Index count = std::min(block_size, n_ - first);
            panel_.rightCols(n_ - first).setZero();
            for (Index j = 0; j < count; ++j) reduce(first + j, j);
            update(first + count);
        }
        return std::move(result_);
    }

  private:
    // The rows of V are kept twice, so that [V; W] and [W; V] are both blocks of rows.
    auto v(Index count, Index begin) { return panel_.block(0, begin, count, n_ - begin); }
    auto w(Index count, Index begin) { return panel_.block(block_size, begin, count, n_ - begin); }

    /// Row k, the block's j-th.
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
        VectorView p(&panel_(block_size + j, begin), n_ - begin);
        product_.multiply(matrix_.bottomRightCorner(n_ - begin, n_ - begin), reflected, p, control_);
        subtract_updates(j, begin, reflected, p);
        // w = p - (tau / 2)(p'v) v with p = tau A v
        p *= factor;
        p -= 0.5 * factor * dot(p, reflected) * reflected;
        panel_.row(j).tail(n_ - begin) = reflected.transpose();
        panel_.row(2 * block_size + j).tail(n_ - begin) = reflected.transpose();
    }

    /// p -= (V'W + W'V) x, from column `begin` on.
    void subtract_updates(Index count, Index begin, const ConstVectorRef& x, VectorRef p) {
        coefficients_.resize(count);
        multiply_vector(w(count, begin), x, coefficients_);
        coefficients_ = -coefficients_;
        add_transposed_product(v(count, begin), coefficients_, p);
        multiply_vector(v(count, begin), x, coefficients_);
        coefficients_ = -coefficients_;
        add_transposed_product(w(count, begin), coefficients_, p);
    }

    /// A -= V'W + W'V behind the block, by tiles of the upper half.
    void update(Index begin) {
        const Index tiles = (n_ - begin + update_tile - 1) / update_tile;
        std::vector<std::pair<Index, Index>> upper;
        for (Index row = 0; row < tiles; ++row) {
            for (Index col = row; col < tiles; ++col) upper.emplace_back(row, col);
        }
        const ProgressHold hold(control_);
        parallel_for(std::ssize(upper), control_, [&](Index t) {
            const Index row = begin + upper[t].first * update_tile;
            const Index col = begin + upper[t].second * update_tile;
            const Index height = std::min(update_tile, n_ - row);
            const Index width = std::min(update_tile, n_ - col);
            transposed_multiply(panel_.block(0, row, 2 * block_size, height),
                                panel_.block(block_size, col, 2 * block_size, width),
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

/// T of H_0 H_1 ... = I - V' T V for vectors in the rows of V: upper triangular, column j is
/// -tau_j T (V v_j) with tau_j below it.
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
    const Index count = n - 1;  // of the reflections
    if (count < 1) return;
    const Index blocks = (count + applied_block - 1) / applied_block;
    const auto block_rows = [&](Index b) { return std::min(applied_block, count - b * applied_block); };
    // v_k begins in column k + 1
    const auto vectors = [&](Index b) {
        const Index first = b * applied_block;
        return reflections.block(first, first + 1, block_rows(b), n - first - 1);
    };
    std::vector<Matrix> triangles(blocks);
    parallel_for(blocks, control, [&](Index b) {
        triangles[b] = block_factor(vectors(b), factors.segment(b * applied_block, block_rows(b)));
    });
    parallel_for((rows.rows() + applied_rows - 1) / applied_rows, control, [&](Index task) {
        const Index first = task * applied_rows;
        const Index height = std::min(applied_rows, rows.rows() - first);
        for (Index b = blocks - 1; b >= 0 && !control.stopping(); --b) {
            // R -= (R V') T' V
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
