// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

/// What can be said of the numbers of one column, or of the texts of a column that became indicators.
struct ColumnFacts {
    std::string name = {};
    Index first = 0;  // the column's position among the features
    Index count = 1;  // A column of texts has an indicator for each of its texts.
    Index missing = 0;
    Index distinct = 0;
    bool integers = false;
    double least = 0;
    double largest = 0;
    double mean = 0;
    double deviation = 0;     // of the rows from their mean, in the mean of squares
    std::uint64_t print = 0;  // Columns of the same values have the same print; others hardly ever.
    std::vector<std::pair<std::string, Index>> levels = {};  // the texts and their rows, most frequent first

    bool of_texts() const { return !levels.empty(); }
    bool constant() const { return !of_texts() && distinct <= 1; }
};

/// Mixes a value into the print of values before it, whose order counts.
std::uint64_t print_with(std::uint64_t print, double value);

/// Gives the values of columns of dense or sparse rows. The entries of sparse rows are sorted by columns
/// once.
class ColumnReader {
  public:
    explicit ColumnReader(const Dataset& data);
    /// Gives the values of one column, where a missing one is a NaN.
    std::vector<double> values(Index column) const;

  private:
    const Dataset& data_;
    std::vector<Index> begin_;  // The entries of column j are begin_[j] to begin_[j + 1] - 1.
    std::vector<std::pair<Index, double>> entries_;  // rows and values
};

/// Gives the facts of all columns of dense or sparse rows.
std::vector<ColumnFacts> column_facts(const Dataset& data, const ColumnReader& reader, Control& control);

}  // namespace dk
