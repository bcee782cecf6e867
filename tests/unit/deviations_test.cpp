// SPDX-License-Identifier: Apache-2.0
// Deviations of kernel ridge regression are those of a Gaussian process, which the tests compute from the
// inverse of the covariance of all rows and one more.
#include "pipeline/in_use/deviations.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "model/file/model_file.hpp"
#include "pipeline/in_use/update.hpp"
#include "trained.hpp"

namespace dk::test::deviations_test {
namespace {

Dataset waves(Index rows, std::uint64_t seed) {
    Dataset data = random_dense(rows, 2, seed);
    for (Index i = 0; i < rows; ++i) data.targets.push_back(std::sin(2 * data.dense().row(i)[0]));
    return data;
}

std::vector<double> deviations_of(const Model& model, const Dataset& rows, int threads = 1) {
    BegunControl control(threads);
    return deviations(model, rows, control);
}

Eigen::MatrixXd gram_of(const std::string& kernel, const Dataset& left, const Dataset& right) {
    const auto values = gram_matrix(make_kernel(kernel, left), left, right);
    return view(values.data(), left.rows(), right.rows());
}

/// The variance of the function at a row, of the process that is known with noise at the others, is that of a
/// joint normal distribution: one over the element of the inverse covariance. An offset is a process of its
/// own, which is the same for all rows and has a large variance.
double expected_deviation(const std::string& kernel, const Dataset& data, const Dataset& row, double cost,
                          double offset_variance) {
    const Index n = data.rows();
    Eigen::MatrixXd covariance(n + 1, n + 1);
    covariance << gram_of(kernel, data, data), gram_of(kernel, data, row), gram_of(kernel, row, data),
        gram_of(kernel, row, row);
    covariance.diagonal().head(n).array() += 1 / cost;
    covariance.array() += offset_variance;
    return std::sqrt(1 / covariance.inverse()(n, n));
}

TEST(Deviations, AreThoseOfAGaussianProcess) {
    const Dataset data = waves(70, 3);
    const Dataset others = random_dense(30, 2, 4);
    for (const char* kernel :
         {"rbf(gamma=0.5)", "4*matern(gamma=0.3, nu=1.5)", "linear", "rbf(gamma=1) + 0.5*linear"}) {
        for (const char* cost : {"0.3", "50"}) {
            for (const bool offset : {false, true}) {
                const Model model = trained(
                    "kernel_ridge", data,
                    {{"kernel", kernel}, {"C", cost}, {"offset", offset ? "yes" : "no"}, {"scale", "none"}});
                const auto found = deviations_of(model, others);
                for (Index i = 0; i < others.rows(); ++i) {
                    const double expected = expected_deviation(kernel, data, others.select({&i, 1}),
                                                               std::stod(cost), offset ? 1e6 : 0);
                    EXPECT_NEAR(found[i], expected, (offset ? 1e-4 : 1e-7) * expected)
                        << kernel << cost << offset;
                }
            }
        }
    }
}

TEST(Deviations, ArePriorFarAwayAndSmallAtRowsWithoutNoise) {
    const Dataset data = waves(40, 5);
    const Model model =
        trained("kernel_ridge", data, {{"kernel", "9*rbf(gamma=0.5)"}, {"C", "1e8"}, {"scale", "none"}});
    EXPECT_NEAR(deviations_of(model, dense(1, 2, {100, -100})).front(), 3, 1e-12);
    for (const double deviation : deviations_of(model, data)) EXPECT_LE(deviation, 1.1e-4);  // of the noise
}

TEST(Deviations, AreTheSameFromFilesByThreadsAndInAnyBatch) {
    const Dataset data = waves(300, 7);
    const Dataset others = random_dense(600, 2, 8);
    const Model model = trained("kernel_ridge", data, {{"kernel", "rbf(gamma=0.5)"}, {"C", "7"}});
    const auto found = deviations_of(model, others);
    BegunControl control;
    EXPECT_EQ(deviations_of(read_model(write_model(model), control), others, 2), found);
    EXPECT_EQ(deviations_of(read_model(write_model(model), control), others, 5), found);
    for (const Index i : {0, 255, 256, 599})
        EXPECT_EQ(deviations_of(model, others.select({&i, 1})).front(), found[i]) << i;
}

TEST(Deviations, FollowUpdates) {
    const Dataset all = waves(80, 9);
    std::vector<Index> first;
    std::vector<Index> rest;
    for (Index i = 0; i < all.rows(); ++i) (i < 60 ? first : rest).push_back(i);
    const std::vector<Setting> settings{
        {"kernel", "rbf(gamma=0.5)"}, {"C", "5"}, {"updatable", "yes"}, {"scale", "none"}};
    BegunControl control;
    Model model = read_model(write_model(trained("kernel_ridge", all.select(first), settings)), control);
    const auto before = deviations_of(model, all);
    const Dataset further = all.select(rest);
    const Model later = updated(model, &further, {}, control);
    const auto expected = deviations_of(trained("kernel_ridge", all, settings), all);
    const auto found = deviations_of(later, all);
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 1e-9);
        EXPECT_LE(found[i], before[i] + 1e-12);  // What is known more leaves less to deviate.
    }
}

