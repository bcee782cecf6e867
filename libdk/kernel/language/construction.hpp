// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernel/algebra/algebra.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

/// The largest number of kernels that one specification may make.
inline constexpr std::size_t largest_bank = 100000;

/// Turns the syntax tree of a specification into kernels. Operators work through it: they expand the kernels
/// that they are given, and learn from the training rows.
class Construction {
  public:
    /// Operators that learn from the rows do so under `control`, whose memory counts; without one, each of
    /// them gives the kernel that it is given. Where there is `stored`, the states in it replace learning; it
    /// has one for each such operator, in the order of the text.
    explicit Construction(const Dataset* data, Control* control = nullptr,
                          std::vector<KernelState>* stored = nullptr)
        : facts_(data), control_(control), stored_(stored) {}

    const DataFacts& facts() const { return facts_; }

    /// Asks the memory budget for a list of so many columns, of which each kernel that is made of it has a
    /// copy.
    void require_columns(Index count) const;

    /// Makes the kernels of an expression. They see the given columns alone, or all where none are given.
    Bank expand(const Expression& expression, const Columns& columns);

    /// Makes the kernels of an expression and replaces each by what `change` makes of it.
    Bank expand_each(const Expression& expression, const Columns& columns,
                     const std::function<KernelPointer(const KernelPointer&)>& change);

    /// Makes the kernels of the expression `inner` and replaces each by what `learn` makes of it and the
    /// training rows, or by what `restore` makes of it and a stored state. Messages name the operator's
    /// `call`.
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

/// The entry of a kernel or an operator. Where there is none, Error(invalid_kernel) tells the nearest name.
const KernelEntry& entry_named(std::string_view name, Index position);

/// Appends kernels to a bank; throws Error(invalid_kernel) where it grows beyond `largest_bank`.
void append(Bank& bank, Bank more, Index position);

/// Throws Error(invalid_kernel) where an operator that chooses columns stands inside another that does.
void require_all_columns(const Expression& call, const Columns& columns);

}  // namespace dk
