// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/large_array.hpp"

namespace dk {

/// RowMemory is memory that caches of kernel rows use one after the other, because giving it back and
/// clearing new memory for each would take time. It belongs to the cache that took it last. An older cache
/// sees by its ticket that what it stored is gone, and takes the memory again when it is asked for rows. Only
/// one thread at a time may use it.
class RowMemory {
  public:
    using Ticket = std::uint64_t;
    static constexpr Ticket nobody = 0;

    /// Gives the memory to the caller, with room for so many values; the ticket identifies the new owner.
    /// What the memory holds stays where the room sufficed already.
    template <typename T>
    Ticket take(Index values) {
        if (values_of<T>().size() < values) {
            values_of<T>() = LargeArray<T>();  // The old memory goes first, so that both never exist at once.
            values_of<T>() = LargeArray<T>(values);
        }
        return ++last_;
    }

    /// Gives back memory for more than so many values of this type, and what it holds.
    template <typename T>
    void keep_at_most(Index values) {
        if (values_of<T>().size() <= values) return;
        values_of<T>() = LargeArray<T>();
        ++last_;
    }

    bool belongs_to(Ticket ticket) const { return ticket != nobody && ticket == last_; }

    template <typename T>
    Index size() {
        return values_of<T>().size();
    }
    template <typename T>
    T* data() {
        return values_of<T>().data();
    }

  private:
    template <typename T>
    LargeArray<T>& values_of() {
        if constexpr (std::is_same_v<T, float>) {
            return single_;
        } else {
            return wide_;
        }
    }

    LargeArray<float> single_;
    LargeArray<double> wide_;
    Ticket last_ = nobody;
};

}  // namespace dk
