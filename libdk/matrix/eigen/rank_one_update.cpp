// SPDX-License-Identifier: Apache-2.0
//
// This file finds the eigenvalues and eigenvectors of Q (D + rho z z') Q' for Q = [Q_1, 0; 0, Q_2], a
// diagonal D and a positive rho.
//
// Deflation comes first. Where rho |z_i| is no more than rounding, d_i and its vector are an eigenpair. Where
// two d_i differ by no more than rounding, a rotation of their vectors makes one of the two z_i zero. The
// other eigenvalues lambda_j are the roots of the secular equation (secular_equation.hpp). Rounding
// errors of the lambda_j would spoil eigenvectors that are computed of z. So z is replaced by the z^ for
// which the computed lambda_j are the exact eigenvalues of D + rho z^ z^' (Loewner's formula,
// secular_sums.hpp), whose eigenvectors have the elements z^_i / (d_i - lambda_j). These are orthogonal to
// within rounding, however close the eigenvalues lie. Two matrix products multiply them by Q, one for Q_1 and
// one for Q_2.
//
//   paper             code
//   d, z, rho         values_, z_, rho_
//   Q'                vectors_, which has the eigenvectors in its rows
//   lambda_j          poles_(root.pole) + root.offset for root = roots_[j]
//   z^                weights_, after find_roots()
//
// Cuppen: A divide and conquer method for the symmetric tridiagonal eigenproblem, Numerische Mathematik 36,
// 1981. Gu, Eisenstat: A divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem, SIAM J.
// Matrix Anal. Appl. 16, 1995.
#include "matrix/eigen/rank_one_update.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"
#include "matrix/eigen/secular_equation.hpp"
#include "matrix/eigen/secular_sums.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index roots_a_task = 32;
constexpr Index vectors_a_task = 128;
/// Matrix products are taken by blocks of this many columns, so that they notice a cancel in time.
constexpr Index columns_at_once = 512;

/// The columns in which a vector can have elements that are not zero: those of Q_1 (left), of Q_2 (right), or
/// both.
enum class Support { left, both, right };

class RankOneUpdate {
  public:
    RankOneUpdate(VectorRef values, MatrixRef vectors, Index left, double rho, Vector z, MatrixRef work,
                  Control& control)
        : values_(values),
          vectors_(vectors),
          left_(left),
          rho_(rho),
          z_(std::move(z)),
          work_(work),
          control_(control),
          support_(values.size(), Support::right) {
        std::fill_n(support_.begin(), left, Support::left);
    }

    void run() {
        deflate();
        group_by_support();
        find_roots();
        place();
        multiply_vectors();
    }

  private:
    Index size() const { return values_.size(); }
    Index kept() const { return std::ssize(kept_); }

    /// Puts each vector into removed_ when it is an eigenvector already, and into kept_ when it is not. The
    /// vectors in kept_ are ordered by their values.
    void deflate() {
        std::vector<Index> order(size());
        std::iota(order.begin(), order.end(), Index{0});
        std::inplace_merge(order.begin(), order.begin() + left_, order.end(),
                           [&](Index a, Index b) { return values_(a) < values_(b); });
        const double largest = std::max(values_.cwiseAbs().maxCoeff(), z_.cwiseAbs().maxCoeff());
        const double tolerance = 4 * std::numeric_limits<double>::epsilon() * largest;
        Index candidate = -1;
        for (const Index next : order) {
            if (control_.stopping()) control_.check();
            if (!(rho_ * std::abs(z_(next)) > tolerance)) {
                removed_.push_back(next);
            } else if (candidate < 0) {
                candidate = next;
            } else {
                (rotate(candidate, next, tolerance) ? removed_ : kept_).push_back(candidate);
                candidate = next;
            }
        }
        if (candidate >= 0) kept_.push_back(candidate);
    }

    /// Rotates the vectors i and j so that z_i becomes zero. It does so only where the element that the
    /// rotation adds beside the diagonal is no more than rounding, and answers whether it did.
    bool rotate(Index i, Index j, double tolerance) {
        const double length = Eigen::numext::hypot(z_(i), z_(j));
        const double c = z_(j) / length;
        const double s = z_(i) / length;
        const double gap = values_(j) - values_(i);
        if (std::abs(gap * c * s) > tolerance) return false;
        z_(i) = 0;
        z_(j) = length;
        values_(i) += s * s * gap;
        values_(j) -= s * s * gap;
        if (support_[i] != support_[j]) {
            make_dense(i);
            make_dense(j);
        }
        const Index first = support_[i] == Support::right ? left_ : 0;
        const Index last = support_[i] == Support::left ? left_ : size();
        double* vi = &vectors_(i, 0);
        double* vj = &vectors_(j, 0);
        for (Index e = first; e < last; ++e) {
            const double old = vi[e];
            vi[e] = c * old - s * vj[e];
            vj[e] = s * old + c * vj[e];
        }
        return true;
    }

    /// Writes the zeros of vector i, of which only the columns of its support are kept up to here.
    void make_dense(Index i) {
        if (support_[i] == Support::left) vectors_.row(i).tail(size() - left_).setZero();
        if (support_[i] == Support::right) vectors_.row(i).head(left_).setZero();
        support_[i] = Support::both;
    }

