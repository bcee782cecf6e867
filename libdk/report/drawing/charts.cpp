// SPDX-License-Identifier: Apache-2.0
#include "report/drawing/charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "report/drawing/html.hpp"

namespace dk {

namespace {

constexpr double chart_width = 400;
constexpr double chart_height = 280;
constexpr double chart_left = 58;
constexpr double chart_right = 12;
constexpr double chart_top = 10;
constexpr double chart_bottom = 40;
constexpr std::size_t most_names = 12;

/// Values beyond these bounds are drawn at them, so that differences of values are numbers.
constexpr double farthest = 1e300;

double drawn(double value) {
    return std::clamp(value, -farthest, farthest);
}

/// Writes a place on the screen, where a tenth of a pixel does.
std::string at(double value) {
    return format_number(std::round(10 * value) / 10);
}

std::string colour(Index number) {
    return text("var(--c", number % 10, ")");
}

std::string tip(std::string_view words) {
    return text("<title>", escaped(words), "</title>");
}

std::string figure(double tall, std::string_view drawing, const std::string& caption,
                   std::string_view below) {
    return text("<figure><svg viewBox=\"0 0 ", chart_width, " ", at(tall), "\" role=\"img\" aria-label=\"",
                escaped(caption), "\">\n", drawing, "</svg>\n", below, "<figcaption>", escaped(caption),
                "</figcaption></figure>\n");
}

std::string legend(std::span<const std::string> names, std::span<const Index> colours) {
    if (names.size() < 2 || names.size() > most_names) return "";
    std::string out = "<div class=\"legend\">";
    for (std::size_t i = 0; i < names.size(); ++i)
        out +=
            text("<span><i style=\"background:", colour(colours[i]), "\"></i>", escaped(names[i]), "</span>");
    return out + "</div>\n";
}

/// Gives steps of 1, 2 or 5 times a power of ten, about four of them between the ends of an axis.
std::vector<double> ticks(const Axis& axis) {
    const double rough = (axis.high - axis.low) / 4;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = power * (rough / power < 1.5   ? 1
                                 : rough / power < 3.5 ? 2
                                 : rough / power < 7.5 ? 5
                                                       : 10);
    std::vector<double> places;
    const double first = std::ceil(axis.low / step - 1e-9) * step;
    for (int i = 0; i < 10 && first + i * step <= axis.high + 1e-9 * step; ++i) {
        const double tick = first + i * step;
        places.push_back(std::abs(tick) < 1e-9 * step ? 0 : tick);
    }
    return places;
}

/// A plane with two axes.
class Plane {
  public:
    Plane(Axis x, Axis y) : x_(std::move(x)), y_(std::move(y)) {}

    double across(double value) const {
        return chart_left +
               (chart_width - chart_left - chart_right) * (drawn(value) - x_.low) / (x_.high - x_.low);
    }
    double down(double value) const {
        return chart_height - chart_bottom -
               (chart_height - chart_top - chart_bottom) * (drawn(value) - y_.low) / (y_.high - y_.low);
    }

    std::string axes() const {
        std::string out;
        for (const double tick : ticks(x_)) {
            out += text("<line class=\"rule\" x1=\"", at(across(tick)), "\" x2=\"", at(across(tick)),
                        "\" y1=\"", chart_top, "\" y2=\"", chart_height - chart_bottom, "\"/><text x=\"",
                        at(across(tick)), "\" y=\"", chart_height - chart_bottom + 15,
                        "\" text-anchor=\"middle\">", shown(tick), "</text>\n");
        }
        for (const double tick : ticks(y_)) {
            out +=
                text("<line class=\"rule\" x1=\"", chart_left, "\" x2=\"", chart_width - chart_right,
                     "\" y1=\"", at(down(tick)), "\" y2=\"", at(down(tick)), "\"/><text x=\"", chart_left - 5,
                     "\" y=\"", at(down(tick) + 4), "\" text-anchor=\"end\">", shown(tick), "</text>\n");
        }
        out += text("<path class=\"axis\" fill=\"none\" d=\"M", chart_left, " ", chart_top, "V",
                    chart_height - chart_bottom, "H", chart_width - chart_right, "\"/>\n<text x=\"",
                    (chart_left + chart_width - chart_right) / 2, "\" y=\"", chart_height - 6,
                    "\" text-anchor=\"middle\">", escaped(shortened(x_.title, 60)), "</text>\n");
        const double middle = (chart_top + chart_height - chart_bottom) / 2;
        return out + text("<text transform=\"translate(11 ", middle,
                          ") rotate(-90)\" text-anchor=\"middle\">", escaped(shortened(y_.title, 40)),
                          "</text>\n");
    }

