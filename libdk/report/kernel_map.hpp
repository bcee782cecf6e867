// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "model/model.hpp"

namespace dk {

/// A map of rows by two kernel principal components, on which prototypes of any model with the same kernel
/// have a place too.
class KernelMap {
  public:
    /// Makes the map of some rows of the data, or nothing where kernel values cannot be computed from the
    /// rows alone, or the rows do not spread in two directions.
    static std::optional<KernelMap> of(const Model& model, const Dataset& data, std::span<const Index> rows,
                                       Control& control);

    double place_of_row(Index component, Index row) const;
    /// The places of a model's prototypes, 2 x prototypes; no columns where prototypes are no pairs, or many.
    Matrix places_of_prototypes(const Model& model, Control& control) const;
    /// The share of a component in how far the rows spread.
    double share(Index component) const { return values_[component] / total_; }

  private:
    KernelMap(Dataset rows, Matrix K) : rows_(std::move(rows)), K_(std::move(K)) {}

    Dataset rows_;
    Matrix K_;
    Matrix vectors_;  // 2 x rows
    Vector values_;   // 2
    double total_ = 0;
};

}  // namespace dk
