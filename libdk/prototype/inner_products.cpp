// SPDX-License-Identifier: Apache-2.0
//
// The support rows are cut into pieces A, B, ... of one block of weights each. With the weights a_p of a
// prototype p over a piece, the symmetric matrix gives
//
//     |p|^2      = sum_A a_p' K_AA a_p   + 2 sum_(A < B) a_p' K_AB b_p
//     p+ . p-    = sum_A a_p+' K_AA a_p- + sum_(A < B) (a_p+' K_AB b_p- + a_p-' K_AB b_p+).
//
//     letter         name
//     A, B           Piece
//     a_p, b_p       columns of WeightBlock::weights
//     K_AB b_p       images, with a column for each prototype
#include "prototype/inner_products.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

// The first is a multiple of the engine's tiles, and the second is such a tile.
constexpr Index rows_of_a_piece = 576;
constexpr Index rows_of_a_task = 144;

/// A task copies the weights of other pieces, and goes on with about so many at a time.
constexpr Index most_copied_values = Index{1} << 17;

struct Piece {
    const WeightBlock* block;
    Index begin;  // the first of its rows in the block
    Index rows;

    Index first_row() const { return block->first + begin; }
    ConstMatrixView weights() const {
        const Index columns = std::ssize(block->columns);
        return view(block->weights.data() + begin * columns, rows, columns);
    }
};

std::vector<Piece> pieces_of(std::span<const WeightBlock> weights) {
    std::vector<Piece> pieces;
    for (const WeightBlock& block : weights) {
        if (block.columns.empty()) continue;
        for (Index begin = 0; begin < block.rows; begin += rows_of_a_piece)
            pieces.push_back({&block, begin, std::min(rows_of_a_piece, block.rows - begin)});
    }
    return pieces;
}

/// Gives the prototypes, in ascending order, whose products with those of a block are asked for: the same
/// ones, and for p+ . p- the others of the same functions.
std::vector<Index> asked_for(const std::vector<Index>& columns, InnerProducts::Parts parts) {
    if (parts == InnerProducts::Parts::norms_alone) return columns;
    std::vector<Index> all;
    for (const Index p : columns) {
        if (all.empty() || all.back() != (p | 1)) {
            all.push_back(p & ~Index{1});
            all.push_back(p | 1);
        }
    }
    return all;
}

/// Gives the weights of a piece for some prototypes alone, by their positions among these.
WeightBlock restricted(const Piece& piece, const std::vector<Index>& prototypes) {
    WeightBlock out{.first = piece.first_row(), .rows = piece.rows};
    std::vector<Index> from;
    for (Index c = 0; c < std::ssize(piece.block->columns); ++c) {
        const auto found = std::ranges::lower_bound(prototypes, piece.block->columns[c]);
        if (found == prototypes.end() || *found != piece.block->columns[c]) continue;
        from.push_back(c);
        out.columns.push_back(found - prototypes.begin());
    }
    out.weights.resize(out.rows * from.size());
    if (!from.empty())
        view(out.weights.data(), out.rows, std::ssize(from)) = piece.weights()(Eigen::all, from);
    return out;
}

/// Some rows of a piece, and what they add to the sums of the prototypes that are asked_for() its block.
struct Task {
    Index piece;
    Index begin;  // the first of its rows in the piece
    Index rows;
    std::vector<double> squared_norms = {};
    std::vector<double> crossed = {};  // none where norms alone are asked for
};

std::vector<Task> tasks_of(std::span<const Piece> pieces) {
    std::vector<Task> tasks;
    for (Index p = 0; p < std::ssize(pieces); ++p) {
        for (Index begin = 0; begin < pieces[p].rows; begin += rows_of_a_task)
            tasks.push_back({p, begin, std::min(rows_of_a_task, pieces[p].rows - begin)});
    }
    return tasks;
}

