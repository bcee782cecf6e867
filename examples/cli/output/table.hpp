// SPDX-License-Identifier: Apache-2.0
// This file prints tables whose lines are no longer than those of the terminal.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"
#include "output/terminal.hpp"

namespace command {

class Table {
  public:
    // A table without names of columns has no head.
    explicit Table(const std::vector<std::string>& names = {});

    // Adds a row, which is shown in a tone.
    void add(const std::vector<std::string>& cells, Tone tone = Tone::plain);
    // Aligns a column to the right, as numbers are, which are only cut if nothing else is left to cut.
    void align_right(size_t column);
    void print(Output& output, size_t indent = 0, LongCells long_cells = LongCells::cut) const;

  private:
    struct Row {
        std::vector<std::string> cells;
        Tone tone;
    };
    std::vector<size_t> widths() const;
    bool is_right(size_t column) const { return column < right_.size() && right_[column]; }
    std::string line(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                     size_t shown) const;

    std::vector<std::string> names_;
    std::vector<Row> rows_;
    std::vector<bool> right_;
};

// Prints a sentence below a table.
void print_sentence(Output& output, const std::string& text);

}  // namespace command
