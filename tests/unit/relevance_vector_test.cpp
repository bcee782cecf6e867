// SPDX-License-Identifier: Apache-2.0
// These tests compare the solver, which changes one precision at a time, with MacKay's rule, which
// re-estimates all at once from a model of all rows.
#include <Eigen/Dense>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/random.hpp"
#include "model/model.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::relevance_vector_test {
namespace {

/// Makes two classes, one inside and one outside of a circle.
Dataset circle(std::uint64_t seed) {
    Random random(seed);
    std::vector<double> values(60);
    for (double& v : values) v = 2 * random.uniform() - 1;
    std::vector<std::int64_t> labels;
    for (std::size_t i = 0; i < 30; ++i) {
        const double noise = 0.3 * (random.uniform() - 0.5);
        const double squares = values[2 * i] * values[2 * i] + values[2 * i + 1] * values[2 * i + 1];
        labels.push_back(squares + noise > 0.55 ? 1 : -1);
    }
    return with_labels(dense(30, 2, values), labels);
}

/// Makes sin(x) / x with noise.
Dataset noisy_sinc(std::uint64_t seed) {
    Random random(seed);
    std::vector<double> values;
    std::vector<double> targets;
    for (int i = 0; i < 40; ++i) {
        const double x = -4 + 8 * random.uniform();
        double noise = -1.5;
        for (int draw = 0; draw < 3; ++draw) noise += random.uniform();
        values.push_back(x);
        targets.push_back((x == 0 ? 1 : std::sin(x) / x) + 0.2 * noise);
    }
    Dataset data = dense(40, 1, values);
    data.targets = targets;
    return data;
}

struct Learned {
    nlohmann::json report;  // what the function reports
    std::vector<double> decisions;
};

Learned learn(const char* machine, const Dataset& data, double gamma, const char* centred = "yes",
              const char* tolerance = "1e-7") {
    BegunControl control;
    auto settings = default_specification(machine);
    set_parameter(settings, "kernel", text("rbf(gamma=", gamma, ")"));
    set_parameter(settings, "tolerance", tolerance);
    set_parameter(settings, "max_iterations", "100000");
    set_parameter(settings, "centred", centred);
    const Model model = train(data, settings, control);
    return {nlohmann::json::parse(model.training_report).at("functions").at(0),
            decisions(model, data, control)};
}

/// MacKay's rule, alpha_j = (1 - alpha_j Sigma_jj) / mu_j^2 for all j at once, begins with all columns of the
/// kernel matrix, centred and of length 1, and drops those whose precision alpha_j grows without end. mu and
/// Sigma are the mean of the weights, whose first is the bias, and their covariance.
/// Reference: M. E. Tipping, Sparse Bayesian learning and the relevance vector machine, JMLR 1, 2001.
class MackaysRule {
  public:
    MackaysRule(const Dataset& data, double gamma) : regression_(!data.targets.empty()) {
        const Index n = data.rows();
        targets_.resize(n);
        for (Index i = 0; i < n; ++i)
            targets_[i] = regression_ ? data.targets[i] : (data.labels->of_rows[i] == 1 ? 1 : 0);
        Eigen::MatrixXd K(n, n);
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) {
                double squares = 0;
                for (Index c = 0; c < data.cols(); ++c)
                    squares += std::pow(data.dense().row(i)[c] - data.dense().row(j)[c], 2);
                K(i, j) = std::exp(-gamma * squares);
            }
        }
        const Eigen::MatrixXd centring = Eigen::MatrixXd::Identity(n, n).array() - 1.0 / n;
        basis_.resize(n, n + 1);
        basis_ << Eigen::VectorXd::Ones(n), (centring * K * centring).colwise().normalized();
        precisions_ = Eigen::VectorXd::Ones(n + 1);
        precisions_[0] = bias_precision;
        weights_ = Eigen::VectorXd::Zero(n + 1);
        for (Index j = 0; j < n; ++j) rows_.push_back(j);
        noise_variance_ = 0.1 * (targets_.array() - targets_.mean()).square().mean();
    }

    void solve() {
        for (int turn = 0; turn < 200000; ++turn) {
            find_posterior();
            if (renew_precisions() < 1e-11) return find_posterior();
        }
        ADD_FAILURE() << "MacKay's rule does not settle";
    }

    const std::vector<Index>& rows() const { return rows_; }
    Eigen::VectorXd precisions() const { return precisions_.tail(std::ssize(rows_)); }
    double noise_variance() const { return noise_variance_; }
    Eigen::VectorXd decisions() const { return basis_ * weights_; }

    /// Gives log p(t | alpha). Of the Gaussian likelihood, it is that of the targets' covariance
    ///     C = C_0 + 1 1' / alpha_0,    C_0 = sigma^2 I + sum_j phi_j phi_j' / alpha_j,
    /// whose part of the bias is so large that its inverse is taken by the formula of Sherman and Morrison.
    /// Of the Bernoulli likelihood, it is Laplace's approximation, without the bias's prior.
    double evidence() const {
        const Index used = std::ssize(rows_);
        if (!regression_)
            return log_posterior(weights_) +
                   0.5 * (precisions().array().log().sum() - std::log(curvature().determinant()));
        const auto Phi = basis_.rightCols(used);
        const Index n = targets_.size();
        const Eigen::MatrixXd C0 = Phi * precisions().cwiseInverse().asDiagonal() * Phi.transpose() +
                                   noise_variance_ * Eigen::MatrixXd::Identity(n, n);
        const Eigen::LLT<Eigen::MatrixXd> factor(C0);
        const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n);
        const double of_ones = ones.dot(factor.solve(ones));
        const double across = ones.dot(factor.solve(targets_));
        const double energy =
            targets_.dot(factor.solve(targets_)) - across * across / (bias_precision + of_ones);
        const double log_determinant =
            2 * factor.matrixLLT().diagonal().array().log().sum() + std::log1p(of_ones / bias_precision);
        return -0.5 * (n * std::log(2 * std::numbers::pi) + log_determinant + energy);
    }

  private:
    static constexpr double bias_precision = 1e-12;
    static constexpr double endless_precision = 1e8;

    Eigen::VectorXd probabilities(const Eigen::VectorXd& weights) const {
        return (1 + (-(basis_ * weights).array()).exp()).inverse();
    }

    double log_posterior(const Eigen::VectorXd& weights) const {
        double sum = -0.5 * weights.dot(precisions_.cwiseProduct(weights));
        const Eigen::VectorXd p = probabilities(weights);
        for (Index i = 0; i < p.size(); ++i) sum += std::log(targets_[i] == 1 ? p[i] : 1 - p[i]);
        return sum;
    }

    /// Gives Phi' B Phi + A, the inverse of Sigma.
    Eigen::MatrixXd curvature() const {
        Eigen::VectorXd B = Eigen::VectorXd::Constant(targets_.size(), 1 / noise_variance_);
        if (!regression_) {
            const Eigen::ArrayXd p = probabilities(weights_);
            B = p * (1 - p);
        }
        Eigen::MatrixXd H = basis_.transpose() * B.asDiagonal() * basis_;
        H.diagonal() += precisions_;
        return H;
    }

    void find_posterior() {
        if (regression_) {
            weights_ = curvature().llt().solve(basis_.transpose() * targets_ / noise_variance_);
            return;
        }
        for (int step = 0; step < 100; ++step) {
            const Eigen::VectorXd gradient = basis_.transpose() * (targets_ - probabilities(weights_)) -
                                             precisions_.cwiseProduct(weights_);
            if (gradient.norm() < 1e-13) return;
            Eigen::VectorXd direction = curvature().llt().solve(gradient);
            while (log_posterior(weights_ + direction) < log_posterior(weights_) - 1e-12) direction /= 2;
            weights_ += direction;
        }
    }

    /// Gives by how much the logarithm of a precision has changed, or that of the noise variance.
    double renew_precisions() {
        const Eigen::MatrixXd Sigma = curvature().inverse();
        const Eigen::VectorXd known = 1 - precisions_.array() * Sigma.diagonal().array();
        double change = 0;
        const auto renew = [&](double& value, double renewed) {
            change = std::max(change, std::abs(std::log(renewed / value)));
            value = renewed;
        };
        if (regression_)
            renew(noise_variance_, (targets_ - decisions()).squaredNorm() /
                                       (static_cast<double>(targets_.size()) - known.sum()));
        std::vector<Index> kept{0};
        std::vector<Index> rows;
        for (Index j = 1; j < weights_.size(); ++j) {
            renew(precisions_[j], known[j] / (weights_[j] * weights_[j]));
            if (precisions_[j] > endless_precision) continue;
            kept.push_back(j);
            rows.push_back(rows_[j - 1]);
        }
        rows_ = rows;
        basis_ = basis_(Eigen::all, kept).eval();
        precisions_ = precisions_(kept).eval();
        weights_ = weights_(kept).eval();
        return change;
    }

    bool regression_;
    Eigen::VectorXd targets_;
    Eigen::MatrixXd basis_;  // a column of ones for the bias, then those of rows_
    Eigen::VectorXd precisions_;
    Eigen::VectorXd weights_;
    std::vector<Index> rows_;  // the rows whose columns are in use
    double noise_variance_ = 0;
};

