// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace dk {

/// How much memory the large objects of one call may take together. Asked before they are allocated.
class MemoryBudget {
  public:
    /// `megabytes` = 0 stands for half of the machine's memory.
    explicit MemoryBudget(std::int64_t megabytes);

    /// The share of each of some parts of the work that may be done side by side.
    MemoryBudget part(double parts) const {
        MemoryBudget share = *this;
        share.bytes_ /= parts;
        return share;
    }

    double bytes() const { return bytes_; }
    bool allows(double bytes) const { return bytes <= bytes_; }
    /// Throws Error(memory_budget) with the figure needed when `bytes` do not fit.
    void require(double bytes, std::string_view what) const;

  private:
    double bytes_;
};

}  // namespace dk
