// SPDX-License-Identifier: Apache-2.0
// Projective dictionary pairs in feature space have for each class q atoms Phi_q A_q and analysis vectors
// P_q, whose products with a row's kernel values give its codes at once:
//
//     min   sum_q |Phi_q (I - A_q Z_q)|^2 + tau |Z_q - P_q' K_q|^2 + lambda |P_q' K_q-|^2
//                 + gamma |P_q|^2 + nu |Z_q|_*
//     subject to   a' K_qq a <= 1 for every atom a,
//
// where K_q has the columns of K that are rows of class q, K_q- the others, and |Z|_* is the sum of singular
// values. Without the bound there is no minimum: larger atoms make all other terms small. Each step is the
// exact minimum of its block, or takes proximal steps towards it:
//
//     P_q = tau (tau K_q K_q' + lambda K_q- K_q-' + gamma I)^-1 K_q Z_q'
//     Z_q <- SVT(Z - (Q Z - R) / L, nu / 2 L),  Q = A' K_qq A + tau I,  R = A' K_qq + tau P' K_q,  L = |Q|
//     a_k <- R_k z^k / |z^k|^2 with R_k = I - sum_{j != k} a_j z^j, divided by its length where that is > 1.
//
//     letter    name
//     A, Z, P   ClassAtoms::atoms, codes, analysis
//     z^k       codes.row(k)
//     gamma     options_.gamma
//
// S. Gu, L. Zhang, W. Zuo, X. Feng, Projective dictionary pair learning for pattern classification, NIPS
// 2014. Its form with several kernels (MKLDPL) is a reconstruction: the paper that has it was not at hand.
#include "machine/class_dictionary/projective_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

/// Gives the eigenvalues and eigenvectors of a small matrix.
SymmetricEigen eigen_of(const Matrix& matrix, Control& control) {
    LargeMatrix copy(matrix.rows(), matrix.cols());
    copy.view() = matrix;
    return symmetric_eigen(std::move(copy), control);
}

/// Makes every singular value of Z smaller by the threshold, and 0 where it was smaller than that.
Matrix singular_values_thresholded(const Matrix& Z, double threshold, Control& control) {
    if (threshold == 0) return Z;
    Matrix products(Z.rows(), Z.rows());
    multiply_transposed(Z, Z, products);
    const SymmetricEigen eigen = eigen_of(products, control);
    Matrix out = Matrix::Zero(Z.rows(), Z.cols());
    for (Index k = 0; k < Z.rows(); ++k) {
        const double sigma = std::sqrt(std::max(0.0, eigen.values[k]));
        if (!(sigma > threshold)) continue;
        const Vector u = eigen.vectors.view().row(k);
        const Eigen::RowVectorXd right = u.transpose().lazyProduct(Z);
        out += (1 - threshold / sigma) * u * right;
    }
    return out;
}

double nuclear_norm(const Matrix& Z, Control& control) {
    Matrix products(Z.rows(), Z.rows());
    multiply_transposed(Z, Z, products);
    return eigen_of(products, control).values.cwiseMax(0.0).cwiseSqrt().sum();
}

auto columns_of_class(const LargeMatrix& gram, const ClassRange& own) {
    return gram.view().middleCols(own.begin, own.size);
}

/// Computes A' K_qq.
Matrix atoms_times_gram(const LargeMatrix& gram, const ClassAtoms& q) {
    Matrix product(q.count(), q.own.size);
    transposed_multiply(q.atoms, class_gram(gram, q.own), product);
    return product;
}

/// Computes P' K, atoms x rows.
Matrix analysed(const LargeMatrix& gram, const ClassAtoms& q, Control& control) {
    Matrix product(q.count(), gram.rows());
    transposed_multiply(q.analysis, gram.view(), product, Into::assign, control);
    return product;
}

}  // namespace

/// Codes begin as those of ridge regression on the atoms.
void ProjectivePairs::initialise(Index atoms) {
    ClassDictionaryLearning::initialise(atoms);
    for (ClassAtoms& q : atoms_) {
        const Matrix AK = atoms_times_gram(gram_, q);
        Matrix Q(q.count(), q.count());
        multiply(AK, q.atoms, Q);
        Q.diagonal().array() += options_.tau;
        q.codes = AK;
        if (!cholesky_factor(Q, control_))
            fail(Status::numerical, "the atoms of a class have no regular products; raise tau");
        cholesky_solve_all(Q, q.codes, control_);
        q.analysis = Matrix::Zero(gram_.rows(), q.count());
    }
}

void ProjectivePairs::renew_outer() {
    outer_ = LargeMatrix(gram_.rows(), gram_.rows());
    outer_product(gram_.view(), outer_.view(), control_);
}

void ProjectivePairs::step() {
    const ProgressHold hold(control_);
    move_analysis();
    move_codes();
    move_atoms();
}

