// SPDX-License-Identifier: Apache-2.0
#include "base/memory.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/system/memory.hpp"
#include "base/text.hpp"

namespace dk {

namespace {
constexpr double mebibyte = 1024.0 * 1024.0;
}  // namespace

MemoryBudget::MemoryBudget(std::int64_t megabytes) : given_(megabytes > 0 ? megabytes * mebibyte : 0.0) {}

double MemoryBudget::bytes() const {
    return share_ * std::max(0.0, (given_ > 0 ? given_ : 0.5 * physical_memory()) - held_);
}

void MemoryBudget::require(double bytes, std::string_view what) const {
    if (allows(bytes)) return;
    const std::string beside =
        held_ > 0 ? text(" beside ", std::ceil(share_ * held_ / mebibyte), " MB that are taken") : "";
    fail(Status::memory_budget, what, " needs ", std::ceil(bytes / mebibyte), " MB, but memory_mb allows ",
         std::floor(this->bytes() / mebibyte), beside);
}

double memory_of_texts(std::span<const std::string_view> texts) {
    constexpr std::size_t kept_inside = 15;     // Such a text needs no memory of its own.
    constexpr double bytes_an_allocation = 24;  // with the zero behind the text, and what rounding up takes
    double bytes = 0;
    for (const std::string_view one : texts) {
        bytes += sizeof(std::string);
        if (one.size() > kept_inside) bytes += bytes_an_allocation + static_cast<double>(one.size());
    }
    return bytes;
}

}  // namespace dk
