// SPDX-License-Identifier: Apache-2.0
// This file computes the mean, the deviation and the quartiles of the N values x_i of a quadrant, usually in
// one pass over them:
//
//     mean      = c + m,                              m = 1/N sum_i (x_i - c)
//     deviation = sqrt(1/N sum_i (x_i - c)^2 - m^2)
//     quantile  = x_(t) + (P - t) (x_(t+1) - x_(t)),  P = p (N - 1),  t = floor(P)
//
// where c is the mean of a sample, p is 1/4 or 3/4, and x_(0) <= x_(1) <= ... are the order statistics. The
// sample also tells windows that hold x_(t) and x_(t+1) almost surely, of which the pass keeps the values and
// counts those below. Where a window misses, values are divided into bins, and the bin with x_(t) again,
// until it can be sorted. If each value counts `copies` times, N is copies * count, and x_(t) is the value of
// rank t / copies.
//
//     letters     code
//     N, c, m     copies * count, centre, shift
//     p, P, t     fraction, position, below
//
// Reference: Floyd, Rivest, Expected time bounds for selection, Communications of the ACM 18, 1975.
#include "weights/quadrants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "weights/quadrant_scan.hpp"

namespace dk {

namespace {

constexpr Index bins = 1024;
/// At most this many values are sorted; more are divided into bins.
constexpr Index sorted_at_once = 20000;
/// Fewer values are not worth a thread of their own.
constexpr Index values_of_part = 50000;
/// Each part keeps at most this many values of a window.
constexpr Index most_held = 100000;
/// The sample has this many values.
constexpr Index sampled = 1 << 15;

/// A closed interval, which is empty at first.
struct ValueRange {
    double lowest = infinity;
    double highest = -infinity;

    void extend(double v) { extend({v, v}); }
    void extend(ValueRange other) {
        lowest = std::min(lowest, other.lowest);
        highest = std::max(highest, other.highest);
    }
    bool contains(double v) const { return v >= lowest && v <= highest; }
    /// Gives the bin of v, which rises with v: the values of one bin are less than those of the next.
    Index bin(double v) const {
        return std::min(bins - 1, static_cast<Index>((v - lowest) / (highest - lowest) * bins));
    }
};

/// Passes over all values. It deals them out in parts whose number does not depend on the threads, so that
/// sums over the parts do not either.
class Passes {
  public:
    Passes(const QuadrantRows& rows, Index count, Control& control)
        : rows_(rows),
          count_(count),
          control_(control),
          parts_(std::clamp<Index>(count / values_of_part, 1, 64)) {}

    /// Runs body(part, value) for all values, where part is 0 to parts() - 1.
    template <typename Body>
    void run(Body body) const {
        parallel_for(parts(), 2.0 * count_, control_, [&](Index part) {
            for (Index r = part; r < std::ssize(rows_); r += parts()) {
                if (control_.stopping()) return;
                for (const double v : rows_[r]) body(part, v);
            }
        });
    }
    /// Runs body(part, values) for all values, where `values` are at most scanned_at_once neighbours.
    template <typename Body>
    void run_by_chunks(Body body) const {
        constexpr auto at_once = scanned_at_once;
        parallel_for(parts(), 2.0 * count_, control_, [&](Index part) {
            for (Index r = part; r < std::ssize(rows_); r += parts()) {
                if (control_.stopping()) return;
                auto rest = rows_[r];
                while (!rest.empty()) {
                    const Index count = std::min(at_once, std::ssize(rest));
                    body(part, rest.first(count));
                    rest = rest.subspan(count);
                }
            }
        });
    }
    Index parts() const { return parts_; }

