// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernel/language/registry.hpp"
#include "kernel/operator/algebra.hpp"

namespace dk {

/// The largest number of kernels that one specification may make.
inline constexpr std::size_t largest_bank = 100000;

/// Turns the syntax tree of a specification into kernels. Operators work through it: they expand the kernels
/// that they are given, and learn from the training rows.
class Construction {
  public:
    /// `control` is for kernels that learn; without one they stay as they are. `stored` has the states of
    /// such kernels, in the order of the text, in place of learning.
    explicit Construction(const Dataset* data, Control* control = nullptr,
                          std::vector<KernelState>* stored = nullptr)
        : facts_(data), control_(control), stored_(stored) {}

    const DataFacts& facts() const { return facts_; }

    /// The kernels of an expression, which see these columns; empty for all.
    Bank expand(const Expression& expression, const Columns& columns);

    /// Every kernel of an expression with something done to it.
    Bank expand_each(const Expression& expression, const Columns& columns,
                     const std::function<KernelPointer(const KernelPointer&)>& change);

    /// Every kernel of an expression, changed by what `learn` finds in the training rows, or by what
    /// `restore` takes from the state that an earlier one gave. `call` is the operator's, for messages.
    Bank expand_learned(
        const Expression& call, const Expression& inner, const Columns& columns,
        const std::function<KernelPointer(const KernelPointer&, const Dataset&, Control&)>& learn,
        const std::function<KernelPointer(const KernelPointer&, KernelState)>& restore);

  private:
    KernelPointer expand_one(const Expression& expression, const Columns& columns);
    KernelPointer sum(const Expression& expression, const Columns& columns);
    WeightedKernel term(const Expression& expression, const Columns& columns);
    Bank bank(const Expression& expression, const Columns& columns);
    KernelState next_state();
    void require_memory_for(const Kernel& kernel);

    DataFacts facts_;
    Control* control_;
    std::vector<KernelState>* stored_;
    std::size_t next_state_ = 0;
    Index learned_kernels_ = 0;
    double learned_bytes_ = 0;
};

/// The entry of a kernel or an operator; throws Error(invalid_kernel) with the nearest name.
const KernelEntry& entry_named(std::string_view name, Index position);

/// Appends kernels to a bank; throws Error(invalid_kernel) where it grows beyond `largest_bank`.
void append(Bank& bank, Bank more, Index position);

/// Throws Error(invalid_kernel) for an operator that chooses columns inside another that does.
void require_all_columns(const Expression& call, const Columns& columns);

}  // namespace dk
