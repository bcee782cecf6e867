// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/gram_engine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/engine/tile_product.hpp"
#include "kernel/maps/maps.hpp"
#include "matrix/matrix.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index costly_tile_edge = 16;        // edge where kernels ask for small tiles
constexpr Index small_sums = Index{1} << 18;  // sums of K' K v that groups of rows may have in any case

Index tiles_for(Index count, Index edge) {
    return (count + edge - 1) / edge;
}

/// Tells whether left rows have similarities to all those training rows that the right ones are.
bool knows_columns(const GramMatrices& left, const Dataset& right) {
    for (Index j = 0; j < right.rows(); ++j) {
        if (right.gram().column(right.identity().place(j)) >= left.cols) return false;
    }
    return true;
}

void require_matching(const Dataset& left, const Dataset& right) {
    if (left.kind() != right.kind()) {
        fail(Status::dimension, "the datasets are of different kinds, ", name_of(left.kind()), " and ",
             name_of(right.kind()));
    }
    const bool fits = left.kind() == DataKind::gram
                          ? knows_columns(left.gram(), right)
                          : left.kind() == DataKind::sparse || left.cols() == right.cols();
    if (!fits) {
        fail(Status::dimension, "the datasets have ", left.cols(), " and ", right.cols(),
             left.kind() == DataKind::gram ? " similarities a row" : " columns");
    }
}

/// Gives the number of terms of the product of two rows, of which sparse ones have few.
double terms_of_a_pair(const Dataset& data) {
    if (data.kind() == DataKind::gram || data.rows() == 0) return 0;
    return data.kind() == DataKind::sparse ? 1.0 * data.sparse().values.size() / data.rows() : data.cols();
}

/// Gives the number of rows of a product that are held at a time. They are few enough for a cache, and enough
/// for all threads; a row's sums are the same bits in any piece. Of products that are so wide that these are
/// many bytes, a part of the budget is held.
Index rows_of_piece(Index edge, Index rows, Index cols, const Control& control) {
    constexpr Index values = Index{1} << 19;
    constexpr double many_bytes = 1 << 26;
    const Index wanted = std::min(rows, edge * std::max<Index>(4 * control.threads(), values / cols / edge));
    const double bytes_of_row = 8.0 * static_cast<double>(cols);
    if (bytes_of_row * static_cast<double>(wanted) <= many_bytes) return wanted;
    const double most = std::max(many_bytes, control.memory().bytes()) / 16;
    return std::min(wanted, static_cast<Index>(std::max(1.0, most / bytes_of_row)));
}

/// Adds out(i, columns[c]) += sums(i, c).
void add_to_columns(const double* sums, Index rows, std::span<const Index> columns, double* out,
                    Index stride) {
    for (Index i = 0; i < rows; ++i) {
        double* row = out + i * stride;
        for (const Index c : columns) row[c] += *sums++;
    }
}

}  // namespace

template <typename T>
GramEngine<T>::GramEngine(Bank bank, const Dataset& left, const Dataset& right, Control* control)
    : operands_(left, right, control), bank_(std::move(bank)), tile_edge_(usual_tile_edge) {
    bind();
}

template <typename T>
GramEngine<T>::GramEngine(KernelPointer kernel, const Dataset& left, const PreparedRows<T>& right,
                          Control* control)
    : operands_(left, right, control), bank_{std::move(kernel)}, tile_edge_(usual_tile_edge) {
    bind();
}

/// Binds the kernels to the operands, and checks that both fit together.
template <typename T>
void GramEngine<T>::bind() {
    const Dataset& left = operands_.data(Side::left);
    require_matching(left, operands_.data(Side::right));
    for (const auto& kernel : bank_) {
        if (!kernel->works_on(left.kind())) {
            fail(Status::unsupported, "kernel ", kernel->text(), " does not work on ", name_of(left.kind()),
                 " data");
        }
        evaluators_.push_back(kernel->bind(operands_));
    }
    if (operands_.small_tiles()) tile_edge_ = costly_tile_edge;
    all_rows_.resize(left.rows());
    std::iota(all_rows_.begin(), all_rows_.end(), Index{0});
    if (!operands_.symmetric()) return;
    for (std::size_t k = 0; k < evaluators_.size(); ++k) {
        diagonals_.push_back(evaluators_[k]->self(Side::left));
        const auto bad = std::ranges::find_if_not(diagonals_.back(),
                                                  [](double v) { return std::isfinite(static_cast<T>(v)); });
        if (bad == diagonals_.back().end()) continue;
        fail(Status::numerical, "kernel ", bank_[k]->text(), " overflows: k(x, x) of row ",
             bad - diagonals_.back().begin(), " is ", *bad, "; scale the data or normalize the kernel");
    }
}

