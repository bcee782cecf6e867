// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "base/types.hpp"
#include "data/label_sets.hpp"

namespace dk {

/// The classes of rows. A class is known by its position in the table of all classes, which ascends.
struct Labels {
    std::vector<Index> of_rows = {};        // Row i belongs to the class at position of_rows[i].
    std::vector<std::int64_t> values = {};  // The classes as integers are 0, 1, ... if they have names.
    std::vector<std::string> names = {};    // This is empty if the classes are integers.

    Index classes() const { return std::ssize(values); }
    std::string class_name(Index position) const;
};

/// Makes classes of integers. Where some are beyond 2^53, their digits become names: predictions are doubles,
/// and two labels could be the same one there.
Labels labels_from_integers(std::span<const std::int64_t> labels);
/// Gives the classes as integers: those that they were made of, even beyond 2^53, or the positions of names.
std::vector<std::int64_t> integers_of(const Labels& labels);
/// Gives each row the set that has its class alone.
LabelSets sets_of_one(const Labels& labels);
/// Lists the labels of sets as classes. Their values are their positions, in which predictions have them.
Labels table_of(const LabelSets& sets);
/// Makes classes of names, and asks the budget for what these take.
Labels labels_from_names(std::span<const std::string_view> labels, const MemoryBudget& memory);

}  // namespace dk
