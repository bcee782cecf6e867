// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "data/describing/column_facts.hpp"

namespace dk {

/// What whoever reads a model's answers should know, and a word for what it is about.
struct Warning {
    std::string about;
    std::string sentence;

    bool operator==(const Warning&) const = default;
};

std::vector<std::string> sentences_of(std::vector<Warning> warnings);

/// Says what looks wrong with rows from which a model is to be learned: columns that are constant, the same
/// as others, or on scales of their own; a column that tells the class or the target alone; rows that stand
/// twice; classes of few rows.
std::vector<Warning> data_warnings(const Dataset& data, std::span<const ColumnFacts> columns,
                                   const ColumnReader& reader, Control& control);

/// Says the same of the rows of a training, in a time that is small beside it: of many rows some are looked
/// at, and of rows with very many columns, of other kinds, and where memory is short, only the classes, if
/// labels are classes to the training.
std::vector<Warning> training_warnings(const Dataset& data, bool classifies, Control& control);

}  // namespace dk
