// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "matrix/feature_rows.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Computes products with a tall matrix F of features, which is dense or sparse, on all threads. Sums over
/// pieces of rows are added in the order of the pieces, so that the bits are the same for any number of
/// threads.
class FeatureProducts {
  public:
    FeatureProducts(FeatureRows features, Control& control) : features_(features), control_(control) {}

    Index rows() const { return features_.rows; }
    Index dimension() const { return features_.dimension; }

    /// Computes F y.
    std::vector<double> times(std::span<const double> y) const;
    /// Computes F' x.
    std::vector<double> transposed_times(std::span<const double> x) const;
    /// Computes F' diag(weights) F for weights of at least 0, row-major.
    std::vector<double> weighted_square(std::span<const double> weights) const;

  private:
    /// Gives `size` sums over all rows. body(first row, count, sums) adds the terms of some rows to them.
    template <typename Body>
    std::vector<double> summed(Index size, Body body) const;
    ConstMatrixView dense_rows(Index first, Index count) const {
        return view(features_.values + first * dimension(), count, dimension());
    }
    /// Runs visit(column, value) for every value of a sparse row.
    template <typename Visit>
    void for_each_value(Index row, Visit visit) const;
    std::vector<double> sparse_weighted_square(std::span<const double> weights) const;
    std::vector<double> wide_weighted_square(std::span<const double> weights) const;

    FeatureRows features_;
    Control& control_;
};

}  // namespace dk
