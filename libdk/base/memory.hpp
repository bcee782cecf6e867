// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
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

    /// Holds so many bytes of the budget for something that is there, or no longer where they are negative.
    void hold(double bytes) { held_ += bytes / share_; }

    /// Gives what is left of it.
    double bytes() const;
    bool allows(double bytes) const { return bytes <= this->bytes(); }
    /// Throws Error(memory_budget) that tells the memory needed if `bytes` exceed the budget.
    void require(double bytes, std::string_view what) const;

  private:
    // 0 stands for half of the machine's memory. The system is asked for it when somebody wants to know,
    // since that takes longer than some calls do.
    double given_;
    double share_ = 1;
    double held_ = 0;
};

/// Gives the bytes that copies of texts take, each as a std::string.
double memory_of_texts(std::span<const std::string_view> texts);

}  // namespace dk