    std::string diagonal() const {
        const double low = std::max(x_.low, y_.low);
        const double high = std::min(x_.high, y_.high);
        if (!(low < high)) return "";
        return text("<line class=\"dashed\" x1=\"", at(across(low)), "\" y1=\"", at(down(low)), "\" x2=\"",
                    at(across(high)), "\" y2=\"", at(down(high)), "\"/>\n");
    }

    std::string path(std::span<const double> x, std::span<const double> y) const {
        std::string out;
        bool pen_down = false;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const bool known = std::isfinite(x[i]) && std::isfinite(y[i]);
            if (known) out += text(pen_down ? "L" : "M", at(across(x[i])), " ", at(down(y[i])));
            pen_down = known;
        }
        return out;
    }

  private:
    Axis x_;
    Axis y_;
};

std::string drawn_line(const Plane& plane, const Line& line) {
    return text("<path fill=\"none\" stroke-width=\"2\" stroke=\"", colour(line.colour), "\" d=\"",
                plane.path(line.x, line.y), "\">", tip(line.name), "</path>\n");
}

}  // namespace

Axis axis_over(const std::string& title, std::span<const double> values) {
    double low = infinity;
    double high = -infinity;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        low = std::min(low, drawn(value));
        high = std::max(high, drawn(value));
    }
    if (!(low <= high)) return {title, 0, 1};
    // Values that differ in their last digits alone are the same on a screen.
    const bool differ = high - low > std::max(1e-9 * std::max(std::abs(low), std::abs(high)), 1 / farthest);
    const double margin = differ ? 0.04 * (high - low) : std::max(1.0, std::abs(low)) * 0.5;
    return {title, low - margin, high + margin};
}

std::string bar_chart(std::span<const Bar> bars, const std::string& caption) {
    constexpr double row = 22;
    constexpr double names = 150;
    double low = 0;
    double high = 0;
    for (const Bar& bar : bars) {
        for (const double end : {bar.value, bar.low, bar.high}) {
            if (!std::isfinite(end)) continue;
            low = std::min(low, drawn(end));
            high = std::max(high, drawn(end));
        }
    }
    if (high - low < 1 / farthest) high = 1;
    const double room = chart_width - names - 60;
    const auto across = [&](double value) { return names + room * (drawn(value) - low) / (high - low); };
    std::string out;
    double y = 4;
    for (const Bar& bar : bars) {
        if (!std::isfinite(bar.value)) continue;
        const double begin = across(std::min(0.0, bar.value));
        const double end = across(std::max(0.0, bar.value));
        const bool interval = std::isfinite(bar.low) && std::isfinite(bar.high);
        const std::string words = interval ? text(bar.label, ": ", shown(bar.value), " (", shown(bar.low),
                                                  " to ", shown(bar.high), ")")
                                           : text(bar.label, ": ", shown(bar.value));
        out += text("<g>", tip(words), "<text x=\"", names - 6, "\" y=\"", at(y + 14),
                    "\" text-anchor=\"end\">", escaped(shortened(bar.label, 20)), "</text><rect x=\"",
                    at(begin), "\" y=\"", at(y + 3), "\" width=\"", at(std::max(end - begin, 0.5)),
                    "\" height=\"", row - 6, "\" fill=\"", colour(bar.colour), "\"/>");
        double label = end;
        if (interval) {
            out += text("<path class=\"whisker\" fill=\"none\" d=\"M", at(across(bar.low)), " ",
                        at(y + row / 2), "H", at(across(bar.high)), "\"/>");
            label = std::max(label, across(bar.high));
        }
        out += text("<text x=\"", at(label + 5), "\" y=\"", at(y + 14), "\">", shown(bar.value),
                    "</text></g>\n");
        y += row;
    }
    return figure(y + 4, out, caption, "");
}