void expect_mackays_model(const char* machine, const Dataset& data, double gamma) {
    const Learned found = learn(machine, data, gamma);
    MackaysRule expected(data, gamma);
    expected.solve();
    EXPECT_TRUE(found.report.at("converged").get<bool>());
    EXPECT_EQ(found.report.at("relevant_rows").get<std::vector<Index>>(), expected.rows());
    EXPECT_NEAR(found.report.at("evidence").get<double>(), expected.evidence(), 1e-6);
    const auto precisions = found.report.at("precisions").get<std::vector<double>>();
    ASSERT_EQ(std::ssize(precisions), expected.precisions().size());
    for (std::size_t r = 0; r < precisions.size(); ++r) {
        const double precision = expected.precisions()[static_cast<Index>(r)];
        EXPECT_NEAR(precisions[r], precision, 1e-5 * precision);
    }
    for (std::size_t i = 0; i < found.decisions.size(); ++i)
        EXPECT_NEAR(found.decisions[i], expected.decisions()[static_cast<Index>(i)], 1e-5);
    if (data.targets.empty()) return;
    EXPECT_NEAR(found.report.at("noise_variance").get<double>(), expected.noise_variance(),
                1e-6 * expected.noise_variance());
}

/// On some other problems the two rules end in different optima.
TEST(RelevanceVectors, ClassifiersOfMackaysRule) {
    const std::vector<std::pair<std::uint64_t, double>> seeds_and_gammas{
        {101, 1}, {102, 1}, {106, 1}, {107, 3}, {111, 3}, {111, 1},
        {122, 1}, {123, 1}, {101, 3}, {119, 3}, {123, 3}};
    for (const auto& [seed, gamma] : seeds_and_gammas) {
        SCOPED_TRACE(text("seed ", seed, " gamma ", gamma));
        expect_mackays_model("rvm", circle(seed), gamma);
    }
}

