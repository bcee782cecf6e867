// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/control.hpp"
#include "base/random.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// The rows of each cluster, in their order.
using RowClusters = std::vector<std::vector<Index>>;

/// Divides rows into clusters whose rows are near their mean in feature space, from their kernel matrix K.
/// Clusters begin with the rows of spanning_rows(), and each of at most `rounds` rounds moves every row to
/// the nearest mean. There are fewer clusters than asked for where rows are the same.
RowClusters kernel_k_means(const ConstMatrixRef& gram, Index clusters, Index rounds, Control& control);

/// Does the same from clusters that are there already, in place, and tells whether no row moves any more.
bool improve_clusters(const ConstMatrixRef& gram, RowClusters& clusters, Index rounds, Control& control);

/// Moves single rows to other clusters as long as that lowers the sum of squared distances (Hartigan,
/// Clustering algorithms, 1975), in place, and tells whether no row moves any more after so many rounds
/// through all of them. Then each row is nearest to the mean of its own cluster, as after improve_clusters(),
/// and fewer clusters are that good. Keeps a number for each row and cluster.
bool move_single_rows(const ConstMatrixRef& gram, RowClusters& clusters, Index rounds, Control& control);

/// Gives the sum of the squared distances of all rows from the means of their clusters.
double cluster_energy(const ConstMatrixRef& gram, const RowClusters& clusters, Control& control);

/// Draws a row for each cluster, the first by chance and each further one with a probability that grows with
/// its squared distance from the nearest of those before (Arthur, Vassilvitskii, k-means++: the advantages of
/// careful seeding, SODA 2007). They are fewer where all other rows are the same as some of them.
RowClusters spread_seeds(const ConstMatrixRef& gram, Index clusters, Random& random, Control& control);

}  // namespace dk