template <typename T>
void GramEngine<T>::evaluate(Index kernel, Workspace<T>& workspace, T* out, Index stride) const {
    evaluators_[kernel]->evaluate(workspace, out, stride);
    if (!operands_.symmetric()) return;
    // The diagonal takes k(x, x) from self(), because a map of inner products has rounding errors there.
    const Block& block = workspace.block();
    for (Index i = 0; i < block.rows(); ++i) {
        const Index row = block.left_rows[i];
        const Index col = row - block.right_row;
        if (col < 0 || col >= block.cols) continue;
        out[i * stride + col] = static_cast<T>(diagonals_[kernel][row]);
    }
}

template <typename T>
Workforce GramEngine<T>::workforce_for_pairs(double pairs, const Control& control) const {
    if (operands_.calling_thread_only()) return {};
    // Where kernels ask for small tiles, a pair takes a microsecond or more, and nobody knows how much more.
    constexpr double costly_pair = 1024;
    if (operands_.small_tiles()) return workforce_of_tasks(pairs * kernels() * costly_pair, control);
    // A kernel's function of a pair takes a nanosecond or two, as sixteen terms of its product do.
    return workforce_for(pairs * (kernels() * 2.0 + terms_of_a_pair(operands_.data(Side::left)) / 16),
                         control);
}

template <typename T>
template <typename Body>
void GramEngine<T>::for_tiles(Index count, double pairs, Control& control, Body body) const {
    using Loan = typename WorkspacePool<T>::Loan;
    parallel_for_with(
        count, control, [&] { return workspaces_->borrow(operands_, control); },
        [&](const Loan& workspace, Index t) { body(*workspace, t); }, workforce_for_pairs(pairs, control));
}

/// Computes the tile at `row` and `col` of the part for all kernels, and writes it. Where the matrix is
/// symmetric, it also writes the tile's mirror image.
template <typename T>
void GramEngine<T>::tile_of(const Part& part, Workspace<T>& workspace, Index row, Index col, T* out) const {
    const Index height = std::min(tile_edge_, part.rows - row);
    const Index width = std::min(tile_edge_, part.cols - col);
    const TileWriter<T> writer(kernels() * part.rows * part.cols, part.cols);
    workspace.start(
        {std::span(all_rows_).subspan(part.first_row + row, height), part.first_col + col, width});
    auto tile = workspace.scratch();
    auto transposed = workspace.scratch();
    for (Index k = 0; k < kernels(); ++k) {
        T* matrix = out + k * part.rows * part.cols;
        evaluate(k, workspace, tile.data(), width);
        if (operands_.symmetric()) {
            tile_maps<T>().transpose(tile.data(), height, width, transposed.data());
            if (row == col) {  // A copy of the upper half makes both halves equal to the last bit.
                for (Index i = 0; i < height; ++i) {
                    std::copy(transposed.data() + i * width, transposed.data() + i * width + i,
                              tile.data() + i * width);
                }
            } else {
                writer.write(transposed.data(), width, height, matrix + col * part.cols + row);
            }
        }
        writer.write(tile.data(), height, width, matrix + row * part.cols + col);
    }
    writer.finish();
}

template <typename T>
void GramEngine<T>::matrices(T* out, Control& control) const {
    if (operands_.symmetric()) return matrices_within(0, rows(), out, control);
    const Part all{0, rows(), 0, cols()};
    const Index tile_cols = tiles_for(cols(), tile_edge_);
    const Index tiles = tiles_for(rows(), tile_edge_) * tile_cols;
    for_tiles(tiles, 1.0 * rows() * cols(), control, [&](Workspace<T>& w, Index t) {
        tile_of(all, w, t / tile_cols * tile_edge_, t % tile_cols * tile_edge_, out);
    });
}

template <typename T>
template <typename Body>
void GramEngine<T>::for_upper_tiles(Index count, Control& control, Body body) const {
    const Index tile_rows = tiles_for(count, tile_edge_);
    for_tiles(tile_rows * (tile_rows + 1) / 2, 0.5 * count * count, control, [&](Workspace<T>& w, Index t) {
        // Tiles of the upper triangle are counted by columns: column c begins with tile c (c + 1) / 2.
        auto col = static_cast<Index>((std::sqrt(8.0 * t + 1) - 1) / 2);
        while (col * (col + 1) / 2 > t) --col;
        while ((col + 1) * (col + 2) / 2 <= t) ++col;
        body(w, (t - col * (col + 1) / 2) * tile_edge_, col * tile_edge_);
    });
}

template <typename T>
void GramEngine<T>::matrices_within(Index first, Index count, T* out, Control& control) const {
    const Part part{first, count, first, count};
    for_upper_tiles(count, control,
                    [&](Workspace<T>& w, Index row, Index col) { tile_of(part, w, row, col, out); });
}

