// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/kernel_weighing.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"
#include "solve/smooth/simplex.hpp"

// Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and
// feature selection (IMKPL), CIKM 2019. This file solves (11), section 4.3, where U and Gamma stay:
//
//     min over beta   (E_rec + lambda E_dis + mu E_mk)' beta
//     subject to      beta >= 0, sum beta = 1
//
// But for constants the costs (12) of kernel l are inner products with one matrix W for all kernels. With
// M = U Gamma,
//     E_rec(l) = <K_l, (I - M)(I - M)'>,   E_dis(l) = <K~_l, M>,   E_mk(l) from J_ls of (7),
//     and so
//     e_l = <K_l, W>,   W = (I - M)(I - M)' - lambda D o M + mu (A_other - 2 A_same)
// The solution of this program is a vertex, which is one kernel. So the policies are ours: they keep the
// costs but spread the weights. The policy quadratic does so by adding rho / 2 |beta|^2 to the program.
//
//     paper          here
//     K_l            the matrices of stream_
//     N_i^k          same_[i], whose indicator matrix is A_same; k is options_.neighbours
//     N_i^k barred   other_[i], whose indicator matrix is A_other
//     U, Gamma       learning_; M is learning_.reconstruction()
//     D              1 for rows of one class, which are ordered by class
//     lambda, mu     options_.lambda, options_.mu

namespace dk {

namespace {

std::vector<Index> most_similar(const double* similarities, std::vector<Index> rows, Index limit) {
    const Index count = std::min(limit, std::ssize(rows));
    std::ranges::partial_sort(rows, rows.begin() + count, [&](Index a, Index b) {
        return similarities[a] != similarities[b] ? similarities[a] > similarities[b] : a < b;
    });
    rows.resize(count);
    return rows;
}

}  // namespace

KernelWeighing::KernelWeighing(BankMatrices& stream, const PrototypeLearning& learning,
                               const LargeMatrix& gram, WeighingOptions options, Control& control)
    : stream_(stream), learning_(learning), options_(options), control_(control) {
    const Index n = gram.rows();
    if (options_.kernels == 0)
        options_.kernels = std::max<Index>(2, static_cast<Index>(std::ceil(0.1 * stream.kernels())));
    options_.kernels = std::min(options_.kernels, stream.kernels());
    same_.resize(n);
    other_.resize(n);
    parallel_for(n, control, [&](Index i) {
        const ClassRange& own = learning.class_range(i);
        std::vector<Index> same;
        std::vector<Index> other;
        for (Index s = 0; s < n; ++s) {
            if (s != i) (own.begin <= s && s < own.end() ? same : other).push_back(s);
        }
        same_[i] = most_similar(gram.row(i), std::move(same), options_.neighbours);
        other_[i] = most_similar(gram.row(i), std::move(other), options_.neighbours);
    });
}

/// Computes W.
LargeMatrix KernelWeighing::cost_matrix() const {
    const Index n = learning_.rows();
    LargeMatrix rest = learning_.reconstruction();
    parallel_for(n, control_, [&](Index i) {
        rest.view().row(i) *= -1;
        rest(i, i) += 1;
    });  // I - M
    LargeMatrix w(n, n);
    outer_product(view(rest.data(), n, n), view(w.data(), n, n), control_);
    parallel_for(n, control_, [&](Index i) {
        const ClassRange& own = learning_.class_range(i);
        for (Index j = own.begin; j < own.end(); ++j)
            w(i, j) -= options_.lambda * ((i == j ? 1 : 0) - rest(i, j));  // M
        for (const Index s : same_[i]) w(i, s) -= 2 * options_.mu;
        for (const Index s : other_[i]) w(i, s) += options_.mu;
    });
    return w;
}

/// Computes e_l = <K_l, W>, where the sums of rows are added in their order.
Vector KernelWeighing::costs() {
    const LargeMatrix w = cost_matrix();
    Vector e(stream_.kernels());
    Vector of_rows(w.rows());
    stream_.read([&](Index l, const ConstMatrixView& kernel) {
        parallel_for_rows(w.rows(), w.rows(), control_,
                          [&](Index i) { of_rows[i] = kernel.row(i).dot(w.view().row(i)); });
        e[l] = of_rows.sum();
    });
    return e;
}

/// Finds the weights for the costs e by the policy.
std::vector<double> KernelWeighing::weights_of(const Vector& e) {
    if (options_.policy == WeightPolicy::lp_vertex) return cheapest_vertex(as_span(e));
    if (options_.policy == WeightPolicy::capped) return cheapest_equally(as_span(e), options_.kernels);
    // The objective would not be one function if rho changed, so it is chosen once.
    if (rho_ == 0) rho_ = quadratic_weight(as_span(e), options_.kernels);
    return quadratic_simplex(as_span(e), rho_);
}

Vector KernelWeighing::weights() {
    const std::vector<double> beta = weights_of(costs());
    return as_vector(beta);
}

/// Computes (7), where |Phi(x_i) - Phi(x_s)|^2 = 2 - 2 K_is.
double KernelWeighing::local_separation(const LargeMatrix& gram) const {
    double sum = 0;
    for (Index i = 0; i < gram.rows(); ++i) {
        for (const Index s : same_[i]) sum += 2 - 2 * gram(i, s);
        for (const Index s : other_[i]) sum += gram(i, s);
    }
    return options_.mu * sum;
}

}  // namespace dk
