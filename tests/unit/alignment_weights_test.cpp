// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "support.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk::test::alignment_weights_test {
namespace {

constexpr const char* bank_text = "[rbf(gamma=0.05), rbf(gamma=0.5), rbf(gamma=5), normalize(linear)]";

Eigen::MatrixXd gram_of(const KernelPointer& kernel, const Dataset& data) {
    const std::vector<double> values = gram_matrix(kernel, data, data);
    return view(values.data(), data.rows(), data.rows());
}

Vector weigh(const Dataset& data, const std::string& bank, const std::string& weights_text) {
    BegunControl control;
    const Bank kernels = make_bank(bank, data);
    const auto [strategy, arguments, parameters] = parse_weights(weights_text);
    const KernelWeights found =
        strategy->weigh({kernels, data, arguments, parameters, 1, 1, MemoryBudget(0), control});
    return as_vector(found.weights);
}

Dataset labelled(Index rows, Index classes, std::uint64_t seed) {
    std::vector<double> x = normal_values(rows * 3, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % classes);
        x[i * 3] += 1.5 * static_cast<double>(i % classes);
    }
    Dataset data = dense(rows, 3, x);
    data.labels = labels_from_integers(labels);
    return data;
}

/// The centred matrices as the definition has them.
struct Centred {
    std::vector<Eigen::MatrixXd> kernels;
    Eigen::MatrixXd targets;

    Centred(const Dataset& data, const std::string& bank) {
        const Index n = data.rows();
        const Eigen::MatrixXd H = Eigen::MatrixXd::Identity(n, n) - Eigen::MatrixXd::Constant(n, n, 1.0 / n);
        for (const auto& kernel : make_bank(bank, data)) kernels.push_back(H * gram_of(kernel, data) * H);
        Eigen::MatrixXd same = Eigen::MatrixXd::Zero(n, n);
        for (Index i = 0; i < n; ++i) {
            for (Index j = 0; j < n; ++j) {
                same(i, j) = data.labels ? (data.labels->of_rows[i] == data.labels->of_rows[j] ? 1 : 0)
                                         : data.targets[i] * data.targets[j];
            }
        }
        targets = H * same * H;
    }
    static double inner(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
        return a.cwiseProduct(b).sum();
    }
    double alignment(const Vector& weights) const {
        Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(targets.rows(), targets.cols());
        for (Index k = 0; k < weights.size(); ++k) sum += weights[k] * kernels[k];
        return inner(sum, targets) / (sum.norm() * targets.norm());
    }
};

TEST(Align, WeightsAreTheAlignments) {
    Dataset regression = random_dense(40, 3, 9);
    regression.targets = normal_values(40, 10);
    for (const Dataset& data : {labelled(50, 2, 1), labelled(45, 3, 2), regression}) {
        const Centred centred(data, bank_text);
        const Vector weights = weigh(data, bank_text, "align");
        Vector expected(4);
        for (Index k = 0; k < 4; ++k)
            expected[k] = std::max(
                0.0, Centred::inner(centred.kernels[k], centred.targets) / centred.kernels[k].norm());
        expected /= expected.sum();
        EXPECT_LT((weights - expected).norm(), 1e-10);
    }
}

/// No support and no scale of weights on it has a larger alignment.
TEST(Alignf, NoWeightsAreAlignedMore) {
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        const Dataset data = labelled(40, 2 + static_cast<Index>(seed % 2), seed);
        const Centred centred(data, bank_text);
        const Vector weights = weigh(data, bank_text, "alignf");
        EXPECT_GE(weights.minCoeff(), 0);
        EXPECT_NEAR(weights.sum(), 1, 1e-12);
        const double found = centred.alignment(weights);
        Vector tried(4);
        constexpr int steps = 12;
        for (int code = 1; code < steps * steps * steps * steps; ++code) {
            for (int k = 0, rest = code; k < 4; ++k, rest /= steps) tried[k] = rest % steps;
            ASSERT_LE(centred.alignment(tried), found + 1e-9);
        }
    }
}

