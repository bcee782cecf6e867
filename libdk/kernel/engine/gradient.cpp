// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/gradient.hpp"

namespace dk {

namespace {

/// Runs body(i, c, column) for every left row i of the block and every one of the kernel's columns, where c
/// is its position among them and `column` its place in `out`.
template <typename Body>
void for_entries(Index rows, Index depth, const Columns& columns, Body body) {
    for (Index i = 0; i < rows; ++i) {
        for (Index c = 0; c < depth; ++c) body(i, c, columns.empty() ? c : columns[c]);
    }
}

}  // namespace

template <typename T>
void add_weighted_rows(const Workspace<T>& workspace, std::size_t product, const Columns& columns,
                       const double* weights, double* out, Index stride) {
    const Block& block = workspace.block();
    const auto& right = workspace.operands().panel(Side::right, product);
    for_entries(block.rows(), right.depth, columns, [&](Index i, Index c, Index column) {
        double sum = 0;
        for (Index j = 0; j < block.cols; ++j)
            sum += weights[i * block.cols + j] *
                   static_cast<double>(right.dense[(block.right_row + j) * right.depth + c]);
        out[i * stride + column] += sum;
    });
}

template <typename T>
void add_weighted_differences(const Workspace<T>& workspace, std::size_t product, const Columns& columns,
                              const double* weights, double* out, Index stride) {
    const Block& block = workspace.block();
    const auto& left = workspace.operands().panel(Side::left, product);
    const auto& right = workspace.operands().panel(Side::right, product);
    for_entries(block.rows(), right.depth, columns, [&](Index i, Index c, Index column) {
        const auto x = static_cast<double>(left.dense[block.left_rows[i] * left.depth + c]);
        double sum = 0;
        for (Index j = 0; j < block.cols; ++j) {
            const auto z = static_cast<double>(right.dense[(block.right_row + j) * right.depth + c]);
            sum += weights[i * block.cols + j] * (x - z);
        }
        out[i * stride + column] += sum;
    });
}

template void add_weighted_rows(const Workspace<double>&, std::size_t, const Columns&, const double*, double*,
                                Index);
template void add_weighted_rows(const Workspace<float>&, std::size_t, const Columns&, const double*, double*,
                                Index);
template void add_weighted_differences(const Workspace<double>&, std::size_t, const Columns&, const double*,
                                       double*, Index);
template void add_weighted_differences(const Workspace<float>&, std::size_t, const Columns&, const double*,
                                       double*, Index);

}  // namespace dk
