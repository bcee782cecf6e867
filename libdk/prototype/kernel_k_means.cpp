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

RowClusters clusters_of(const std::vector<Index>& nearest, Index count) {
    RowClusters clusters(count);
    for (std::size_t i = 0; i < nearest.size(); ++i) clusters[nearest[i]].push_back(static_cast<Index>(i));
    std::erase_if(clusters, [](const std::vector<Index>& rows) { return rows.empty(); });
    return clusters;
}

/// Finds the cluster whose mean is nearest to each row; K_ii is the same for all of them.
std::vector<Index> nearest_means(const ConstMatrixRef& gram, const RowClusters& clusters, Control& control) {
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

RowClusters kernel_k_means(const ConstMatrixRef& gram, Index clusters, Index rounds, Control& control) {
    RowClusters now;
    const ConstMatrixView similarities = view(gram.data(), gram.rows(), gram.cols(), gram.outerStride());
    std::vector<Index> rows(gram.rows());
    std::iota(rows.begin(), rows.end(), Index{0});
    for (const Index seed : spanning_rows(RowDistances(similarities, std::move(rows)), clusters, control))
        now.push_back({seed});
    improve_clusters(gram, now, rounds, control);
    return now;
}

bool improve_clusters(const ConstMatrixRef& gram, RowClusters& clusters, Index rounds, Control& control) {
    std::vector<Index> nearest;
    for (Index round = 0; round < rounds; ++round) {
        std::vector<Index> renewed = nearest_means(gram, clusters, control);
        if (renewed == nearest) return true;
        nearest = std::move(renewed);
        clusters = clusters_of(nearest, std::ssize(clusters));
    }
    return false;
}

/// A row that leaves cluster a of n_a rows lowers the sum by n_a / (n_a - 1) d_a, its squared distance d_a
/// from the mean, and raises it by n_b / (n_b + 1) d_b where it joins b.
void move_single_rows(const ConstMatrixRef& gram, RowClusters& clusters, Control& control) {
    constexpr double rounding = 1e-12;
    const Index n = gram.rows();
    const Index count = std::ssize(clusters);
    std::vector<Index> own(n);
    Matrix sums = Matrix::Zero(count, n);  // s_ci
    Vector sizes(count);
    for (Index c = 0; c < count; ++c) {
        sizes[c] = static_cast<double>(clusters[c].size());
        for (const Index j : clusters[c]) {
            own[j] = c;
            sums.row(c) += gram.row(j);
        }
    }
    Vector squares = Vector::Zero(count);  // q_c
    for (Index i = 0; i < n; ++i) squares[own[i]] += sums(own[i], i);
    const auto distance = [&](Index i, Index c) {
        return gram(i, i) - 2 * sums(c, i) / sizes[c] + squares[c] / (sizes[c] * sizes[c]);
    };
    for (bool moved = true; moved;) {
        moved = false;
        control.check();
        for (Index i = 0; i < n; ++i) {
            const Index from = own[i];
            if (sizes[from] < 2) continue;
            const double saved = sizes[from] / (sizes[from] - 1) * distance(i, from);
            Index to = from;
            double least = saved - rounding * std::abs(gram(i, i));
            for (Index c = 0; c < count; ++c) {
                const double cost = c == from ? infinity : sizes[c] / (sizes[c] + 1) * distance(i, c);
                if (cost < least) {
                    least = cost;
                    to = c;
                }
            }
            if (to == from) continue;
            squares[from] += gram(i, i) - 2 * sums(from, i);
            squares[to] += gram(i, i) + 2 * sums(to, i);
            sums.row(from) -= gram.row(i);
            sums.row(to) += gram.row(i);
            --sizes[from];
            ++sizes[to];
            own[i] = to;
            moved = true;
        }
    }
    clusters = clusters_of(own, count);
}

double cluster_energy(const ConstMatrixRef& gram, const RowClusters& clusters) {
    double energy = gram.diagonal().sum();
    for (const auto& rows : clusters) {
        double sum = 0;
        for (const Index i : rows) {
            for (const Index j : rows) sum += gram(i, j);
        }
        energy -= sum / static_cast<double>(rows.size());
    }
    return energy;
}

RowClusters spread_seeds(const ConstMatrixRef& gram, Index clusters, Random& random) {
    const Index n = gram.rows();
    const auto distances_from = [&](Index seed) -> Vector {
        const Vector squares =
            gram.diagonal().array() + gram(seed, seed) - 2 * gram.row(seed).transpose().array();
        return squares.cwiseMax(0.0);
    };
    RowClusters seeds{{static_cast<Index>(random.below(n))}};
    Vector nearest = distances_from(seeds[0][0]);
    while (std::ssize(seeds) < clusters && nearest.maxCoeff() > 0) {
        const double drawn = random.uniform() * nearest.sum();
        double passed = 0;
        Index seed = 0;
        for (Index i = 0; i < n; ++i) {
            if (!(nearest[i] > 0)) continue;
            seed = i;
            passed += nearest[i];
            if (passed > drawn) break;
        }
        seeds.push_back({seed});
        nearest = nearest.cwiseMin(distances_from(seed));
    }
    return seeds;
}

}  // namespace dk
