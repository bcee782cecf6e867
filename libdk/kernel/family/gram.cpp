// SPDX-License-Identifier: Apache-2.0
// k(x, z) = K_q(x, z) is an element of matrix q of the similarities that the caller has computed, or computes
// when asked. The columns of the matrix stand for the training rows. The kernel counts as positive
// semidefinite, which the caller promises.
#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.hpp"
#include "base/select.hpp"
#include "kernel/language/registry.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

template <typename T>
class GramEvaluator final : public Evaluator<T> {
  public:
    GramEvaluator(Operands<T>& operands, Index matrix) : operands_(operands), matrix_(matrix) {
        const auto matrices = operands.data(Side::left).gram().matrices;
        if (matrix >= matrices) {
            fail(Status::dimension, "kernel gram(", matrix, "): the data have matrices 0 to ", matrices - 1);
        }
        const auto& left = operands.data(Side::left).gram();
        if (left.compute) operands.ask_for_small_tiles();
        if (left.compute && !left.concurrent) operands.ask_for_calling_thread();
    }

    void evaluate(Workspace<T>& workspace, T* out, Index stride) const override {
        const Block& block = workspace.block();
        const auto& left = operands_.data(Side::left).gram();
        auto K = view(out, block.rows(), block.cols, stride);
        if (left.compute) return compute(block, left.compute, K);
        require_values(left);
        const RowIdentity& identity = operands_.data(Side::left).identity();
        const auto columns = training_rows(block);
        const std::vector<Run> runs = runs_of(columns);
        constexpr std::size_t shortest_run = 8;
        const bool long_runs = shortest_run * runs.size() <= columns.size();
        for (Index i = 0; i < block.rows(); ++i) {
            const auto similarities = left.row_values(matrix_, identity.place(block.left_rows[i]));
            // Cross-validation gathers matrices of many folds, and checked indices take twice as long.
            const double* const values = similarities.data();
            const Index* const column = columns.data();
            T* const row = &K(i, 0);
            for (const Run& run : long_runs ? std::span(runs) : std::span<const Run>()) {
                for (Index j = 0; j < run.length; ++j)
                    row[run.from + j] = static_cast<T>(values[run.column + j]);
            }
            for (Index j = 0; j < block.cols && !long_runs; ++j) row[j] = static_cast<T>(values[column[j]]);
        }
    }

    std::vector<double> self(Side side) const override {
        const Dataset& data = operands_.data(side);
        const auto& gram = data.gram();
        // Rows of another set are no training rows, even if they are as many.
        const bool of_training = gram.rows == gram.cols && operands_.of_one_set();
        if (gram.self.empty() && !of_training) {
            fail(Status::invalid_data, "kernel gram(", matrix_,
                 "): the similarity of each row to itself is needed here; give `self` with the data");
        }
        std::vector<double> values(data.rows());
        for (Index i = 0; i < data.rows(); ++i) {
            if (operands_.control().stopping()) break;
            const Index row = data.identity().place(i);
            if (!gram.self.empty()) {
                values[i] = gram.self_similarity(matrix_, row);
            } else if (gram.compute) {
                gram.compute({&row, 1}, {&row, 1}, &values[i]);
            } else {
                values[i] = gram.value(matrix_, row, row);
            }
        }
        return values;
    }

  private:
    void require_values(const GramMatrices& gram) const {
        if (!gram.values.empty()) return;
        fail(Status::internal, "kernel gram(", matrix_, "): similarities of training rows are not at hand");
    }

    /// Gives the training rows that the columns of a block are.
    std::vector<Index> training_rows(const Block& block) const {
        const Dataset& right = operands_.data(Side::right);
        std::vector<Index> columns(block.cols);
        for (Index j = 0; j < block.cols; ++j)
            columns[j] = right.gram().column(right.identity().place(block.right_row + j));
        return columns;
    }

    /// Columns that follow one another, of which the first is number `from` of a block.
    struct Run {
        Index from;
        Index column;
        Index length;
    };
    static std::vector<Run> runs_of(std::span<const Index> columns) {
        std::vector<Run> runs;
        for (Index j = 0; j < std::ssize(columns); ++j) {
            if (runs.empty() || columns[j] != runs.back().column + runs.back().length)
                runs.push_back({j, columns[j], 0});
            ++runs.back().length;
        }
        return runs;
    }

    /// Asks the caller for the values of a block. The matrix of the training rows must be symmetric, but the
    /// caller's function need not be. So of two training rows the caller is asked for the pair whose first
    /// row comes first in the data: columns that come before a row are asked for with the sides exchanged.
    /// Where columns lie between rows of the block, both orders are asked for, and each value is taken from
    /// its own.
    void compute(const Block& block, const GramMatrices::Compute& similarities, MatrixViewOf<T> K) const {
        std::vector<Index> rows;
        for (const Index i : block.left_rows) rows.push_back(operands_.data(Side::left).identity().place(i));
        const std::vector<Index> columns = training_rows(block);
        const bool of_training = operands_.of_one_set();
        const auto [first, last] = std::ranges::minmax(rows);
        std::vector<Index> direct;
        std::vector<Index> exchanged;
        for (Index j = 0; j < block.cols; ++j) {
            if (!of_training || columns[j] >= first) direct.push_back(j);
            if (of_training && columns[j] < last) exchanged.push_back(j);
        }
        const Index count = std::ssize(rows);
        if (!direct.empty()) {
            Matrix values(count, std::ssize(direct));
            similarities(rows, select_values(columns, direct), values.data());
            K(Eigen::all, direct) = values.cast<T>();
        }
        if (!exchanged.empty()) {
            const auto ids = select_values(columns, exchanged);
            Matrix values(std::ssize(ids), count);
            similarities(ids, rows, values.data());
            for (Index c = 0; c < std::ssize(ids); ++c) {
                for (Index i = 0; i < count; ++i) {
                    if (ids[c] < rows[i]) K(i, exchanged[c]) = static_cast<T>(values(c, i));
                }
            }
        }
    }

    const Operands<T>& operands_;
    Index matrix_;
};

class GramKernel final : public BindableKernel<GramKernel> {
  public:
    explicit GramKernel(Index matrix) : matrix_(matrix) {}

    std::string text() const override { return dk::text("gram(", matrix_, ")"); }
    bool works_on(DataKind kind) const override { return kind == DataKind::gram; }
    bool positive_semidefinite() const override { return true; }  // the caller promises it
    bool constant_diagonal() const override { return false; }

    template <typename T>
    std::unique_ptr<Evaluator<T>> make_evaluator(Operands<T>& operands) const {
        return std::make_unique<GramEvaluator<T>>(operands, matrix_);
    }

  private:
    Index matrix_;
};

}  // namespace

KernelEntry gram_kernel() {
    return {.name = "gram",
            .doc = "gram(q) takes the similarities that the caller has computed, matrix q of the data.",
            .facts = {.data = {DataKind::gram},
                      .positive_semidefinite = "as given",
                      .constant_diagonal = "never",
                      .differentiable = "never"},
            .positional = "The position q of the matrix counts from 0, which is the default.",
            .make = [](const KernelArguments& a) -> KernelPointer {
                const double matrix = a.positional.empty() ? 0 : a.positional.front();
                if (a.positional.size() > 1 || matrix < 0 || matrix > 1e9 || matrix != std::floor(matrix)) {
                    fail(Status::invalid_kernel, "gram takes one matrix position, an integer from 0");
                }
                if (!a.columns.empty()) fail(Status::invalid_kernel, "gram has no columns to choose from");
                return std::make_shared<GramKernel>(static_cast<Index>(matrix));
            }};
}

}  // namespace dk
