// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "base/parallel.hpp"
#include "data/characters.hpp"
#include "kernel/engine/both_sides.hpp"
#include "kernel/engine/kernel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// A kernel that a function of two strings computes pair by pair. Function is a value type with
///     double operator()(std::u32string_view x, std::u32string_view z, const Control&) const;
///     std::string text() const;  bool positive_semidefinite() const;  bool unit_diagonal() const;
/// The call polls the control, and returns early with any value when the control is stopping.
template <typename Function>
class StringKernel final : public BindableKernel<StringKernel<Function>> {
  public:
    explicit StringKernel(Function function) : function_(std::move(function)) {}

    std::string text() const override { return function_.text(); }
    bool works_on(DataKind kind) const override { return kind == DataKind::strings; }
    bool positive_semidefinite() const override { return function_.positive_semidefinite(); }
    bool constant_diagonal() const override { return function_.unit_diagonal(); }
    bool unit_diagonal() const override { return function_.unit_diagonal(); }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<PairEvaluator<T>>(operands, function_);
    }

  private:
    template <typename T>
    class PairEvaluator final : public Evaluator<T> {
      public:
        PairEvaluator(Operands<T>& operands, const Function& function)
            : operands_(operands), function_(function) {
            operands.ask_for_small_tiles();
            for (const Side side : {Side::left, Side::right}) {
                if (side == Side::right && operands.symmetric()) continue;
                prepare(operands.data(side).strings(), side);
            }
        }

        void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
            const Block& block = workspace.block();
            auto K = view(out, block.rows(), block.cols, stride);
            const auto& right = texts_[operands_.symmetric() ? Side::left : Side::right];
            for (Index i = 0; i < block.rows(); ++i) {
                const auto& x = texts_.left[block.left_rows[i]];
                for (Index j = 0; j < block.cols && !workspace.stopping(); ++j) {
                    K(i, j) = static_cast<T>(function_(x, right[block.right_row + j], operands_.control()));
                }
            }
        }

        std::vector<double> self(Side side) const override {
            return selves_[operands_.symmetric() ? Side::left : side];
        }

      private:
        void prepare(const StringSet& set, Side side) {
            for (const auto& one : set.texts) texts_[side].push_back(characters_of(one));
            selves_[side].assign(set.texts.size(), 1.0);
            if (function_.unit_diagonal()) return;
            const ProgressHold hold(operands_.control());
            parallel_for(set.rows(), operands_.control(), [&](Index i) {
                const auto& x = texts_[side][i];
                selves_[side][i] = function_(x, x, operands_.control());
            });
        }

        const Operands<T>& operands_;
        Function function_;
        BothSides<std::vector<std::u32string>> texts_;
        BothSides<std::vector<double>> selves_;
    };

    Function function_;
};

/// Makes the kernel of such a function.
template <typename Function>
KernelPointer make_string_kernel(Function function) {
    return std::make_shared<StringKernel<Function>>(std::move(function));
}

}  // namespace dk
