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

#include "base/parallel.hpp"
#include "prototype/row_selection.hpp"

namespace dk {

namespace {

RowClusters clusters_of(const std::vector<Index>& nearest, Index count) {
    RowClusters clusters(count);
    for (std::size_t i = 0; i < nearest.size(); ++i) clusters[nearest[i]].push_back(static_cast<Index>(i));
    std::erase_if(clusters, [](const std::vector<Index>& rows) { return rows.empty(); });
    return clusters;
}

/// Gives s_ci as rows x clusters. Pieces of rows are computed at once, each in the order of the clusters'
/// rows.
Matrix sums_of_clusters(const ConstMatrixRef& gram, const RowClusters& clusters, Control& control) {
    constexpr Index rows_at_once = 512;
    const Index n = gram.rows();
    const Index count = std::ssize(clusters);
    Matrix sums(n, count);
    const ProgressHold hold(control);
    parallel_for((n + rows_at_once - 1) / rows_at_once, 1.0 * n * n, control, [&](Index piece) {
        const Index first = piece * rows_at_once;
        const Index rows = std::min(rows_at_once, n - first);
        Vector sum(rows);
        for (Index c = 0; c < count && !control.stopping(); ++c) {
            sum.setZero();
            for (const Index j : clusters[c]) sum += gram.row(j).segment(first, rows).transpose();
            sums.block(first, c, rows, 1) = sum;
        }
    });
    return sums;
}

/// Gives q_c from s_ci.
Vector squares_of_clusters(const Matrix& sums, const RowClusters& clusters) {
    Vector squares(sums.cols());
    for (Index c = 0; c < sums.cols(); ++c) squares[c] = sums.col(c)(clusters[c]).sum();
    return squares;
}

/// Finds the cluster whose mean is nearest to each row; K_ii is the same for all of them.
std::vector<Index> nearest_means(const ConstMatrixRef& gram, const RowClusters& clusters, Control& control) {
    const Matrix sums = sums_of_clusters(gram, clusters, control);
    const Vector squares = squares_of_clusters(sums, clusters);
    std::vector<Index> nearest(gram.rows(), 0);
    for (Index i = 0; i < gram.rows(); ++i) {
        double least = infinity;
        for (Index c = 0; c < sums.cols(); ++c) {
            const double n = std::ssize(clusters[c]);
            const double distance = squares[c] / (n * n) - 2 * sums(i, c) / n;
            if (distance < least) {
                least = distance;
                nearest[i] = c;
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
/// from the mean, and raises it by n_b / (n_b + 1) d_b where it joins b. What is no more than rounding moves
/// no row.
bool move_single_rows(const ConstMatrixRef& gram, RowClusters& clusters, Index rounds, Control& control) {
    const Index n = gram.rows();
    const Index count = std::ssize(clusters);
    Matrix sums = sums_of_clusters(gram, clusters, control);
    Vector squares = squares_of_clusters(sums, clusters);
    Vector sizes(count);
    std::vector<Index> own(n);
    for (Index c = 0; c < count; ++c) {
        sizes[c] = static_cast<double>(clusters[c].size());
        for (const Index j : clusters[c]) own[j] = c;
    }
    const double rounding = 1e-12 * gram.diagonal().cwiseAbs().maxCoeff();
    const auto distance = [&](Index i, Index c) {
        return gram(i, i) - 2 * sums(i, c) / sizes[c] + squares[c] / (sizes[c] * sizes[c]);
    };
    const auto move = [&](Index i, Index from, Index to) {
        squares[from] += gram(i, i) - 2 * sums(i, from);
        squares[to] += gram(i, i) + 2 * sums(i, to);
        sums.col(from) -= gram.row(i).transpose();
        sums.col(to) += gram.row(i).transpose();
        --sizes[from];
        ++sizes[to];
        own[i] = to;
    };
    bool moved = true;
    for (Index round = 0; moved && round < rounds; ++round) {
        moved = false;
        for (Index i = 0; i < n; ++i) {
            if (i % 256 == 0) control.check();
            const Index from = own[i];
            if (sizes[from] < 2) continue;
            Index to = from;
            double least = sizes[from] / (sizes[from] - 1) * distance(i, from) - rounding;
            for (Index c = 0; c < count; ++c) {
                const double cost = c == from ? infinity : sizes[c] / (sizes[c] + 1) * distance(i, c);
                if (cost < least) {
                    least = cost;
                    to = c;
                }
            }
            if (to == from) continue;
            move(i, from, to);
            moved = true;
        }
    }
    clusters = clusters_of(own, count);
    return !moved;
}

double cluster_energy(const ConstMatrixRef& gram, const RowClusters& clusters, Control& control) {
    const Vector squares = squares_of_clusters(sums_of_clusters(gram, clusters, control), clusters);
    double energy = gram.diagonal().sum();
    for (Index c = 0; c < squares.size(); ++c) energy -= squares[c] / static_cast<double>(clusters[c].size());
    return energy;
}

RowClusters spread_seeds(const ConstMatrixRef& gram, Index clusters, Random& random, Control& control) {
    const Index n = gram.rows();
    const auto distances_from = [&](Index seed) -> Vector {
        const Vector squares =
            gram.diagonal().array() + gram(seed, seed) - 2 * gram.row(seed).transpose().array();
        return squares.cwiseMax(0.0);
    };
    RowClusters seeds{{static_cast<Index>(random.below(n))}};
    Vector nearest = distances_from(seeds[0][0]);
    while (std::ssize(seeds) < clusters && nearest.maxCoeff() > 0) {
        control.check();
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