std::string line_chart(std::span<const Line> lines, const Axis& x, const Axis& y, bool diagonal,
                       const std::string& caption) {
    const Plane plane(x, y);
    std::string out = plane.axes();
    if (diagonal) out += plane.diagonal();
    std::vector<std::string> names;
    std::vector<Index> colours;
    for (const Line& line : lines) {
        out += drawn_line(plane, line);
        names.push_back(line.name);
        colours.push_back(line.colour);
        if (line.x.size() > 40) continue;
        for (std::size_t i = 0; i < line.x.size(); ++i) {
            if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i])) continue;
            out += text("<circle r=\"3\" cx=\"", at(plane.across(line.x[i])), "\" cy=\"",
                        at(plane.down(line.y[i])), "\" fill=\"", colour(line.colour), "\">",
                        tip(text(line.name, ": ", shown(line.x[i]), ", ", shown(line.y[i]))), "</circle>\n");
        }
    }
    return figure(chart_height, out, caption, legend(names, colours));
}

std::string heat_chart(std::span<const ValuedMark> marks, std::size_t best, const Axis& x, const Axis& y,
                       const std::string& caption) {
    double least = infinity;
    double largest = -infinity;
    for (const ValuedMark& mark : marks) {
        if (!std::isfinite(mark.value)) continue;
        least = std::min(least, drawn(mark.value));
        largest = std::max(largest, drawn(mark.value));
    }
    const Plane plane(x, y);
    std::string out = plane.axes();
    for (const bool is_best : {false, true}) {
        for (std::size_t m = 0; m < marks.size(); ++m) {
            const auto& [across, down, value, words] = marks[m];
            if ((m == best) != is_best || !std::isfinite(across) || !std::isfinite(down) ||
                !std::isfinite(value))
                continue;
            const double cx = plane.across(across);
            const double cy = plane.down(down);
            const double share =
                largest > least ? std::round(100 * (drawn(value) - least) / (largest - least)) : 100;
            const std::string fill =
                text("fill=\"color-mix(in srgb, ", colour(1), " ", share, "%, ", colour(0), ")\"");
            out += is_best ? text("<path d=\"M", at(cx), " ", at(cy - 9), "l8 9l-8 9l-8 -9z\" ", fill,
                                  " class=\"whisker\">", tip(words), "</path>\n")
                           : text("<circle r=\"6\" cx=\"", at(cx), "\" cy=\"", at(cy), "\" ", fill,
                                  " fill-opacity=\"0.85\">", tip(words), "</circle>\n");
        }
    }
    std::vector<std::string> names;
    if (least <= largest) names = {text("lowest ", shown(least)), text("highest ", shown(largest))};
    const std::vector<Index> colours{0, 1};
    return figure(chart_height, out, caption, legend(names, colours));
}

std::string scatter_chart(std::span<const Mark> marks, const Axis& x, const Axis& y,
                          std::span<const std::string> names, bool diagonal, const std::string& caption,
                          std::span<const Line> paths) {
    const Plane plane(x, y);
    std::string out = plane.axes();
    if (diagonal) out += plane.diagonal();
    for (const bool large : {false, true}) {
        for (const Line& path : large ? paths : std::span<const Line>()) out += drawn_line(plane, path);
        for (const Mark& mark : marks) {
            if (mark.large != large || !std::isfinite(mark.x) || !std::isfinite(mark.y)) continue;
            const double cx = plane.across(mark.x);
            const double cy = plane.down(mark.y);
            const std::string fill = colour(mark.colour);
            if (large) {
                out += text("<path d=\"M", at(cx), " ", at(cy - 8), "l7 8l-7 8l-7 -8z\" fill=\"", fill,
                            "\" class=\"whisker\">", tip(mark.tip), "</path>\n");
            } else {
                out += text("<circle r=\"3\" cx=\"", at(cx), "\" cy=\"", at(cy), "\" fill=\"", fill,
                            "\" fill-opacity=\"0.75\">", tip(mark.tip), "</circle>\n");
            }
        }
    }
    std::vector<Index> colours;
    for (Index i = 0; i < std::ssize(names); ++i) colours.push_back(i);
    return figure(chart_height, out, caption, legend(names, colours));
}

