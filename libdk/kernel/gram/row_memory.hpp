// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <tuple>

#include "base/large_array.hpp"

namespace dk {

/// RowMemory is memory that caches of kernel rows use one after the other, because giving it back and
/// clearing new memory for each would take time. Rows of each precision have a part of their own, which
/// belongs to the cache that took it last. An older cache sees by its ticket that what it stored is gone, and
/// takes the memory again when it is asked for rows. Only one thread at a time may use it.
class RowMemory {
  public:
    using Ticket = std::uint64_t;
    static constexpr Ticket nobody = 0;

    /// Gives the memory to the caller, with room for so many values; the ticket identifies the new owner.
    /// What the memory holds stays where the room sufficed already.
    template <typename T>
    Ticket take(Index values) {
        part<T>().ticket = nobody;
        if (part<T>().values.size() < values) {
            // The old memory goes first, so that both never exist at once.
            part<T>().values = LargeArray<T>();
            part<T>().values = LargeArray<T>(values);
        }
        return part<T>().ticket = ++last_;
    }

    /// Gives back memory for more than so many values of this type, and what it holds.
    template <typename T>
    void keep_at_most(Index values) {
        if (part<T>().values.size() <= values) return;
        part<T>().values = LargeArray<T>();
        part<T>().ticket = ++last_;
    }

    template <typename T>
    bool belongs_to(Ticket ticket) const {
        return ticket != nobody && ticket == part<T>().ticket;
    }

    template <typename T>
    Index size() {
        return part<T>().values.size();
    }
    template <typename T>
    T* data() {
        return part<T>().values.data();
    }

  private:
    template <typename T>
    struct Part {
        LargeArray<T> values = {};
        Ticket ticket = nobody;  // that of the owner
    };
    template <typename T>
    Part<T>& part() {
        return std::get<Part<T>>(parts_);
    }
    template <typename T>
    const Part<T>& part() const {
        return std::get<Part<T>>(parts_);
    }

    std::tuple<Part<float>, Part<double>> parts_;
    Ticket last_ = nobody;
};

}  // namespace dk
