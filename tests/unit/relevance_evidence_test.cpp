// SPDX-License-Identifier: Apache-2.0
// Relevance vector regressions of clean and of noisy targets have at least the evidence where Tipping's own
// iteration ends, which is computed here by orthogonal factors and so needs no clean product of the basis.
#include <Eigen/Dense>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/random.hpp"
#include "model/model.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::relevance_evidence_test {
namespace {

double sinc(double x) {
    return x == 0 ? 1 : std::sin(x) / x;
}

/// Makes sin(x) / x at so many points from -10 to `last`.
Dataset sinc_data(Index count, double last, double noise) {
    Random random(5);
    std::vector<double> values;
    std::vector<double> targets;
    for (Index i = 0; i < count; ++i) {
        const double x = -10 + (last + 10) * static_cast<double>(i) / static_cast<double>(count - 1);
        double sum = -6;  // of twelve uniform numbers, whose deviation is 1
        for (int draw = 0; draw < 12; ++draw) sum += random.uniform();
        values.push_back(x);
        targets.push_back(sinc(x) + noise * sum);
    }
    Dataset data = dense(count, 1, values);
    data.targets = targets;
    return data;
}

Model regression_of(const Dataset& data, double gamma) {
    BegunControl control;
    auto settings = default_specification("rvr");
    set_parameter(settings, "kernel", text("rbf(gamma=", gamma, ")"));
    set_parameter(settings, "centred", "no");
    return train(data, settings, control);
}

nlohmann::json report_of(const Model& model) {
    return nlohmann::json::parse(model.training_report).at("functions").at(0);
}

/// Runs alpha_j <- (1 - alpha_j Sigma_jj) / mu_j^2 and MacKay's rule for the noise from all columns, of
/// length 1, and gives the evidence at the end. The noise is at least 1e-12 of the targets' variance, as the
/// library has it, since the evidence of targets without noise grows without end as it falls.
/// Reference: M. E. Tipping, JMLR 1, 2001, equations (15) to (18), with his choice 1 / n^2 of all first
/// alphas.
double evidence_of_tippings_iteration(const Dataset& data, double gamma) {
    const Index n = data.rows();
    const Eigen::VectorXd t = Eigen::Map<const Eigen::VectorXd>(data.targets.data(), n);
    const double variance = (t.array() - t.mean()).square().mean();
    Eigen::MatrixXd Phi(n, n + 1);
    Phi.col(0).setOnes();
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j)
            Phi(i, j + 1) = std::exp(-gamma * std::pow(data.dense().row(i)[0] - data.dense().row(j)[0], 2));
    }
    Phi.rightCols(n).colwise().normalize();
    Eigen::VectorXd alpha = Eigen::VectorXd::Constant(n + 1, 1 / (variance * static_cast<double>(n * n)));
    alpha[0] = 1e-12;
    double noise = 0.1 * variance;
    double evidence = 0;
    for (int turn = 0; turn < 5000; ++turn) {
        const Index m = alpha.size();
        Eigen::MatrixXd stacked(n + m, m);
        stacked << Phi / std::sqrt(noise), Eigen::MatrixXd(alpha.cwiseSqrt().asDiagonal());
        Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
        right.head(n) = t / std::sqrt(noise);
        const Eigen::HouseholderQR<Eigen::MatrixXd> split(stacked);
        const Eigen::MatrixXd R = split.matrixQR().topRows(m).triangularView<Eigen::Upper>();
        const Eigen::VectorXd mu = split.solve(right);
        const Eigen::MatrixXd inverse =
            R.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(m, m));
        const Eigen::VectorXd known = 1 - alpha.array() * inverse.rowwise().squaredNorm().array();
        const Eigen::VectorXd left = t - Phi * mu;
        evidence =
            0.5 * alpha.array().log().sum() - R.diagonal().array().abs().log().sum() -
            0.5 * (static_cast<double>(n) * std::log(2 * std::numbers::pi * noise) + t.dot(left) / noise);
        const double free = std::max(static_cast<double>(n) - known.sum(), 1e-3);
        noise = std::max(left.squaredNorm() / free, 1e-12 * variance);
        std::vector<Index> kept{0};
        std::vector<double> renewed{1e-12};
        double change = 0;
        for (Index j = 1; j < m; ++j) {
            const double value = known[j] / (mu[j] * mu[j]);
            if (!(known[j] > 0) || !(value < 1e9)) continue;
            change = std::max(change, std::abs(std::log(value / alpha[j])));
            kept.push_back(j);
            renewed.push_back(value);
        }
        if (change < 1e-6 && std::ssize(kept) == m) break;
        Phi = Phi(Eigen::all, kept).eval();
        alpha = Eigen::Map<const Eigen::VectorXd>(renewed.data(), std::ssize(renewed));
    }
    return evidence;
}

