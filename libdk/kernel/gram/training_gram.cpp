// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/training_gram.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "kernel/gram/cached_gram.hpp"
#include "kernel/gram/dataset_rows.hpp"
#include "kernel/gram/factored_gram.hpp"
#include "kernel/gram/stored_gram.hpp"

namespace dk {

BlockView<double> TrainingGram::block(std::span<const Index>, BlockStorage<double>&, Control&) {
    fail(Status::internal, "the kernel values are of single precision");
}

BlockView<float> TrainingGram::block(std::span<const Index>, BlockStorage<float>&, Control&) {
    fail(Status::internal, "the kernel values are of double precision");
}

void TrainingGram::product(std::span<const double> v, std::span<double> out, Control& control) {
    std::vector<Index> used;
    std::vector<double> weights;
    for (Index i = 0; i < size(); ++i) {
        if (v[i] == 0) continue;
        used.push_back(i);
        weights.push_back(v[i]);
    }
    std::ranges::fill(out, 0.0);
    add_product(used, weights, out, control);
}

const double* TrainingGram::whole(int further_copies, Control& control) {
    const double bytes = 8.0 * size() * size();
    budget_.require(bytes * (1 + further_copies), text("a kernel matrix of ", size(), " rows",
                                                       further_copies > 0 ? " with its factors" : ""));
    if (whole_.empty()) {
        LargeArray<double> values(size() * size());
        compute_whole(values.data(), control);
        whole_ = std::move(values);
    }
    return whole_.data();
}

namespace {

template <typename T>
std::unique_ptr<const RowSource<T>> rows_of(const KernelPointer& kernel, const Dataset& data,
                                            Control* control) {
    return std::make_unique<DatasetRows<T>>(kernel, features_only(data), control);
}

}  // namespace

template <typename T>
std::unique_ptr<TrainingGram> make_training_gram(std::unique_ptr<const RowSource<T>> source,
                                                 const MemoryBudget& budget,
                                                 std::shared_ptr<RowMemory> memory) {
    const double rows = source->size();
    if (rows * rows * sizeof(T) <= std::min(budget.bytes(), largest_stored_bytes))
        return std::make_unique<StoredGram<T>>(std::move(source), budget);
    return std::make_unique<CachedGram<T>>(std::move(source), budget, std::move(memory));
}

template std::unique_ptr<TrainingGram> make_training_gram(std::unique_ptr<const RowSource<double>>,
                                                          const MemoryBudget&, std::shared_ptr<RowMemory>);
template std::unique_ptr<TrainingGram> make_training_gram(std::unique_ptr<const RowSource<float>>,
                                                          const MemoryBudget&, std::shared_ptr<RowMemory>);

std::unique_ptr<TrainingGram> make_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                 Precision precision, const MemoryBudget& budget,
                                                 Control* control, std::shared_ptr<RowMemory> memory) {
    if (kernel->factored()) return std::make_unique<FactoredGram>(kernel, data, budget, control);
    if (precision == Precision::real32)
        return make_training_gram(rows_of<float>(kernel, data, control), budget, std::move(memory));
    return make_training_gram(rows_of<double>(kernel, data, control), budget, std::move(memory));
}

std::unique_ptr<TrainingGram> make_whole_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                       Precision precision, const MemoryBudget& budget,
                                                       Control* control) {
    if (kernel->factored()) return std::make_unique<FactoredGram>(kernel, data, budget, control);
    if (precision == Precision::real32)
        return std::make_unique<StoredGram<float>>(rows_of<float>(kernel, data, control), budget);
    return std::make_unique<StoredGram<double>>(rows_of<double>(kernel, data, control), budget);
}

}  // namespace dk