template <typename T>
void GramEngine<T>::upper_tiles(const TileReader& reader, Control& control) const {
    for_upper_tiles(rows(), control, [&](Workspace<T>& workspace, Index row, Index col) {
        const Index height = std::min(tile_edge_, rows() - row);
        const Index width = std::min(tile_edge_, cols() - col);
        workspace.start({std::span(all_rows_).subspan(row, height), col, width});
        auto tile = workspace.scratch();
        evaluate(0, workspace, tile.data(), width);
        reader(row, col, view(static_cast<const T*>(tile.data()), height, width));
    });
}

template <typename T>
void GramEngine<T>::rows_of(std::span<const Index> wanted, Index first_col, Index col_count, T* out,
                            Index stride, Control& control) const {
    const Index height = std::clamp<Index>(std::ssize(wanted), 1, tile_edge_);
    // Wide tiles of few rows cost least, but each thread should have one. No value depends on that.
    const Index a_thread = tiles_for(tiles_for(col_count, control.threads()), tile_edge_);
    const Index width = tile_edge_ * std::clamp<Index>(a_thread, 1, tile_edge_ / height);
    const Index tile_cols = tiles_for(col_count, width);
    const Index tiles = tiles_for(std::ssize(wanted), tile_edge_) * tile_cols;
    for_tiles(tiles, 1.0 * std::ssize(wanted) * col_count, control, [&](auto& workspace, Index t) {
        const Index row = t / tile_cols * tile_edge_;
        const Index col = t % tile_cols * width;
        const auto block_rows = wanted.subspan(row, std::min(tile_edge_, std::ssize(wanted) - row));
        workspace.start({block_rows, first_col + col, std::min(width, col_count - col)});
        evaluate(0, workspace, out + row * stride + col, stride);
    });
}

template <typename T>
void GramEngine<T>::product(const double* v, Index v_cols, double* out, Control& control) const {
    if (evaluators_.front()->product(v, v_cols, out, control)) return;
    WeightBlock all{.first = 0, .rows = cols()};
    all.weights.assign(v, v + cols() * v_cols);
    for (Index c = 0; c < v_cols; ++c) all.columns.push_back(c);
    product_by_tiles({&all, 1}, v_cols, 0, rows(), out, control);
}

template <typename T>
void GramEngine<T>::product(std::span<const WeightBlock> v, Index v_cols, double* out,
                            Control& control) const {
    if (!factored()) return product_by_tiles(v, v_cols, 0, rows(), out, control);
    std::vector<double> whole(cols() * v_cols);
    for (const WeightBlock& block : v) {
        for (std::size_t e = 0; e < block.weights.size(); ++e) {
            const Index row = block.first + static_cast<Index>(e / block.columns.size());
            whole[row * v_cols + block.columns[e % block.columns.size()]] = block.weights[e];
        }
    }
    product(whole.data(), v_cols, out, control);
}

template <typename T>
void GramEngine<T>::product(std::span<const WeightBlock> v, Index v_cols, const ProductReader& reader,
                            Control& control) const {
    const Index piece = factored() ? rows() : rows_of_piece(usual_tile_edge, rows(), v_cols, control);
    std::vector<double> values(piece * v_cols);
    const double share = 1.0 / rows();
    for (Index first = 0; first < rows(); first += piece) {
        const Index count = std::min(piece, rows() - first);
        const ProgressScope scope(control, first * share, (first + count) * share);
        if (count == rows()) {
            product(v, v_cols, values.data(), control);
        } else {
            product_by_tiles(v, v_cols, first, count, values.data(), control);
        }
        reader(first, std::span(values).first(count * v_cols));
    }
}

template <typename T>
void GramEngine<T>::product_by_tiles(std::span<const WeightBlock> v, Index v_cols, Index first, Index count,
                                     double* out, Control& control) const {
    const double pairs = 1.0 * count * cols();
    for_tiles(tiles_for(count, tile_edge_), pairs, control, [&](Workspace<T>& workspace, Index t) {
        const Index row = t * tile_edge_;
        const Index height = std::min(tile_edge_, count - row);
        double* result = out + row * v_cols;
        std::fill(result, result + height * v_cols, 0.0);
        const auto left = std::span(all_rows_).subspan(first + row, height);
        const Index width = tile_edge_ * (tile_edge_ / height);
        std::vector<double> sums;  // sums over the rows of one block of weights
        for (const WeightBlock& block : v) {
            const Index part_cols = std::ssize(block.columns);
            const bool direct = part_cols == v_cols;
            sums.assign(direct ? 0 : (height * part_cols), 0.0);
            for (Index col = 0; col < block.rows; col += width) {
                if (control.stopping()) return;
                const Index used = std::min(width, block.rows - col);
                workspace.start({left, block.first + col, used});
                auto tile = workspace.scratch();
                evaluate(0, workspace, tile.data(), used);
                // A partial sum has the columns of one tile edge, wherever the tile's width ends, which
                // depends on the number of rows. So a row's sum is the same bits in any batch.
                for (Index c = 0; c < used; c += tile_edge_)
                    add_tile_product(tile.data() + c, used, height, std::min(tile_edge_, used - c),
                                     block.weights.data() + (col + c) * part_cols, part_cols,
                                     direct ? result : sums.data());
            }
            if (!direct) add_to_columns(sums.data(), height, block.columns, result, v_cols);
        }
    });
}

