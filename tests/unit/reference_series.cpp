// SPDX-License-Identifier: Apache-2.0
#include "reference_series.hpp"

#include <algorithm>
#include <limits>

namespace dk::test {

namespace {

constexpr long double infinity = std::numeric_limits<long double>::infinity();

long double step_distance(const SeriesSet& left, Index i, Index s, const SeriesSet& right, Index j, Index t) {
    long double sum = 0;
    for (Index c = 0; c < left.channels; ++c) {
        const long double difference = static_cast<long double>(left.series(i)[s * left.channels + c]) -
                                       right.series(j)[t * right.channels + c];
        sum += difference * difference;
    }
    return sum;
}

/// Gives the logarithm of the local kernel of steps s and t, counted from 0.
long double log_local(const GlobalAlignment& parameters, const SeriesSet& left, Index i, Index s,
                      const SeriesSet& right, Index j, Index t) {
    const long double sigma = parameters.sigma;
    long double log_kernel = -step_distance(left, i, s, right, j, t) / (2 * sigma * sigma);
    if (parameters.band > 0) {
        const Index beside = std::abs(s - t);
        if (beside >= parameters.band) return -infinity;
        log_kernel += std::log1p(-static_cast<long double>(beside) / parameters.band);
    }
    if (parameters.divisible) log_kernel -= std::log(2 - std::exp(log_kernel));
    return log_kernel;
}

long double log_of_sum(long double a, long double b, long double c) {
    const long double largest = std::max({a, b, c});
    if (largest == -infinity) return largest;
    return largest + std::log(std::exp(a - largest) + std::exp(b - largest) + std::exp(c - largest));
}

/// Tells whether steps s and t, counted from 0, of series of n and m steps may be matched. The
/// parallelogram's sides are steeper and flatter than the line between both ends by the slope; pairs less
/// than a step off this line are allowed besides.
bool is_allowed(const WarpingWindow& window, Index s, Index n, Index t, Index m) {
    if (window.band > 0 && std::abs(s - t) > std::max(window.band, std::abs(n - m))) return false;
    if (window.slope == 0) return true;
    const Index left = n - 1;
    const Index right = m - 1;
    if (std::abs(s * right - t * left) < std::max(left, right)) return true;
    const auto is_steeper = [&](Index a, Index b) {
        return static_cast<double>(a) > window.slope * static_cast<double>(b) * (1 + 1e-12);
    };
    const Index from_first = s * right;
    const Index to_last = (left - s) * right;
    return !is_steeper(from_first, t * left) && !is_steeper(t * left, from_first) &&
           !is_steeper(to_last, (right - t) * left) && !is_steeper((right - t) * left, to_last);
}

}  // namespace

Dataset series_data(Index channels, const std::vector<std::vector<double>>& rows) {
    SeriesSet set{channels, {0}};
    for (const auto& row : rows) {
        set.values.insert(set.values.end(), row.begin(), row.end());
        set.step_offsets.push_back(std::ssize(set.values) / channels);
    }
    return Dataset(std::move(set));
}

Dataset random_series(Index rows, Index channels, Index shortest, Index longest, std::uint64_t seed,
                      double deviation) {
    std::mt19937_64 generator(seed);
    std::vector<std::vector<double>> out;
    for (Index i = 0; i < rows; ++i) {
        const auto spread = static_cast<std::uint64_t>(longest - shortest + 1);
        const Index length = shortest + static_cast<Index>(generator() % spread);
        out.push_back(normal_values(length * channels, generator(), 0, deviation));
    }
    return series_data(channels, out);
}

long double reference_alignment(const GlobalAlignment& parameters, const SeriesSet& left, Index i,
                                const SeriesSet& right, Index j) {
    std::vector<long double> above(right.length(j) + 1, -infinity);
    above[0] = 0;
    for (Index s = 0; s < left.length(i); ++s) {
        std::vector<long double> row{-infinity};
        for (Index t = 0; t < right.length(j); ++t) {
            const auto at = t;
            const long double before = log_of_sum(above[at], above[at + 1], row[at]);
            row.push_back(before == -infinity ? before
                                              : before + log_local(parameters, left, i, s, right, j, t));
        }
        above = std::move(row);
    }
    return above.back();
}

long double enumerated_alignment(const GlobalAlignment& parameters, const SeriesSet& left, Index i,
                                 const SeriesSet& right, Index j) {
    long double sum = 0;
    const std::function<void(Index, Index, long double)> walk = [&](Index s, Index t, long double product) {
        if (s == left.length(i) || t == right.length(j)) return;
        product *= std::exp(log_local(parameters, left, i, s, right, j, t));
        if (s + 1 == left.length(i) && t + 1 == right.length(j)) sum += product;
        walk(s + 1, t, product);
        walk(s, t + 1, product);
        walk(s + 1, t + 1, product);
    };
    walk(0, 0, 1);
    return sum;
}

long double reference_warping(const WarpingWindow& window, const SeriesSet& left, Index i,
                              const SeriesSet& right, Index j) {
    const Index n = left.length(i);
    const Index m = right.length(j);
    std::vector<long double> above(m + 1, infinity);
    above[0] = 0;
    for (Index s = 0; s < n; ++s) {
        std::vector<long double> row{infinity};
        for (Index t = 0; t < m; ++t) {
            const auto at = t;
            const long double before = std::min({above[at], above[at + 1], row[at]});
            row.push_back(is_allowed(window, s, n, t, m) ? before + step_distance(left, i, s, right, j, t)
                                                         : infinity);
        }
        above = std::move(row);
    }
    return above.back();
}

}  // namespace dk::test
