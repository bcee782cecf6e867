// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "solve/box/smo.hpp"

namespace dk {

/// A WorkingSet chooses the variables that a decomposition method works on next. In terms of the descent,
/// which is minus the gradient, a program is optimal when in each group no variable that can rise has a
/// larger descent than one that can fall.
class WorkingSet {
  public:
    WorkingSet(const BoxProgram& program, Index first_size, Index most);

    /// Looks at the descent of all variables, which the other members rely on, and gives the widest violation
    /// of optimality: over the groups, the largest descent of a variable that can rise less the smallest of
    /// one that can fall.
    double observe(std::span<const double> beta, std::span<const double> descent);

    /// Chooses the variables that violate optimality most, from both ends, and the free variables of the last
    /// set, which keep their places. Sets begin small and grow where they turn out too small, since most
    /// programs need few of their variables. Where there are two groups, the second comes last in the set.
    const std::vector<Index>& choose(std::span<const double> beta, std::span<const double> descent);

    /// Gives the variables that are not at a bound for good, as far as the last observation can tell: those
    /// that are free, or that can move in the direction in which the limits allow a gain.
    std::vector<Index> active(std::span<const double> beta, std::span<const double> descent) const;

    Index size() const { return size_; }
    /// Tells whether sets can't grow any more.
    bool largest() const { return size_ == most_; }
    /// Makes the next sets larger.
    void grow() { size_ = std::min(most_, 2 * size_); }

  private:
    /// Limits are what the last observation saw of a group.
    struct Limits {
        double highest;  // the largest descent of a variable that can rise
        double lowest;   // the smallest descent of a variable that can fall
        double width() const { return highest - lowest; }
    };
    bool can_rise(Index t, std::span<const double> beta) const { return beta[t] < program_.upper[t]; }
    bool can_fall(Index t, std::span<const double> beta) const { return beta[t] > program_.lower[t]; }
    /// Adds the worst violators of a group from both ends, `share` from each. Tells whether there are more.
    bool add_violators(std::size_t group, Index share, std::span<const double> beta,
                       std::span<const double> descent);
    /// Takes the `count` candidates with the smallest keys, and adds those of them that are not in the set
    /// yet.
    void add_first(std::vector<std::pair<double, Index>>& candidates, Index count);
    void add(Index t);
    /// Gives the variables that were in the last set their places in it again, as far as the set is as long,
    /// since a matrix need not fetch their values anew. The others take the places that are left.
    void keep_places(const std::vector<Index>& last);

    const BoxProgram& program_;
    Index most_;
    Index size_;
    Limits limits_[2] = {};
    std::vector<Index> set_;
    std::vector<char> chosen_;  // whether a variable is in the set
};

}  // namespace dk
