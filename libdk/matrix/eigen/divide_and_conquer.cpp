// SPDX-License-Identifier: Apache-2.0
//
// This file solves T v = lambda v for a symmetric tridiagonal T. It tears T into two tridiagonal matrices and
// a matrix of rank one, T = [T_1, 0; 0, T_2] + |beta| u u' with u = e_m + sign(beta) e_{m+1}. Each of the two
// is solved in the same way, or by the QL method where it is small. Their eigenvalues D and eigenvectors Q
// turn T into Q (D + rho z z') Q', whose eigenvectors rank_one_update.cpp finds.
//
//   paper      code
//   T          diagonal_, below_, where below_(i) couples i and i + 1
//   beta       below_(m), the coupling at which T is torn
//   z          z = Q' u / |u|, made of the last elements of the rows of Q_1' and the first ones of Q_2'
//   rho        2 |beta|, since |u|^2 = 2
//   Q'         vectors_, which has the eigenvectors in its rows
//
// Cuppen: A divide and conquer method for the symmetric tridiagonal eigenproblem, Numerische Mathematik 36,
// 1981.
#include "matrix/eigen/divide_and_conquer.hpp"

#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "matrix/eigen/rank_one_update.hpp"
#include "matrix/eigen/tridiagonal_ql.hpp"

namespace dk {

namespace {

/// The QL method solves matrices of at most this many rows.
constexpr Index leaf_rows = 40;
/// One thread alone solves a matrix of at most this many rows, while other threads solve other matrices.
constexpr Index one_thread_rows = 300;

/// The rows first .. first + count - 1 of T.
struct Part {
    Index first;
    Index count;
};

class DivideAndConquer {
  public:
    DivideAndConquer(VectorRef diagonal, VectorRef below, MatrixRef vectors, MatrixRef work)
        : diagonal_(diagonal), below_(below), vectors_(vectors), work_(work) {}

    void run(Control& control) {
        const Part all{0, diagonal_.size()};
        std::vector<Part> parts;
        divide(all, one_thread_rows, parts);
        parallel_for(std::ssize(parts), 16.0 * diagonal_.size() * diagonal_.size(), control, [&](Index p) {
            Control one(Control::Part{}, control);
            std::vector<Part> leaves;
            divide(parts[p], leaf_rows, leaves);
            for (const auto& [first, count] : leaves) {
                if (control.stopping()) return;
                tridiagonal_ql(diagonal_.segment(first, count), below_.segment(first, count - 1),
                               vectors_.block(first, first, count, count));
            }
            join(parts[p], leaf_rows, one);
        });
        join(all, one_thread_rows, control);
    }

  private:
    static std::pair<Part, Part> halves(const Part& part) {
        const Index left = part.count / 2;
        return {{part.first, left}, {part.first + left, part.count - left}};
    }

    /// Tears a part in two again and again, until no part has more than `most_rows` rows, and appends the
    /// parts that result to `parts`.
    void divide(const Part& part, Index most_rows, std::vector<Part>& parts) {
        if (part.count <= most_rows) {
            if (part.count > 0) parts.push_back(part);
            return;
        }
        const auto [left, right] = halves(part);
        const double beta = std::abs(below_(right.first - 1));
        diagonal_(right.first - 1) -= beta;
        diagonal_(right.first) -= beta;
        divide(left, most_rows, parts);
        divide(right, most_rows, parts);
    }

    /// Makes the eigenpairs of a part of those of the parts into which divide() has torn it.
    void join(const Part& part, Index most_rows, Control& control) {
        if (part.count <= most_rows) return;
        const auto [left, right] = halves(part);
        join(left, most_rows, control);
        join(right, most_rows, control);
        const double beta = below_(right.first - 1);
        Vector z(part.count);
        z.head(left.count) = vectors_.col(right.first - 1).segment(left.first, left.count);
        z.tail(right.count) =
            std::copysign(1.0, beta) * vectors_.col(right.first).segment(right.first, right.count);
        z *= std::sqrt(0.5);
        rank_one_update(diagonal_.segment(part.first, part.count),
                        vectors_.block(part.first, part.first, part.count, part.count), left.count,
                        2 * std::abs(beta), std::move(z),
                        work_.block(part.first, part.first, part.count, part.count), control);
    }

    VectorRef diagonal_;
    VectorRef below_;
    MatrixRef vectors_;
    MatrixRef work_;
};

}  // namespace

void divide_and_conquer(VectorRef diagonal, VectorRef below, MatrixRef vectors, MatrixRef work,
                        Control& control) {
    const ProgressHold hold(control);
    DivideAndConquer(diagonal, below, vectors, work).run(control);
}

}  // namespace dk
