// SPDX-License-Identifier: Apache-2.0
// These tests compare DiMKL6 with Gaussians that have explicit covariances in the input space, which is the
// linear kernel's feature space.
#include <Eigen/Dense>
#include <numeric>

#include "support.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk::test::dimkl6_test {
namespace {

KernelWeights weigh(const std::string& specification_text, const Bank& bank, const Dataset& data,
                    int threads = 1) {
    BegunControl control(threads);
    const auto specification = parse_weights(specification_text);
    return specification.strategy->weigh(
        {bank, data, {}, specification.parameters, 1, 1, MemoryBudget(0), control});
}

double index_of(const std::string& specification, const std::string& kernel, const Dataset& data) {
    const KernelWeights result = weigh(specification, make_bank(kernel, data), data);
    for (const auto& [name, value] : result.report.entries()) {
        if (name == "index") return std::get<std::vector<double>>(value).front();
    }
    return -1;
}

/// Computes the mean and covariance of probabilistic PCA: the largest eigenvalues above rho stay, all others
/// become rho.
struct Explicit {
    Eigen::VectorXd mean;
    Eigen::MatrixXd covariance;
};

Explicit explicit_gaussian(const Eigen::MatrixXd& rows, double rho, Index rank) {
    const Eigen::VectorXd mean = rows.colwise().mean();
    const Eigen::MatrixXd centred = rows.rowwise() - mean.transpose();
    const Eigen::MatrixXd covariance = centred.transpose() * centred / static_cast<double>(rows.rows());
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(covariance);
    Eigen::VectorXd values = eigen.eigenvalues();
    for (Index k = 0; k < values.size(); ++k) {
        const bool kept = k >= values.size() - rank && values[k] > rho;
        if (!kept) values[k] = rho;
    }
    return {mean, eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose()};
}

double explicit_distance(const Explicit& p, const Explicit& q) {
    const Eigen::MatrixXd middle = (p.covariance + q.covariance) / 2;
    const Eigen::VectorXd difference = p.mean - q.mean;
    return difference.dot(middle.ldlt().solve(difference)) / 8 +
           0.5 * std::log(middle.determinant() /
                          std::sqrt(p.covariance.determinant() * q.covariance.determinant()));
}

Eigen::MatrixXd rows_of_class(const Dataset& data, Index wanted) {
    std::vector<Index> rows;
    for (Index i = 0; i < data.rows(); ++i) {
        if (data.labels->of_rows[i] == wanted) rows.push_back(i);
    }
    Eigen::MatrixXd out(std::ssize(rows), data.cols());
    for (Index r = 0; r < std::ssize(rows); ++r) {
        for (Index j = 0; j < data.cols(); ++j) out(r, j) = data.dense().row(rows[r])[j];
    }
    return out;
}

TEST(Dimkl6, IsTheDistanceOfExplicitGaussians) {
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 40; ++i) labels.push_back(i % 3 == 0 ? 1 : 0);
    const Dataset data = with_labels(random_dense(40, 4, 31, 0.5), labels);
    for (const double rho : {0.01, 0.5, 0.9}) {
        for (const Index rank : {0, 1, 2, 4, 9}) {
            const double expected = explicit_distance(explicit_gaussian(rows_of_class(data, 1), rho, rank),
                                                      explicit_gaussian(rows_of_class(data, 0), rho, rank));
            const auto options = text("dimkl6(rho=", rho, ", rank=", rank, ")");
            EXPECT_NEAR(index_of(options, "linear", data), expected, 1e-11 * std::max(1.0, expected))
                << options;
        }
    }
}

/// Similarities that nobody knows the rows of are inner products of the rows V sqrt(D), where V D V' is the
/// matrix's eigendecomposition.
TEST(Dimkl6, IsTheDistanceOfGaussiansOfRowsThatHaveTheSimilarities) {
    const std::vector<double> matrix{1,  .8, .6, .2, .1, .8, 1,  .7, .3, .2, .6, .7, 1,
                                     .1, .4, .2, .3, .1, 1,  .5, .1, .2, .4, .5, 1};
    const Dataset data = with_labels(gram_data(5, matrix), {1, 1, 1, -1, -1});
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
        Eigen::Map<const Eigen::MatrixXd>(matrix.data(), 5, 5));
    ASSERT_GT(eigen.eigenvalues().minCoeff(), 0.1);
    const Eigen::MatrixXd rows = eigen.eigenvectors() * eigen.eigenvalues().cwiseSqrt().asDiagonal();
    for (const Index rank : {1, 2}) {
        const double expected = explicit_distance(explicit_gaussian(rows.topRows(3), 0.05, rank),
                                                  explicit_gaussian(rows.bottomRows(2), 0.05, rank));
        EXPECT_NEAR(index_of(text("dimkl6(rho=0.05, rank=", rank, ")"), "gram(0)", data), expected, 1e-11);
    }
}

TEST(Dimkl6, EqualClassesAreAtDistanceZero) {
    auto values = normal_values(30, 32);
    values.insert(values.end(), values.begin(), values.end());
    std::vector<std::int64_t> labels(10, 0);
    labels.insert(labels.end(), 10, 1);
    const Dataset data = with_labels(dense(20, 3, values), labels);
    EXPECT_NEAR(index_of("dimkl6", "rbf(gamma=0.3)", data), 0, 1e-10);
}

TEST(Dimkl6, MoreClassesAreTheMeanOverPairs) {
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 30; ++i) labels.push_back(i < 12 ? 0 : i < 22 ? 1 : 2);
    const Dataset data = with_labels(random_dense(30, 3, 33, 1), labels);
    const std::vector<Explicit> gaussians{explicit_gaussian(rows_of_class(data, 0), 0.1, 2),
                                          explicit_gaussian(rows_of_class(data, 1), 0.1, 2),
                                          explicit_gaussian(rows_of_class(data, 2), 0.1, 2)};
    const double expected = (120 * explicit_distance(gaussians[0], gaussians[1]) +
                             96 * explicit_distance(gaussians[0], gaussians[2]) +
                             80 * explicit_distance(gaussians[1], gaussians[2])) /
                            296;
    EXPECT_NEAR(index_of("dimkl6(rho=0.1, rank=2)", "linear", data), expected, 1e-11);
}

TEST(Dimkl6, TheSameBitsForAnyThreads) {
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 1000; ++i) labels.push_back(i % 2);
    const Dataset data = with_labels(random_dense(1000, 5, 34),
                                     labels);  // So many rows take the Krylov method, not the decomposition.
    const Bank bank = make_bank("[rbf(gamma=0.1), rbf(gamma=1)]", data);
    EXPECT_EQ(weigh("dimkl6", bank, data, 1).weights, weigh("dimkl6", bank, data, 3).weights);
}

}  // namespace
}  // namespace dk::test::dimkl6_test
