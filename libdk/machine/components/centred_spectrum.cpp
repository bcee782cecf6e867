// SPDX-License-Identifier: Apache-2.0
// Kernel principal components are the eigenvectors of the centred kernel matrix,
//
//     Kc = H K H,   H = I - 1 1' / n,   Kc u_j = lambda_j u_j,   lambda_1 >= lambda_2 >= ...,
//
// of which those with lambda_j > 1e-10 lambda_1 are kept. An eigenvector's sign is that with which the first
// of its elements that are as large as its largest is positive. Where the kernel has features F, K = F F',
// the same come from the smaller matrix Fc'Fc v_j = lambda_j v_j of the centred features, u_j = Fc v_j /
// lambda_j^(1/2).
//
//     letter                   name
//     Kc                       centred (first K, then centred in its place)
//     u_j lambda_j^(1/2)       the columns of scores
//
// B. Schoelkopf, A. Smola, K.-R. Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
// Computation 10, 1998.
#include "machine/components/centred_spectrum.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/engine/finite_matrix.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "matrix/eigen/leading_eigen.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr double least_share = 1e-10;          // of the largest eigenvalue
constexpr double least_negative_share = 1e-8;  // beyond which a negative eigenvalue is no rounding
constexpr Index decomposed_whole = 2000;
constexpr Index first_components = 64;  // that are looked for where a share of the variance is asked for

struct Leading {
    Vector values;
    Matrix vectors;      // The eigenvectors are rows.
    bool all = false;    // This tells whether there are no more with eigenvalues that count.
    Index negative = 0;  // of all eigenvalues, where these were found
};

Leading largest_of_all(const SymmetricEigen& eigen, Index most) {
    const Index n = eigen.values.size();
    const double floor = least_share * std::max(eigen.values[n - 1], 0.0);
    Index count = 0;
    while (count < std::min(most, n) && eigen.values[n - 1 - count] > floor) ++count;
    Leading leading{.values = eigen.values.tail(count).reverse(),
                    .vectors = Matrix(count, n),
                    .all = count < most || count == n};
    for (Index j = 0; j < count; ++j) leading.vectors.row(j) = eigen.vectors.view().row(n - 1 - j);
    leading.negative = (eigen.values.array() < -least_negative_share * eigen.values[n - 1]).count();
    return leading;
}

/// Finds at most `most` of the largest eigenvalues.
Leading leading_of(const LargeMatrix& matrix, Index most, Control& control) {
    const Index n = matrix.view().rows();
    if (n <= decomposed_whole || most > n / 4) {
        LargeMatrix copy(n, n);
        copy.view() = matrix.view();
        return largest_of_all(symmetric_eigen(std::move(copy), control), most);
    }
    LeadingEigen found = leading_eigen(matrix.view(), most, 0, control);
    Index count = 0;
    while (count < found.values.size() && found.values[count] > least_share * found.values[0]) ++count;
    return {.values = found.values.head(count), .vectors = found.vectors.topRows(count), .all = count < most};
}

/// Tells how many of the eigenvalues have the share of the trace that is asked for; one more than there are
/// where they have less.
Index components_with(double share, const Vector& values, double trace) {
    double sum = 0;
    for (Index j = 0; j < values.size(); ++j) {
        sum += values[j];
        if (sum >= share * trace * (1 - 1e-12)) return j + 1;
    }
    return values.size() + 1;
}

/// Finds the eigenvalues that are asked for.
Leading chosen_of(const LargeMatrix& matrix, const ComponentChoice& choice, double trace, Control& control) {
    if (choice.variance <= 0) return leading_of(matrix, choice.components, control);
    const Index n = matrix.view().rows();  // What is decomposed whole is decomposed once.
    for (Index most = n <= decomposed_whole ? n : first_components;; most *= 4) {
        Leading leading = leading_of(matrix, std::min(most, n), control);
        const Index count = components_with(choice.variance, leading.values, trace);
        if (count > leading.values.size() && !leading.all) continue;
        const Index kept = std::min(count, leading.values.size());
        return {.values = leading.values.head(kept),
                .vectors = leading.vectors.topRows(kept),
                .all = true,
                .negative = leading.negative};
    }
}

