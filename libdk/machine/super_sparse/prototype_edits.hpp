// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"

namespace dk {

/// Points that one small change makes of a prototype, and the training row that each is, or -1.
struct EditedPoints {
    Dataset points;
    std::vector<Index> training_ids;
};

/// What prototypes that have no coordinates can become. The file prototype_edits.cpp says what that is for
/// each kind of data.
class PrototypeEdits {
  public:
    PrototypeEdits() = default;
    virtual ~PrototypeEdits() = default;
    PrototypeEdits(const PrototypeEdits&) = delete;
    PrototypeEdits& operator=(const PrototypeEdits&) = delete;

    /// Gives the points that one change makes of point j.
    virtual EditedPoints edits_of(const Dataset& points, Index j) const = 0;
    /// Gives the points with point j replaced by an edited one.
    virtual Dataset replaced(const Dataset& points, const std::vector<Index>& training_ids, Index j,
                             const EditedPoints& edited, Index edit) const = 0;
};

/// Makes the edits of data that have no coordinates; null for dense and sparse rows.
std::unique_ptr<PrototypeEdits> prototype_edits(const Dataset& data, std::uint64_t seed);

}  // namespace dk
