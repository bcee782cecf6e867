// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/symmetric_product.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

/// Groups of tiles have sums of their own. Their number depends on the size alone, so that the sums have the
/// same bits for any number of threads.
Index number_of_groups(Index tiles, Index n) {
    constexpr Index most_sums = Index{1} << 21;  // of all groups together
    return std::min(tiles, std::clamp<Index>(most_sums / n, 16, 256));
}

/// Tiles on the diagonal are computed whole, though half of them would do. Of few rows that is a large part
/// of all, so these have smaller tiles.
Index tile_edge(Index n, Index usual) {
    constexpr Index small = 72;  // a multiple of the width of a packed panel too
    constexpr Index few = 1152;
    return n < few ? std::min(usual, small) : usual;
}

}  // namespace

void symmetric_product(const GramEngine<double>& engine, std::span<const double> v, std::span<double> out,
                       Control& control) {
    using Loan = WorkspacePool<double>::Loan;
    const Index n = engine.rows();
    if (n == 0) return;
    const Index edge = tile_edge(n, engine.tile_edge_);
    const Index tile_rows = (n + edge - 1) / edge;
    const Index tiles = tile_rows * (tile_rows + 1) / 2;  // of the upper half, counted by rows
    const Index groups = number_of_groups(tiles, n);
    Matrix sums = Matrix::Zero(groups, n);
    const auto weights = as_vector(v);
    parallel_for_with(
        groups, control, [&] { return engine.workspaces_->borrow(engine.operands_, control); },
        [&](const Loan& workspace, Index g) {
            auto sum = sums.row(g).transpose();
            Index t = 0;  // the tile at tile_row and tile_col
            for (Index tile_row = 0; tile_row < tile_rows; ++tile_row) {
                for (Index tile_col = tile_row; tile_col < tile_rows; ++tile_col, ++t) {
                    if (t < g * tiles / groups) continue;
                    if (t >= (g + 1) * tiles / groups || control.stopping()) return;
                    const Index row = tile_row * edge;
                    const Index col = tile_col * edge;
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
            }
        },
        engine.workforce_for_pairs(0.5 * n * n, control));
    as_vector(out) = sums.colwise().sum().transpose();
}

}  // namespace dk