template <typename T>
void GramEngine<T>::gradient(const double* coefficients, double* out, Control& control) const {
    const Dataset& left = operands_.data(Side::left);
    if (!bank_.front()->differentiable() || left.kind() != DataKind::dense) {
        fail(Status::unsupported, "kernel ", bank_.front()->text(), " has no gradient on ",
             name_of(left.kind()), " data");
    }
    const Index columns = left.cols();
    const double pairs = 1.0 * rows() * cols();
    for_tiles(tiles_for(rows(), tile_edge_), pairs, control, [&](Workspace<T>& workspace, Index t) {
        const Index row = t * tile_edge_;
        const Index height = std::min(tile_edge_, rows() - row);
        std::fill(out + row * columns, out + (row + height) * columns, 0.0);
        std::vector<double> weights;
        for (Index col = 0; col < cols(); col += tile_edge_) {
            const Index width = std::min(tile_edge_, cols() - col);
            workspace.start({std::span(all_rows_).subspan(row, height), col, width});
            weights.clear();
            for (Index i = row; i < row + height; ++i)
                weights.insert(weights.end(), coefficients + i * cols() + col,
                               coefficients + i * cols() + col + width);
            evaluators_.front()->add_gradient(workspace, weights.data(), out + row * columns, columns);
        }
    });
}

void normal_product(const GramEngine<double>& engine, std::span<const double> weights, const double* v,
                    Index v_cols, double* out, Control& control) {
    // Groups of rows have sums of their own. Their number depends on the shapes, and not on the threads. More
    // than eight have no more sums than K v has.
    const Index tiles = tiles_for(engine.rows(), engine.tile_edge_);
    const Index most_sums = std::max(small_sums, engine.rows() * v_cols);
    const Index groups = std::min(tiles, std::clamp<Index>(most_sums / (engine.cols() * v_cols), 8, 64));
    std::vector<Matrix> sums(groups);  // v_cols x engine.cols()
    engine.for_tiles(
        groups, 1.0 * engine.rows() * engine.cols(), control, [&](Workspace<double>& workspace, Index g) {
            sums[g] = Matrix::Zero(v_cols, engine.cols());
            Matrix strip(engine.tile_edge_, engine.cols());
            for (Index t = g * tiles / groups; t < (g + 1) * tiles / groups; ++t) {
                if (control.stopping()) return;
                const Index height = std::min(engine.tile_edge_, engine.rows() - t * engine.tile_edge_);
                const auto left = std::span(engine.all_rows_).subspan(t * engine.tile_edge_, height);
                Matrix images = Matrix::Zero(height, v_cols);  // of these rows of K
                for (Index c = 0; c < engine.cols(); c += engine.tile_edge_) {
                    const Index width = std::min(engine.tile_edge_, engine.cols() - c);
                    workspace.start({left, c, width});
                    engine.evaluate(0, workspace, strip.data() + c, engine.cols());
                    add_tile_product(strip.data() + c, engine.cols(), height, width, v + c * v_cols, v_cols,
                                     images.data());
                }
                const auto weight =
                    weights.empty() ? weights : weights.subspan(t * engine.tile_edge_, height);
                if (!weights.empty()) images.array().colwise() *= as_vector(weight).array();
                const Matrix by_columns = images.transpose();
                for (Index c = 0; c < engine.cols(); c += engine.tile_edge_) {
                    const Index width = std::min(engine.tile_edge_, engine.cols() - c);
                    for (Index f = 0; f < v_cols; ++f)
                        add_transposed_product(strip.block(0, c, height, width),
                                               by_columns.row(f).transpose(),
                                               sums[g].row(f).segment(c, width).transpose());
                }
            }
        });
    for (Index g = 1; g < groups; ++g) sums[0] += sums[g];
    view(out, engine.cols(), v_cols) = sums[0].transpose();
}

template class GramEngine<double>;
template class GramEngine<float>;

}  // namespace dk
