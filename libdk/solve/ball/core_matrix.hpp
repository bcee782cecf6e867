// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/large_array.hpp"
#include "solve/ball/core_set.hpp"

namespace dk {

/// The program min alpha' K_SS alpha over the simplex, for a core set S of rows that grows: its matrix, and
/// its solution.
class CoreMatrix {
  public:
    CoreMatrix(TileSource& source, std::span<const Index> rows, Control& control);

    const std::vector<Index>& rows() const { return rows_; }
    const Vector& alpha() const { return alpha_; }
    Index size() const { return std::ssize(rows_); }
    bool has(Index row) const { return member_[row] != 0; }
    /// alpha' K_SS alpha at the last solution.
    double objective() const { return objective_; }

    /// Appends rows that are not members yet, with weight zero.
    void add(std::span<const Index> rows);
    /// Solves the program from the present weights, until no (K alpha)_i of a row with weight exceeds the
    /// smallest one by more than this share of the objective. False when no weight moved.
    bool solve(double share);
    /// Removes the rows with weight zero whose (K alpha)_i exceeds the objective by this factor. Gives the
    /// positions of those that stay, and an empty list where all stay.
    std::vector<Index> drop(double factor);

  private:
    MatrixView matrix() { return view(values_.data(), size(), size(), capacity_); }
    void reserve(Index rows);

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