TEST(Alignf, TwoCopiesShareOneWeight) {
    const Dataset data = labelled(40, 2, 7);
    const Vector alone = weigh(data, "[rbf(gamma=0.5), normalize(linear)]", "alignf");
    const Vector copies = weigh(data, "[rbf(gamma=0.5), rbf(gamma=0.5), normalize(linear)]", "alignf");
    EXPECT_NEAR(copies[0] + copies[1], alone[0], 1e-6);
    EXPECT_NEAR(copies[2], alone[1], 1e-6);
}

TEST(Align, AFlatKernelHasNoWeight) {
    const Dataset data = labelled(30, 2, 8);
    EXPECT_EQ(weigh(data, "[rbf(gamma=1e-300), rbf(gamma=0.5)]", "align")[0], 0);
    EXPECT_EQ(weigh(data, "[rbf(gamma=1e-300), rbf(gamma=0.5)]", "alignf")[0], 0);
}

/// With Lambda = 1 the weights compare the means of the classes, which has a closed form.
TEST(EasyMkl, SmoothnessOneComparesMeans) {
    const Dataset data = labelled(40, 2, 11);
    const Vector weights = weigh(data, bank_text, "easymkl(smoothness=1)");
    Vector b(40);
    for (Index i = 0; i < 40; ++i) b[i] = data.labels->of_rows[i] == 1 ? 1.0 / 20 : -1.0 / 20;
    Vector expected(4);
    Index k = 0;
    for (const auto& kernel : make_bank(bank_text, data)) expected[k++] = b.dot(gram_of(kernel, data) * b);
    expected /= expected.sum();
    EXPECT_LT((weights - expected).norm(), 1e-5);
}

/// Frank-Wolfe with exact steps over both simplices is another way to the same distributions.
TEST(EasyMkl, AnotherMethodFindsTheSameWeights) {
    const Dataset data = labelled(30, 2, 12);
    const double smoothness = 0.3;
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(30, 30);
    std::vector<Eigen::MatrixXd> kernels;
    for (const auto& kernel : make_bank(bank_text, data)) kernels.push_back(gram_of(kernel, data));
    for (const auto& K : kernels) sum += K;
    Eigen::MatrixXd Q = (1 - smoothness) * sum;
    Q.diagonal().array() += smoothness;
    Vector sign(30);
    for (Index i = 0; i < 30; ++i) sign[i] = data.labels->of_rows[i] == 1 ? 1 : -1;
    Vector gamma = Vector::Constant(30, 1.0 / 15);
    for (int step = 0; step < 200000; ++step) {
        const Vector slope = sign.cwiseProduct(Q * gamma.cwiseProduct(sign));
        Vector way = -gamma;
        for (const double side : {1.0, -1.0}) {
            Index best = -1;
            for (Index i = 0; i < 30; ++i) {
                if (sign[i] == side && (best < 0 || slope[i] < slope[best])) best = i;
            }
            way[best] += 1;
        }
        const Vector signed_way = way.cwiseProduct(sign);
        const double curvature = signed_way.dot(Q * signed_way);
        gamma += std::clamp(-slope.dot(way) / curvature, 0.0, 1.0) * way;
    }
    const Vector b = gamma.cwiseProduct(sign);
    Vector expected(4);
    for (Index k = 0; k < 4; ++k) expected[k] = b.dot(kernels[k] * b);
    expected /= expected.sum();
    EXPECT_LT((weigh(data, bank_text, "easymkl(smoothness=0.3)") - expected).cwiseAbs().maxCoeff(), 2e-3);
}

TEST(EasyMkl, ManyClassesHaveTheMeanOfTheirWeights) {
    const Vector weights = weigh(labelled(60, 3, 13), bank_text, "easymkl");
    EXPECT_NEAR(weights.sum(), 1, 1e-12);
    EXPECT_GE(weights.minCoeff(), 0);
    const Dataset unlabelled = random_dense(20, 3, 14);
    EXPECT_THROW(weigh(unlabelled, bank_text, "easymkl"), Error);
    EXPECT_THROW(weigh(unlabelled, bank_text, "alignf"), Error);
}

}  // namespace
}  // namespace dk::test::alignment_weights_test
