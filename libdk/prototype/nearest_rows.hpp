// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// The rows nearest to each of some prototypes, kept while rows pass by in chunks.
class NearestRows {
  public:
    NearestRows(Index prototypes, Index neighbours)
        : prototypes_(prototypes), neighbours_(neighbours), best_(prototypes) {}

    /// Rows first .. first + count with k(x, x) and products x.p, rows x prototypes.
    void see(Index first, Index count, std::span<const double> self, const double* products,
             Control& control);

    /// prototypes x neighbours, nearest first, ties to the first row; |x - p| from the prototypes' squared
    /// norms.
    void write(std::span<const double> squared_norms, std::vector<Index>& rows,
               std::vector<double>& distances) const;

  private:
    struct Candidate {
        double excess;  // |x - p|^2 - |p|^2
        Index row;
        bool operator<(const Candidate& other) const {
            return excess < other.excess || (excess == other.excess && row < other.row);
        }
    };

    Index prototypes_;
    Index neighbours_;
    std::vector<std::vector<Candidate>> best_;  // of each prototype, ascending
};

}  // namespace dk
