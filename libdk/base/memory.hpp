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
        MemoryBudget smaller = *this;
        smaller.share_ /= parts;
        return smaller;
    }

    /// Gives the smaller of two budgets.
    MemoryBudget at_most(const MemoryBudget& other) const { return bytes() < other.bytes() ? *this : other; }

    double bytes() const;
    bool allows(double bytes) const { return bytes <= this->bytes(); }
    /// Throws Error(memory_budget) that tells the memory needed if `bytes` exceed the budget.
    void require(double bytes, std::string_view what) const;

  private:
    // 0 stands for half of the machine's memory. The system is asked for it when somebody wants to know,
    // since that takes longer than some calls do.
    double given_;
    double share_ = 1;
};

}  // namespace dk
