// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

#include "base/system/memory.hpp"
#include "base/types.hpp"

namespace dk {

/// A large array whose elements are not set. The system finds memory for them when threads first write them,
/// which a cancel can interrupt. Huge pages make this, and freeing the memory, many times faster.
template <typename T>
class LargeArray {
    static_assert(std::is_trivial_v<T>);

  public:
    LargeArray() = default;
    explicit LargeArray(Index count) {
        constexpr std::size_t huge_page = std::size_t{2} << 20U;
        const std::size_t bytes = count * sizeof(T);
        const std::size_t alignment = bytes >= huge_page ? huge_page : 64;
        const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
        values_.reset(static_cast<T*>(allocate_aligned(alignment, rounded)));
        if (!values_ && rounded > 0) throw std::bad_alloc();
        if (alignment == huge_page) advise_huge_pages(values_.get(), rounded);
        count_ = count;
    }

    bool empty() const { return count_ == 0; }
    Index size() const { return count_; }
    T* data() { return values_.get(); }
    const T* data() const { return values_.get(); }
    T& operator[](std::size_t i) { return values_.get()[i]; }
    const T& operator[](std::size_t i) const { return values_.get()[i]; }

  private:
    struct Free {
        void operator()(T* values) const { free_aligned(values); }
    };
    std::unique_ptr<T[], Free> values_;
    Index count_ = 0;
};

}  // namespace dk
