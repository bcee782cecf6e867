// SPDX-License-Identifier: Apache-2.0
#include "machine/class_dictionary/class_atoms.hpp"

#include <cmath>
#include <numeric>

#include "matrix/product.hpp"
#include "prototype/row_selection.hpp"

namespace dk {

std::vector<ClassRange> class_ranges(const std::vector<Index>& class_begins) {
    std::vector<ClassRange> classes;
    for (std::size_t c = 0; c + 1 < class_begins.size(); ++c)
        classes.push_back({class_begins[c], class_begins[c + 1] - class_begins[c]});
    return classes;
}

std::vector<ClassAtoms> starting_atoms(const LargeMatrix& gram, const std::vector<ClassRange>& classes,
                                       Index count, Control& control) {
    std::vector<ClassAtoms> all;
    for (const ClassRange& own : classes) {
        std::vector<Index> rows(own.size);
        std::iota(rows.begin(), rows.end(), own.begin);
        const RowDistances distances(gram.view(), rows);
        rows = spanning_rows(distances, count, control);
        ClassAtoms q{.own = own};
        q.atoms = Matrix::Zero(own.size, std::ssize(rows));
        q.codes = Matrix::Zero(std::ssize(rows), own.size);
        for (Index k = 0; k < std::ssize(rows); ++k) {
            const double square = gram(own.begin + rows[k], own.begin + rows[k]);
            q.atoms(rows[k], k) = square > 0 ? 1 / std::sqrt(square) : 0;
        }
        all.push_back(std::move(q));
    }
    return all;
}

namespace {

/// Computes I - A Z.
Matrix misses(const ClassAtoms& q) {
    Matrix rest = Matrix::Identity(q.own.size, q.own.size);
    multiply(q.atoms, q.codes, rest, Into::subtract);
    return rest;
}

}  // namespace

double reconstruction_error(const LargeMatrix& gram, const ClassAtoms& q) {
    const Matrix rest = misses(q);
    Matrix product(q.own.size, q.own.size);
    multiply(class_gram(gram, q.own), rest, product);
    return rest.cwiseProduct(product).sum();
}

Matrix reconstruction_weights(const ClassAtoms& q) {
    const Matrix rest = misses(q);
    Matrix weights(q.own.size, q.own.size);
    multiply_transposed(rest, rest, weights);
    return weights;
}

Vector atom_lengths(const LargeMatrix& gram, const ClassAtoms& q) {
    Matrix product(q.own.size, q.count());
    multiply(class_gram(gram, q.own), q.atoms, product);
    return q.atoms.cwiseProduct(product).colwise().sum().cwiseMax(0.0).cwiseSqrt();
}

}  // namespace dk
