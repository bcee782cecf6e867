// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"

namespace dk {

/// x -> (x - shift) / scale for every column, missing values filled before; learned on training rows, stored
/// in the model. Columns without spread have scale 1.
struct Scaler {
    std::vector<double> shift = {};
    std::vector<double> scale = {};
    std::vector<double> fill = {};  // in place of missing values; empty: they are refused

    bool identity() const { return shift.empty() && fill.empty(); }
    /// The dataset with scaled features; labels, targets and weights stay. Throws Error(invalid_data) where
    /// a value is missing and nothing fills it.
    Dataset apply(const Dataset& data) const;
    /// A point back in the units of the training data.
    void restore(std::span<double> point) const;
};

/// `kind`: none; standard (mean, standard deviation); robust (median, inter-quartile range);
/// minmax (minimum, range). `impute`: none, mean or median of what is there. Dense data only, unless none.
Scaler fit_scaler(const std::string& kind, const std::string& impute, const Dataset& data);

/// The quantile `fraction` of values with linear interpolation; reorders them. values not empty.
double quantile(std::span<double> values, double fraction);

}  // namespace dk
