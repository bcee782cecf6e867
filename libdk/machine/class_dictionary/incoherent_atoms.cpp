// SPDX-License-Identifier: Apache-2.0
// Dictionaries of classes with atoms that have little in common with those of other classes:
//
//     min over A, Z   sum_q |Phi_q (I - A_q Z_q)|^2 + eta sum_{q != r} |A_q' K_qr A_r|^2
//     subject to      a' K_qq a = 1 for every atom a, at most T0 non-zeros in each column of Z_q,
//
// where K_qr has the rows of class q and the columns of class r. Codes are found by orthogonal matching
// pursuit, and an old code is kept where it was better. Atoms take gradient steps,
//
//     gradient = 2 K_qq (A_q Z_q - I) Z_q' + 4 eta sum_{r != q} K_qr A_r A_r' K_rq A_q,
//
// after which they are divided by their length; steps are halved until the objective falls.
//
//     letter    name
//     A, Z      ClassAtoms::atoms, codes
//     T0        options_.atoms_of_row
//
// It is a surrogate of multiple-instance dictionary learning (A. Shrivastava, V. M. Patel, J. K. Pillai, R.
// Chellappa, Generalized dictionaries for multiple instance learning, IJCV 114, 2015), whose original is a
// noisy-or likelihood over bags of rows.
#include "machine/class_dictionary/incoherent_atoms.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "matrix/product.hpp"
#include "solve/squares/orthogonal_pursuit.hpp"

namespace dk {

void IncoherentAtoms::initialise(Index atoms) {
    ClassDictionaryLearning::initialise(atoms);
    steps_.assign(atoms_.size(), 1.0);
    code_rows();
}

void IncoherentAtoms::step() {
    const ProgressHold hold(control_);
    code_rows();
    move_atoms();
}

void IncoherentAtoms::code_rows() {
    for (ClassAtoms& q : atoms_) {
        const auto K = class_gram(gram_, q.own);
        Matrix KA(q.own.size, q.count());
        multiply(K, q.atoms, KA);
        Matrix products(q.count(), q.count());
        transposed_multiply(q.atoms, KA, products);
        parallel_for(q.own.size, control_, [&](Index i) {
            const Vector s = KA.row(i);
            const auto found = orthogonal_pursuit(products, s, options_.atoms_of_row);
            Vector z = Vector::Zero(q.count());
            for (std::size_t k = 0; k < found.support.size(); ++k) z[found.support[k]] = found.values[k];
            const auto error = [&](const Vector& code) {
                return code.dot(products.lazyProduct(code)) - 2 * code.dot(s);
            };
            if (error(z) < error(q.codes.col(i))) q.codes.col(i) = z;
        });
    }
}

namespace {

/// Computes K_qr A_r, rows of class q x atoms of class r.
Matrix seen_by_class(const LargeMatrix& gram, const ClassAtoms& q, const ClassAtoms& r) {
    Matrix product(q.own.size, r.count());
    multiply(gram.view().block(q.own.begin, r.own.begin, q.own.size, r.own.size), r.atoms, product);
    return product;
}

}  // namespace

/// Computes the sum over r of |A_q' K_qr A_r|^2.
double IncoherentAtoms::incoherence_of(Index q) const {
    double sum = 0;
    for (Index r = 0; r < std::ssize(atoms_); ++r) {
        if (r == q) continue;
        const Matrix seen = seen_by_class(gram_, atoms_[q], atoms_[r]);
        Matrix products(atoms_[q].count(), atoms_[r].count());
        transposed_multiply(atoms_[q].atoms, seen, products);
        sum += products.squaredNorm();
    }
    return sum;
}

/// Computes what depends on A_q: each pair of classes counts twice in the objective.
double IncoherentAtoms::objective_of(Index q) const {
    return reconstruction_error(gram_, atoms_[q]) + 2 * options_.eta * incoherence_of(q);
}

double IncoherentAtoms::objective() const {
    double sum = 0;
    for (Index q = 0; q < std::ssize(atoms_); ++q) {
        control_.check();
        sum += reconstruction_error(gram_, atoms_[q]) + options_.eta * incoherence_of(q);
    }
    return sum;
}

Matrix IncoherentAtoms::gradient(Index q) const {
    const ClassAtoms& own = atoms_[q];
    Matrix rest = -Matrix::Identity(own.own.size, own.own.size);
    multiply(own.atoms, own.codes, rest, Into::add);
    Matrix rest_codes(own.own.size, own.count());
    multiply_transposed(rest, own.codes, rest_codes);
    Matrix gradient(own.own.size, own.count());
    multiply(class_gram(gram_, own.own), rest_codes, gradient);
    gradient *= 2;
    for (Index r = 0; r < std::ssize(atoms_); ++r) {
        if (r == q) continue;
        const Matrix seen = seen_by_class(gram_, own, atoms_[r]);
        Matrix products(atoms_[r].count(), own.count());
        transposed_multiply(seen, own.atoms, products);
        Matrix term(own.own.size, own.count());
        multiply(seen, products, term);
        gradient += 4 * options_.eta * term;
    }
    return gradient;
}

void IncoherentAtoms::move_atoms() {
    constexpr int most_halvings = 30;
    for (Index q = 0; q < std::ssize(atoms_); ++q) {
        ClassAtoms& own = atoms_[q];
        const Matrix slope = gradient(q);
        const Matrix before = own.atoms;
        const double objective_before = objective_of(q);
        double& step = steps_[q];
        bool fell = false;
        for (int halving = 0; halving < most_halvings && !fell; ++halving) {
            control_.check();
            own.atoms = before - step * slope;
            const Vector lengths = atom_lengths(gram_, own);
            for (Index k = 0; k < own.count(); ++k) {
                if (lengths[k] > 0) own.atoms.col(k) /= lengths[k];
            }
            fell = objective_of(q) < objective_before;
            if (!fell) step /= 2;
        }
        if (fell) {
            step *= 2;
        } else {
            own.atoms = before;
        }
    }
}

/// v_l has sqrt(eta) A_q' K_l,qr A_r for all pairs of different classes.
QuadraticObjective IncoherentAtoms::of_weights() {
    joined_ = Matrix::Zero(gram_.rows(), atom_count());
    weights_.clear();
    Index first = 0;
    for (const ClassAtoms& q : atoms_) {
        joined_.block(q.own.begin, first, q.own.size, q.count()) = q.atoms;
        weights_.push_back(reconstruction_weights(q));
        first += q.count();
    }
    const auto terms = [this](const ConstMatrixView& kernel, VectorRef v) {
        const Index atoms = joined_.cols();
        Matrix seen(kernel.rows(), atoms);
        multiply(kernel, joined_, seen, Into::assign, control_);
        MatrixView products(v.data(), atoms, atoms, Eigen::OuterStride<>(atoms));
        transposed_multiply(joined_, seen, products, Into::assign, control_);
        products *= std::sqrt(options_.eta);
        double linear = 0;
        Index atom = 0;
        for (std::size_t c = 0; c < atoms_.size(); ++c) {
            const ClassAtoms& q = atoms_[c];
            products.block(atom, atom, q.count(), q.count()).setZero();
            linear += kernel.block(q.own.begin, q.own.begin, q.own.size, q.own.size)
                          .cwiseProduct(weights_[c])
                          .sum();
            atom += q.count();
        }
        return linear;
    };
    return {.length = joined_.cols() * joined_.cols(), .terms = terms};
}

}  // namespace dk
