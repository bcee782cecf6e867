// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// Says which rows of which set some rows are. Rows that are made are a set of their own; what is selected
/// from them, however often, remembers the set and the places of its rows in it. So two datasets tell which
/// rows they share, and what the user or a training knows of the rows of a set is found again for a
/// selection.
class RowIdentity {
  public:
    /// Makes a new set of so many rows.
    explicit RowIdentity(Index rows) : set_(std::make_shared<const Set>()), rows_(rows) {}

    Index rows() const { return rows_; }
    /// Gives the place of a row in its set.
    Index place(Index row) const { return places_ ? (*places_)[row] : row; }
    std::vector<Index> places() const {
        std::vector<Index> all;
        for (Index row = 0; row < rows_; ++row) all.push_back(place(row));
        return all;
    }
    bool same_set(const RowIdentity& other) const { return set_ == other.set_; }

    RowIdentity select(std::span<const Index> rows) const {
        std::vector<Index> places;
        places.reserve(rows.size());
        for (const Index row : rows) places.push_back(place(row));
        RowIdentity selected = *this;
        selected.rows_ = std::ssize(rows);
        selected.places_ = std::make_shared<const std::vector<Index>>(std::move(places));
        return selected;
    }

    /// Gives the same places in a set that shares no row with others.
    RowIdentity in_new_set() const {
        RowIdentity other = *this;
        other.set_ = std::make_shared<const Set>();
        return other;
    }

    /// Tells whether the rows have the same places, each in its own set.
    bool same_places(const RowIdentity& other) const {
        if (rows_ != other.rows_) return false;
        for (Index i = 0; i < rows_; ++i) {
            if (place(i) != other.place(i)) return false;
        }
        return true;
    }

  private:
    struct Set {};

    std::shared_ptr<const Set> set_;
    Index rows_;
    std::shared_ptr<const std::vector<Index>> places_ = nullptr;  // Without them row i is row i of the set.
};

}  // namespace dk
