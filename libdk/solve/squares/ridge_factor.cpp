// SPDX-License-Identifier: Apache-2.0
// Rows join and leave a Cholesky factor L L' = A, where A = K + ridge I.
//
// Further rows, with the values B of K between them and the old rows, and C = K + ridge I of their own, give
//
//     [ A  B' ]   [ L     ] [ L' S' ]
//     [ B  C  ] = [ S  M  ] [    M' ],   S L' = B,   M M' = C - S S'.
//
// Without the rows of a set R, the other rows of L have the columns L1 of the other rows, which are lower
// triangular, and V of the rows in R. So the matrix of the other rows is L1 L1' + V V', and reflections from
// the right make [L1 V] a triangle again. The reflection of row i changes column i and V alone:
//
//     u = v_i / (l_ii + r),   r = |(l_ii, v_i)|,   t = 2 / (1 + |u|^2),
//     s = t (l + <v, u>),     l <- s - l,   v <- v - s u       for each row (l, v) from i on,
//
// where the sign of column i is such that the diagonal stays positive. Rows below a block of rows i have the
// s of all of them at once, by triangular systems: with the rows u of U,
//
//     S P' = L + V U',   P_ii = 1 / t_i,   P_ij = <u_i, u_j> for j < i,   L <- S - L,   V <- V - S U.
//
// G. H. Golub, C. F. Van Loan, Matrix computations, 4th edition, 2013, sections 5.1.6 and 6.5.4.
#include "solve/squares/ridge_factor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/product.hpp"
#include "matrix/triangular.hpp"