void fix_signs(Matrix& scores) {
    for (Index j = 0; j < scores.cols(); ++j) {
        const double largest = scores.col(j).cwiseAbs().maxCoeff();
        Index first = 0;
        while (std::abs(scores(first, j)) < (1 - 1e-8) * largest) ++first;
        if (scores(first, j) < 0) scores.col(j) *= -1;
    }
}

CentredSpectrum of_whole_matrix(const KernelPointer& kernel, const Dataset& data,
                                const ComponentChoice& choice, Control& control) {
    const double n = data.rows();
    control.memory().require(8 * n * (4 * n + 4),
                             text("the kernel matrix of ", data.rows(), " rows and its eigenvectors"));
    LargeMatrix centred(data.rows(), data.rows());
    {
        const ProgressHold hold(control);
        GramEngine<double>(kernel, data, data, &control).matrices(centred.data(), control);
    }
    require_finite_matrix(*kernel, centred.data(), data.rows(), control);
    CentredSpectrum spectrum;
    spectrum.column_means = centred.view().rowwise().mean();
    spectrum.grand_mean = spectrum.column_means.mean();
    parallel_for_rows(data.rows(), data.rows(), control, [&](Index i) {
        centred.view().row(i).array() += spectrum.grand_mean - spectrum.column_means[i];
        centred.view().row(i) -= spectrum.column_means.transpose();
    });
    spectrum.self = centred.view().diagonal();
    spectrum.trace = spectrum.self.sum();
    const Leading leading = chosen_of(centred, choice, spectrum.trace, control);
    spectrum.eigenvalues = leading.values;
    spectrum.negative_eigenvalues = leading.negative;
    spectrum.scores = leading.vectors.transpose() * leading.values.cwiseSqrt().asDiagonal();
    return spectrum;
}

/// Finds the spectrum from dense features of the rows.
CentredSpectrum of_features(const FeatureRows& features, const ComponentChoice& choice, Control& control) {
    const Index n = features.rows;
    const Index k = features.dimension;
    control.memory().require(8.0 * (1.0 * n * k + 4.0 * k * k), text("centred features of ", n, " rows"));
    Matrix centred = view(features.values, n, k);
    const Eigen::RowVectorXd mean = centred.colwise().mean();
    CentredSpectrum spectrum;
    spectrum.column_means = centred.lazyProduct(mean.transpose());
    spectrum.grand_mean = mean.squaredNorm();
    centred.rowwise() -= mean;
    spectrum.self = centred.rowwise().squaredNorm();
    spectrum.trace = spectrum.self.sum();
    LargeMatrix squares(k, k);
    transposed_multiply(centred, centred, squares.view(), Into::assign, control);
    const Leading leading = chosen_of(squares, choice, spectrum.trace, control);
    spectrum.eigenvalues = leading.values;
    spectrum.scores.resize(n, leading.values.size());
    multiply_transposed(centred, leading.vectors, spectrum.scores, Into::assign, control);
    return spectrum;
}

}  // namespace

Matrix CentredSpectrum::directions() const {
    return scores * eigenvalues.cwiseInverse().asDiagonal();
}

Vector CentredSpectrum::deviations() const {
    return (eigenvalues / static_cast<double>(scores.rows())).cwiseSqrt();
}

CentredSpectrum centred_spectrum(const KernelPointer& kernel, const Dataset& data,
                                 const ComponentChoice& choice, Control& control) {
    const GramEngine<double> engine(kernel, data, data, &control);
    const FeatureRows features = engine.features(Side::left);
    const bool few = features.rows > 0 && !features.sparse() && features.dimension < features.rows;
    CentredSpectrum spectrum =
        few ? of_features(features, choice, control) : of_whole_matrix(kernel, data, choice, control);
    if (spectrum.components() == 0)
        fail(Status::numerical, "the images of all rows are the same; there are no components");
    fix_signs(spectrum.scores);
    return spectrum;
}

}  // namespace dk