/// Rows whose coefficients are 0 are known too, and those that were forgotten are not.
TEST(Deviations, AreOfAllRowsWhateverTheirTargets) {
    Dataset data = dense(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    data.targets = {0, 1, 2};
    const Model model =
        trained("kernel_ridge", data, {{"kernel", "linear"}, {"scale", "none"}, {"updatable", "yes"}});
    for (const double deviation : deviations_of(model, data)) EXPECT_NEAR(deviation, std::sqrt(0.5), 1e-12);
    BegunControl control;
    const std::vector<Index> gone{1};
    const auto found = deviations_of(updated(model, nullptr, gone, control), data);
    EXPECT_NEAR(found[0], std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(found[1], 1, 1e-12);
}

/// A listener that asks for deviations of the same model waits for nobody.
TEST(Deviations, AreAskedForByListenersToo) {
    const Dataset data = waves(400, 15);
    const Model model = trained("kernel_ridge", data, {{"kernel", "rbf(gamma=0.5)"}});
    const auto expected = deviations_of(trained("kernel_ridge", data, {{"kernel", "rbf(gamma=0.5)"}}), data);
    EXPECT_EQ(model.factor_at_need->get([&] {
        deviations_of(model, data);
        return std::shared_ptr<const RidgeFactor>();
    }) != nullptr,
              true);
    EXPECT_EQ(deviations_of(model, data), expected);
}

TEST(Deviations, OfSeveralTargetsAreOneARow) {
    Dataset data = waves(50, 11);
    const auto alone = deviations_of(trained("kernel_ridge", data, {{"kernel", "rbf(gamma=0.5)"}}), data);
    std::vector<double> twice;
    for (const double target : data.targets) twice.insert(twice.end(), {target, -target});
    data.targets = twice;
    data.target_count = 2;
    EXPECT_EQ(deviations_of(trained("kernel_ridge", data, {{"kernel", "rbf(gamma=0.5)"}}), data), alone);
}

TEST(Deviations, AreRefusedWhereThereAreNone) {
    Dataset data = waves(60, 13);
    const auto refused = [&](const char* machine, const std::vector<Setting>& settings) {
        const Model model = trained(machine, data, settings);
        return message_of(Status::unsupported, [&] { deviations_of(model, data); });
    };
    EXPECT_NE(refused("svr", {}).find("machine svr has no deviations"), std::string::npos);
    EXPECT_NE(refused("kernel_ridge", {{"solver", "falkon"}, {"landmarks", "10"}}).find("solver=exact"),
              std::string::npos);
    const Dataset similarities = gram_data(60, gram_matrix(make_kernel("rbf(gamma=0.5)", data), data, data));
    Dataset own = similarities;
    own.targets = data.targets;
    const Model of_similarities = trained("kernel_ridge", own, {});
    EXPECT_NE(
        message_of(Status::unsupported, [&] { deviations_of(of_similarities, own); }).find("does not keep"),
        std::string::npos);
    data.sample_weights.assign(60, 2);
    EXPECT_NE(refused("kernel_ridge", {}).find("have no sample weights"), std::string::npos);
    EXPECT_NE(refused("one_class_svm", {}).find("predicts no values that could deviate"), std::string::npos);
}

}  // namespace
}  // namespace dk::test::deviations_test
