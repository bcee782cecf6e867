// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "data/dataset.hpp"

namespace dk {

/// The scaling x -> (x - shift) / scale of every column, which is learned on training rows and stored in the
/// model. Missing values are filled before. A constant column has scale 1.
struct Scaler {
    std::vector<double> shift = {};
    std::vector<double> scale = {};
    std::vector<double> fill = {};  // These replace missing values, which are refused if this is empty.

    bool identity() const { return shift.empty() && fill.empty(); }
    /// Scales the features; labels, targets and weights stay. Throws Error(invalid_data) where a value is
    /// missing and nothing fills it.
    Dataset apply(const Dataset& data) const;
    /// Brings a point back to the units of the training data.
    void restore(std::span<double> point) const;
};

/// Learns a scaling. `kind` says what shift and scale are: none, standard (mean and standard deviation),
/// robust (median and interquartile range) or minmax (minimum and range). `impute` says what fills missing
/// values: none, or the mean or median of the others. Data that are not dense allow only none.
Scaler fit_scaler(const std::string& kind, const std::string& impute, const Dataset& data);

/// Computes the quantile `fraction` of values with linear interpolation, for which it reorders them. There
/// must be a value.
double quantile(std::span<double> values, double fraction);

}  // namespace dk
