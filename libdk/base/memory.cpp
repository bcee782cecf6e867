// SPDX-License-Identifier: Apache-2.0
#include "base/memory.hpp"

#include <unistd.h>

#include <cmath>

#include "base/error.hpp"

namespace dk {

namespace {
constexpr double mebibyte = 1024.0 * 1024.0;

double half_of_the_machine() {
    return 0.5 * sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGE_SIZE);
}
}  // namespace

MemoryBudget::MemoryBudget(std::int64_t megabytes)
    : bytes_(megabytes > 0 ? megabytes * mebibyte : half_of_the_machine()) {}

void MemoryBudget::require(double bytes, std::string_view what) const {
    if (allows(bytes)) return;
    fail(Status::memory_budget, what, " needs ", std::ceil(bytes / mebibyte), " MB, but memory_mb allows ",
         std::floor(bytes_ / mebibyte));
}

}  // namespace dk