std::string histogram_chart(std::span<const ValueGroup> groups, const std::string& axis_title,
                            const std::string& caption) {
    constexpr Index intervals = 30;
    std::vector<double> all;
    for (const ValueGroup& group : groups) all.insert(all.end(), group.values.begin(), group.values.end());
    const Axis x = axis_over(axis_title, all);
    const double step = (x.high - x.low) / intervals;
    std::vector<std::vector<double>> counts;
    double most = 0;
    for (const ValueGroup& group : groups) {
        auto& own = counts.emplace_back(intervals, 0.0);
        for (const double value : group.values) {
            if (!std::isfinite(value)) continue;
            const auto place = static_cast<Index>((drawn(value) - x.low) / step);
            ++own[std::clamp<Index>(place, 0, intervals - 1)];
        }
        most = std::max(most, *std::ranges::max_element(own));
    }
    const Plane plane(x, {"rows", 0, 1.05 * std::max(most, 1.0)});
    std::string out = plane.axes();
    std::vector<std::string> names;
    std::vector<Index> colours;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        names.push_back(groups[g].name);
        colours.push_back(groups[g].colour);
        for (Index i = 0; i < intervals; ++i) {
            if (counts[g][i] == 0) continue;
            const double begin = plane.across(x.low + step * double(i));
            const double above = plane.down(counts[g][i]);
            out +=
                text("<rect x=\"", at(begin), "\" y=\"", at(above), "\" width=\"",
                     at(plane.across(x.low + step * double(i + 1)) - begin), "\" height=\"",
                     at(chart_height - chart_bottom - above), "\" fill=\"", colour(groups[g].colour),
                     "\" fill-opacity=\"0.55\">",
                     tip(text(groups[g].name, ": ", counts[g][i], " from ", shown(x.low + step * double(i)),
                              " to ", shown(x.low + step * double(i + 1)))),
                     "</rect>\n");
        }
    }
    if (x.low < 0 && x.high > 0)
        out += text("<line class=\"dashed\" x1=\"", at(plane.across(0)), "\" x2=\"", at(plane.across(0)),
                    "\" y1=\"", chart_top, "\" y2=\"", chart_height - chart_bottom, "\"/>\n");
    return figure(chart_height, out, caption, legend(names, colours));
}

std::string small_lines(std::span<const double> values, Index channels, const std::string& caption) {
    const Axis y = axis_over("", values);
    const Index steps = std::ssize(values) / channels;
    const auto across = [&](Index i) { return 4 + 192 * double(i) / double(std::max<Index>(steps - 1, 1)); };
    const auto down = [&](double v) { return 56 - 52 * (drawn(v) - y.low) / (y.high - y.low); };
    std::string out = text("<svg viewBox=\"0 0 200 60\" role=\"img\" aria-label=\"", escaped(caption), "\">");
    for (Index c = 0; c < channels; ++c) {
        std::string path;
        // More points than the screen has places show nothing.
        const Index stride = std::max<Index>(1, steps / 300);
        for (Index i = 0; i < steps; i += stride) {
            const double value = values[i * channels + c];
            if (std::isfinite(value))
                path += text(path.empty() ? "M" : "L", at(across(i)), " ", at(down(value)));
        }
        out += text("<path fill=\"none\" stroke-width=\"1.5\" stroke=\"", colour(c), "\" d=\"", path, "\">",
                    tip(caption), "</path>");
    }
    return out + "</svg>\n";
}

}  // namespace dk
