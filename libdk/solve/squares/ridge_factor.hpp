// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// Copies a matrix, for methods that work in place.
LargeMatrix copied(const ConstMatrixRef& matrix, Control& control);

/// The Cholesky factor L of K + ridge I, in the lower triangle of a matrix, with the ridge that was used.
struct FactoredRidge {
    LargeMatrix lower;
    double ridge;
};

/// Factors K + ridge I, with a slightly larger ridge where rounding or the kernel made K indefinite. Throws
/// Error(numerical) where that does not help.
FactoredRidge factor_with_ridge(const ConstMatrixRef& gram, double ridge, Control& control);

/// The same factor for rows that come and go. It never changes: rows that join or leave make another one,
/// which shares with this one what is the same in both. Where they are few, that is much less work than from
/// the beginning; of n rows k take about n^2 k operations to join, and twice as many to leave.
class RidgeFactor {
  public:
    RidgeFactor(const FactoredRidge& factored, Control& control);

    Index rows() const { return rows_; }
    double ridge() const { return ridge_; }

    /// Solves (K + ridge I) X = B in place, where each column of B is a right-hand side.
    void solve(MatrixRef b, Control& control) const;
    /// Solves L X = B in place.
    void solve_lower(MatrixRef b, Control& control) const;
    /// Computes the diagonal of (K + ridge I)^-1.
    Vector inverse_diagonal(Control& control) const;

    /// Makes the factor of these rows and further ones, behind them. `values` is K of the further rows with
    /// all rows, the further ones last: further x (rows + further). It gives nothing where the larger matrix
    /// is not positive definite with this ridge.
    std::optional<RidgeFactor> with_rows(const ConstMatrixRef& values, Control& control) const;

    /// Makes the factor of all rows but those at these places, which ascend.
    RidgeFactor without_rows(std::span<const Index> places, Control& control) const;

  private:
    /// Some consecutive rows of L, up to the diagonal of the last one. Behind the diagonal of the others
    /// stands 0.
    struct Panel {
        Panel(Index begin, Index count) : first(begin), values(count, begin + count) {}

        Index count() const { return values.rows(); }
        Index end() const { return values.cols(); }

        Index first;
        LargeMatrix values;
    };
    using Panels = std::vector<std::shared_ptr<Panel>>;

    RidgeFactor(Index rows, double ridge) : rows_(rows), ridge_(ridge) {}
    /// Makes panels of the rows from `first` to before `end`. fill(row, values) writes a row up to its
    /// diagonal.
    template <typename Fill>
    static Panels new_panels(Index first, Index end, Control& control, Fill fill);
    void append(const Panels& panels);
    void solve_vector(Vector& x, Control& control) const;
    static void add_outer_product(const Panels& panels, MatrixRef leaving, Control& control);

    std::vector<std::shared_ptr<const Panel>> panels_;
    Index rows_;
    double ridge_;
};

}  // namespace dk
