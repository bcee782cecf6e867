// SPDX-License-Identifier: Apache-2.0
// Ridge regression on M landmarks is ridge regression in M features, where the n rows have the features
//
//     Phi = K_nM W,   such that   W' K_MM W = I   and   Phi' Phi = Lambda, a diagonal matrix.
//
// With K_MM = U D U' and W_0 = U D^-1/2, this is W = W_0 V for the eigenvectors V of W_0' K_nM' K_nM W_0.
// Then, for every ridge, the solution and the leverages h are sums of a term a feature,
//
//     A = W (Lambda + ridge I)^-1 Phi' Y,   h_i = sum_j Phi_ij^2 / (Lambda_j + ridge),
//
// and all other rows predict (f_i - h_i y_i) / (1 - h_i) of row i. An offset b is that of features and
// targets less their means: K_nM' K_nM loses n times the square of its means, and h_i gains 1 / n. Rows of
// weights w have Phi, Y and 1 multiplied with the roots of w, and n is the sum of w.
//
// K_nM' K_nM is known up to its rounding, which W magnifies in directions in which landmarks hardly differ.
// So eigenvalues of K_MM below `least_eigenvalue_share` of the largest are left out, and those of Phi' Phi
// below 0 are 0. For ridges that are smaller than what these directions have of Phi, from about 1e-4 on where
// K has 1 on its diagonal, the leave-one-out errors are those of a machine with fewer landmarks.
//
//     letters         code
//     W, Lambda       map_, eigenvalues_
//     Phi' Y          right_
//     Phi', Phi^2'    Leverages::features, Leverages::squares
//     f, h            `found`, h of left_out()
//     b, y            Solution::offsets, target_means_
//
// A. Rudi, L. Carratino, L. Rosasco, FALKON, NIPS 2017, has the program; the leave-one-out error of linear
// smoothers is D. Allen's, The relationship between variable selection and data augmentation and a method for
// prediction, Technometrics 16, 1974.
#include "solve/landmarks/landmark_spectrum.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr double least_eigenvalue_share = 1e-10;

/// Gives W_0: the eigenvectors of K_MM over the roots of their eigenvalues, landmarks x features.
LargeMatrix whitening(const ConstMatrixRef& landmark_gram, Control& control) {
    const Index m = landmark_gram.rows();
    LargeMatrix copy(m, m);
    parallel_for_rows(m, m, control, [&](Index i) { copy.view().row(i) = landmark_gram.row(i); });
    const SymmetricEigen eigen = symmetric_eigen(std::move(copy), control);
    const double largest = eigen.values[m - 1];
    if (!(largest > 0)) fail(Status::numerical, "the kernel is zero between all landmarks");
    Index first = 0;
    while (!(eigen.values[first] > least_eigenvalue_share * largest)) ++first;
    const Vector roots = eigen.values.tail(m - first).cwiseSqrt();
    LargeMatrix map(m, m - first);
    parallel_for_rows(m, m, control, [&](Index i) {
        for (Index k = first; k < m; ++k) map(i, k - first) = eigen.vectors(k, i) / roots[k - first];
    });
    return map;
}

}  // namespace

LandmarkSums centred_sums(const LandmarkSums& sums, Control& control) {
    const Index m = sums.landmarks();
    const double n = sums.weight;
    LandmarkSums out{.weight = sums.weight,
                     .square = LargeMatrix(m, m),
                     .right = sums.right - sums.values * sums.targets / n,
                     .values = Vector::Zero(m),
                     .targets = Eigen::RowVectorXd::Zero(sums.targets.size()),
                     .cost = sums.cost};
    parallel_for_rows(m, m, control, [&](Index i) {
        out.square.view().row(i) = sums.square.view().row(i) - sums.values[i] / n * sums.values.transpose();
    });
    return out;
}

