// SPDX-License-Identifier: Apache-2.0
#include "machine/dictionary/kernel_weighing.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "matrix/cholesky.hpp"
#include "solve/smooth/diverse_simplex.hpp"
#include "solve/smooth/simplex.hpp"

// Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation and
// feature selection (IMKPL), CIKM 2019. This file solves (11), section 4.3, where U and Gamma stay, with two
// terms of ours (the last two):
//
//     min over beta   (E_rec + lambda E_dis + mu E_mk)' beta + omega s'beta + rho / 2 beta'(A + kappa I) beta
//     subject to      beta >= 0, sum beta = 1
//
// But for constants the costs (12) of kernel l are inner products with one matrix W for all kernels. With
// M = U Gamma,
//     E_rec(l) = <K_l, (I - M)(I - M)'>,   E_dis(l) = <K~_l, M>,   E_mk(l) from J_ls of (7),
//     and so
//     e_l = <K_l, W> + omega s_l,   W = (I - M)(I - M)' - lambda D o M + mu (A_other - 2 A_same)
// A kernel that tells nothing, but is flat, has low costs: <K_l, W> of such a kernel is s_l times the sum of
// W's elements off the diagonal, in expectation. So omega is minus this sum, which makes its costs 0
// (centre=all), or minus the sum of the last term alone (centre=local). Omega and rho are chosen in the first
// step and stay, so that the objective is one function from then on.
//
// The paper's program, rho = 0, is solved by one kernel. Policies that spread the weights: `diverse`
// penalises them by the likeness A of kernels, so that near copies share one weight; `quadratic` has A = I.
//
//     paper          here
//     K_l            the matrices of stream_
//     N_i^k          same_[i], whose indicator matrix is A_same; k is options_.neighbours
//     N_i^k barred   other_[i], whose indicator matrix is A_other
//     U, Gamma       learning_; M is learning_.reconstruction()
//     D              1 for rows of one class, which are ordered by class
//     lambda, mu     options_.lambda, options_.mu
//     -- s_l         facts_.mean_similarities(), the mean of K_l off the diagonal
//     -- A           facts_.alignments()

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

KernelWeighing::KernelWeighing(BankMatrices& stream, const BankFacts& facts,
                               const PrototypeLearning& learning, const LargeMatrix& gram,
                               WeighingOptions options, Control& control)
    : stream_(stream),
      facts_(facts),
      learning_(learning),
      options_(options),
      control_(control),
      beta_(equal_weights(facts)) {
    const Index n = gram.rows();
    const Index usable = std::ssize(facts.informative());
    if (options_.kernels == 0) options_.kernels = std::max<Index>(2, (usable + 1) / 2);
    options_.kernels = std::min(options_.kernels, usable);
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
    parallel_for_rows(n, n, control_, [&](Index i) {
        rest.view().row(i) *= -1;
        rest(i, i) += 1;
    });  // I - M
    LargeMatrix w(n, n);
    outer_product(view(rest.data(), n, n), view(w.data(), n, n), control_);
    parallel_for_rows(n, n, control_, [&](Index i) {
        const ClassRange& own = learning_.class_range(i);
        for (Index j = own.begin; j < own.end(); ++j)
            w(i, j) -= options_.lambda * ((i == j ? 1 : 0) - rest(i, j));  // M
        for (const Index s : same_[i]) w(i, s) -= 2 * options_.mu;
        for (const Index s : other_[i]) w(i, s) += options_.mu;
    });
    return w;
}

/// Computes omega for the first W.
double KernelWeighing::reward_of_flatness(const LargeMatrix& w) const {
    double sum = 0;
    if (options_.centre == Centring::all) sum = w.view().sum() - w.view().diagonal().sum();
    if (options_.centre == Centring::local) {
        for (Index i = 0; i < w.rows(); ++i)
            sum += options_.mu * (std::ssize(other_[i]) - 2.0 * std::ssize(same_[i]));
    }
    return -sum;
}

/// Computes e_l of the kernels that are not flat, where the sums of rows are added in their order.
Vector KernelWeighing::costs() {
    const LargeMatrix w = cost_matrix();
    if (!omega_) omega_ = reward_of_flatness(w);
    const auto& informative = facts_.informative();
    Vector e = *omega_ * facts_.mean_similarities()(informative);
    Vector of_rows(w.rows());
    Index place = 0;
    stream_.read(informative, [&](Index, const ConstMatrixView& kernel) {
        parallel_for_rows(w.rows(), w.rows(), control_,
                          [&](Index i) { of_rows[i] = kernel.row(i).dot(w.view().row(i)); });
        e[place++] += of_rows.sum();
    });
    return e;
}

/// Finds the weights for the costs e by the policy.
Vector KernelWeighing::weights_of(const Vector& e) {
    if (options_.policy == WeightPolicy::diverse) return diverse_weights(e);
    if (options_.policy == WeightPolicy::lp_vertex) return as_vector(cheapest_vertex(as_span(e)));
    if (options_.policy == WeightPolicy::capped)
        return as_vector(cheapest_equally(as_span(e), options_.kernels));
    if (!rho_) rho_ = quadratic_weight(as_span(e), options_.kernels);
    Vector beta = as_vector(quadratic_simplex(as_span(e), *rho_));
    penalty_ = 0.5 * *rho_ * beta.squaredNorm();
    return beta;
}

/// Rho is a multiple of what lies between the median of the costs and the least of them.
Vector KernelWeighing::diverse_weights(const Vector& e) {
    std::vector<double> ascending(e.begin(), e.end());
    std::ranges::sort(ascending);
    const double median = 0.5 * (ascending[(ascending.size() - 1) / 2] + ascending[ascending.size() / 2]);
    const double spread = median - ascending.front();
    Vector start = beta_(facts_.informative());
    if (!rho_) {
        rho_ = options_.rho * spread;
        // Only kernels that had a weight are compared with the others, so that not all of them begin with
        // one.
        start = as_vector(cheapest_vertex(as_span(e)));
    }
    const DiverseProgram program{.e = e,
                                 .column = [&](Index l) -> const Vector& { return facts_.alignments(l); },
                                 .rho = *rho_,
                                 .kappa = options_.kappa};
    DiverseSolution found = solve_diverse(program, std::move(start), 1e-5 * spread);
    penalty_ = diverse_objective(program, found.x) - e.dot(found.x);
    gap_ = spread > 0 ? found.gap / spread : 0;
    return std::move(found.x);
}

const Vector& KernelWeighing::weights() {
    if (options_.policy != WeightPolicy::uniform) beta_(facts_.informative()) = weights_of(costs());
    return beta_;
}

double KernelWeighing::own_terms() const {
    return omega_.value_or(0) * facts_.mean_similarities().dot(beta_) + penalty_;
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
