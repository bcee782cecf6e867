// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/large_array.hpp"
#include "solve/ball/core_set.hpp"

namespace dk {

/// A CoreMatrix holds the program min alpha' K_SS alpha over the simplex for a core set S of rows that grows:
/// the matrix K_SS and the solution alpha.
class CoreMatrix {
  public:
    CoreMatrix(TileSource& source, std::span<const Index> rows, Control& control);

    const std::vector<Index>& rows() const { return rows_; }
    const Vector& alpha() const { return alpha_; }
    Index size() const { return std::ssize(rows_); }
    bool has(Index row) const { return member_[row] != 0; }
    /// Gives alpha' K_SS alpha as of the last solve().
    double objective() const { return objective_; }
    /// Gives K_SS alpha as of the last solve().
    const Vector& products() const { return products_; }

    /// Appends rows, none of which may be a member yet, with weight zero.
    void add(std::span<const Index> rows);
    /// Solves the program from the present weights, until no (K alpha)_i of a row with weight exceeds the
    /// smallest one by more than this share of the objective. Gives false when no weight moved.
    bool solve(double share);
    /// Does the same until none exceeds the smallest one by more than `tolerance`.
    bool solve_to(double tolerance);
    /// Removes the rows with weight zero whose (K alpha)_i exceeds `factor` times the objective. Gives the
    /// positions of the rows that stay, and an empty list where all stay.
    std::vector<Index> drop(double factor);

  private:
    MatrixView matrix() { return view(values_.data(), size(), size(), capacity_); }
    void reserve(Index rows);
    /// Solves the program to what `tolerance()` gives after each improvement.
    template <typename Tolerance>
    bool solve_until(Tolerance tolerance);

    TileSource& source_;
    Control& control_;
    std::vector<Index> rows_;
    std::vector<char> member_;  // whether a row is in the core set
    Vector alpha_;
    Vector products_;  // K_SS alpha
    double objective_ = 0;
    Index capacity_ = 0;         // rows that there is room for
    LargeArray<double> values_;  // K_SS, with rows `capacity_` elements apart
};

}  // namespace dk
