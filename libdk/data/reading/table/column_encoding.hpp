// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "data/reading/table/csv_table.hpp"
#include "data/reading/table/field_numbers.hpp"
#include "data/reading/table/table_mistakes.hpp"

namespace dk {

/// Says how a column of the file becomes features: one number, or for text an indicator of each category.
struct Encoding {
    Index column;
    std::vector<std::string_view> categories = {};  // A column of numbers has none.

    Index features() const { return std::max<Index>(1, std::ssize(categories)); }
};

/// What is needed to read the fields of features.
struct FieldReader {
    const CsvTable& table;
    const ReadingOptions& options;
    FieldNumbers numbers;

    std::optional<double> number(std::string_view field) const {
        if (options.missing.may_be_number() && options.missing.marks(field)) return {};
        return numbers.value_of(field);
    }
    bool says_nothing(std::string_view field) const {
        return options.missing.marks(field) || says_infinite(field);
    }
};

/// Finds the encoding of each of the columns. One with a single number is a column of numbers, so that its
/// other texts are mistakes. Columns of text that cannot be features, as names of rows and dates cannot, are
/// mistakes too.
std::vector<Encoding> encodings_of(const FieldReader& reader, std::span<const Index> columns,
                                   TableMistakes& mistakes, Control& control);

/// Finds the encodings that give the named features of earlier data. It leaves out other columns of the file,
/// and a text that the earlier data did not have belongs to no category.
std::vector<Encoding> encodings_like(const CsvTable& table, std::span<const Index> read,
                                     std::span<const std::string> features);

/// Names the features. A column without a name is f1, f2, ... by its position. It gives no names where the
/// file has none and no feature is an indicator.
std::vector<std::string> feature_names(const CsvTable& table, const std::vector<Encoding>& encodings);

/// Makes the features of all rows; throws Error(invalid_data) that tells all mistakes.
DenseMatrix encoded(const FieldReader& reader, const std::vector<Encoding>& encodings,
                    TableMistakes& mistakes, Control& control);

/// Adds the first field of each column that is no number where one is needed.
void find_field_mistakes(const FieldReader& reader, const std::vector<Encoding>& encodings,
                         TableMistakes& mistakes, Control& control);

}  // namespace dk
