// SPDX-License-Identifier: Apache-2.0
#include "kernel/pair_memory.hpp"

#include <optional>

#include "kernel/engine/gram_engine.hpp"

namespace dk {

void PairMemory::learn(const Bank& bank, const Dataset& rows, double progress_end, Control& control) {
    const double begin = control.fraction();
    const double share = (progress_end - begin) / static_cast<double>(bank.size());
    for (std::size_t k = 0; k < bank.size(); ++k) {
        if (bank[k]->feature_map() != nullptr || bank[k]->factored()) continue;
        const std::size_t before = known_.size();
        std::optional<GramEngine<double>> engine;
        {
            const ProgressHold hold(control);
            learning_ = true;
            engine.emplace(bank[k], rows, rows, &control);
            learning_ = false;
        }
        if (known_.size() == before) continue;
        const ProgressScope scope(control, begin + static_cast<double>(k) * share,
                                  begin + static_cast<double>(k + 1) * share, "kernel values");
        engine->evaluate_all_pairs(control);
        for (auto& [text, entry] : known_) entry.complete = true;
    }
}

PairMemory::Entry* PairMemory::find(const std::string& kernel, bool all_rows) {
    if (const auto found = known_.find(kernel); found != known_.end()) return &found->second;
    const double kept = static_cast<double>(known_.size()) + 1;
    if (!learning_ || !all_rows || !budget_.allows(kept * PairValues::bytes(rows_))) return nullptr;
    return &known_.emplace(kernel, Entry{PairValues(rows_)}).first->second;
}

KnownPairs::KnownPairs(const std::string& kernel, const Dataset& left, const Dataset& right)
    : left_(left.origin), right_(right.origin) {
    if (!left_ || !right_) return;
    memory_ = left_->memory.lock();
    if (!memory_ || memory_ != right_->memory.lock()) return;
    const bool all_rows = &left == &right && left_->positions.empty();
    PairMemory::Entry* entry = memory_->find(kernel, all_rows);
    // Another part of a kernel that is being learned may bind the same kernel to some of the rows.
    if (entry == nullptr || !(entry->complete || all_rows)) return;
    values_ = &entry->values;
    learning_ = !entry->complete;
}

}  // namespace dk
