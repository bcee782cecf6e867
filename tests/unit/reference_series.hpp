// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/alignment/alignment.hpp"
#include "support.hpp"

namespace dk::test {

/// Makes a dataset of series. Each element of `rows` has the steps x channels values of one series, which may
/// have any number of steps.
Dataset series_data(Index channels, const std::vector<std::vector<double>>& rows);

/// Makes series of normal values, whose lengths are from `shortest` to `longest`.
Dataset random_series(Index rows, Index channels, Index shortest, Index longest, std::uint64_t seed,
                      double deviation = 1);

/// Gives the logarithm of the global alignment sum, by the recursion on logarithms in extended precision.
long double reference_alignment(const GlobalAlignment& parameters, const SeriesSet& left, Index i,
                                const SeriesSet& right, Index j);

/// Gives this sum by walking along every alignment there is, which only short series allow.
long double enumerated_alignment(const GlobalAlignment& parameters, const SeriesSet& left, Index i,
                                 const SeriesSet& right, Index j);

/// Gives the least cost of an alignment in the window.
long double reference_warping(const WarpingWindow& window, const SeriesSet& left, Index i,
                              const SeriesSet& right, Index j);

}  // namespace dk::test
