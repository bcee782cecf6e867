// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/dataset.hpp"
#include "data/scaling/column_ranks.hpp"

namespace dk {

/// What a row is divided by before anything is learned of its columns: nothing, its Euclidean length, the sum
/// or the maximum of its magnitudes, or, less its mean, its deviation.
enum class RowScale { none, l2, l1, max, standard };
inline constexpr std::array<std::string_view, 5> row_scale_names{"none", "l2", "l1", "max", "standard"};

std::string_view name_of(RowScale how);
/// Gives nothing for another name.
std::optional<RowScale> row_scale_named(std::string_view name);

/// Scales one row, or the elements of a sparse row. A divisor of 0 counts as 1.
void scale_row(RowScale how, std::span<double> row);

/// The scaling of rows, and then x -> (x - shift) / scale of every column, or of the ranks of its values,
/// which is learned on training rows and stored in the model. Missing values are filled before both. A
/// constant column has scale 1. Sparse rows are not shifted, since their zeros stay.
struct Scaler {
    std::vector<double> shift = {};
    std::vector<double> scale = {};
    ColumnRanks ranks = {};         // These replace values before they are shifted, unless they are empty.
    std::vector<double> fill = {};  // These replace missing values, which are refused if this is empty.
    RowScale rows = RowScale::none;

    bool identity() const { return scale.empty() && fill.empty() && rows == RowScale::none; }
    /// Tells whether columns are divided and not shifted.
    bool divides_only() const { return shift.empty() && !scale.empty(); }
    /// Scales the features; labels, targets and weights stay. Throws Error(invalid_data) where a value is
    /// missing and nothing fills it.
    Dataset apply(const Dataset& data) const;
    /// Brings a point back to the units of the training data, in which rows are scaled.
    void restore(std::span<double> point) const;
    /// Gives by how much each column changes, in the units of the training data, where its scaled values go
    /// from -1/2 to 1/2; nothing where columns are not scaled.
    std::vector<double> units() const;
};

/// What is to be scaled and how: `columns` is none, standard (mean and standard deviation), robust (median
/// and interquartile range), minmax (minimum and range), symmetric (middle and half of the range), largest
/// (nothing and the largest magnitude), ranks (mean and standard deviation of the ranks), or auto, which
/// column_scale_of() chooses. `impute` says what fills missing values: none, or the mean or median of the
/// others. Sparse rows can be scaled by largest and divided by a number; other data that are not dense allow
/// only none.
struct ScalerChoice {
    std::string columns = "none";
    std::string impute = "none";
    RowScale rows = RowScale::none;

    bool operator==(const ScalerChoice&) const = default;
};

Scaler fit_scaler(const ScalerChoice& choice, const Dataset& data);

/// Computes the quantile `fraction` of values with linear interpolation, for which it reorders them. There
/// must be a value.
double quantile(std::span<double> values, double fraction);

}  // namespace dk
