// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/combined_gram.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "kernel/gram/gram_blocks.hpp"
#include "matrix/weighted_rows.hpp"

namespace dk {

CombinedGram::CombinedGram(const Bank& bank, const Dataset& data, const MemoryBudget& budget,
                           Control& control)
    : single_(std::ranges::none_of(bank, [](const auto& kernel) { return kernel->factored(); })),
      weights_(bank.size()),
      diagonal_(data.rows()) {
    const Index n = data.rows();
    const double matrix_bytes = 1.0 * sizeof(float) * n * n;
    const bool whole = single_ && budget.allows(matrix_bytes * (bank.size() + 1.0));
    const MemoryBudget part = budget.part(std::ssize(bank));
    const Precision precision = single_ ? Precision::real32 : Precision::real64;
    std::vector<Index> all_rows(whole ? n : 0);
    std::iota(all_rows.begin(), all_rows.end(), Index{0});
    for (const auto& kernel : bank) {
        grams_.push_back(whole ? make_whole_training_gram(kernel, data, precision, budget, &control)
                               : make_training_gram(kernel, data, precision, part, &control));
        narrow_.forget();
        if (whole) matrices_.push_back(grams_.back()->block(all_rows, narrow_, control));
    }
    if (!whole) return;
    combined_ = LargeArray<float>(n * n);
    known_.resize(n);
}

void CombinedGram::set_weights(std::span<const double> weights) {
    weights_.assign(weights.begin(), weights.end());
    std::ranges::fill(known_, 0);
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

/// Combines the rows that are not known yet. Each row is combined in chunks, which stay in the nearest cache
/// while the kernels are added.
void CombinedGram::combine_rows(std::span<const Index> rows, Control& control) {
    constexpr Index chunk = 2048;
    std::vector<Index> missing;
    for (const Index i : rows) {
        if (known_[i] == 0) missing.push_back(i);
    }
    const double values = 1.0 * std::ssize(missing) * size() * std::ssize(weights_);
    parallel_for(std::ssize(missing), values, control, [&](Index m) {
        const Index i = missing[m];
        for (Index begin = 0; begin < size(); begin += chunk) {
            const Index end = std::min(size(), begin + chunk);
            float* out = combined_.data() + i * size();
            std::fill(out + begin, out + end, 0.0F);
            for (std::size_t k = 0; k < weights_.size(); ++k) {
                const auto weight = static_cast<float>(weights_[k]);
                const float* in = matrices_[k].row(i);
                if (weight == 0) continue;
#pragma omp simd
                for (Index j = begin; j < end; ++j) out[j] += weight * in[j];
            }
        }
    });
    for (const Index i : missing) known_[i] = 1;
}

std::vector<const float*> CombinedGram::combined_rows(std::span<const Index> rows) const {
    std::vector<const float*> found;
    found.reserve(rows.size());
    for (const Index i : rows) found.push_back(combined_.data() + i * size());
    return found;
}

template <typename T>
BlockView<T> CombinedGram::sum_of_blocks(std::span<const Index> rows, BlockStorage<T>& storage,
                                         BlockStorage<T>& of_kernel, Control& control) {
    const Index count = std::ssize(rows);
    T* sum = storage.begin_whole(count);
    std::fill_n(sum, count * count, T{});
    for (std::size_t k = 0; k < grams_.size(); ++k) {
        if (weights_[k] == 0) continue;
        of_kernel.forget();
        const BlockView<T> view = grams_[k]->block(rows, of_kernel, control);
        const auto weight = static_cast<T>(weights_[k]);
        parallel_for_rows(count, count, control, [&](Index i) {
            T* out = sum + i * count;
            const T* in = view.row(i);
            for (Index j = 0; j < count; ++j) out[j] += weight * in[j];
        });
    }
    return storage.complete(rows);
}

BlockView<double> CombinedGram::block(std::span<const Index> rows, BlockStorage<double>& storage,
                                      Control& control) {
    const ProgressHold hold(control);
    return sum_of_blocks(rows, storage, wide_, control);
}

BlockView<float> CombinedGram::block(std::span<const Index> rows, BlockStorage<float>& storage,
                                     Control& control) {
    const ProgressHold hold(control);
    if (matrices_.empty()) return sum_of_blocks(rows, storage, narrow_, control);
    combine_rows(rows, control);
    return gathered<float>(combined_rows(rows), rows, storage, control);
}

void CombinedGram::add_product(std::span<const Index> rows, std::span<const double> weights,
                               std::span<double> out, Control& control) {
    const ProgressHold hold(control);
    if (!matrices_.empty()) {
        combine_rows(rows, control);
        return add_weighted_rows<float>(combined_rows(rows), weights, out, control);
    }
    std::vector<double> scaled(weights.size());
    for (std::size_t k = 0; k < grams_.size(); ++k) {
        if (weights_[k] == 0) continue;
        std::ranges::transform(weights, scaled.begin(), [&](double w) { return weights_[k] * w; });
        grams_[k]->add_product(rows, scaled, out, control);
    }
}

}  // namespace dk
