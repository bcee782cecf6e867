// SPDX-License-Identifier: Apache-2.0
//
// The k series z that are nearest to a series x by dynamic time warping are found without most of the
// distances d(x, z):
//
//     b(z) = |x_1 - z_1|^2 + |x_n - z_m|^2 + sum_{1 < j < m} e_j^2
//     e_j  = how far z_j is from the range of {x_i: |i - j| <= r}
//     repeat   compute d(x, z) of the z with the least b(z) that is left, but give it up where no alignment
//              can come below the k-th least distance found (early abandoning)
//     until    b(z) is above the k-th least distance
//
// A step z_j is matched with at least one x_i no further away than r, so that b is a bound; the first steps
// and the last ones are matched with each other. Several series are looked at side by side, one in each lane.
//
//     paper         code
//     LB_Keogh      warping_bounds(), with the first and last steps of LB_Kim
//     U, L          WarpingEnvelope
//     best so far   Nearest::limit()
//
// E. Keogh, C. A. Ratanamahatana, Exact indexing of dynamic time warping, Knowledge and Information Systems
// 7, 2005; T. Rakthanmanon et al., Searching and mining trillions of time series subsequences under dynamic
// time warping, KDD 2012.
#include "kernel/alignment/warping_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace dk {

namespace {

/// The nearest series so far, of which the furthest is on top.
class Nearest {
  public:
    explicit Nearest(Index count) : count_(count) { found_.reserve(count + 1); }

    /// Gives the distance above which a series is none of the nearest.
    double limit() const { return std::ssize(found_) < count_ ? infinity : found_.front().first; }

    void see(double distance, Index position) {
        found_.emplace_back(distance, position);
        std::ranges::push_heap(found_);
        if (std::ssize(found_) <= count_) return;
        std::ranges::pop_heap(found_);
        found_.pop_back();
    }

    void write(std::span<Index> out) {
        std::ranges::sort(found_);
        std::ranges::transform(found_, out.begin(), &std::pair<double, Index>::second);
    }

  private:
    Index count_;
    std::vector<std::pair<double, Index>> found_;  // distances and positions
};

}  // namespace

WarpingSearch::WarpingSearch(const Dataset& series, std::vector<Index> channels, const WarpingWindow& window,
                             Control& control)
    : series_(features_only(series)), channels_(std::move(channels)), window_(window), order_(series.rows()) {
    const SeriesSet& set = series_.series();
    std::iota(order_.begin(), order_.end(), Index{0});
    std::ranges::stable_sort(order_, {}, [&](Index i) { return set.length(i); });
    const Index lanes = alignment_lanes();
    const Index used_channels = channels_.empty() ? set.channels : std::ssize(channels_);
    double bytes = 0;
    for (Index last = lanes - 1; last < set.rows() + lanes - 1; last += lanes)
        bytes += 8.0 * lanes * used_channels * set.length(order_[std::min(last, set.rows() - 1)]);
    // The ranges of blocks, which alignments of another kernel read, take an eighth beside the steps.
    control.memory().require(1.125 * bytes, "a search for the nearest series");
    for (Index first = 0; first < std::ssize(order_); first += lanes) {
        control.check();
        const Index count = std::min(lanes, std::ssize(order_) - first);
        groups_.push_back(series_lanes(set, std::span(order_).subspan(first, count), channels_));
    }
}

/// Gives how far steps that are matched can be apart. That of the band bounds the parallelogram's too.
Index WarpingSearch::reach(Index length, Index other) const {
    return window_.band > 0 ? std::max(window_.band, std::abs(length - other)) : std::max(length, other);
}

/// Gives a bound below the distance of each series, in the order of their lengths. Series of one length share
/// an envelope.
std::vector<double> WarpingSearch::bounds(const SeriesLanes& query, const Control& control) const {
    const Index length = query.lengths.front();
    std::vector<double> out(std::ssize(groups_) * alignment_lanes());
    WarpingEnvelope envelope;
    Index envelope_reach = -1;
    Index envelope_steps = -1;
    for (std::size_t g = 0; g < groups_.size() && !control.stopping(); ++g) {
        const SeriesLanes& group = groups_[g];
        Index widest = 0;
        for (const Index other : group.lengths) widest = std::max(widest, reach(length, other));
        if (std::pair(widest, group.steps) != std::pair(envelope_reach, envelope_steps)) {
            envelope_reach = widest;
            envelope_steps = group.steps;
            envelope = warping_envelope(query, envelope_reach, envelope_steps);
        }
        warping_bounds(envelope, group, out.data() + g * alignment_lanes());
    }
    out.resize(order_.size());
    return out;
}

void WarpingSearch::find(const Dataset& data, Index row, std::span<Index> out, const Control& control) const {
    constexpr double but_for_rounding = 1 - 1e-9;
    const SeriesLanes query = series_lanes(data.series(), {&row, 1}, channels_);
    const std::vector<double> bound = bounds(query, control);
    std::vector<Index> places(bound.size());  // in the order of lengths, those of the least bounds first
    std::iota(places.begin(), places.end(), Index{0});
    std::ranges::stable_sort(places, {}, [&](Index place) { return bound[place]; });
    Nearest nearest(std::ssize(out));
    std::vector<double> distances(alignment_lanes());
    std::vector<Index> rows;
    for (std::size_t first = 0; first < places.size(); first += rows.size()) {
        if (control.stopping()) return;
        rows.clear();
        for (std::size_t p = first; p < places.size() && std::ssize(rows) < alignment_lanes(); ++p) {
            if (bound[places[p]] * but_for_rounding > nearest.limit()) break;
            rows.push_back(order_[places[p]]);
        }
        if (rows.empty()) break;
        warping_distances(window_, query, series_lanes(series_.series(), rows, channels_), control,
                          distances.data(), nearest.limit());
        for (std::size_t r = 0; r < rows.size(); ++r) nearest.see(distances[r], rows[r]);
    }
    nearest.write(out);
}

}  // namespace dk
