// SPDX-License-Identifier: Apache-2.0
// A level of a multilevel dictionary has atoms for what the levels before it have left of the rows.
// K-hyperline clustering finds them: each row belongs to the atom with which what is left of it has the
// largest product, in magnitude, and an atom is the line through the origin that is nearest to its rows,
// their first principal direction. After a level every row loses its part along its atom.
//
// All is done by products of what is left of the rows. With R for their coefficients, E = R' K R has these
// products, and an atom R w is known by w:
//
//     product of atom w and row i     (E w)_i
//     new w of the rows in M          v / sqrt(sigma) for the first eigenvector v and eigenvalue sigma of
//     E_MM after a level                   R <- R - R W X,  E <- (I - W X)' E (I - W X), where X has the
//     codes.
//
// J. J. Thiagarajan, K. N. Ramamurthy, A. Spanias, Multiple kernel sparse representations for supervised and
// unsupervised learning, IEEE Transactions on Image Processing 23, 2014 (DKMLD). Seeds, the limits and what
// becomes of empty clusters are ours.
#include "machine/level_dictionary/hyperline_levels.hpp"

#include <algorithm>
#include <cmath>

#include "matrix/eigen/leading_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

/// Learns one level from the products E of what is left of the rows.
class Level {
  public:
    Level(const LargeMatrix& E, Index atoms, Control& control)
        : E_(E), control_(control), W_(Matrix::Zero(E.rows(), atoms)), products_(atoms, E.rows()) {}

    /// Starts at the row with the largest energy, then at rows with most energy beside each seed alone.
    void seed() {
        Vector outside = E_.view().diagonal();
        for (Index k = 0; k < W_.cols(); ++k) {
            Index row = 0;
            outside.maxCoeff(&row);
            start_at(k, row);
            outside = outside.cwiseMin(energy_outside(k));
        }
    }

    void cluster() {
        constexpr int rounds = 20;
        std::vector<Index> atom_of;
        for (int round = 0; round < rounds; ++round) {
            std::vector<Index> renewed = nearest_atoms();
            if (renewed == atom_of) return;
            atom_of = std::move(renewed);
            for (Index k = 0; k < W_.cols(); ++k) renew(k, atom_of);
        }
    }

    const Matrix& W() const { return W_; }
    /// Gives X', rows x atoms: each row's product with its atom.
    Matrix codes() const {
        Matrix codes = Matrix::Zero(E_.rows(), W_.cols());
        const std::vector<Index> atom_of = nearest_atoms();
        for (Index i = 0; i < E_.rows(); ++i) codes(i, atom_of[i]) = products_(atom_of[i], i);
        return codes;
    }

  private:
    void set(Index k, const Vector& w) {
        W_.col(k) = w;
        Vector product(E_.rows());
        multiply_vector(E_.view(), w, product);
        products_.row(k) = product.transpose();
    }

    void start_at(Index k, Index row) {
        Vector w = Vector::Zero(E_.rows());
        const double energy = E_(row, row);
        if (energy > 0) w[row] = 1 / std::sqrt(energy);
        set(k, w);
    }

    /// What the atom leaves of each row's energy.
    Vector energy_outside(Index k) const {
        return E_.view().diagonal() - products_.row(k).transpose().cwiseAbs2();
    }

    std::vector<Index> nearest_atoms() const {
        std::vector<Index> nearest(E_.rows(), 0);
        for (Index i = 0; i < E_.rows(); ++i) {
            for (Index k = 1; k < W_.cols(); ++k) {
                if (std::abs(products_(k, i)) > std::abs(products_(nearest[i], i))) nearest[i] = k;
            }
        }
        return nearest;
    }

    void renew(Index k, const std::vector<Index>& atom_of) {
        control_.check();
        std::vector<Index> members;
        for (Index i = 0; i < E_.rows(); ++i) {
            if (atom_of[i] == k) members.push_back(i);
        }
        if (members.empty()) {
            restart(k);
            return;
        }
        const Matrix own = E_.view()(members, members);
        const LeadingEigen first = leading_eigen(own, 1, 0, control_);
        if (first.values.size() == 0) return;  // Nothing is left of its rows.
        Vector w = Vector::Zero(E_.rows());
        w(members) = first.vectors.row(0).transpose() / std::sqrt(first.values[0]);
        Index largest = 0;
        w.cwiseAbs().maxCoeff(&largest);
        set(k, w[largest] < 0 ? -w : w);
    }

    /// An atom without rows starts again where the other atoms leave most energy.
    void restart(Index k) {
        Vector outside = E_.view().diagonal();
        for (Index other = 0; other < W_.cols(); ++other) {
            if (other != k) outside = outside.cwiseMin(energy_outside(other));
        }
        Index row = 0;
        outside.maxCoeff(&row);
        start_at(k, row);
    }

    const LargeMatrix& E_;
    Control& control_;
    Matrix W_;         // rows x atoms
    Matrix products_;  // atoms x rows, W' E
};

}  // namespace

LevelDictionary learn_levels(const ConstMatrixRef& gram, Index levels, Index atoms, double enough,
                             Control& control) {
    const Index n = gram.rows();
    const double whole = gram.trace();
    LargeMatrix E(n, n);
    E.view() = gram;
    Matrix R = Matrix::Identity(n, n);
    LevelDictionary learned{.atoms = Matrix(n, 0), .codes = Matrix(n, 0), .energies = {1}};
    atoms = std::min(atoms, n);
    while (learned.levels() < levels && learned.energies.back() >= enough) {
        const ProgressHold hold(control);
        Level level(E, atoms, control);
        level.seed();
        level.cluster();
        const Matrix X = level.codes();
        Matrix A(n, atoms);
        multiply(R, level.W(), A, Into::assign, control);

        // R <- R - A X', and E <- E - E W X - X' W' E + X' (W' E W) X.
        multiply_transposed(A, X, R, Into::subtract, control);
        Matrix EW(n, atoms);
        multiply(E.view(), level.W(), EW, Into::assign, control);
        Matrix WEW(atoms, atoms);
        transposed_multiply(level.W(), EW, WEW);
        Matrix half(n, atoms);
        multiply(X, WEW, half, Into::assign, control);
        half = 0.5 * half - EW;
        multiply_transposed(half, X, E.view(), Into::add, control);
        multiply_transposed(X, half, E.view(), Into::add, control);

        learned.atoms.conservativeResize(n, learned.atoms.cols() + atoms);
        learned.atoms.rightCols(atoms) = A;
        learned.codes.conservativeResize(n, learned.codes.cols() + atoms);
        learned.codes.rightCols(atoms) = X;
        learned.begins.push_back(learned.atoms.cols());
        learned.energies.push_back(std::max(0.0, E.view().trace() / whole));
    }
    return learned;
}

}  // namespace dk
