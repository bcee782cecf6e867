// SPDX-License-Identifier: Apache-2.0
#include "kernel/combined_gram.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace dk {

CombinedGram::CombinedGram(const Bank& bank, const Dataset& data, Precision precision,
                           const MemoryBudget& budget, Control& control)
    : weights_(bank.size()),
      diagonal_(unsigned_of(data.rows())),
      single_(precision == Precision::real32 &&
              std::ranges::none_of(bank, [](const auto& kernel) { return kernel->factored(); })) {
    const MemoryBudget part = budget.part(static_cast<double>(bank.size()));
    for (const auto& kernel : bank) {
        grams_.push_back(make_training_gram(kernel, data, single_ ? Precision::real32 : Precision::real64,
                                            part, &control));
    }
}

void CombinedGram::set_weights(std::span<const double> weights) {
    weights_.assign(weights.begin(), weights.end());
    std::ranges::fill(diagonal_, 0.0);
    for (std::size_t k = 0; k < weights_.size(); ++k) {
        const auto diagonal = grams_[k]->diagonal();
        for (std::size_t i = 0; i < diagonal_.size(); ++i) diagonal_[i] += weights_[k] * diagonal[i];
    }
}

Index CombinedGram::largest_block() const {
    const auto of_kernel = [](const auto& gram) { return gram->largest_block(); };
    return of_kernel(*std::ranges::min_element(grams_, {}, of_kernel));
}

template <typename T>
BlockView<T> CombinedGram::combined_block(std::span<const Index> rows, LargeArray<T>& storage,
                                          LargeArray<T>& of_kernel, Control& control) {
    const Index count = size_of(rows);
    const Index values = count * count;
    if (storage.size() < values + block_slack) storage = LargeArray<T>(values + block_slack);
    std::fill_n(storage.data(), values + block_slack, T{});
    for (std::size_t k = 0; k < grams_.size(); ++k) {
        if (weights_[k] == 0) continue;
        const BlockView<T> view = grams_[k]->block(rows, of_kernel, control);
        const auto weight = static_cast<T>(weights_[k]);
        parallel_for(count, control, [&](Index i) {
            T* out = storage.data() + i * count;
            const T* in = view.row(i);
            for (Index j = 0; j < count; ++j) out[j] += weight * in[j];
        });
    }
    return {storage.data(), count};
}

BlockView<double> CombinedGram::block(std::span<const Index> rows, LargeArray<double>& storage,
                                      Control& control) {
    const ProgressHold hold(control);
    return combined_block(rows, storage, wide_, control);
}

BlockView<float> CombinedGram::block(std::span<const Index> rows, LargeArray<float>& storage,
                                     Control& control) {
    const ProgressHold hold(control);
    return combined_block(rows, storage, narrow_, control);
}

void CombinedGram::add_product(std::span<const Index> rows, std::span<const double> weights,
                               std::span<double> out, Control& control) {
    std::vector<double> scaled(weights.size());
    for (std::size_t k = 0; k < grams_.size(); ++k) {
        if (weights_[k] == 0) continue;
        std::ranges::transform(weights, scaled.begin(), [&](double w) { return weights_[k] * w; });
        grams_[k]->add_product(rows, scaled, out, control);
    }
}

}  // namespace dk
