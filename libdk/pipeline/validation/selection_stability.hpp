// SPDX-License-Identifier: Apache-2.0
// This tells how alike the selections are that a learner makes on different samples, such as the rows behind
// prototypes, or kernels with a weight.
#pragma once

#include <span>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// What a selection says of each member: it was selected or not, or was not there to be selected.
enum class Member : std::int8_t { absent = -1, left = 0, selected = 1 };

/// Selections of the same members, one after the other.
struct Selections {
    std::span<const Member> all;
    Index members;

    Index count() const { return std::ssize(all) / members; }
    std::span<const Member> operator[](Index selection) const {
        return all.subspan(selection * members, members);
    }
};

/// Computes the mean over all pairs of selections of the Jaccard index, among the members that were there for
/// both. Pairs that selected none of these don't count; the mean is NaN where no pair counts.
double jaccard_stability(const Selections& selections, Control& control);

/// Computes the stability of Nogueira, Sechidis and Brown of selections for which all members were there: 1
/// where all are the same, and 0 on average where chance selects as many. It is NaN for fewer than two
/// selections, and where all members or none are always selected.
double selection_stability(const Selections& selections);

}  // namespace dk
