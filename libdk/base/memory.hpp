// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace dk {

/// Says how much memory the large objects of one call may take together. Who allocates one asks it before.
class MemoryBudget {
  public:
    /// Allows this much memory, or half of the machine's memory if `megabytes` is 0.
    explicit MemoryBudget(std::int64_t megabytes);

    /// Gives the budget of one of several parts of the work that are done at the same time.
    MemoryBudget part(double parts) const {
        MemoryBudget share = *this;
        share.bytes_ /= parts;
        return share;
    }

    /// Gives the smaller of two budgets.
    MemoryBudget at_most(const MemoryBudget& other) const { return bytes_ < other.bytes_ ? *this : other; }

    double bytes() const { return bytes_; }
    bool allows(double bytes) const { return bytes <= bytes_; }
    /// Throws Error(memory_budget) that tells the memory needed if `bytes` exceed the budget.
    void require(double bytes, std::string_view what) const;

  private:
    double bytes_;
};

}  // namespace dk
