// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solve/smo.hpp"

namespace dk {

/// Chooses the variables that a decomposition method works on next.
class WorkingSet {
  public:
    WorkingSet(const BoxProgram& program, Index first_size, Index most);

    /// The widest violation of optimality: over the groups, the largest descent of a variable that can rise
    /// less the smallest of one that can fall.
    double observe(std::span<const double> beta, std::span<const double> descent);

    /// Those that violate optimality most, from both ends, and the free variables of the last set. Sets begin
    /// small and grow where they turn out too small, since most programs need few of their variables.
    /// Variables of the second group come last.
    const std::vector<Index>& choose(std::span<const double> beta, std::span<const double> descent);

    /// Variables that are not at a bound for good, as far as the last observation can tell: those that are
    /// free or whose descent lies between the limits.
    std::vector<Index> active(std::span<const double> beta, std::span<const double> descent) const;

    Index size() const { return size_; }
    /// Makes the next sets larger.
    void grow() { size_ = std::min(most_, 2 * size_); }

  private:
    struct Limits {
        double highest;
        double lowest;
        double width() const { return highest - lowest; }
    };
    bool can_rise(Index t, std::span<const double> beta) const {
        return beta[unsigned_of(t)] < program_.upper[unsigned_of(t)];
    }
    bool can_fall(Index t, std::span<const double> beta) const {
        return beta[unsigned_of(t)] > program_.lower[unsigned_of(t)];
    }
    /// Adds the worst violators of a group from both ends, `share` from each; whether there are more.
    bool add_violators(std::size_t group, Index share, std::span<const double> beta,
                       std::span<const double> descent);
    /// Adds up to `count` of the candidates, by ascending key, that are not in the set yet.
    void add_first(std::vector<std::pair<double, Index>>& candidates, Index count);
    void add(Index t);

    const BoxProgram& program_;
    Index most_;
    Index size_;
    Limits limits_[2] = {};
    std::vector<Index> set_;
    std::vector<char> chosen_;
};

}  // namespace dk
