// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/prototype_learning.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "solve/squares/nonnegative_pursuit.hpp"

// Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and
// feature selection (IMKPL), CIKM 2019. This file solves (4) where the kernel weights beta stay:
//
//     min over U, Gamma   |Phi - Phi U Gamma|^2 + lambda J_dis + tau J_ip
//     subject to          U >= 0, Gamma >= 0, |Phi u_i| = 1, |u_i|_0 <= T0, |gamma_s|_0 <= T0
//
// For kernels with k(x, x) = 1, J_dis of (5) is <K~, U Gamma>. The columns of L are unit vectors, so that
// J_ip of (6) is the sum of U.
//
//     paper          here
//     X, N           the rows, rows()
//     K^             K, gram_: the kernel matrix of the present beta
//     L'L            D: D_st = 1 where rows s and t are of one class; rows are ordered by class
//     K~             11' - D o K, where o is the product of elements
//     u_i            prototypes_[i], as the rows and values of its non-zeros
//     gamma_s        codes_.row(s)
//     gamma^i        codes_.col(i): what every row takes of prototype i
//     T0             options_.rows_of_prototype for |u_i|_0, options_.prototypes_of_row for |gamma_s|_0, and
//                    options_.prototypes for the number of prototypes of a class
//     lambda, tau    options_.lambda, options_.tau
//     E_i            I - sum_{j != i} u_j gamma^j, in left_to_reconstruct()