LandmarkSpectrum::LandmarkSpectrum(const ConstMatrixRef& landmark_gram, const LandmarkSums& sums, bool offset,
                                   Control& control)
    : offset_(offset), weight_(sums.weight), value_means_(sums.values / sums.weight) {
    const ProgressHold hold(control);
    target_means_ = sums.targets / weight_;
    if (!offset) {
        value_means_.setZero();
        target_means_.setZero();
    }
    std::optional<LandmarkSums> centred;
    if (offset) centred.emplace(centred_sums(sums, control));
    const LandmarkSums& used = offset ? *centred : sums;
    const LargeMatrix white = whitening(landmark_gram, control);
    const Index features = white.cols();
    LargeMatrix half(white.rows(), features);  // K_nM' K_nM W_0
    multiply(used.square.view(), white.view(), half.view(), Into::assign, control);
    LargeMatrix square(features, features);
    transposed_multiply(white.view(), half.view(), square.view(), Into::assign, control);
    square.view() = (0.5 * (square.view() + square.view().transpose())).eval();
    const SymmetricEigen eigen = symmetric_eigen(std::move(square), control);
    eigenvalues_ = eigen.values.cwiseMax(0.0);
    map_ = LargeMatrix(white.rows(), features);
    multiply_transposed(white.view(), eigen.vectors.view(), map_.view(), Into::assign, control);
    right_ = Matrix(features, used.right.cols());
    transposed_multiply(map_.view(), used.right, right_, Into::assign, control);
    feature_means_ = map_.view().transpose() * value_means_;
}

LandmarkSpectrum::Solution LandmarkSpectrum::solve(double ridge, Control& control) const {
    const Matrix of_features = (eigenvalues_.array() + ridge).inverse().matrix().asDiagonal() * right_;
    Solution solution{.coefficients = Matrix(map_.rows(), right_.cols()), .offsets = target_means_};
    multiply(map_.view(), of_features, solution.coefficients, Into::assign, control);
    if (offset_) solution.offsets -= value_means_.transpose() * solution.coefficients;
    return solution;
}

LandmarkSpectrum::Leverages LandmarkSpectrum::leverages(const ConstMatrixRef& values, const Vector& roots,
                                                        Control& control) const {
    Leverages found{LargeMatrix(eigenvalues_.size(), values.cols()),
                    LargeMatrix(eigenvalues_.size(), values.cols()), roots};
    transposed_multiply(map_.view(), values, found.features.view(), Into::assign, control);
    parallel_for_rows(eigenvalues_.size(), values.cols(), control, [&](Index j) {
        found.features.view().row(j) -= feature_means_[j] * roots.transpose();
        found.squares.view().row(j) = found.features.view().row(j).cwiseAbs2();
    });
    return found;
}

std::vector<Matrix> LandmarkSpectrum::left_out(const Leverages& leverages, const ConstMatrixRef& targets,
                                               std::span<const double> ridges, Control& control) const {
    const Index count = std::ssize(ridges);
    const Index columns = right_.cols();
    Matrix shares(eigenvalues_.size(), count);
    Matrix of_features(eigenvalues_.size(), count * columns);
    for (Index r = 0; r < count; ++r) {
        shares.col(r) = (eigenvalues_.array() + ridges[r]).inverse();
        of_features.middleCols(r * columns, columns) = shares.col(r).asDiagonal() * right_;
    }
    Matrix h(targets.rows(), count);
    transposed_multiply(leverages.squares.view(), shares, h, Into::assign, control);
    if (offset_) h.colwise() += leverages.roots.cwiseAbs2() / weight_;
    Matrix found(targets.rows(), count * columns);
    transposed_multiply(leverages.features.view(), of_features, found, Into::assign, control);
    std::vector<Matrix> predictions(ridges.size(), Matrix(targets.rows(), columns));
    parallel_for_rows(targets.rows(), count * columns, control, [&](Index i) {
        for (Index r = 0; r < count; ++r) {
            const double rest = std::max(1 - h(i, r), std::numeric_limits<double>::epsilon());
            const auto of_all =
                found.row(i).segment(r * columns, columns) + leverages.roots[i] * target_means_;
            predictions[r].row(i) = targets.row(i) - (targets.row(i) - of_all) / rest;
        }
    });
    return predictions;
}

}  // namespace dk
