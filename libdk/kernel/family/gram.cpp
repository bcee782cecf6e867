// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernel/family.hpp"

namespace dk {

namespace {

template <typename T>
class GramEvaluator final : public Evaluator<T> {
  public:
    GramEvaluator(const Operands<T>& operands, Index matrix) : operands_(operands), matrix_(matrix) {
        const auto matrices = operands.data(Side::left).gram().matrices;
        if (matrix >= matrices) {
            fail(Status::dimension, "kernel gram(", matrix, "): the data have matrices 0 to ", matrices - 1);
        }
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const auto& left = operands_.data(Side::left).gram();
        const auto& training_ids = operands_.data(Side::right).gram().row_ids;
        for (Index i = 0; i < block.rows(); ++i) {
            for (Index j = 0; j < block.cols; ++j) {
                out[i * stride + j] =
                    static_cast<T>(left.value(matrix_, block.left_rows[unsigned_of(i)],
                                              training_ids[unsigned_of(block.right_row + j)]));
            }
        }
    }

    std::vector<double> self(Side side) const override {
        const auto& gram = operands_.data(side).gram();
        if (gram.self.empty()) {
            fail(Status::invalid_data, "kernel gram(", matrix_,
                 "): the similarity of each row to itself is needed here; give `self` with the data");
        }
        const auto begin = gram.self.begin() + matrix_ * gram.rows();
        return {begin, begin + gram.rows()};
    }

  private:
    const Operands<T>& operands_;
    Index matrix_;
};

/// k(x, z) = an element of matrix q of precomputed similarities.
class GramKernel final : public BindableKernel<GramKernel> {
  public:
    explicit GramKernel(Index matrix) : matrix_(matrix) {}

    std::string text() const override { return dk::text("gram(", matrix_, ")"); }
    bool works_on(DataKind kind) const override { return kind == DataKind::gram; }
    bool positive_semidefinite() const override { return true; }  // as the caller promises
    bool constant_diagonal() const override { return false; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<GramEvaluator<T>>(operands, matrix_);
    }

  private:
    Index matrix_;
};

}  // namespace

KernelFamily gram_family() {
    return {.name = "gram",
            .doc = "similarities computed by the caller: matrix q of the data",
            .reference = "",
            .data = {DataKind::gram},
            .positive_semidefinite = "as given",
            .constant_diagonal = "never",
            .parameters = {},
            .positional = "position of the matrix, from 0; default 0",
            .make = [](const KernelArguments& a) -> KernelPointer {
                const double matrix = a.positional.empty() ? 0 : a.positional.front();
                if (a.positional.size() > 1 || matrix < 0 || matrix > 1e9 ||
                    matrix != static_cast<double>(static_cast<Index>(matrix))) {
                    fail(Status::invalid_kernel, "gram takes one matrix position, an integer from 0");
                }
                if (!a.columns.empty()) fail(Status::invalid_kernel, "gram has no columns to choose from");
                return std::make_shared<GramKernel>(static_cast<Index>(matrix));
            }};
}

}  // namespace dk