    /// Copies the vectors to the work matrix. Those of kept_ come first, ordered by their support, so that
    /// the rows of Q_1 and those of Q_2 are a block each. Those of removed_ follow.
    void group_by_support() {
        poles_.resize(kept());
        weights_.resize(kept());
        for (Index i = 0; i < kept(); ++i) {
            poles_(i) = values_(kept_[i]);
            weights_(i) = z_(kept_[i]);
        }
        const auto append = [&](Support support) {
            for (Index i = 0; i < kept(); ++i) {
                if (support_[kept_[i]] == support) grouped_.push_back(i);
            }
            return std::ssize(grouped_);
        };
        only_left_ = append(Support::left);
        reaching_left_ = append(Support::both);
        append(Support::right);
        parallel_for_rows(size(), size(), control_, [&](Index i) {
            if (i < kept()) {
                work_.row(i) = vectors_.row(kept_[grouped_[i]]);
                return;
            }
            const Index from = removed_[i - kept()];
            make_dense(from);
            work_.row(i) = vectors_.row(from);
        });
    }

    /// Finds the roots of the secular equation, and the z^ for which they are exact.
    void find_roots() {
        roots_.resize(kept());
        const Index tasks = (kept() + roots_a_task - 1) / roots_a_task;
        parallel_for(tasks, 16.0 * kept() * kept(), control_, [&](Index task) {
            const Index last = std::min(kept(), (task + 1) * roots_a_task);
            for (Index j = task * roots_a_task; j < last && !control_.stopping(); ++j)
                roots_[j] = secular_root(poles_, weights_, rho_, j);
        });
        Vector origins(kept());
        Vector offsets(kept());
        for (Index j = 0; j < kept(); ++j) {
            origins(j) = poles_(roots_[j].pole);
            offsets(j) = roots_[j].offset;
        }
        Vector squares(kept());
        parallel_for(tasks, 16.0 * kept() * kept(), control_, [&](Index task) {
            const Index first = task * roots_a_task;
            squared_weights(poles_, origins, offsets, first,
                            squares.segment(first, std::min(roots_a_task, kept() - first)));
        });
        for (Index i = 0; i < kept(); ++i)
            weights_(i) = std::copysign(std::sqrt(std::abs(squares(i))), weights_(i));
    }

    /// Sorts the new eigenvalues, which tells the row of each eigenvector in the result, and copies the
    /// vectors of removed_ to their rows.
    void place() {
        Vector found(size());
        for (Index j = 0; j < kept(); ++j) found(j) = poles_(roots_[j].pole) + roots_[j].offset;
        for (Index i = kept(); i < size(); ++i) found(i) = values_(removed_[i - kept()]);
        std::vector<Index> order(size());
        std::iota(order.begin(), order.end(), Index{0});
        std::ranges::stable_sort(order, {}, [&](Index i) { return found(i); });
        rows_.resize(size());
        for (Index k = 0; k < size(); ++k) {
            rows_[order[k]] = k;
            values_(k) = found(order[k]);
        }
        const Index remaining = size() - kept();
        parallel_for_rows(remaining, size(), control_,
                          [&](Index i) { vectors_.row(rows_[kept() + i]) = work_.row(kept() + i); });
    }

    /// Computes the eigenvectors u_j of D + rho z^ z^', and from them the rows u_j' Q' of the result.
    void multiply_vectors() {
        Vector poles(kept());
        Vector weights(kept());
        for (Index i = 0; i < kept(); ++i) {
            poles(i) = poles_(grouped_[i]);
            weights(i) = weights_(grouped_[i]);
        }
        const auto q1 = work_.block(0, 0, reaching_left_, left_);
        const auto q2 = work_.block(only_left_, left_, kept() - only_left_, size() - left_);
        const double values = values_of_product(kept(), size(), kept());
        parallel_for((kept() + vectors_a_task - 1) / vectors_a_task, values, control_, [&](Index task) {
            const Index first = task * vectors_a_task;
            const Index count = std::min(vectors_a_task, kept() - first);
            Matrix u(count, kept());
            for (Index j = 0; j < count; ++j) {
                const auto& [pole, offset] = roots_[first + j];
                secular_vector(poles, weights, poles_(pole), offset, u.row(j).transpose());
            }
            Matrix product(count, size());
            multiply_by_columns(u.leftCols(reaching_left_), q1, product.leftCols(left_));
            multiply_by_columns(u.rightCols(q2.rows()), q2, product.rightCols(size() - left_));
            for (Index j = 0; j < count; ++j) vectors_.row(rows_[first + j]) = product.row(j);
        });
    }

    /// Computes out = a b, or zeros where b has no rows.
    void multiply_by_columns(const ConstMatrixRef& a, const ConstMatrixRef& b, MatrixRef out) const {
        if (b.rows() == 0) out.setZero();
        for (Index at = 0; at < b.cols() && b.rows() > 0 && !control_.stopping(); at += columns_at_once) {
            const Index count = std::min(columns_at_once, b.cols() - at);
            multiply(a, b.middleCols(at, count), out.middleCols(at, count));
        }
    }

    VectorRef values_;
    MatrixRef vectors_;
    Index left_;
    double rho_;
    Vector z_;
    MatrixRef work_;
    Control& control_;
    std::vector<Support> support_;  // the support of each vector

    std::vector<Index> kept_;     // the vectors that change, in ascending order of their values
    std::vector<Index> removed_;  // the vectors that are eigenvectors already
    Vector poles_;                // the values d_i of the vectors in kept_
    Vector weights_;              // the z_i of the vectors in kept_, which find_roots() replaces by z^_i
    std::vector<Index> grouped_;  // the positions in kept_ of the first rows of the work matrix
    Index only_left_ = 0;         // the number of these rows that are zero in the columns of Q_2
    Index reaching_left_ = 0;     // the number of these rows that are not zero in the columns of Q_1
    std::vector<SecularRoot> roots_;
    std::vector<Index> rows_;  // the row in the result of every root, and behind them of every removed vector
};

}  // namespace

void rank_one_update(VectorRef values, MatrixRef vectors, Index left, double rho, Vector z, MatrixRef work,
                     Control& control) {
    RankOneUpdate(values, vectors, left, rho, std::move(z), work, control).run();
}

}  // namespace dk