TEST(RelevanceVectors, RegressionsOfMackaysRule) {
    for (const std::uint64_t seed : {201, 209, 211, 213, 220}) {
        SCOPED_TRACE(text("seed ", seed));
        expect_mackays_model("rvr", noisy_sinc(seed), 0.5);
    }
}

TEST(RelevanceVectors, TheEvidenceEndsAboveItsStart) {
    for (std::uint64_t seed = 300; seed < 310; ++seed) {
        const auto evidences =
            learn("rvm", circle(seed), 1).report.at("evidences").get<std::vector<double>>();
        EXPECT_GT(evidences.back(), evidences.front()) << "seed " << seed;
    }
}

TEST(RelevanceVectors, WithoutCentringOnlyRelevantRowsAreNeeded) {
    BegunControl control;
    auto settings = default_specification("rvm");
    set_parameter(settings, "centred", "no");
    set_parameter(settings, "kernel", "rbf(gamma=1)");
    const Dataset data = circle(101);
    const Model model = train(data, settings, control);
    const auto report = nlohmann::json::parse(model.training_report).at("functions").at(0);
    EXPECT_EQ(static_cast<std::size_t>(model.predictor->support_count()), report.at("relevant_rows").size());
    EXPECT_LE(model.predictor->support_count(), 8);
    set_parameter(settings, "centred", "yes");
    EXPECT_EQ(train(data, settings, control).predictor->support_count(), data.rows());
}

