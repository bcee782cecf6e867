// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "kernel/alignment/alignment.hpp"
#include "kernel/engine/kernel.hpp"
#include "kernel/language/data_facts.hpp"

namespace dk {

/// The parameters of exp(-gamma d) for the dynamic time warping distance d (dtw.cpp).
struct Warping {
    double gamma = 1;
    WarpingWindow window;
};

/// The parameters of exp(-gamma d) for the divergence d of soft dynamic time warping (soft_dtw.cpp).
struct SoftWarping {
    double gamma = 1;
    double smoothing = 1;
};

/// What makes a kernel of series.
struct SeriesFunction {
    std::string text;  // its specification, such as "dtw(gamma=0.5, band=0)"
    std::variant<GlobalAlignment, Warping, SoftWarping> function;
    bool positive_semidefinite = false;
};

/// Makes a kernel of series, with k(x, x) = 1, for some of their channels; no channels mean all of them.
KernelPointer make_series_kernel(Columns channels, SeriesFunction function);

/// The width sigma = median |u - v| sqrt(median length) for random steps u and v of the training series
/// (Cuturi, Fast global alignment kernels, ICML 2011).
double automatic_alignment_width(const Dataset& data, const Columns& channels);

/// Finds gamma as 1 over the mean or median warping distance of training series; of many, a sample is taken.
double warping_width(std::string_view rule, const Dataset& data, const Columns& channels);

}  // namespace dk
