// SPDX-License-Identifier: Apache-2.0
// This file measures prototypes: how well people can read them, and how much they change with the training
// rows. It needs numbers only, so that tests can compare it with values by hand. A measure that does not
// exist for what is given is empty.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace command {

// The largest share of one class in the absolute coefficients of a prototype. A prototype without
// coefficients, which is a free vector, has none.
std::optional<double> purity(std::span<const double> coefficients, std::span<const int64_t> labels);

// exp(-sum_st u_s u_t |Phi(x_s) - Phi(x_t)|^2) of a prototype sum_s u_s Phi(x_s) of length 1. A single row
// has 1. Of several rows it is known where the coefficients are at least 0 and have the sum 1, and every row
// has length 1 in feature space (`unit_rows`); `distances` are those of all rows to the prototype.
std::optional<double> compactness(std::span<const double> coefficients, std::span<const double> distances,
                                  bool unit_rows);

// The rows of one half of the data, and those among them that a learner chose. Both are in ascending order.
struct ChosenRows {
    std::vector<int64_t> rows;
    std::vector<int64_t> chosen;
};

// The mean over all pairs of halves of the Jaccard index of the rows chosen, among the rows that both halves
// have. Pairs of halves that chose none of these don't count.
std::optional<double> row_stability(std::span<const ChosenRows> halves);

// The stability of selected subsets of the same features by Nogueira, Sechidis and Brown: 1 where all are the
// same, and 0 on average where chance selects as many. It does not exist for fewer than two subsets, nor
// where all features or none are always selected.
std::optional<double> selection_stability(std::span<const std::vector<bool>> subsets);

}  // namespace command
