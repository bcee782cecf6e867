// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "base/types.hpp"

namespace dk {

/// The labels of rows that may have several, or none: row i has those whose positions in the table stand at
/// of_rows[starts[i]] up to of_rows[starts[i + 1]], where they ascend.
struct LabelSets {
    std::vector<std::string> names = {};  // the table, which may have labels that no row has
    std::vector<Index> starts = {0};
    std::vector<Index> of_rows = {};

    Index rows() const { return std::ssize(starts) - 1; }
    Index labels() const { return std::ssize(names); }
    std::span<const Index> of_row(Index row) const {
        return std::span(of_rows).subspan(starts[row], starts[row + 1] - starts[row]);
    }
    bool has(Index row, Index label) const;

    /// Adds a row with labels at these positions, in any order and perhaps more than once.
    void add_row(std::span<const Index> labels);
    /// Copies the sets of the given rows in the given order. The table stays.
    LabelSets select(std::span<const Index> rows) const;
    /// Counts the rows of each label.
    std::vector<Index> counts() const;
    /// Writes a number for each row and label, rows x labels: one for a label that the row has, another for
    /// one that it has not.
    std::vector<double> indicators(double absent, double present) const;
};

/// Makes sets of texts with a mark between the labels, such as "3,1" or "red;blue". The table ascends, by the
/// numbers where all labels are integers. Blanks around a label do not count, and an empty text has none.
/// Asks the budget for what the sets take.
LabelSets label_sets_from_texts(std::span<const std::string_view> texts, char mark,
                                const MemoryBudget& memory);

}  // namespace dk
