// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/engine/alignment.hpp"
#include "support.hpp"

namespace dk::test {

/// Rows as steps x channels, of any length each.
Dataset series_data(Index channels, const std::vector<std::vector<double>>& rows);

/// Normal values, lengths from `shortest` to `longest`.
Dataset random_series(Index rows, Index channels, Index shortest, Index longest, std::uint64_t seed,
                      double deviation = 1);

/// The logarithm of the global alignment sum, by the recursion on logarithms in extended precision.
long double reference_alignment(const GlobalAlignment& parameters, const SeriesSet& left, Index i,
                                const SeriesSet& right, Index j);

/// The same sum by walking along every alignment there is: short series only.
long double enumerated_alignment(const GlobalAlignment& parameters, const SeriesSet& left, Index i,
                                 const SeriesSet& right, Index j);

/// The least cost of an alignment.
long double reference_warping(Index band, const SeriesSet& left, Index i, const SeriesSet& right, Index j);

}  // namespace dk::test