TEST(RelevanceEvidence, IsAtLeastThatOfTippingsIteration) {
    for (const double noise : {0.0, 0.1}) {
        for (const Index count : {Index{40}, Index{100}, Index{400}}) {
            SCOPED_TRACE(text(count, " points, noise ", noise));
            const Dataset data = sinc_data(count, 10, noise);
            const Model model = regression_of(data, 0.1);
            const double found = report_of(model).at("evidence").get<double>();
            const double expected = evidence_of_tippings_iteration(data, 0.1);
            EXPECT_GE(found, expected - 1e-3 * std::abs(expected));
            BegunControl control;
            double squares = 0;
            const auto predicted = decisions(model, data, control);
            for (Index i = 0; i < count; ++i)
                squares += std::pow(predicted[i] - sinc(data.dense().row(i)[0]), 2);
            EXPECT_LT(std::sqrt(squares / static_cast<double>(count)), noise == 0 ? 1e-5 : 0.5 * noise);
        }
    }
}

// Fifteen points of dlib's example rvm_regression_ex.cpp, whose comments have its answers.
TEST(RelevanceEvidence, DlibsExampleIsLearned) {
    const Model model = regression_of(sinc_data(15, 4, 0), 0.05);
    BegunControl control;
    const std::vector<double> asked{2.5, 0.1, -4};
    const auto predicted = decisions(model, dense(3, 1, asked), control);
    for (std::size_t i = 0; i < asked.size(); ++i) EXPECT_NEAR(predicted[i], sinc(asked[i]), 1e-3);
    EXPECT_GT(report_of(model).at("evidence").get<double>(), 8);
    EXPECT_TRUE(report_of(model).at("converged").get<bool>());
}

// Points so near each other that the basis has fewer independent columns than rounding lets see, and so many
// that not all of them begin.
TEST(RelevanceEvidence, CleanTargetsAreNoFailureWhateverTheWidth) {
    for (const double gamma : {1e-4, 0.1, 1.0, 100.0}) {
        for (const Index count : {Index{30}, Index{150}, Index{401}}) {
            if (count > 400 && gamma != 0.1) continue;
            SCOPED_TRACE(text(count, " points, gamma ", gamma));
            const Dataset data = sinc_data(count, 10, 0);
            const Model model = regression_of(data, gamma);
            BegunControl control;
            const auto predicted = decisions(model, data, control);
            double squares = 0;
            double all = 0;
            for (Index i = 0; i < count; ++i) {
                squares += std::pow(predicted[i] - data.targets[i], 2);
                all += std::pow(data.targets[i], 2);
            }
            EXPECT_LT(squares, (gamma == 0.1 || gamma == 1 ? 1e-4 : 1) * all);
        }
    }
}

// A bias takes what is added to all targets.
TEST(RelevanceEvidence, WhatIsAddedToAllTargetsChangesNothing) {
    for (const double noise : {0.0, 0.1}) {
        for (const double added : {30.0, 900.0}) {
            SCOPED_TRACE(text("noise ", noise, ", added ", added));
            Dataset data = sinc_data(100, 10, noise);
            const double plain = report_of(regression_of(data, 0.1)).at("evidence").get<double>();
            for (double& target : data.targets) target += added;
            const double moved = report_of(regression_of(data, 0.1)).at("evidence").get<double>();
            // The bias has a prior of a precision of 1e-12.
            EXPECT_NEAR(moved, plain, (noise > 0 ? 1e-3 : 0.05) * std::abs(plain));
        }
    }
}

}  // namespace
}  // namespace dk::test::relevance_evidence_test
