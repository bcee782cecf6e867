// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "data/dataset.hpp"
#include "data/scaling/scaler.hpp"
#include "matrix/matrix.hpp"
#include "model/principal_components.hpp"

namespace dk {

/// A selection of the columns of dense rows, in ascending order.
struct KeptColumns {
    Index of = 0;  // so many columns
    std::vector<Index> columns = {};

    bool all() const { return std::ssize(columns) == of; }
};

/// Rows x become directions * x, with a new column for each row of `directions`.
struct LinearMap {
    Matrix directions = {};

    Dataset apply(const Dataset& data, Control& control) const;
};

/// A step between the scaled data and what the machine is given: a selection of columns, the features that
/// kernel principal components give rows, or a linear map.
using LayerStep = std::variant<KeptColumns, std::shared_ptr<const PrincipalComponents>, LinearMap>;

/// A layer as it was learned.
struct Layer {
    std::string text;    // as the parameter `layers` has it
    std::string report;  // JSON text: what it learned
    LayerStep step;

    /// Tells how many columns the rows have after the layer.
    Index outputs() const;
    Dataset apply(const Dataset& data, Control& control) const;
};

/// The way from data as the user has them to what the machine is given: scaling, and then one layer after the
/// other. It is learned on training rows, and never changes afterwards.
struct Preparation {
    Scaler scaler = {};
    std::vector<Layer> layers = {};

    bool identity() const { return scaler.identity() && layers.empty(); }
    /// Tells how many columns there are after the last layer, of so many before the first.
    Index outputs(Index features) const { return layers.empty() ? features : layers.back().outputs(); }
    Dataset apply(const Dataset& data, Control& control) const;
    /// Brings points that the machine has, count x outputs(features), back to the columns of the data, count
    /// x features. A column that no layer kept is NaN. Throws Error(unsupported) where a layer changed the
    /// space.
    void restore(std::span<const double> points, Index features, std::span<double> out) const;
};

/// Gives rows with only these of their columns, which are dense.
Dataset with_columns(const Dataset& data, const KeptColumns& kept);

}  // namespace dk
