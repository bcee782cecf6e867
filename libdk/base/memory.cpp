// SPDX-License-Identifier: Apache-2.0
#include "base/memory.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/system/memory.hpp"

namespace dk {

namespace {
constexpr double mebibyte = 1024.0 * 1024.0;
}  // namespace

MemoryBudget::MemoryBudget(std::int64_t megabytes) : given_(megabytes > 0 ? megabytes * mebibyte : 0.0) {}

double MemoryBudget::bytes() const {
    return share_ * (given_ > 0 ? given_ : 0.5 * physical_memory());
}

void MemoryBudget::require(double bytes, std::string_view what) const {
    if (allows(bytes)) return;
    fail(Status::memory_budget, what, " needs ", std::ceil(bytes / mebibyte), " MB, but memory_mb allows ",
         std::floor(this->bytes() / mebibyte));
}

}  // namespace dk
