// SPDX-License-Identifier: Apache-2.0
// This file computes k(x, z) = sum_u count(u, x) count(u, z), where the parts u are numbered and the counts
// are the elements of sparse matrices, so that the kernel matrix is a product of these.
#include "kernel/family/count_kernel.hpp"

#include "kernel/engine/sparse_product.hpp"

namespace dk {

namespace {

std::vector<double> squared_norms(const SparseMatrix& matrix) {
    std::vector<double> norms;
    for (Index i = 0; i < matrix.rows; ++i) {
        double sum = 0;
        for (Index e = matrix.row_offsets[i]; e < matrix.row_offsets[i + 1]; ++e)
            sum += matrix.values[e] * matrix.values[e];
        norms.push_back(sum);
    }
    return norms;
}

template <typename T>
class CountEvaluator final : public Evaluator<T> {
  public:
    CountEvaluator(const Operands<T>& operands, const CountFunction& function)
        : symmetric_(operands.symmetric()),
          counts_(function.count(operands.data(Side::left),
                                 symmetric_ ? nullptr : &operands.data(Side::right))) {}

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        sparse_product(counts_.left, block.left_rows.data(), block.rows(), side(Side::right), block.right_row,
                       block.cols, workspace.spread(), out, stride);
    }
    std::vector<double> self(Side which) const override { return squared_norms(side(which)); }

  private:
    const SparseMatrix& side(Side which) const {
        return which == Side::left || symmetric_ ? counts_.left : counts_.right;
    }

    bool symmetric_;
    PartCounts counts_;
};

class CountKernel final : public BindableKernel<CountKernel> {
  public:
    explicit CountKernel(CountFunction function) : function_(std::move(function)) {}

    std::string text() const override { return function_.text; }
    bool works_on(DataKind kind) const override { return kind == function_.kind; }
    bool positive_semidefinite() const override { return true; }
    bool constant_diagonal() const override { return false; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<CountEvaluator<T>>(operands, function_);
    }

  private:
    CountFunction function_;
};

}  // namespace

KernelPointer make_count_kernel(CountFunction function) {
    return std::make_shared<CountKernel>(std::move(function));
}

void CountCollector::finish_row() {
    for (const auto& [part, count] : counts_) {
        matrix_.columns.push_back(part);
        matrix_.values.push_back(count);
    }
    counts_.clear();
    matrix_.row_offsets.push_back(std::ssize(matrix_.columns));
    ++matrix_.rows;
}

SparseMatrix CountCollector::take(Index parts) {
    matrix_.cols = std::max<Index>(parts, 1);
    return std::move(matrix_);
}

}  // namespace dk
