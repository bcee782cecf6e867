// SPDX-License-Identifier: Apache-2.0
#include "kernel/gram/known_values.hpp"

#include <optional>
#include <utility>

#include "kernel/engine/gram_engine.hpp"

namespace dk {

namespace {

template <typename T>
class KnownEvaluator final : public Evaluator<T> {
  public:
    KnownEvaluator(const Operands<T>& operands, std::shared_ptr<const PairValues> values)
        : operands_(operands), values_(std::move(values)) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const RowIdentity& left = operands_.data(Side::left).identity();
        const RowIdentity& right = operands_.data(Side::right).identity();
        auto K = view(out, block.rows(), block.cols, stride);
        for (Index i = 0; i < block.rows(); ++i) {
            const Index row = left.place(block.left_rows[i]);
            for (Index j = 0; j < block.cols; ++j)
                K(i, j) = static_cast<T>((*values_)(row, right.place(block.right_row + j)));
        }
    }

    std::vector<double> self(Side side) const override {
        const RowIdentity& rows = operands_.data(side).identity();
        std::vector<double> values(rows.rows());
        for (Index i = 0; i < rows.rows(); ++i) values[i] = (*values_)(rows.place(i), rows.place(i));
        return values;
    }

  private:
    const Operands<T>& operands_;
    std::shared_ptr<const PairValues> values_;
};

/// A kernel whose values between the rows of one set are known as long as they are kept elsewhere.
class KnownKernel final : public BindableKernel<KnownKernel> {
  public:
    KnownKernel(KernelPointer kernel, const RowIdentity& rows, std::weak_ptr<const PairValues> values)
        : kernel_(std::move(kernel)), rows_(rows), values_(std::move(values)) {}

    std::string text() const override { return kernel_->text(); }
    bool works_on(DataKind kind) const override { return kernel_->works_on(kind); }
    bool positive_semidefinite() const override { return kernel_->positive_semidefinite(); }
    bool constant_diagonal() const override { return kernel_->constant_diagonal(); }
    bool unit_diagonal() const override { return kernel_->unit_diagonal(); }
    bool knows_rows() const override { return kernel_->knows_rows(); }
    bool asks_caller() const override { return kernel_->asks_caller(); }
    void collect_states(std::vector<const KernelState*>& states) const override {
        kernel_->collect_states(states);
    }
    std::vector<WeightedKernel> terms() const override { return kernel_->terms(); }
    std::unique_ptr<const RowSearch> row_search(const Dataset& rows, Control& control) const override {
        return kernel_->row_search(rows, control);
    }
    std::shared_ptr<const FeatureMap> random_features(Index count, std::uint64_t seed,
                                                      const Dataset& data) const override {
        return kernel_->random_features(count, seed, data);
    }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        auto values = values_.lock();
        const auto known = [&](Side side) { return operands.data(side).identity().same_set(rows_); };
        if (values && known(Side::left) && known(Side::right))
            return std::make_unique<KnownEvaluator<T>>(operands, std::move(values));
        return kernel_->bind(operands);
    }

  private:
    KernelPointer kernel_;
    RowIdentity rows_;
    std::weak_ptr<const PairValues> values_;
};

/// Computes the values between all rows, each one once: k(i, j) has the earlier row on the left.
PairValues values_between(const GramEngine<double>& engine, Control& control) {
    PairValues values(engine.rows());
    engine.upper_tiles(
        [&](Index row, Index col, const ConstMatrixView& tile) {
            for (Index i = 0; i < tile.rows(); ++i) {
                for (Index j = std::max<Index>(0, row + i - col); j < tile.cols(); ++j)
                    values(row + i, col + j) = tile(i, j);
            }
        },
        control);
    return values;
}

}  // namespace

void KnownValues::learn(Bank& bank, Dataset& rows, const MemoryBudget& budget, double progress_end,
                        Control& control) {
    rows = rows.with_features(rows.features());
    const double begin = control.fraction();
    const double share = (progress_end - begin) / static_cast<double>(bank.size());
    for (std::size_t k = 0; k < bank.size(); ++k) {
        if (bank[k]->feature_map() != nullptr || bank[k]->factored()) continue;
        if (!budget.allows(bytes_ + PairValues::bytes(rows.rows()))) return;
        std::optional<GramEngine<double>> engine;
        {
            const ProgressHold hold(control);
            engine.emplace(bank[k], rows, rows, &control);
        }
        if (!engine->costly_pairs() || engine->calling_thread_only()) continue;
        const ProgressScope scope(control, begin + static_cast<double>(k) * share,
                                  begin + static_cast<double>(k + 1) * share, "kernel values");
        const auto& kept =
            values_.emplace_back(std::make_shared<const PairValues>(values_between(*engine, control)));
        bytes_ += PairValues::bytes(rows.rows());
        bank[k] = std::make_shared<KnownKernel>(bank[k], rows.identity(), kept);
    }
}

}  // namespace dk
