// SPDX-License-Identifier: Apache-2.0
#include "kernel/language/construction.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/language/kernel_call.hpp"

namespace dk {

Bank Construction::expand(const Expression& expression, const Columns& columns) {
    switch (expression.kind) {
        case Expression::Kind::number:
            return {linear_combination({}, expression.number)};
        case Expression::Kind::sum:
            return {sum(expression, columns)};
        case Expression::Kind::product:
            return {linear_combination({term(expression, columns)}, 0)};
        case Expression::Kind::power:
            return {power_of(expand_one(expression.children.front(), columns),
                             static_cast<int>(expression.number))};
        case Expression::Kind::bank:
            return bank(expression, columns);
        case Expression::Kind::call:
            break;
    }
    const KernelEntry& entry = entry_named(expression.name, expression.position);
    if (const auto* make = std::get_if<MakeBank>(&entry.make)) return (*make)(expression, columns, *this);
    return {make_called_kernel(entry, expression, columns, {}, facts_)};
}

KernelPointer Construction::expand_one(const Expression& expression, const Columns& columns) {
    Bank kernels = expand(expression, columns);
    if (kernels.size() != 1)
        fail_at(expression.position, "a bank cannot be a term or factor; write [a + b, ...]");
    return kernels.front();
}

KernelPointer Construction::sum(const Expression& expression, const Columns& columns) {
    std::vector<WeightedKernel> terms;
    double offset = 0;
    for (const auto& child : expression.children) {
        if (child.kind == Expression::Kind::number) {
            offset += child.number;
        } else {
            terms.push_back(term(child, columns));
        }
    }
    return linear_combination(std::move(terms), offset);
}

/// Makes a term of a sum. The numbers of a product become one weight.
WeightedKernel Construction::term(const Expression& expression, const Columns& columns) {
    if (expression.kind != Expression::Kind::product) return {1, expand_one(expression, columns)};
    double weight = 1;
    std::vector<KernelPointer> factors;
    for (const auto& child : expression.children) {
        if (child.kind == Expression::Kind::number) {
            weight *= child.number;
        } else {
            factors.push_back(expand_one(child, columns));
        }
    }
    if (!std::isfinite(weight)) fail_at(expression.position, "the factors overflow");
    if (factors.empty()) return {1, linear_combination({}, weight)};
    return {weight, factors.size() == 1 ? factors.front() : product_of(std::move(factors))};
}

Bank Construction::bank(const Expression& expression, const Columns& columns) {
    Bank kernels;
    for (const auto& child : expression.children) append(kernels, expand(child, columns), child.position);
    return kernels;
}

Bank Construction::expand_each(const Expression& expression, const Columns& columns,
                               const std::function<KernelPointer(const KernelPointer&)>& change) {
    Bank kernels = expand(expression, columns);
    for (auto& kernel : kernels) kernel = change(kernel);
    return kernels;
}

Bank Construction::expand_learned(
    const Expression& call, const Expression& inner, const Columns& columns,
    const std::function<KernelPointer(const KernelPointer&, const Dataset&, Control&)>& learn,
    const std::function<KernelPointer(const KernelPointer&, KernelState)>& restore) {
    return expand_each(inner, columns, [&](const KernelPointer& kernel) {
        if (kernel->knows_rows()) {  // learning needs values with other rows, which such a kernel has not
            fail_at(call.position, text(call.name,
                                        " cannot stand around corrected(method=shift), which knows "
                                        "the training rows alone; put corrected outside"));
        }
        if (kernel->asks_caller()) {  // a stored training row is a point, which has no values with others
            fail_at(call.position, text(call.name,
                                        " cannot stand around similarity, whose values the caller "
                                        "computes for the rows of a call alone"));
        }
        if (stored_) return restore(kernel, next_state());
        if (!control_) return kernel;
        KernelPointer learned = learn(kernel, *facts_.data(), *control_);
        require_memory_for(*learned);
        return learned;
    });
}

void Construction::require_columns(Index count) const {
    constexpr double copies = 4;
    const MemoryBudget budget = control_ ? control_->memory() : MemoryBudget(0);
    budget.require(copies * sizeof(Index) * count, text("a kernel of ", count, " columns"));
}

/// Takes the next of the states that a model file had.
KernelState Construction::next_state() {
    if (next_state_ == stored_->size())
        fail(Status::model_format, "damaged model: a kernel's state is missing");
    return std::move((*stored_)[next_state_++]);
}

/// Asks the memory budget for what a kernel has learned, such as reference rows, together with what all
/// kernels of the bank before it have learned: each of them keeps its own copy.
void Construction::require_memory_for(const Kernel& kernel) {
    std::vector<const KernelState*> states;
    kernel.collect_states(states);
    if (states.empty()) return;
    const KernelState& own = *states.back();  // the states before it belong to kernels inside this one
    learned_bytes_ += 8.0 * std::ssize(own.numbers);
    for (const Dataset& rows : own.rows) learned_bytes_ += rows.feature_bytes();
    ++learned_kernels_;
    control_->memory().require(learned_bytes_,
                               text("what the first ", learned_kernels_, " kernels of the bank learned"));
}

const KernelEntry& entry_named(std::string_view name, Index position) {
    if (const KernelEntry* entry = find_entry(name)) return *entry;
    std::vector<std::string> names;
    for (const auto& entry : kernel_language()) names.push_back(entry.name);
    fail_at(position, text("there is no kernel ", in_quotes(name), "; nearest is ",
                           in_quotes(nearest_name(name, names))));
}

void append(Bank& bank, Bank more, Index position) {
    if (bank.size() + more.size() > largest_bank)
        fail_at(position, text("the bank has more than ", largest_bank, " kernels"));
    std::ranges::move(more, std::back_inserter(bank));
}

void require_all_columns(const Expression& call, const Columns& columns) {
    if (!columns.empty()) fail_at(call.position, call.name + " cannot stand inside on or each_feature");
}

}  // namespace dk
