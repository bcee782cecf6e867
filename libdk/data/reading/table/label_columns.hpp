// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "data/reading/table/field_numbers.hpp"

namespace dk {

/// Attaches a column as labels or targets: integers become both, other numbers become targets, and other
/// texts become the names of classes.
void attach_label_column(Dataset& data, std::span<const std::string_view> fields, Control& control);

/// Attaches a column whose texts have a mark between the labels of a row, which may be none.
void attach_label_sets(Dataset& data, std::span<const std::string_view> fields, char mark, Control& control);

/// Attaches a column as the options say: as sets of labels, or one label a row.
void attach_labels(Dataset& data, std::span<const std::string_view> fields, const ReadingOptions& options,
                   Control& control);

/// Gives the fields of a column of labels. Where rows may have several labels, one without any has an empty
/// field; otherwise a row that lacks its label is an error.
std::vector<std::string_view> label_fields(const CsvTable& table, Index column,
                                           const ReadingOptions& options);

/// Gives the number of a field of several columns of targets; truth values are 1 and 0.
std::optional<double> target_of(std::string_view field, const FieldNumbers* numbers = nullptr);

/// Attaches several columns, whose values are rows x columns, as targets. Where all are 0 or 1, they say
/// which of the labels of these names each row has, too.
void attach_target_columns(Dataset& data, std::vector<std::string> names, std::vector<double> values);

/// Attaches a column as groups. Integers are the groups' numbers; other texts are numbered as they ascend.
void attach_group_column(Dataset& data, std::span<const std::string_view> fields, Control& control);

}  // namespace dk