namespace dk {

namespace {

/// Computes gamma' G gamma for a code of few non-zeros.
template <typename Code>
double quadratic_form(const Code& gamma, const Matrix& g) {
    double sum = 0;
    for (Index i = 0; i < gamma.size(); ++i) {
        if (gamma[i] != 0) sum += gamma[i] * g.row(i).dot(gamma);
    }
    return sum;
}

}  // namespace

PrototypeLearning::PrototypeLearning(const LargeMatrix& gram, const std::vector<Index>& class_begins,
                                     LearningOptions options, Control& control)
    : gram_(gram), options_(options), control_(control) {
    for (Index c = 0; c + 1 < std::ssize(class_begins); ++c) {
        classes_.push_back({class_begins[c], class_begins[c + 1] - class_begins[c]});
        class_of_.resize(class_begins[c + 1], c);
    }
}

/// The paper does not say how U begins. Here each class begins with its medoid, then with the row that is
/// farthest from all rows before; each of these becomes a prototype with its nearest rows of the class.
void PrototypeLearning::initialise() {
    prototypes_.clear();
    for (const ClassRange& own : classes_) {
        const auto similarities = gram_.view().block(own.begin, own.begin, own.size, own.size);
        Index seed = 0;
        Vector(similarities.rowwise().sum()).maxCoeff(&seed);
        Vector nearest = Vector::Constant(own.size, -infinity);
        for (Index t = 0; t < std::min(options_.prototypes, own.size); ++t) {
            control_.check();
            prototypes_.push_back(start_around(own.begin + seed, own));
            nearest = nearest.cwiseMax(similarities.row(seed).transpose());
            nearest.minCoeff(&seed);
        }
    }
    codes_ = Matrix::Zero(rows(), count());
    rescale();
}

/// Makes a prototype of the rows of the class that are nearest to the seed, with equal weights.
RowCombination PrototypeLearning::start_around(Index seed, const ClassRange& own) const {
    std::vector<Index> order(own.size);
    std::iota(order.begin(), order.end(), own.begin);
    const Index size = std::min(options_.rows_of_prototype, own.size);
    std::ranges::partial_sort(order, order.begin() + size, [&](Index a, Index b) {
        return gram_(seed, a) != gram_(seed, b) ? gram_(seed, a) > gram_(seed, b) : a < b;
    });
    order.resize(size);
    return {std::move(order), Vector::Ones(size)};
}

Vector PrototypeLearning::masses() const {
    Vector all(count());
    for (Index i = 0; i < count(); ++i) all[i] = prototypes_[i].mass();
    return all;
}

Vector PrototypeLearning::gram_times(const RowCombination& v) const {
    Vector out = Vector::Zero(rows());
    for (Index k = 0; k < std::ssize(v.rows); ++k)
        out += v.weights[k] * gram_.view().row(v.rows[k]).transpose();
    return out;
}

Vector PrototypeLearning::class_gram_times(const RowCombination& v) const {
    Vector out = Vector::Zero(rows());
    for (Index k = 0; k < std::ssize(v.rows); ++k) {
        const ClassRange& own = class_range(v.rows[k]);
        out.segment(own.begin, own.size) +=
            v.weights[k] * gram_.view().row(v.rows[k]).segment(own.begin, own.size).transpose();
    }
    return out;
}

/// Computes |Phi v|^2 = v'Kv.
double PrototypeLearning::squared_length(const RowCombination& v) const {
    double sum = 0;
    for (Index a = 0; a < std::ssize(v.rows); ++a) {
        for (Index b = 0; b < std::ssize(v.rows); ++b)
            sum += v.weights[a] * v.weights[b] * gram_(v.rows[a], v.rows[b]);
    }
    return sum;
}

void PrototypeLearning::rescale() {
    for (Index i = 0; i < count(); ++i) {
        RowCombination& u = prototypes_[i];
        control_.check();
        const double mass = u.mass();
        const double square = squared_length(u);
        if (!(square > 1e-12 * mass * mass)) {  // Its rows cancel each other.
            u = {{u.rows.front()}, Vector::Ones(1)};
            codes_.col(i).setZero();
            continue;
        }
        const double length = std::sqrt(square);
        u.weights /= length;
        codes_.col(i) *= length;
    }
}

PrototypeLearning::Products PrototypeLearning::products() const {
    const Index n = rows();
    const Index c = count();
    Products out{Matrix(n, c), Matrix(n, c), Matrix::Zero(c, c)};
    parallel_for(n, control_, [&](Index s) {
        const double* similarities = gram_.row(s);
        for (Index i = 0; i < c; ++i) {
            const RowCombination& u = prototypes_[i];
            double all = 0;
            double within = 0;
            for (Index k = 0; k < std::ssize(u.rows); ++k) {
                const double part = u.weights[k] * similarities[u.rows[k]];
                all += part;
                if (class_of_[u.rows[k]] == class_of_[s]) within += part;
            }
            out.all(s, i) = all;
            out.within(s, i) = within;
        }
    });
    for (Index i = 0; i < c; ++i) {
        const RowCombination& u = prototypes_[i];
        for (Index k = 0; k < std::ssize(u.rows); ++k)
            out.gram.row(i) += u.weights[k] * out.all.row(u.rows[k]);
    }
    return out;
}

/// Solves (8), section 4.1, for every row s:
///     min over gamma   gamma' (U'KU) gamma + [lambda K~(s,:) - 2 K(s,:)] U gamma
/// K~ U is 1 |u_i|_1 - (D o K) U. The pursuit solves programs with 1/2 gamma'H gamma, so that H = 2 U'KU.
void PrototypeLearning::code_rows() {
    const ProgressHold hold(control_);
    const Products known = products();
    const Matrix h = 2 * known.gram;
    const Vector mass = masses();
    parallel_for(rows(), control_, [&](Index s) {
        const Vector linear =
            options_.lambda * (mass - known.within.row(s).transpose()) - 2 * known.all.row(s).transpose();
        auto gamma = codes_.row(s);
        const double present = quadratic_form(gamma, known.gram) + gamma.dot(linear);
        const auto found = nonnegative_pursuit(h, linear, options_.prototypes_of_row);
        if (!(found.objective < present)) return;
        gamma.setZero();
        for (std::size_t k = 0; k < found.support.size(); ++k) gamma[found.support[k]] = found.values[k];
    });
}

void PrototypeLearning::move_prototypes() {
    for (Index i = 0; i < count(); ++i) {
        control_.check();
        std::vector<Index> users;
        for (Index s = 0; s < rows(); ++s) {
            if (codes_(s, i) != 0) users.push_back(s);
        }
        if (users.empty()) continue;
        move_prototype(i, users);
        refit_codes(i, users);
    }
}

/// Computes v = E_i gamma^i' = gamma^i' - sum_{j != i} u_j (gamma^j gamma^i'), from (9).
RowCombination PrototypeLearning::left_to_reconstruct(Index i, const std::vector<Index>& users) const {
    Vector v = Vector::Zero(rows());
    Vector shared = Vector::Zero(count());  // gamma^j gamma^i'
    for (const Index s : users) {
        v[s] = codes_(s, i);
        shared += codes_(s, i) * codes_.row(s).transpose();
    }
    for (Index j = 0; j < count(); ++j) {
        if (j == i || shared[j] == 0) continue;
        const RowCombination& u = prototypes_[j];
        for (Index k = 0; k < std::ssize(u.rows); ++k) v[u.rows[k]] -= shared[j] * u.weights[k];
    }
    std::vector<Index> support;
    for (Index s = 0; s < rows(); ++s) {
        if (v[s] != 0) support.push_back(s);
    }
    Vector weights = v(support);
    return {std::move(support), std::move(weights)};
}

/// Solves (10), section 4.2, with |Phi u| = 1, where the codes and the other prototypes stay:
///     min over u   c'u,   c = -2 K E_i gamma^i' + lambda K~ gamma^i' + tau 1
/// The quadratic term of (10) is constant where |Phi u| = 1. So the direction of the minimum of
/// 1/2 u'Ku + c'u is the answer, and its length is made 1.
void PrototypeLearning::move_prototype(Index i, const std::vector<Index>& users) {
    const RowCombination v = left_to_reconstruct(i, users);
    const RowCombination gamma{users, codes_(users, i)};
    const Vector c = (options_.lambda * (gamma.mass() - class_gram_times(gamma).array()) + options_.tau -
                      2 * gram_times(v).array())
                         .matrix();
    const auto found = nonnegative_pursuit(gram_.view(), c, options_.rows_of_prototype);
    RowCombination moved{found.support, as_vector(found.values)};
    const double length = std::sqrt(std::max(squared_length(moved), 0.0));
    if (!(length > 0)) return;
    moved.weights /= length;
    const auto cost = [&](const RowCombination& u) {
        const Vector of_rows = c(u.rows);
        return u.weights.dot(of_rows);
    };
    if (cost(moved) < cost(prototypes_[i])) prototypes_[i] = std::move(moved);
}

/// Finds the best gamma_is >= 0 of each row s that uses prototype i, where all else stays: for the moved u,
///     gamma_is = max(0, (u'K E_i - lambda / 2 u'K~)_s / u'Ku).
void PrototypeLearning::refit_codes(Index i, const std::vector<Index>& users) {
    const RowCombination& u = prototypes_[i];
    const Vector all = gram_times(u);
    const Vector within = class_gram_times(u);
    Vector products(count());  // U'Ku
    for (Index j = 0; j < count(); ++j) products[j] = prototypes_[j].weights.dot(all(prototypes_[j].rows));
    const double square = products[i];
    products[i] = 0;  // The shares of the other prototypes are left.
    const double mass = u.mass();
    for (const Index s : users) {
        const double value =
            all[s] - codes_.row(s).dot(products) - 0.5 * options_.lambda * (mass - within[s]);
        codes_(s, i) = std::max(0.0, value / square);
    }
}

void PrototypeLearning::drop_unused() {
    std::vector<Index> used;
    std::vector<RowCombination> prototypes;
    for (Index i = 0; i < count(); ++i) {
        if ((codes_.col(i).array() == 0).all()) continue;
        used.push_back(i);
        prototypes.push_back(std::move(prototypes_[i]));
    }
    prototypes_ = std::move(prototypes);
    codes_ = Matrix(codes_(Eigen::all, used));
}

LearningTerms PrototypeLearning::terms() const {
    const Products known = products();
    const Vector mass = masses();
    LearningTerms terms;
    for (Index s = 0; s < rows(); ++s) {
        const auto gamma = codes_.row(s);
        terms.reconstruction +=
            gram_(s, s) - 2 * gamma.dot(known.all.row(s)) + quadratic_form(gamma, known.gram);
        terms.discrimination += options_.lambda * gamma.dot(mass.transpose() - known.within.row(s));
    }
    terms.sparsity = options_.tau * mass.sum();
    return terms;
}

LargeMatrix PrototypeLearning::reconstruction() const {
    LargeMatrix product(rows(), rows());
    parallel_for_rows(rows(), product.cols(), control_, [&](Index s) { product.view().row(s).setZero(); });
    for (Index s = 0; s < rows(); ++s) {
        for (Index i = 0; i < count(); ++i) {
            if (codes_(s, i) == 0) continue;
            const RowCombination& u = prototypes_[i];
            for (Index k = 0; k < std::ssize(u.rows); ++k)
                product(u.rows[k], s) += codes_(s, i) * u.weights[k];
        }
    }
    return product;
}

}  // namespace dk
