// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/symmetric_product.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

/// So many groups of tiles have sums of their own, which depends on no number of threads.
constexpr Index most_groups_of_tiles = 16;

}  // namespace

void symmetric_product(const GramEngine<double>& engine, std::span<const double> v, std::span<double> out,
                       Control& control) {
    using Loan = WorkspacePool<double>::Loan;
    const Index n = engine.rows();
    const Index edge = engine.tile_edge_;
    const Index tile_rows = (n + edge - 1) / edge;
    std::vector<std::pair<Index, Index>> tiles;  // rows and columns where the tiles of the upper half begin
    for (Index row = 0; row < tile_rows; ++row) {
        for (Index col = row; col < tile_rows; ++col) tiles.emplace_back(row * edge, col * edge);
    }
    const Index groups = std::min(std::ssize(tiles), most_groups_of_tiles);
    Matrix sums = Matrix::Zero(groups, n);
    const auto weights = as_vector(v);
    parallel_for_with(
        groups, control, [&] { return engine.workspaces_->borrow(engine.operands_, control); },
        [&](const Loan& workspace, Index g) {
            auto sum = sums.row(g).transpose();
            for (Index t = g * std::ssize(tiles) / groups; t < (g + 1) * std::ssize(tiles) / groups; ++t) {
                if (control.stopping()) return;
                const auto [row, col] = tiles[t];
                const Index height = std::min(edge, n - row);
                const Index width = std::min(edge, n - col);
                (*workspace).start({std::span(engine.all_rows_).subspan(row, height), col, width});
                auto scratch = (*workspace).scratch();
                engine.evaluate(0, *workspace, scratch.data(), width);
                const auto tile = view(scratch.data(), height, width);
                Vector images(height);
                multiply_vector(tile, weights.segment(col, width), images);
                sum.segment(row, height) += images;
                if (row != col)
                    add_transposed_product(tile, weights.segment(row, height), sum.segment(col, width));
            }
        },
        engine.calling_thread_only() ? 1 : control.threads());
    as_vector(out) = sums.colwise().sum().transpose();
}

}  // namespace dk
