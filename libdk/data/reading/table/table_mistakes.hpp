// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/reading/table/csv_table.hpp"

namespace dk {

/// Gives the text by which an option that is typed finds a column: its name, or its index where blanks or
/// brackets in the name would end the option.
std::string typed_column(const CsvTable& table, Index column);

/// Names a column for a message, and gives the option that leaves it out.
std::pair<std::string, std::string> name_and_remedy(const CsvTable& table, Index column);

/// What is wrong with the columns of a table. All of it is told at once, so that nobody mends a file one
/// mistake after the other.
class TableMistakes {
  public:
    /// The table has labels in a column, or none where it is -1.
    TableMistakes(const CsvTable& table, const ReadingOptions& options, Index label, Control& control)
        : table_(table), options_(options), label_(label), control_(control) {}

    /// Tells what is wrong with a column. The option, such as missing and keep, would answer it; "" means
    /// that none does.
    void add(Index column, std::string what, const std::string& option = "", const std::string& value = "");
    bool has(Index column) const;
    bool any() const { return !found_.empty(); }

    /// Throws Error(invalid_data) that tells the mistakes in the order of the columns.
    [[noreturn]] void refuse() const;

  private:
    struct Mistake {
        Index column;
        std::string what;
        std::string option;
        std::string value;
    };

    std::string options_for_all() const;
    std::string about_the_label() const;

    const CsvTable& table_;
    const ReadingOptions& options_;
    Index label_;
    Control& control_;
    std::vector<Mistake> found_;
};

}  // namespace dk
