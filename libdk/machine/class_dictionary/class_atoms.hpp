// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "data/class_range.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// A dictionary of one class: atoms Phi_q a_k, which are combinations of the class's rows, codes by which
/// they reconstruct these rows, and vectors whose products with a row's kernel values give its code.
struct ClassAtoms {
    ClassRange own;        // the rows of the class, I_q
    Matrix atoms = {};     // A_q, rows of the class x atoms
    Matrix codes = {};     // Z_q, atoms x rows of the class
    Matrix analysis = {};  // P_q, all rows x atoms; empty where codes are found otherwise
    Index count() const { return atoms.cols(); }
};

/// Gives the ranges of the classes of rows that are ordered by class.
std::vector<ClassRange> class_ranges(const std::vector<Index>& class_begins);

/// Gives K_qq, the kernel matrix of the rows of a class.
inline auto class_gram(const LargeMatrix& gram, const ClassRange& own) {
    return gram.view().block(own.begin, own.begin, own.size, own.size);
}

/// Starts each class with at most `count` of its rows, which are far from each other, as atoms.
std::vector<ClassAtoms> starting_atoms(const LargeMatrix& gram, const std::vector<ClassRange>& classes,
                                       Index count, Control& control);

/// Computes |Phi_q (I - A Z)|^2, by which the atoms of a class miss its rows.
double reconstruction_error(const LargeMatrix& gram, const ClassAtoms& q);

/// Computes (I - A Z)(I - A Z)', whose product with K_qq is the reconstruction error.
Matrix reconstruction_weights(const ClassAtoms& q);

/// Computes the length sqrt(a' K_qq a) of each atom.
Vector atom_lengths(const LargeMatrix& gram, const ClassAtoms& q);

}  // namespace dk