void ProjectivePairs::move_analysis() {
    renew_outer();
    const Index n = gram_.rows();
    LargeMatrix system(n, n);
    for (ClassAtoms& q : atoms_) {
        const auto K_q = columns_of_class(gram_, q.own);
        const Matrix columns = K_q;
        multiply_transposed(columns, columns, system.view(), Into::assign, control_);
        system.view() = (options_.tau - options_.lambda) * system.view() + options_.lambda * outer_.view();
        system.view().diagonal().array() += options_.gamma;
        multiply_transposed(columns, q.codes, q.analysis, Into::assign, control_);
        q.analysis *= options_.tau;
        if (!cholesky_factor(system.view(), control_))
            fail(Status::numerical, "the system of the analysis vectors is singular; raise gamma");
        cholesky_solve_all(system.view(), q.analysis, control_);
    }
}

void ProjectivePairs::move_codes() {
    constexpr int proximal_steps = 10;
    for (ClassAtoms& q : atoms_) {
        const Matrix AK = atoms_times_gram(gram_, q);
        Matrix Q(q.count(), q.count());
        multiply(AK, q.atoms, Q);
        Q.diagonal().array() += options_.tau;
        Matrix PK(q.count(), q.own.size);
        transposed_multiply(q.analysis, columns_of_class(gram_, q.own), PK, Into::assign, control_);
        const Matrix R = AK + options_.tau * PK;
        const double largest = eigen_of(Q, control_).values.maxCoeff();
        Matrix QZ(q.count(), q.own.size);
        for (int t = 0; t < proximal_steps; ++t) {
            multiply(Q, q.codes, QZ);
            q.codes = singular_values_thresholded(q.codes - (QZ - R) / largest, options_.nu / (2 * largest),
                                                  control_);
        }
    }
}

void ProjectivePairs::move_atoms() {
    for (ClassAtoms& q : atoms_) {
        control_.check();
        const auto K = class_gram(gram_, q.own);
        Vector product(q.own.size);
        for (Index k = 0; k < q.count(); ++k) {
            const Vector z = q.codes.row(k);
            const double square = z.squaredNorm();
            if (!(square > 0)) continue;
            const Vector of_atoms = q.codes.lazyProduct(z);
            Vector a = z - q.atoms.lazyProduct(of_atoms) + square * q.atoms.col(k);
            a /= square;
            multiply_vector(K, a, product);
            q.atoms.col(k) = a / std::max(1.0, std::sqrt(std::max(0.0, a.dot(product))));
        }
    }
}

double ProjectivePairs::objective() const {
    double sum = 0;
    for (const ClassAtoms& q : atoms_) {
        const Matrix PK = analysed(gram_, q, control_);
        const auto own = PK.middleCols(q.own.begin, q.own.size);
        sum += reconstruction_error(gram_, q) + options_.tau * (q.codes - own).squaredNorm() +
               options_.lambda * (PK.squaredNorm() - own.squaredNorm()) +
               options_.gamma * q.analysis.squaredNorm();
        if (options_.nu > 0) sum += options_.nu * nuclear_norm(q.codes, control_);
    }
    return sum;
}

/// v_l has P_q' K_l for all classes, where the columns of the class's own rows count with tau and the others
/// with lambda.
QuadraticObjective ProjectivePairs::of_weights() {
    joined_.resize(gram_.rows(), atom_count());
    weights_.clear();
    Index first = 0;
    for (const ClassAtoms& q : atoms_) {
        joined_.middleCols(first, q.count()) = q.analysis;
        weights_.push_back(reconstruction_weights(q));
        first += q.count();
    }
    const auto terms = [this](const ConstMatrixView& kernel, VectorRef v) {
        MatrixView PK(v.data(), joined_.cols(), kernel.rows(), Eigen::OuterStride<>(kernel.rows()));
        transposed_multiply(joined_, kernel, PK, Into::assign, control_);
        double linear = 0;
        Index atom = 0;
        for (std::size_t c = 0; c < atoms_.size(); ++c) {
            const ClassAtoms& q = atoms_[c];
            auto rows = PK.middleRows(atom, q.count());
            auto own = rows.middleCols(q.own.begin, q.own.size);
            linear += kernel.block(q.own.begin, q.own.begin, q.own.size, q.own.size)
                          .cwiseProduct(weights_[c])
                          .sum() -
                      2 * options_.tau * q.codes.cwiseProduct(own).sum();
            const Matrix with_tau = std::sqrt(options_.tau) * own;
            rows *= std::sqrt(options_.lambda);
            own = with_tau;
            atom += q.count();
        }
        return linear;
    };
    return {.length = joined_.cols() * gram_.rows(), .terms = terms};
}

}  // namespace dk
