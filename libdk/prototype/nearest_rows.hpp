// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// Finds the rows that are nearest to each of some prototypes, from chunks of rows in any sizes. Distances in
/// feature space are |x - p|^2 = k(x, x) - 2 x.p + |p|^2, of which |p|^2 is not needed to compare rows.
class NearestRows {
  public:
    NearestRows(Index prototypes, Index neighbours)
        : prototypes_(prototypes), neighbours_(neighbours), best_(prototypes) {}

    /// Looks at rows first to first + count - 1. `self` has k(x, x) of each, and `products` the inner
    /// products x.p as a matrix of rows x prototypes.
    void see(Index first, Index count, std::span<const double> self, const double* products,
             Control& control);

    /// Appends the rows that are nearest to each prototype and their distances, the nearest first and the
    /// first row where two are as near; prototypes x neighbours. It takes the prototypes' |p|^2. At
    /// least `neighbours` rows must have been seen. Throws Error(numerical) where fewer of them have a finite
    /// distance.
    void write(std::span<const double> squared_norms, std::vector<Index>& rows,
               std::vector<double>& distances) const;

  private:
    struct Candidate {
        double excess;  // This is |x - p|^2 - |p|^2.
        Index row;
        bool operator<(const Candidate& other) const {
            return excess < other.excess || (excess == other.excess && row < other.row);
        }
    };

    Index prototypes_;
    Index neighbours_;
    std::vector<std::vector<Candidate>> best_;  // Each prototype has its candidates in ascending order.
};

}  // namespace dk
