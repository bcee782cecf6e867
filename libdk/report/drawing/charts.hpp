// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace dk {

// Charts are figures of a page, drawn as SVG. Each mark tells its values when the pointer rests on it. Values
// that are not finite are left out. Colours are counted from 0 and begin anew after ten.

struct Bar {
    std::string label;
    double value;
    Index colour = 0;
    double low = std::numeric_limits<double>::quiet_NaN();  // ends of an interval around the value
    double high = std::numeric_limits<double>::quiet_NaN();
};
/// Draws horizontal bars from 0, one below the other.
std::string bar_chart(std::span<const Bar> bars, const std::string& caption);

struct Axis {
    std::string title;
    double low;
    double high;
};
/// Gives an axis over all finite values, and one from 0 to 1 where there are none.
Axis axis_over(const std::string& title, std::span<const double> values);

struct Line {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
    Index colour = 0;
};
/// Draws lines, and a dashed diagonal where `diagonal` says so. Many lines have no legend.
std::string line_chart(std::span<const Line> lines, const Axis& x, const Axis& y, bool diagonal,
                       const std::string& caption);

struct Mark {
    double x;
    double y;
    Index colour = 0;
    bool large = false;
    std::string tip = {};
};
/// Draws points, the large ones as diamonds above all others, and paths below the diamonds.
/// Colour c is of names[c].
std::string scatter_chart(std::span<const Mark> marks, const Axis& x, const Axis& y,
                          std::span<const std::string> names, bool diagonal, const std::string& caption,
                          std::span<const Line> paths = {});

/// A point that has a value, which its colour tells.
struct ValuedMark {
    double x;
    double y;
    double value;
    std::string tip = {};
};
/// Draws points in colours from that of the least value to that of the largest, the one numbered `best` as a
/// diamond above all others.
std::string heat_chart(std::span<const ValuedMark> marks, std::size_t best, const Axis& x, const Axis& y,
                       const std::string& caption);

struct ValueGroup {
    std::string name;
    std::vector<double> values;
    Index colour = 0;
};
/// Draws how often values occur in each of some equal intervals, a curve of steps for each group.
std::string histogram_chart(std::span<const ValueGroup> groups, const std::string& axis_title,
                            const std::string& caption);

/// Draws a series without axes, a line for each channel.
std::string small_lines(std::span<const double> values, Index channels, const std::string& caption);

/// Draws rows of grey values as a picture, the least of which is black.
std::string picture(std::span<const double> values, Index width, Index height, const std::string& caption);

}  // namespace dk
