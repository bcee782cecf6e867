// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "base/scanning/assignments.hpp"
#include "base/text.hpp"
#include "data/reading/table/calendar_dates.hpp"
#include "data/reading/table/csv_table.hpp"
#include "data/reading/table/number_notation.hpp"

namespace dk {

/// How the fields of a table become numbers: what the options say, or what the columns agree on.
class FieldNumbers {
  public:
    /// Looks for a notation in the columns where the options leave it open and the file may have one.
    /// A file that is read like an earlier one has the notation of that file, and no other.
    FieldNumbers(const CsvTable& table, std::span<const Index> columns, const ReadingOptions& options,
                 bool may_have_notation, Control& control);

    /// Gives the number that a field is.
    std::optional<double> value_of(std::string_view field) const {
        if (!notation_ && !dates_) return parse_number(field);
        return other_value_of(field);
    }

    /// Gives the options with which later files are read alike.
    Assignments understood() const;

  private:
    std::optional<double> other_value_of(std::string_view field) const;

    std::optional<NumberNotation> notation_;  // Without it numbers are plain.
    std::optional<DateNumber> dates_;
};

}  // namespace dk
