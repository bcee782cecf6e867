// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>

#include "kernel/engine/alignment.hpp"
#include "kernel/kernel.hpp"
#include "kernel/language/data_facts.hpp"

namespace dk {

/// exp(-gamma d) of the dynamic time warping distance d.
struct Warping {
    double gamma = 1;
    Index band = 0;
};

struct SeriesFunction {
    std::string text;
    std::variant<GlobalAlignment, Warping> function;
    bool positive_semidefinite = false;
};

/// A kernel of series over some of their channels, with k(x, x) = 1.
KernelPointer make_series_kernel(Columns channels, SeriesFunction function);

/// median |x - y| over steps of the training series, times the root of their median length (Cuturi 2011).
double automatic_alignment_width(const Dataset& data, const Columns& channels);

/// 1 over the mean or median warping distance between training series, of all or of a sample.
double warping_width(std::string_view rule, const Dataset& data, const Columns& channels);

}  // namespace dk