  private:
    const QuadrantRows& rows_;
    Index count_;
    Control& control_;
    Index parts_;
};

/// Copies the values in a range.
std::vector<double> values_within(const Passes& passes, ValueRange range) {
    std::vector<std::vector<double>> of_parts(passes.parts());
    passes.run([&](std::size_t part, double v) {
        if (range.contains(v)) of_parts[part].push_back(v);
    });
    std::vector<double> values;
    for (const auto& part : of_parts) values.insert(values.end(), part.begin(), part.end());
    return values;
}

/// The bin that holds the value of a rank, with the range of its values, their number, and the rank among
/// them.
struct RankedBin {
    ValueRange range;
    Index count;
    Index rank;
};

/// Divides the values in a range into bins and finds the bin of the value whose rank among them is `rank`.
RankedBin bin_of_rank(const Passes& passes, ValueRange range, Index rank) {
    std::vector<std::array<Index, bins>> counts(passes.parts());
    passes.run([&](std::size_t part, double v) {
        if (range.contains(v)) ++counts[part][range.bin(v)];
    });
    const auto in_bin = [&](Index bin) {
        Index count = 0;
        for (const auto& of_part : counts) count += of_part[bin];
        return count;
    };
    Index bin = 0;
    for (; rank >= in_bin(bin); ++bin) rank -= in_bin(bin);
    std::vector<ValueRange> found(counts.size());
    passes.run([&](std::size_t part, double v) {
        if (range.contains(v) && range.bin(v) == bin) found[part].extend(v);
    });
    ValueRange of_bin;
    for (const auto& part : found) of_bin.extend(part);
    return {of_bin, in_bin(bin), rank};
}

/// Finds the value of rank `rank`, counted from 0, among the `count` values in `range`.
double order_statistic(const Passes& passes, ValueRange range, Index count, Index rank) {
    while (range.lowest < range.highest) {
        if (count <= sorted_at_once) {
            auto values = values_within(passes, range);
            std::ranges::nth_element(values, values.begin() + rank);
            return values[rank];
        }
        const RankedBin bin = bin_of_rank(passes, range, rank);
        range = bin.range;
        count = bin.count;
        rank = bin.rank;
    }
    return range.lowest;
}

/// What a pass found out about the range in which the sample expects an order statistic.
struct Window {
    Index below = 0;                             // So many values are less than the range.
    std::vector<std::vector<double>> held = {};  // These values of each part lie in the range.
};

/// Takes values at random positions, with the same seed always, or all values where they are few, and sorts
/// them.
std::vector<double> sample_of(const QuadrantRows& rows, Index count) {
    std::vector<double> values;
    if (count <= sampled) {
        for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
        std::ranges::sort(values);
        return values;
    }
    std::vector<Index> begins;  // Row r has the values from begins[r] on, counted over all rows.
    Index before = 0;
    for (const auto& row : rows) {
        begins.push_back(before);
        before += std::ssize(row);
    }
    Random random(1);
    for (Index s = 0; s < sampled; ++s) {
        const auto position = static_cast<Index>(random.below(count));
        const auto next = std::ranges::upper_bound(begins, position);
        const auto r = static_cast<std::size_t>(next - begins.begin()) - 1;
        values.push_back(rows[r][position - begins[r]]);
    }
    std::ranges::sort(values);
    return values;
}

/// Gives the range around a quantile of the sample that holds the quantile of all values almost surely: the
/// rank of a sampled quantile has the binomial deviation, of which the range takes four on either side.
ValueRange range_in(const std::vector<double>& sample, double fraction) {
    const double size = std::ssize(sample);
    const double deviation = std::sqrt(fraction * (1 - fraction) / size);
    const auto at = [&](double place) {
        return sample[static_cast<std::size_t>(std::clamp(place, 0.0, 1.0) * (size - 1))];
    };
    return {at(fraction - 4 * deviation), at(fraction + 4 * deviation)};
}

/// Finds the values of ranks `rank` and `rank` + 1 among all values, if the window holds them.
std::optional<std::pair<double, double>> held_ranks(const Window& window, Index rank) {
    const Index within = rank - window.below;
    if (within < 0) return std::nullopt;
    std::vector<double> values;
    for (const auto& part : window.held) {
        if (std::ssize(part) == most_held) return std::nullopt;  // The part may have had more values.
        values.insert(values.end(), part.begin(), part.end());
    }
    if (within + 1 >= std::ssize(values)) return std::nullopt;
    const auto at = values.begin() + within;
    std::ranges::nth_element(values, at);
    return std::pair(*at, *std::min_element(at + 1, values.end()));
}

/// Computes the quantile of values that each count `copies` times.
double repeated_quantile(const Passes& passes, ValueRange range, const Window& window, double fraction,
                         Index count, Index copies) {
    const double position = fraction * (copies * count - 1);
    const auto below = static_cast<Index>(position);
    const double remainder = position - below;
    const Index rank = below / copies;
    const bool between = remainder != 0 && (below + 1) / copies != rank;
    auto found = held_ranks(window, rank);
    if (!found) {
        const double lower = order_statistic(passes, range, count, rank);
        found = {lower, between ? order_statistic(passes, range, count, rank + 1) : lower};
    }
    return between ? found->first + remainder * (found->second - found->first) : found->first;
}

/// What a pass found out about one part of the values. Each part has cache lines of its own, since threads
/// write to their parts at the same time.
struct alignas(64) PartScan {
    QuadrantScan scan;
    std::array<std::vector<double>, 2> held;
    std::array<double, scanned_at_once + scan_slack> first;
    std::array<double, scanned_at_once + scan_slack> second;
};

/// Adds values to a part, of which no window keeps more than most_held.
void scan_values(PartScan& part, std::span<const double> values, double centre, const ScanWindows* windows) {
    scan_quadrant(values.data(), std::ssize(values), centre, windows, part.scan,
                  {part.first.data(), part.second.data()});
    if (windows == nullptr) return;
    for (std::size_t w = 0; w < 2; ++w) {
        const double* found = w == 0 ? part.first.data() : part.second.data();
        const Index room = most_held - std::ssize(part.held[w]);
        part.held[w].insert(part.held[w].end(), found, found + std::min(part.scan.held[w], room));
    }
}

/// What a pass found out about all values.
struct Scanned {
    double sum = 0;
    double squares = 0;
    ValueRange range = {};
    std::array<Window, 2> windows = {};
};

/// Joins the parts in their order.
Scanned joined(std::span<PartScan> parts) {
    Scanned all;
    for (PartScan& part : parts) {
        all.sum += part.scan.sum;
        all.squares += part.scan.squares;
        all.range.extend(ValueRange{part.scan.lowest, part.scan.highest});
        for (std::size_t w = 0; w < 2; ++w) {
            all.windows[w].below += part.scan.below[w];
            all.windows[w].held.push_back(std::move(part.held[w]));
        }
    }
    return all;
}

}  // namespace

QuadrantStatistics quadrant_statistics(const QuadrantRows& rows, Index copies, bool quartiles,
                                       Control& control) {
    Index count = 0;
    for (const auto& row : rows) count += std::ssize(row);
    const Passes passes(rows, count, control);
    const std::vector<double> sample = sample_of(rows, count);
    const double centre = std::accumulate(sample.begin(), sample.end(), 0.0) / std::ssize(sample);
    const std::array<ValueRange, 2> wanted{range_in(sample, 0.25), range_in(sample, 0.75)};
    const ScanWindows windows{{wanted[0].lowest, wanted[1].lowest}, {wanted[0].highest, wanted[1].highest}};
    std::vector<PartScan> parts(passes.parts());
    passes.run_by_chunks([&](std::size_t part, std::span<const double> values) {
        scan_values(parts[part], values, centre, quartiles ? &windows : nullptr);
    });
    const Scanned all = joined(parts);
    const ValueRange range = all.range;
    // The formula for the deviation gives rounding errors where all values are equal.
    if (range.lowest == range.highest)
        return {.mean = range.lowest, .deviation = 0, .interquartile_range = 0};
    const double shift = all.sum / count;
    QuadrantStatistics result;
    result.mean = centre + shift;
    result.deviation = std::sqrt(std::max(all.squares / count - shift * shift, 0.0));
    if (quartiles) {
        result.interquartile_range = repeated_quantile(passes, range, all.windows[1], 0.75, count, copies) -
                                     repeated_quantile(passes, range, all.windows[0], 0.25, count, copies);
    }
    return result;
}

}  // namespace dk