namespace dk {

namespace {

constexpr Index most_attempts = 7;
constexpr Index rows_of_panel = 256;
constexpr Index rows_of_block = 64;  // of a panel, that are reflected one after the other

/// The reflections of a block of rows: the rows u of U, and the triangle P.
struct Reflections {
    Matrix directions;
    Matrix triangle;
};

/// Reflects the rows of a block one after the other. `lower` are their columns, and `leaving` their rows of
/// V.
Reflections reflect_block(MatrixRef lower, MatrixRef leaving) {
    const Index count = lower.rows();
    Reflections found{Matrix(count, leaving.cols()), Matrix(count, count)};
    Matrix& U = found.directions;
    Vector halves(count);  // 1 / t
    for (Index i = 0; i < count; ++i) {
        const double length = std::hypot(lower(i, i), leaving.row(i).norm());
        U.row(i) = leaving.row(i) / (lower(i, i) + length);
        halves[i] = 0.5 * (1 + U.row(i).squaredNorm());
        for (Index below = i; below < count; ++below) {
            const double s = (lower(below, i) + leaving.row(below).dot(U.row(i))) / halves[i];
            lower(below, i) = s - lower(below, i);
            leaving.row(below) -= s * U.row(i);
        }
    }
    multiply_transposed(U, U, found.triangle);
    found.triangle.diagonal() = halves;
    return found;
}

/// Applies the reflections to rows below the block.
void reflect_below(const Reflections& found, MatrixRef lower, MatrixRef leaving) {
    Matrix s = lower;
    multiply_transposed(leaving, found.directions, s, Into::add);
    solve_rows(found.triangle, s);
    lower = s - lower;
    multiply(s, found.directions, leaving, Into::subtract);
}

}  // namespace

LargeMatrix copied(const ConstMatrixRef& matrix, Control& control) {
    LargeMatrix copy(matrix.rows(), matrix.cols());
    parallel_for_rows(matrix.rows(), matrix.cols(), control,
                      [&](Index i) { copy.view().row(i) = matrix.row(i); });
    return copy;
}

FactoredRidge factor_with_ridge(const ConstMatrixRef& gram, double ridge, Control& control) {
    const Index n = gram.rows();
    double jitter = 0;
    for (Index attempt = 0; attempt < most_attempts; ++attempt) {
        FactoredRidge factored{copied(gram, control), ridge + jitter};
        factored.lower.view().diagonal().array() += factored.ridge;
        if (cholesky_factor(factored.lower.view(), control)) return factored;
        jitter = jitter == 0 ? 1e-10 * std::max(gram.trace() / n, ridge) : 10 * jitter;
    }
    fail(Status::numerical, "the kernel matrix is not positive semidefinite, not even with ",
         ridge + jitter / 10, " added to its diagonal; lower C, or use spectrum=clip");
}

template <typename Fill>
RidgeFactor::Panels RidgeFactor::new_panels(Index first, Index end, Control& control, Fill fill) {
    Panels panels;
    for (Index begin = first; begin < end; begin += rows_of_panel) {
        const auto panel = std::make_shared<Panel>(begin, std::min(rows_of_panel, end - begin));
        parallel_for_rows(panel->count(), panel->end(), control, [&](Index i) {
            auto row = panel->values.view().row(i);
            fill(begin + i, row.head(begin + i + 1));
            row.tail(panel->count() - i - 1).setZero();
        });
        panels.push_back(panel);
    }
    return panels;
}

void RidgeFactor::append(const Panels& panels) {
    panels_.insert(panels_.end(), panels.begin(), panels.end());
}

RidgeFactor::RidgeFactor(const FactoredRidge& factored, Control& control)
    : RidgeFactor(factored.lower.rows(), factored.ridge) {
    append(new_panels(0, rows_, control,
                      [&](Index i, auto row) { row = factored.lower.view().row(i).head(i + 1); }));
}

void RidgeFactor::solve_lower(MatrixRef b, Control& control) const {
    for (const auto& panel : panels_) {
        const auto L = std::as_const(panel->values).view();
        auto own = b.middleRows(panel->first, panel->count());
        if (panel->first > 0)
            multiply(L.leftCols(panel->first), b.topRows(panel->first), own, Into::subtract, control);
        dk::solve_lower(L.rightCols(panel->count()), own, control);
    }
}

/// A product with one vector reads each value of L once, and packs none.
void RidgeFactor::solve_vector(Vector& x, Control& control) const {
    constexpr Index rows_at_once = 32;
    constexpr Index columns_at_once = 512;
    for (const auto& panel : panels_) {
        const auto L = std::as_const(panel->values).view();
        const Index first = panel->first;
        auto own = x.segment(first, panel->count());
        Vector products(panel->count());
        parallel_for((panel->count() + rows_at_once - 1) / rows_at_once, 1.0 * panel->count() * first,
                     control, [&](Index t) {
                         const Index begin = t * rows_at_once;
                         const Index count = std::min(rows_at_once, panel->count() - begin);
                         multiply_vector(L.block(begin, 0, count, first), x.head(first),
                                         products.segment(begin, count));
                     });
        own -= products;
        forward_substitution(L.rightCols(panel->count()), own, control);
    }
    for (auto panel = panels_.rbegin(); panel != panels_.rend(); ++panel) {
        const auto L = std::as_const((*panel)->values).view();
        const Index first = (*panel)->first;
        const Index rows = (*panel)->count();
        auto own = x.segment(first, rows);
        back_substitution(L.rightCols(rows), own, control);
        const Vector less = -own;
        parallel_for(
            (first + columns_at_once - 1) / columns_at_once, 1.0 * rows * first, control, [&](Index t) {
                const Index begin = t * columns_at_once;
                const Index count = std::min(columns_at_once, first - begin);
                add_transposed_product(L.block(0, begin, rows, count), less, x.segment(begin, count));
            });
    }
}

void RidgeFactor::solve(MatrixRef b, Control& control) const {
    constexpr Index few_columns = 4;
    if (b.cols() <= few_columns) {
        for (Index c = 0; c < b.cols(); ++c) {
            Vector x = b.col(c);
            solve_vector(x, control);
            b.col(c) = x;
        }
        return;
    }
    solve_lower(b, control);
    for (auto panel = panels_.rbegin(); panel != panels_.rend(); ++panel) {
        const Index first = (*panel)->first;
        const auto L = std::as_const((*panel)->values).view();
        auto own = b.middleRows(first, (*panel)->count());
        solve_lower_transposed(L.rightCols((*panel)->count()), own, control);
        if (first > 0) transposed_multiply(L.leftCols(first), own, b.topRows(first), Into::subtract, control);
    }
}

Vector RidgeFactor::inverse_diagonal(Control& control) const {
    LargeMatrix whole(rows_, rows_);
    for (const auto& panel : panels_)
        whole.view().block(panel->first, 0, panel->count(), panel->end()) =
            std::as_const(panel->values).view();
    return cholesky_inverse_diagonal(std::as_const(whole).view(), control);
}

std::optional<RidgeFactor> RidgeFactor::with_rows(const ConstMatrixRef& values, Control& control) const {
    const Index further = values.rows();
    RidgeFactor larger(rows_ + further, ridge_);
    Matrix s = values.leftCols(rows_).transpose();
    control.check();
    solve_lower(s, control);
    control.check();
    Matrix corner = values.rightCols(further);
    corner.diagonal().array() += ridge_;
    Matrix squares(further, further);
    inner_product(s, squares, control);
    control.check();
    corner -= squares;
    if (!cholesky_factor(corner, control)) return std::nullopt;
    // A last panel with few rows is joined with the new ones, so that panels do not become many.
    larger.panels_ = panels_;
    const std::shared_ptr<const Panel> last = panels_.back();
    const bool joins = last->count() < rows_of_panel;
    if (joins) larger.panels_.pop_back();
    larger.append(new_panels(joins ? last->first : rows_, larger.rows_, control, [&](Index i, auto row) {
        if (i < rows_) {
            row = std::as_const(last->values).view().row(i - last->first).head(i + 1);
        } else {
            row.head(rows_) = s.col(i - rows_).transpose();
            row.tail(i + 1 - rows_) = corner.row(i - rows_).head(i + 1 - rows_);
        }
    }));
    return larger;
}

RidgeFactor RidgeFactor::without_rows(std::span<const Index> places, Control& control) const {
    if (places.empty()) return *this;
    std::vector<const double*> row_of(rows_);
    for (const auto& panel : panels_) {
        for (Index i = 0; i < panel->count(); ++i) row_of[panel->first + i] = panel->values.row(i);
    }
    std::vector<Index> kept;
    for (Index i = 0; i < rows_; ++i) {
        if (!std::ranges::binary_search(places, i)) kept.push_back(i);
    }
    // Panels before the first row that leaves stay as they are.
    RidgeFactor smaller(std::ssize(kept), ridge_);
    Index first = 0;
    for (const auto& panel : panels_) {
        if (panel->end() > places.front()) break;
        smaller.panels_.push_back(panel);
        first = panel->end();
    }
    Matrix leaving(smaller.rows_ - first, std::ssize(places));
    const Panels changed = new_panels(first, smaller.rows_, control, [&](Index i, auto row) {
        const double* from = row_of[kept[i]];
        for (Index j = 0; j <= i; ++j) row[j] = from[kept[j]];
        for (Index r = 0; r < leaving.cols(); ++r)
            leaving(i - first, r) = places[r] < kept[i] ? from[places[r]] : 0;
    });
    add_outer_product(changed, leaving, control);
    smaller.append(changed);
    return smaller;
}

/// Makes the panels L1 the factor of L1 L1' + V V', where V has a row for each of theirs.
void RidgeFactor::add_outer_product(const Panels& panels, MatrixRef leaving, Control& control) {
    if (panels.empty()) return;
    const Index begin = panels.front()->first;
    const Index end = panels.back()->end();
    const auto reflect_rest = [&](const Reflections& found, Panel& panel, Index from, Index at) {
        const Index rows = panel.end() - from;
        const Index count = found.triangle.rows();
        if (rows > 0)
            reflect_below(found, panel.values.view().block(from - panel.first, at, rows, count),
                          leaving.middleRows(from - begin, rows));
    };
    for (std::size_t p = 0; p < panels.size(); ++p) {
        Panel& panel = *panels[p];
        for (Index at = panel.first; at < panel.end(); at += rows_of_block) {
            control.check(static_cast<double>(at - begin) / static_cast<double>(end - begin));
            const ProgressHold hold(control);
            const Index count = std::min(rows_of_block, panel.end() - at);
            const Reflections found =
                reflect_block(panel.values.view().block(at - panel.first, at, count, count),
                              leaving.middleRows(at - begin, count));
            reflect_rest(found, panel, at + count, at);
            const double values = values_of_product(end - at, leaving.cols(), count);
            parallel_for(std::ssize(panels) - p - 1, values, control, [&](Index q) {
                Panel& below = *panels[p + 1 + q];
                reflect_rest(found, below, below.first, at);
            });
        }
    }
}

}  // namespace dk
