// SPDX-License-Identifier: Apache-2.0
//
// Arrays between C# and C++.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dk_csharp {

/// A pinned array as it crosses the border, by value; NativeSlice in C#.
struct Slice {
    void* data;
    std::int64_t length;

    template <typename T>
    std::span<T> view() const {
        return {static_cast<T*>(data), static_cast<std::size_t>(length)};
    }
};

}  // namespace dk_csharp
