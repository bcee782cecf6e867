// SPDX-License-Identifier: Apache-2.0
//
// Similarities K of rows are a graph, whose division into k clusters with few similarities between them is
// relaxed to eigenvectors:
//
//     L = D^-1/2 K D^-1/2,  D = diag(K 1)
//     X = the k eigenvectors of L with the largest eigenvalues, rows x k
//     Y = X with rows of length 1, which k-means divides
//
//     paper    code
//     A        gram, here with its diagonal
//     L        normalised
//     X, Y     embedded, before and after its rows are scaled
//
// A. Ng, M. Jordan, Y. Weiss, On spectral clustering: analysis and an algorithm, NIPS 2001.
#include "machine/clustering/spectral_clusters.hpp"

#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/eigen/leading_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

FoundClusters spectral_clusters(const ConstMatrixRef& gram, Index clusters, Index starts, Index rounds,
                                std::uint64_t seed, Control& control) {
    const Index n = gram.rows();
    if (gram.minCoeff() < 0)
        fail(Status::unsupported,
             "method=spectral takes similarities of at least 0, such as those of rbf; there is ",
             gram.minCoeff());
    const Vector degrees = gram.rowwise().sum();
    if (!(degrees.minCoeff() > 0))
        fail(Status::numerical, "method=spectral: a row is like no row, not even itself");
    const Vector roots = degrees.cwiseSqrt().cwiseInverse();
    LargeMatrix normalised(n, n);
    parallel_for_rows(n, n, control, [&](Index i) {
        normalised.view().row(i) = roots[i] * gram.row(i).cwiseProduct(roots.transpose());
    });
    const LeadingEigen leading = leading_eigen(normalised.view(), clusters, 0, control);
    Matrix embedded = leading.vectors.transpose();
    for (Index i = 0; i < n; ++i) {
        const double length = embedded.row(i).norm();
        if (length > 0) embedded.row(i) /= length;
    }
    multiply_transposed(embedded, embedded, normalised.view(), Into::assign);
    return best_clusters(std::as_const(normalised).view(), clusters, starts, rounds, seed, control);
}

}  // namespace dk
