// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/large_array.hpp"

namespace dk {

/// Memory in which caches of kernel rows stand one after the other, so that it is not given back and cleared
/// for each. It belongs to the cache that took it last: an older one sees by its ticket that what it stored
/// is gone, and takes the memory again when it is asked for rows. One thread at a time may use it.
class RowMemory {
  public:
    using Ticket = std::uint64_t;
    static constexpr Ticket nobody = 0;

    /// Gives the memory to the caller, who is known by the ticket from now on, with room for these values.
    /// What is there stays where the room sufficed already.
    template <typename T>
    Ticket take(Index values) {
        if (values_of<T>().size() < values) {
            values_of<T>() = LargeArray<T>();  // The old memory goes before the new one comes.
            values_of<T>() = LargeArray<T>(values);
        }
        return ++last_;
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
