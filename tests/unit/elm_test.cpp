// SPDX-License-Identifier: Apache-2.0
// Extreme learning machines on random features of a kernel and on random sigmoid nodes.
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "trained.hpp"

namespace dk::test::elm_test {
namespace {

/// Gives the outputs of the hidden nodes, rows x nodes.
Matrix hidden_outputs(const Model& model, const Dataset& data, Index nodes) {
    BegunControl control;
    Matrix h(data.rows(), nodes);
    transform(model, data, h.data(), control);
    return h;
}

/// Rows in [-1, 1].
Dataset bounded_blobs(Index rows, Index cols, std::uint64_t seed) {
    const Dataset data = blobs(rows, cols, 3, 1.5, seed);
    const double* first = data.dense().row(0).data();
    std::vector<double> values(first, first + rows * cols);
    for (double& v : values) v = std::tanh(v);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) labels.push_back(i % 3);
    return with_labels(dense(rows, cols, values), labels);
}

TEST(Elm, IsRidgeOnRandomFeatures) {
    const Dataset data = blobs(120, 2, 3, 2.5, 29);
    const Model elm =
        trained("elm", data, {{"kernel", "rbf(gamma=0.3)"}, {"hidden", "40"}, {"C", "3"}, {"seed", "7"}});
    const Model kelm = trained(
        "kelm", data, {{"kernel", "lowrank(rbf(gamma=0.3), rank=40, method=random, seed=7)"}, {"C", "3"}});
    EXPECT_EQ(decided(elm, data), decided(kelm, data));
    EXPECT_EQ(elm.kernel, kelm.kernel);
}

TEST(Elm, SigmoidNodesAreSigmoidsOfTheRows) {
    const Dataset data = bounded_blobs(60, 4, 3);
    const Model model =
        trained("elm", data, {{"features", "sigmoid"}, {"kernel", "linear"}, {"hidden", "30"}});
    const Matrix h = hidden_outputs(model, data, 30);
    Matrix rows(60, 5);
    rows.leftCols(4) = Eigen::Map<const Matrix>(data.dense().row(0).data(), 60, 4);
    rows.col(4).setOnes();
    // What the sigmoid is of is linear in the row, with weights in [-1, 1] and a bias in [0, 1].
    const Matrix inputs = -(h.array().inverse() - 1).log();
    const Matrix weights = rows.colPivHouseholderQr().solve(inputs);
    EXPECT_LT((rows * weights - inputs).cwiseAbs().maxCoeff(), 1e-12);
    const Matrix of_rows = weights.topRows(4);
    EXPECT_LE(of_rows.cwiseAbs().maxCoeff(), 1);
    EXPECT_LT(of_rows.minCoeff(), -0.8);
    EXPECT_GT(of_rows.maxCoeff(), 0.8);
    EXPECT_GE(weights.row(4).minCoeff(), 0);
    EXPECT_LE(weights.row(4).maxCoeff(), 1);
}

TEST(Elm, BothFormsOfTheWeights) {
    const Dataset data = bounded_blobs(50, 3, 4);
    Matrix targets = Matrix::Constant(50, 3, -1);
    for (Index i = 0; i < 50; ++i) targets(i, i % 3) = 1;
    for (const Index nodes : {10, 50, 90}) {
        const Model model = trained(
            "elm", data,
            {{"features", "sigmoid"}, {"kernel", "linear"}, {"hidden", std::to_string(nodes)}, {"C", "20"}});
        const Matrix h = hidden_outputs(model, data, nodes);
        const Matrix ridge_of_nodes = 0.05 * Matrix::Identity(nodes, nodes);
        const Matrix ridge_of_rows = 0.05 * Matrix::Identity(50, 50);
        const Matrix by_nodes =
            h * (h.transpose() * h + ridge_of_nodes).ldlt().solve(h.transpose() * targets);
        const Matrix by_rows =
            h * (h.transpose() * (h * h.transpose() + ridge_of_rows).ldlt().solve(targets));
        const auto found = decided(model, data);
        const Matrix ours = Eigen::Map<const Matrix>(found.data(), 50, 3);
        EXPECT_LT((ours - by_nodes).cwiseAbs().maxCoeff(), 1e-10) << nodes;
        EXPECT_LT((ours - by_rows).cwiseAbs().maxCoeff(), 1e-10) << nodes;
    }
}

TEST(Elm, ManyNodesWithoutARidgeInterpolate) {
    const Dataset data = bounded_blobs(12, 3, 5);
    const Model model = trained(
        "elm", data, {{"features", "sigmoid"}, {"kernel", "linear"}, {"hidden", "300"}, {"C", "1e9"}});
    const auto found = decided(model, data);
    for (Index i = 0; i < 12; ++i) {
        for (Index c = 0; c < 3; ++c) EXPECT_NEAR(found[3 * i + c], i % 3 == c ? 1 : -1, 1e-3);
    }
}

TEST(Elm, SelectsItsCostAsLeaveOneOutDoes) {
    const Dataset data = bounded_blobs(80, 3, 6);
    const std::vector<Setting> common{{"features", "sigmoid"}, {"kernel", "linear"}, {"hidden", "25"}};
    auto with = [&](std::vector<Setting> more) {
        more.insert(more.end(), common.begin(), common.end());
        return trained("elm", data, more);
    };
    const Model chosen = with({{"select_C", "yes"}});
    const auto report_of = [](const Model& model) { return nlohmann::json::parse(model.training_report); };
    const double cost = report_of(chosen).at("C");
    const double least = report_of(chosen).at("leave_one_out_rmse");
    const auto same = report_of(with({{"C", text(cost)}, {"leave_one_out", "yes"}}));
    EXPECT_NEAR(same.at("leave_one_out_rmse").get<double>(), least, 1e-9);
    const double best = same.at("leave_one_out_accuracy");
    for (const double factor : {0.25, 4.0}) {
        const auto other = report_of(with({{"C", text(factor * cost)}, {"leave_one_out", "yes"}}));
        EXPECT_LE(other.at("leave_one_out_accuracy").get<double>(), best);
    }
}

TEST(Elm, SigmoidNodesTakeNoKernel) {
    const Dataset data = bounded_blobs(12, 3, 5);
    const std::string refused = message_of(Status::invalid_parameter, [&] {
        trained("elm", data, {{"features", "sigmoid"}, {"kernel", "rbf"}});
    });
    EXPECT_NE(refused.find("kernel=linear"), std::string::npos);
    message_of(Status::invalid_kernel, [&] {
        trained("svm", data, {{"kernel", "lowrank(rbf, rank=4, method=sigmoid_nodes)"}});
    });
}

}  // namespace
}  // namespace dk::test::elm_test
