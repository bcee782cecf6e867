// SPDX-License-Identifier: Apache-2.0
// k-means in feature space minimises sum_c sum_{i in c} |phi(x_i) - m_c|^2 for the means m_c of clusters. By
// the kernel matrix K alone
//
//     |phi(x_i) - m_c|^2 = K_ii - 2 s_ci / n_c + q_c / n_c^2,
//
// where s_ci is the sum of K_ij, and q_c the sum of K_jl, over the n_c rows j and l of the cluster.
//
// B. Schoelkopf, A. Smola, K.-R. Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
// Computation 10, 1998, section 5.
#include "prototype/kernel_k_means.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "prototype/row_selection.hpp"

namespace dk {

namespace {

using Clusters = std::vector<std::vector<Index>>;

Clusters clusters_of(const std::vector<Index>& nearest, Index count) {
    Clusters clusters(count);
    for (std::size_t i = 0; i < nearest.size(); ++i) clusters[nearest[i]].push_back(static_cast<Index>(i));
    std::erase_if(clusters, [](const std::vector<Index>& rows) { return rows.empty(); });
    return clusters;
}

/// Finds the cluster whose mean is nearest to each row; K_ii is the same for all of them.
std::vector<Index> nearest_means(const ConstMatrixRef& gram, const Clusters& clusters, Control& control) {
    std::vector<Index> nearest(gram.rows(), 0);
    Vector least = Vector::Constant(gram.rows(), infinity);
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        control.check();
        const double n = std::ssize(clusters[c]);
        Vector sums = Vector::Zero(gram.rows());
        for (const Index j : clusters[c]) sums += gram.row(j).transpose();
        const double square = sums(clusters[c]).sum() / (n * n);
        for (Index i = 0; i < gram.rows(); ++i) {
            const double distance = square - 2 * sums[i] / n;
            if (distance < least[i]) {
                least[i] = distance;
                nearest[i] = static_cast<Index>(c);
            }
        }
    }
    return nearest;
}

}  // namespace

Clusters kernel_k_means(const ConstMatrixRef& gram, Index clusters, Index rounds, Control& control) {
    Clusters now;
    const ConstMatrixView similarities = view(gram.data(), gram.rows(), gram.cols(), gram.outerStride());
    std::vector<Index> rows(gram.rows());
    std::iota(rows.begin(), rows.end(), Index{0});
    for (const Index seed : spanning_rows(RowDistances(similarities, std::move(rows)), clusters, control))
        now.push_back({seed});
    std::vector<Index> nearest;
    for (Index round = 0; round < rounds; ++round) {
        std::vector<Index> renewed = nearest_means(gram, now, control);
        if (renewed == nearest) break;
        nearest = std::move(renewed);
        now = clusters_of(nearest, std::ssize(now));
    }
    return now;
}

}  // namespace dk
