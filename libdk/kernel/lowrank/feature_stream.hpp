// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernel/engine/gram_engine.hpp"
#include "kernel/lowrank/feature_map.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Features are computed for so many rows at a time.
inline constexpr Index feature_rows_at_once = Index{1} << 13U;

/// Chooses a row of each piece of `every` rows, from which solvers in features of many rows begin. Places in
/// the pieces take turns, since classes may alternate.
std::vector<Index> one_row_of_each_piece(Index rows, Index every);

/// Reads the features of rows first, first + 1, ..., one row each.
using FeatureReader = std::function<void(Index first, const ConstMatrixView& features)>;

/// Computes the raw features of all rows, some rows at a time, so that they never take much memory together.
void read_raw_features(const FeatureMap& map, const Dataset& data, const FeatureReader& reader,
                       Control& control);

/// Computes Phi' v (features x v_cols) for the features Phi of the rows and weights v (rows x v_cols) that
/// are given in blocks.
Matrix combined_features(const FeatureMap& map, const Dataset& data, std::span<const WeightBlock> v,
                         Index v_cols, Control& control);

/// The matrix of a kernel with features between rows and combinations of other rows, of which only Phi' v is
/// needed. It has the members of GramEngine that prototypes are found with.
class FeatureEngine {
  public:
    /// All must outlive it.
    FeatureEngine(const FeatureMap& map, const Dataset& left, const Dataset& right, Control& control)
        : map_(map), left_(left), right_(right), control_(control) {}

    Index rows() const { return left_.rows(); }
    std::vector<double> self(Side side) const;
    void product(std::span<const WeightBlock> v, Index v_cols, const ProductReader& reader,
                 Control& control) const;

  private:
    const FeatureMap& map_;
    const Dataset& left_;
    const Dataset& right_;
    Control& control_;
};

/// Computes Psi raw for the raw features Psi of all rows, and gives it to the reader in pieces of rows. For
/// raw = map.to_raw(w) this is Phi w.
void multiply_raw_features(const FeatureMap& map, const Dataset& data, const Matrix& raw,
                           const ProductReader& reader, Control& control);

}  // namespace dk
