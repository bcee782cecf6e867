// SPDX-License-Identifier: Apache-2.0
// k(x, z) is the similarity of a row x to a point z, which the caller computes when asked: an image matcher,
// say, that libdk knows nothing of. The caller knows the rows of the left side, and the right side needs only
// coordinates, so that z may be a point that is no row. The kernel counts as positive semidefinite and
// symmetric, which the caller promises where a machine needs it.
//
// A. Demontis, M. Melis, B. Biggio, G. Fumera, F. Roli, Super-sparse learning in similarity spaces, IEEE
// Computational Intelligence Magazine 11, 2016.
#include "base/error.hpp"
#include "kernel/language/registry.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

const PointSimilarity& similarity_of(const DenseMatrix& rows) {
    if (rows.similarity) return *rows.similarity;
    fail(Status::invalid_data,
         "kernel similarity needs rows whose similarities the caller computes, those of "
         "dk_data_from_point_similarity; scaled or copied rows and learned points are none");
}

template <typename T>
class SimilarityEvaluator final : public Evaluator<T> {
  public:
    explicit SimilarityEvaluator(Operands<T>& operands) : operands_(operands) {
        operands.ask_for_small_tiles();
        if (only_the_calling_thread(operands.data(Side::left))) operands.ask_for_calling_thread();
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const DenseMatrix& left = operands_.data(Side::left).dense();
        const DenseMatrix& right = operands_.data(Side::right).dense();
        const PointSimilarity& similarity = similarity_of(left);
        std::vector<Index> rows;
        rows.reserve(block.left_rows.size());
        const RowIdentity& identity = operands_.data(Side::left).identity();
        for (const Index i : block.left_rows) rows.push_back(identity.place(i));
        const auto points =
            std::span(right.values).subspan(block.right_row * right.cols, block.cols * right.cols);
        Matrix values(block.rows(), block.cols);
        similarity.compute(rows, points, block.cols, values.data());
        view(out, block.rows(), block.cols, stride) = values.cast<T>();
    }

    std::vector<double> self(Side side) const override {
        const DenseMatrix& data = operands_.data(side).dense();
        const PointSimilarity& similarity = similarity_of(data);
        std::vector<double> values(data.rows);
        for (Index i = 0; i < data.rows && !operands_.control().stopping(); ++i) {
            const Index row = operands_.data(side).identity().place(i);
            similarity.compute({&row, 1}, data.row(i), 1, &values[i]);
        }
        return values;
    }

  private:
    const Operands<T>& operands_;
};

class SimilarityKernel final : public BindableKernel<SimilarityKernel> {
  public:
    std::string text() const override { return "similarity"; }
    bool works_on(DataKind kind) const override { return kind == DataKind::dense; }
    bool positive_semidefinite() const override { return true; }  // the caller promises it
    bool constant_diagonal() const override { return false; }
    bool asks_caller() const override { return true; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<SimilarityEvaluator<T>>(operands);
    }
};

}  // namespace

KernelEntry similarity_kernel() {
    return {.name = "similarity",
            .doc =
                "similarity asks the caller, who gave the rows with a function for their similarities to any "
                "points (dk_data_from_point_similarity).",
            .reference =
                "Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE "
                "Computational Intelligence Magazine 11, 2016",
            .facts = {.data = {DataKind::dense},
                      .positive_semidefinite = "as given",
                      .constant_diagonal = "never",
                      .differentiable = "never"},
            .make = [](const KernelArguments& a) -> KernelPointer {
                if (!a.columns.empty()) {
                    fail(Status::invalid_kernel, "similarity has no columns to choose from");
                }
                return std::make_shared<SimilarityKernel>();
            }};
}

}  // namespace dk
