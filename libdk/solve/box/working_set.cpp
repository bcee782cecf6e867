// SPDX-License-Identifier: Apache-2.0
#include "solve/box/working_set.hpp"

#include <algorithm>
#include <numeric>

namespace dk {

namespace {
constexpr Index solved_at_once = 128;  // A program of no more variables is one working set.
}  // namespace

WorkingSet::WorkingSet(const BoxProgram& program, Index first_size, Index most)
    : program_(program),
      most_(most),
      size_(std::min(most, program.size() <= solved_at_once ? program.size() : first_size)) {}

std::vector<Index> WorkingSet::active(std::span<const double> beta, std::span<const double> descent) const {
    std::vector<Index> found;
    for (Index t = 0; t < std::ssize(beta); ++t) {
        const Limits& limits = limits_[program_.group(t)];
        const double value = descent[t];
        const bool rises = can_rise(t, beta) && value >= limits.lowest;
        const bool falls = can_fall(t, beta) && value <= limits.highest;
        const bool free = can_rise(t, beta) && can_fall(t, beta);
        if (free || rises || falls) found.push_back(t);
    }
    return found;
}

double WorkingSet::observe(std::span<const double> beta, std::span<const double> descent) {
    limits_[0] = limits_[1] = {-infinity, infinity};
    for (Index t = 0; t < std::ssize(beta); ++t) {
        Limits& limits = limits_[program_.group(t)];
        const double value = descent[t];
        if (can_rise(t, beta)) limits.highest = std::max(limits.highest, value);
        if (can_fall(t, beta)) limits.lowest = std::min(limits.lowest, value);
    }
    double widest = 0;
    for (const Limits& limits : limits_) {
        if (limits.highest > -infinity && limits.lowest < infinity)
            widest = std::max(widest, limits.highest - limits.lowest);
    }
    return widest;
}

void WorkingSet::add(Index t) {
    chosen_[t] = 1;
    set_.push_back(t);
}

void WorkingSet::add_first(std::vector<std::pair<double, Index>>& candidates, Index count) {
    const auto some = std::min(count, std::ssize(candidates));
    // The wanted candidates are far fewer than all, so finding them first is cheaper than sorting all or
    // keeping a heap.
    std::ranges::nth_element(candidates, candidates.begin() + some);
    std::sort(candidates.begin(), candidates.begin() + some);
    for (Index c = 0; c < some; ++c) {
        const Index t = candidates[c].second;
        if (chosen_[t] == 0) add(t);
    }
}

bool WorkingSet::add_violators(std::size_t group, Index share, std::span<const double> beta,
                               std::span<const double> descent) {
    std::vector<std::pair<double, Index>> rising;
    std::vector<std::pair<double, Index>> falling;
    const Limits& limits = limits_[group];
    for (Index t = 0; t < std::ssize(beta); ++t) {
        if (program_.group(t) != group) continue;
        const double value = descent[t];
        if (value > limits.lowest && can_rise(t, beta)) rising.emplace_back(-value, t);
        if (value < limits.highest && can_fall(t, beta)) falling.emplace_back(value, t);
    }
    add_first(rising, share);
    add_first(falling, share);
    return std::ssize(rising) > share || std::ssize(falling) > share;
}

const std::vector<Index>& WorkingSet::choose(std::span<const double> beta, std::span<const double> descent) {
    const Index n = std::ssize(beta);
    const std::vector<Index> last = std::move(set_);
    set_.clear();
    if (size_ >= n) {
        set_.resize(n);
        std::iota(set_.begin(), set_.end(), Index{0});
    } else {
        chosen_.assign(n, 0);
        const Index groups = program_.groups() == 2 ? 2 : 1;
        const std::size_t widest = groups == 2 && limits_[1].width() > limits_[0].width() ? 1 : 0;
        const Index room = last.empty() ? size_ : size_ / 2;
        const Index share = std::max<Index>(1, room / (2 * groups));
        bool more = add_violators(widest, share, beta, descent);
        if (groups == 2 && size_ >= 4) more = add_violators(1 - widest, share, beta, descent) || more;
        Index useful = 0;      // how many variables of the last set are not zero
        bool crowded = false;  // whether a free variable found no place
        for (const Index t : last) {
            if (beta[t] != 0) ++useful;
            if (!can_rise(t, beta) || !can_fall(t, beta) || chosen_[t] != 0) continue;
            if (std::ssize(set_) < size_) {
                add(t);
            } else {
                crowded = true;
            }
        }
        if (crowded || (more && 2 * useful >= std::ssize(last))) grow();
        keep_places(last);
    }
    if (program_.groups() == 2)
        std::stable_partition(set_.begin(), set_.end(), [&](Index t) { return program_.group(t) == 0; });
    return set_;
}

void WorkingSet::keep_places(const std::vector<Index>& last) {
    constexpr Index free_place = -1;
    constexpr char placed = 2;
    std::vector<Index> places(set_.size(), free_place);
    for (std::size_t s = 0; s < std::min(last.size(), set_.size()); ++s) {
        if (chosen_[last[s]] == 0) continue;
        places[s] = last[s];
        chosen_[last[s]] = placed;
    }
    std::size_t place = 0;
    for (const Index t : set_) {
        if (chosen_[t] == placed) continue;
        while (places[place] != free_place) ++place;
        places[place] = t;
    }
    set_ = std::move(places);
}

}  // namespace dk
