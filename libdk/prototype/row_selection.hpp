// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Ways to choose a few rows that stand for all.
enum class RowSelection {
    random,    // PS-R: each row is as likely as any other.
    border,    // PS-B: in turn the row that is farthest in total from those that remain.
    spanning,  // PS-S: the medoid, then in turn the row that is farthest from all that are chosen.
    k_medoids  // PS-KM: medoids of clusters, found from the rows of PS-S.
};

/// The distances of some rows that a symmetric matrix of similarities S gives, d_ij = sqrt(max(0, S_ii + S_jj
/// - 2 S_ij)). Rows are counted from 0 within `rows`. S need not be positive semidefinite, so that rows which
/// differ may have no distance, and one distance may exceed the sum of two others.
class RowDistances {
  public:
    RowDistances(const ConstMatrixView& similarities, std::vector<Index> rows)
        : similarities_(similarities), rows_(std::move(rows)) {}

    Index size() const { return std::ssize(rows_); }
    double operator()(Index i, Index j) const;
    /// Gives the row of the matrix that row i is.
    Index row(Index i) const { return rows_[i]; }

  private:
    ConstMatrixView similarities_;
    std::vector<Index> rows_;
};

// Each of these chooses `count` rows, or all where there are fewer, and gives them in the order in which it
// chose them. Of equally good rows it takes the first.

std::vector<Index> border_rows(const RowDistances& d, Index count, Control& control);
std::vector<Index> spanning_rows(const RowDistances& d, Index count, Control& control);

/// Medoids, and the sum of the distances of all rows to theirs: at the start, and after each step.
struct Medoids {
    std::vector<Index> rows = {};
    std::vector<double> energies = {};
};
/// Moves medoids, which start at these rows, until none moves any more.
Medoids k_medoids(const RowDistances& d, std::vector<Index> start, Control& control);

/// Chooses `count` of the given rows, in ascending order. `class_of` has the class of every row of the
/// matrix, or is empty. Without classes the choice is among all rows; else every class has an equal share,
/// what remains goes one each to the first, and a class with fewer rows gives what it has. A random choice
/// reads no similarities.
std::vector<Index> select_rows(RowSelection selection, const ConstMatrixView& similarities,
                               std::span<const Index> rows, std::span<const Index> class_of, Index count,
                               std::uint64_t seed, Control& control);

}  // namespace dk