template <typename T>
void run(Task& task, std::span<const Piece> pieces, InnerProducts::Parts parts, const GramEngine<T>& engine,
         Control& control) {
    const Piece& own = pieces[task.piece];
    const bool crossing = parts == InnerProducts::Parts::norms_and_crossed;
    const std::vector<Index> prototypes = asked_for(own.block->columns, parts);
    const Index count = std::ssize(prototypes);
    const auto a = own.weights().middleRows(task.begin, task.rows);
    task.squared_norms.assign(count, 0.0);
    task.crossed.assign(crossing ? count / 2 : 0, 0.0);
    std::vector<double> values(task.rows * count);
    const auto images = view(values.data(), task.rows, count);
    const auto add = [&](std::span<const WeightBlock> others, bool same) {
        engine.product(others, count, own.first_row() + task.begin, task.rows, values.data(), control);
        for (Index c = 0; c < a.cols(); ++c) {
            const auto at = std::ranges::lower_bound(prototypes, own.block->columns[c]) - prototypes.begin();
            task.squared_norms[at] += (same ? 1 : 2) * a.col(c).dot(images.col(at));
            if (crossing && (!same || at % 2 == 0)) task.crossed[at / 2] += a.col(c).dot(images.col(at ^ 1));
        }
    };
    const WeightBlock itself = restricted(own, prototypes);
    add({&itself, 1}, true);
    std::vector<WeightBlock> others;
    Index values_of_others = 0;
    const auto add_others = [&] {
        if (!others.empty()) add(others, false);
        others.clear();
        values_of_others = 0;
    };
    for (const Piece& other : pieces.subspan(task.piece + 1)) {
        WeightBlock block = restricted(other, prototypes);
        if (block.columns.empty()) continue;
        values_of_others += std::ssize(block.weights);
        others.push_back(std::move(block));
        if (values_of_others >= most_copied_values) add_others();
    }
    add_others();
}

template <typename T>
std::vector<Task> done_tasks(std::span<const Piece> pieces, InnerProducts::Parts parts,
                             const GramEngine<T>& engine, Control& control) {
    auto tasks = tasks_of(pieces);
    const double count = std::ssize(tasks);
    parallel_for_with(
        std::ssize(tasks), control, [] { return 0; },
        [&](int, Index t) {
            Control own(Control::Part{t / count, (t + 1) / count}, control);
            run(tasks[t], pieces, parts, engine, own);
        },
        engine.workforce_for_pairs(1.0 * engine.rows() * engine.cols(), control));
    return tasks;
}

}  // namespace

void InnerProducts::add_rows(Index first, std::span<const double> products,
                             std::span<const Index> support_of) {
    const Index prototypes = std::ssize(squared_norms_);
    const Index count = std::ssize(products) / prototypes;
    for (Index i = 0; i < count; ++i) {
        const Index s = support_of[first + i];
        if (s < 0) continue;
        const WeightBlock& block = *std::prev(std::ranges::upper_bound(weights_, s, {}, &WeightBlock::first));
        const auto a = view(block.weights.data(), block.rows, std::ssize(block.columns)).row(s - block.first);
        const double* of_row = products.data() + i * prototypes;
        for (Index c = 0; c < a.size(); ++c) {
            const Index p = block.columns[c];
            squared_norms_[p] += a(c) * of_row[p];
            if (p % 2 == 0) crossed_[p / 2] += a(c) * of_row[p + 1];
        }
    }
}

template <typename T>
void InnerProducts::add_all(const GramEngine<T>& engine, Control& control) {
    const auto pieces = pieces_of(weights_);
    for (const Task& task : done_tasks<T>(pieces, parts_, engine, control)) {
        const auto prototypes = asked_for(pieces[task.piece].block->columns, parts_);
        for (Index at = 0; at < std::ssize(prototypes); ++at) {
            squared_norms_[prototypes[at]] += task.squared_norms[at];
            if (at % 2 == 0 && !task.crossed.empty()) crossed_[prototypes[at] / 2] += task.crossed[at / 2];
        }
    }
}

template void InnerProducts::add_all(const GramEngine<double>&, Control&);
template void InnerProducts::add_all(const GramEngine<float>&, Control&);

}  // namespace dk
