// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/large_array.hpp"
#include "solve/core_set.hpp"
#include "solve/gram_source.hpp"

namespace dk {

/// The matrix of a growing core set with the best simplex weights on it.
class CoreMatrix {
  public:
    CoreMatrix(CoreSource& source, std::span<const Index> rows, Control& control);

    const std::vector<Index>& rows() const { return rows_; }
    const std::vector<double>& alpha() const { return alpha_; }
    Index size() const { return size_of(rows_); }
    bool has(Index row) const { return member_[unsigned_of(row)] != 0; }
    /// a'Ka
    double objective() const { return objective_; }

    /// Appends rows that are not members, with weight zero.
    void add(std::span<const Index> rows);
    /// Sequential minimal optimisation until the (Ka)_i of rows with weight exceed the smallest by no more
    /// than this share of a'Ka; whether anything moved.
    bool solve(double share);
    /// Removes the rows with weight zero whose (Ka)_i exceeds the objective by this factor; gives the
    /// positions of those that stay, empty where all do.
    std::vector<Index> drop(double factor);

  private:
    double* row(Index i) { return values_.data() + i * capacity_; }
    void reserve(Index rows);

    CoreSource& source_;
    Control& control_;
    std::vector<Index> rows_;
    std::vector<char> member_;
    std::vector<double> alpha_;
    std::vector<double> products_;  // Ka
    double objective_ = 0;
    Index capacity_ = 0;
    LargeArray<double> values_;  // rows at stride capacity_
};

}  // namespace dk
