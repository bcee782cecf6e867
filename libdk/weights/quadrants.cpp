// SPDX-License-Identifier: Apache-2.0
#include "weights/quadrants.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace dk {

namespace {

constexpr Index bins = 1024;
/// So many values are sorted; more are divided into bins.
constexpr Index sorted_at_once = 20000;
/// Fewer are not worth a thread of their own.
constexpr Index values_of_part = 50000;

struct Range {
    double lowest = std::numeric_limits<double>::infinity();
    double highest = -std::numeric_limits<double>::infinity();

    void extend(double v) { extend({v, v}); }
    void extend(Range other) {
        lowest = std::min(lowest, other.lowest);
        highest = std::max(highest, other.highest);
    }
    bool contains(double v) const { return v >= lowest && v <= highest; }
    /// Never falls with v, so that bins are in the order of their values.
    Index bin(double v) const {
        return std::min(bins - 1,
                        static_cast<Index>((v - lowest) / (highest - lowest) * static_cast<double>(bins)));
    }
};

/// Passes over the values in a fixed number of parts, so that sums do not depend on the threads.
class Passes {
  public:
    Passes(const QuadrantRows& rows, Index count, Control& control)
        : rows_(rows), control_(control), parts_(std::clamp<Index>(count / values_of_part, 1, 64)) {}

    /// Runs body(part, value) over all values; parts are numbered from 0 to parts() - 1.
    template <typename Body>
    void run(Body body) const {
        parallel_for(parts(), control_, [&](Index part) {
            for (Index r = part; r < size_of(rows_); r += parts()) {
                if (control_.stopping()) return;
                for (const double v : rows_[unsigned_of(r)]) body(unsigned_of(part), v);
            }
        });
    }
    Index parts() const { return parts_; }

  private:
    const QuadrantRows& rows_;
    Control& control_;
    Index parts_;
};

struct alignas(64) Moments {  // a cache line each: threads write them side by side
    double sum = 0;
    double squares = 0;
    Range range;
};

std::vector<double> values_within(const Passes& passes, Range range) {
    std::vector<std::vector<double>> of_parts(unsigned_of(passes.parts()));
    passes.run([&](std::size_t part, double v) {
        if (range.contains(v)) of_parts[part].push_back(v);
    });
    std::vector<double> values;
    for (const auto& part : of_parts) values.insert(values.end(), part.begin(), part.end());
    return values;
}

/// The bin that holds a rank: the range of its values, their number, and the rank among them.
struct Narrowed {
    Range range;
    Index count;
    Index rank;
};

Narrowed narrowed_to_bin(const Passes& passes, Range range, Index rank) {
    std::vector<std::array<Index, bins>> counts(unsigned_of(passes.parts()));
    passes.run([&](std::size_t part, double v) {
        if (range.contains(v)) ++counts[part][unsigned_of(range.bin(v))];
    });
    const auto in_bin = [&](Index bin) {
        Index count = 0;
        for (const auto& of_part : counts) count += of_part[unsigned_of(bin)];
        return count;
    };
    Index bin = 0;
    for (; rank >= in_bin(bin); ++bin) rank -= in_bin(bin);
    std::vector<Moments> found(counts.size());
    passes.run([&](std::size_t part, double v) {
        if (range.contains(v) && range.bin(v) == bin) found[part].range.extend(v);
    });
    Range of_bin;
    for (const auto& part : found) of_bin.extend(part.range);
    return {of_bin, in_bin(bin), rank};
}

/// The value of rank `rank` (from 0) among `count` values, which lie in `range`: takes the bin that holds
/// it, and a bin of that bin, until the values are few enough to sort.
double order_statistic(const Passes& passes, Range range, Index count, Index rank) {
    while (range.lowest < range.highest) {
        if (count <= sorted_at_once) {
            auto values = values_within(passes, range);
            std::ranges::nth_element(values, values.begin() + rank);
            return values[unsigned_of(rank)];
        }
        const Narrowed narrowed = narrowed_to_bin(passes, range, rank);
        range = narrowed.range;
        count = narrowed.count;
        rank = narrowed.rank;
    }
    return range.lowest;
}

double repeated_quantile(const Passes& passes, Range range, double fraction, Index count, Index copies) {
    const double position = fraction * static_cast<double>(copies * count - 1);
    const auto below = static_cast<Index>(position);
    const double remainder = position - static_cast<double>(below);
    const double lower = order_statistic(passes, range, count, below / copies);
    if (remainder == 0 || (below + 1) / copies == below / copies) return lower;
    return lower + remainder * (order_statistic(passes, range, count, (below + 1) / copies) - lower);
}

}  // namespace

QuadrantStatistics quadrant_statistics(const QuadrantRows& rows, Index copies, Control& control) {
    Index count = 0;
    for (const auto& row : rows) count += size_of(row);
    const Passes passes(rows, count, control);
    std::vector<Moments> parts(unsigned_of(passes.parts()));
    passes.run([&](std::size_t part, double v) {
        parts[part].sum += v;
        parts[part].range.extend(v);
    });
    QuadrantStatistics result;
    Range range;
    for (const auto& part : parts) {
        result.mean += part.sum / static_cast<double>(count);
        range.extend(part.range);
    }
    if (range.lowest == range.highest) {  // constant: no rounding shall make it look spread
        result.mean = range.lowest;
        return result;
    }
    passes.run(
        [&](std::size_t part, double v) { parts[part].squares += (v - result.mean) * (v - result.mean); });
    double squares = 0;
    for (const auto& part : parts) squares += part.squares;
    result.deviation = std::sqrt(squares / static_cast<double>(count));
    result.interquartile_range = repeated_quantile(passes, range, 0.75, count, copies) -
                                 repeated_quantile(passes, range, 0.25, count, copies);
    return result;
}

}  // namespace dk
