// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "matrix/matrix.hpp"

namespace dk {

/// A fuzzy measure g gives each set of sources its worth: nothing to the empty set, 1 to all, and never less
/// to a larger set. Sets are bit masks, where bit k stands for source k.
struct FuzzyMeasure {
    Index sources = 0;
    std::vector<double> worth = {};  // g of each mask, 2^sources of them

    double operator()(std::size_t mask) const { return worth[mask]; }
    std::size_t all() const { return (std::size_t{1} << static_cast<std::size_t>(sources)) - 1; }
};

/// The largest number of sources: a measure has a number for each set of them.
inline constexpr Index most_sources = 10;

/// Orders the sources by descending value, the first of equal ones first.
std::vector<Index> descending_order(std::span<const double> values);

/// Gives what each source counts for in the Choquet integral of these values. With the values in descending
/// order v_1 >= v_2 >= ... and the sets A_j of the first j sources, source j counts for g(A_j) - g(A_{j-1}),
/// and the integral is the sum of the values times this.
void local_weights(const FuzzyMeasure& g, std::span<const double> values, std::span<double> out);

/// Gives the Choquet integral of the values.
double choquet_integral(const FuzzyMeasure& g, std::span<const double> values);

/// Gives the Shapley value of each source, the mean of what it adds to sets of others. They sum to 1.
Vector shapley_values(const FuzzyMeasure& g);

/// Gives the interaction index of each pair of sources, in [-1, 1]: positive where two complement each other,
/// negative where one does what the other does. The diagonal is 0.
Matrix interaction_indices(const FuzzyMeasure& g);

/// Raises what is worth less than a part of it, and bounds all by 1.
void make_monotone(FuzzyMeasure& g);

}  // namespace dk
