// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/training_gram.hpp"

#include "kernel/gram/dataset_rows.hpp"
#include "kernel/gram/stored_gram.hpp"
#include "kernel/gram/training_gram_base.hpp"

namespace dk {

namespace {

/// By factors: nothing is stored but what the kernel maps the rows to.
class FactoredGram final : public TrainingGramBase {
  public:
    FactoredGram(KernelPointer kernel, const Dataset& data, const MemoryBudget& budget, Control* control)
        : TrainingGramBase(budget),
          kernel_(std::move(kernel)),
          data_(features_only(data)),
          engine_(kernel_, data_, data_, control) {
        diagonal_ = engine_.self(Side::left);
    }

    bool single() const override { return false; }
    FeatureRows features() const override { return engine_.features(Side::left); }
    Index largest_block() const override { return size(); }

    BlockView<double> block(std::span<const Index> rows, LargeArray<double>& storage,
                            Control& control) override {
        const ProgressHold hold(control);
        const Index count = std::ssize(rows);
        require_room(storage, count * count);
        if (are_all_rows(rows, size())) {
            engine_.matrices(storage.data(), control);
        } else {
            const Dataset some = data_.select(rows);
            GramEngine<double>(kernel_, some, some, &control).matrices(storage.data(), control);
        }
        return {storage.data(), count};
    }

    void add_product(std::span<const Index> rows, std::span<const double> weights, std::span<double> out,
                     Control& control) override {
        const ProgressHold hold(control);
        std::vector<double> v(size());
        for (std::size_t r = 0; r < rows.size(); ++r) v[rows[r]] += weights[r];
        std::vector<double> product(v.size());
        engine_.product(v.data(), 1, product.data(), control);
        for (std::size_t i = 0; i < v.size(); ++i) out[i] += product[i];
    }

  private:
    LargeArray<double> compute_whole(Control& control) override {
        LargeArray<double> values(size() * size());
        engine_.matrices(values.data(), control);
        return values;
    }

    KernelPointer kernel_;
    Dataset data_;
    GramEngine<double> engine_;
};

template <typename T>
std::unique_ptr<TrainingGram> stored_gram(const KernelPointer& kernel, const Dataset& data,
                                          const MemoryBudget& budget, Control* control, bool whole,
                                          GramMemory* memory) {
    return make_stored_gram<T>(std::make_unique<DatasetRows<T>>(kernel, features_only(data), control), budget,
                               whole, memory != nullptr ? &memory->of<T>() : nullptr);
}

std::unique_ptr<TrainingGram> new_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                Precision precision, const MemoryBudget& budget,
                                                Control* control, bool whole, GramMemory* memory) {
    if (kernel->factored()) return std::make_unique<FactoredGram>(kernel, data, budget, control);
    if (precision == Precision::real32)
        return stored_gram<float>(kernel, data, budget, control, whole, memory);
    return stored_gram<double>(kernel, data, budget, control, whole, memory);
}

}  // namespace

std::unique_ptr<TrainingGram> make_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                 Precision precision, const MemoryBudget& budget,
                                                 Control* control, GramMemory* memory) {
    return new_training_gram(kernel, data, precision, budget, control, false, memory);
}

std::unique_ptr<TrainingGram> make_whole_training_gram(const KernelPointer& kernel, const Dataset& data,
                                                       Precision precision, const MemoryBudget& budget,
                                                       Control* control) {
    return new_training_gram(kernel, data, precision, budget, control, true, nullptr);
}

}  // namespace dk