TEST(RelevanceVectors, AMovedInputSpaceChangesNothing) {
    // A linear kernel's centred matrix does not know where the origin is.
    Dataset data = circle(102);
    std::vector<double> moved(data.dense().values);
    for (double& v : moved) v += 50;
    Dataset far = data.with_features(DenseMatrix{30, 2, moved});
    BegunControl control;
    auto settings = default_specification("rvm");
    set_parameter(settings, "kernel", "linear");
    const auto near_decisions = decisions(train(data, settings, control), data, control);
    const auto far_decisions = decisions(train(far, settings, control), far, control);
    for (std::size_t i = 0; i < near_decisions.size(); ++i)
        EXPECT_NEAR(near_decisions[i], far_decisions[i], 1e-6);
}

TEST(RelevanceVectors, UnitsOfTheTargetsDoNotMatter) {
    Dataset data = noisy_sinc(209);
    const Learned plain = learn("rvr", data, 0.5, "yes", "1e-5");
    for (double& target : data.targets) target *= 1e9;
    const Learned scaled = learn("rvr", data, 0.5, "yes", "1e-5");
    EXPECT_EQ(plain.report.at("relevant_rows"), scaled.report.at("relevant_rows"));
    for (std::size_t i = 0; i < plain.decisions.size(); ++i)
        EXPECT_NEAR(scaled.decisions[i] / 1e9, plain.decisions[i], 1e-6);
}

TEST(RelevanceVectors, StopsAtItsLimitAndSaysSo) {
    BegunControl control;
    auto settings = default_specification("rvr");
    set_parameter(settings, "kernel", "rbf(gamma=2)");
    set_parameter(settings, "max_iterations", "2");
    const Model model = train(noisy_sinc(201), settings, control);
    const auto report = nlohmann::json::parse(model.training_report).at("functions").at(0);
    EXPECT_FALSE(report.at("converged").get<bool>());
    EXPECT_EQ(report.at("iterations").get<int>(), 2);
}

TEST(RelevanceVectors, DuplicatedRowsAndConstantTargets) {
    Dataset data = noisy_sinc(209);
    std::vector<Index> twice;
    for (Index i = 0; i < 40; ++i) twice.insert(twice.end(), {i, i});
    const Learned found = learn("rvr", data.select(twice), 0.5, "yes", "1e-3");
    EXPECT_TRUE(found.report.at("converged").get<bool>());
    const auto rows = found.report.at("relevant_rows").get<std::vector<double>>();
    for (std::size_t r = 1; r < rows.size(); ++r)  // Never are both rows of a pair relevant.
        EXPECT_NE(std::floor(rows[r] / 2), std::floor(rows[r - 1] / 2));
    data.targets.assign(40, 3.0);
    EXPECT_EQ(learn("rvr", data, 0.5, "yes", "1e-3").report.at("relevant_rows").size(), 0U);
}

}  // namespace
}  // namespace dk::test::relevance_vector_test
