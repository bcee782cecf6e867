// SPDX-License-Identifier: Apache-2.0
// Ridge machines learn several targets of a row at once. Each is what the machine learns of it alone.
#include <nlohmann/json.hpp>
#include <numeric>

#include "data/describing/data_description.hpp"
#include "machine/machine.hpp"
#include "model/file/model_file.hpp"
#include "pipeline/in_use/update.hpp"
#include "pipeline/score.hpp"
#include "pipeline/search/cross_validate.hpp"
#include "trained.hpp"

namespace dk::test::several_targets_test {
namespace {

constexpr Index count = 3;

Dataset several_waves(Index rows, std::uint64_t seed) {
    Dataset data = random_dense(rows, 4, seed);
    data.target_count = count;
    for (Index i = 0; i < rows; ++i) {
        const auto row = data.dense().row(i);
        for (Index t = 0; t < count; ++t)
            data.targets.push_back(std::sin(row[t] + static_cast<double>(t)) +
                                   row[3] * static_cast<double>(t));
    }
    return data;
}

/// Leaves one target of each row.
Dataset with_target(const Dataset& data, Index t) {
    Dataset one = data;
    one.targets.clear();
    one.target_count = 1;
    for (Index i = 0; i < data.rows(); ++i) one.targets.push_back(data.targets[i * data.target_count + t]);
    return one;
}

void expect_each_alone(const std::string& machine, const std::vector<Setting>& settings, double close) {
    const Dataset data = several_waves(150, 3);
    const Dataset others = several_waves(30, 4);
    const Model model = trained(machine, data, settings);
    EXPECT_EQ(model.targets, count);
    const auto together = decided(model, others);
    ASSERT_EQ(together.size(), static_cast<std::size_t>(count * others.rows()));
    for (Index t = 0; t < count; ++t) {
        const auto alone = decided(trained(machine, with_target(data, t), settings), others);
        for (Index i = 0; i < others.rows(); ++i)
            EXPECT_NEAR(together[i * count + t], alone[i], close) << machine << " " << t << " " << i;
    }
}

TEST(SeveralTargets, AreEachLearnedAsAlone) {
    const Setting kernel{"kernel", "rbf(gamma=0.3)"};
    expect_each_alone("kernel_ridge", {kernel, {"C", "10"}}, 1e-10);
    expect_each_alone("kernel_ridge", {kernel, {"C", "10"}, {"offset", "yes"}, {"scale", "standard"}}, 1e-10);
    expect_each_alone("kernel_ridge", {{"kernel", "linear"}, {"offset", "yes"}}, 1e-10);
    expect_each_alone("kernel_ridge",
                      {kernel, {"solver", "falkon"}, {"landmarks", "40"}, {"tolerance", "1e-12"}}, 1e-6);
    expect_each_alone("kernel_ridge", {kernel, {"solver", "falkon"}, {"landmarks", "40"}, {"offset", "yes"}},
                      1e-8);
    expect_each_alone("similarity_ridge_regression", {kernel, {"lambda", "0.1"}}, 1e-9);
    expect_each_alone("similarity_ridge_regression",
                      {kernel, {"lambda", "0.1"}, {"basis", "k_medoids"}, {"prototypes", "20"}}, 1e-9);
}

TEST(SeveralTargets, ShareTheCostThatIsBestForAll) {
    const Dataset data = several_waves(80, 5);
    double least = infinity;
    std::string best;
    for (int power = -10; power <= 20; power += 2) {
        const std::string cost = format_number(std::ldexp(1.0, power));
        const auto report = nlohmann::json::parse(
            trained("kernel_ridge", data,
                    {{"kernel", "rbf(gamma=0.3)"}, {"C", cost}, {"leave_one_out", "yes"}})
                .training_report);
        const double error = report.at("leave_one_out_rmse").get<double>();
        if (error < least) best = cost;
        least = std::min(least, error);
    }
    const auto chosen = nlohmann::json::parse(
        trained("kernel_ridge", data, {{"kernel", "rbf(gamma=0.3)"}, {"select_C", "yes"}}).training_report);
    EXPECT_EQ(format_number(chosen.at("C").get<double>()), best);
    EXPECT_NEAR(chosen.at("leave_one_out_rmse").get<double>(), least, 1e-9);
}

TEST(SeveralTargets, ScoresAreMeansOfThoseOfEach) {
    const Dataset data = several_waves(100, 7);
    const Dataset others = several_waves(50, 8);
    const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.3)"}};
    BegunControl control;
    const auto together = score_all(trained("kernel_ridge", data, settings), others, control);
    std::map<std::string, double> means;
    for (Index t = 0; t < count; ++t) {
        const auto alone = score_all(trained("kernel_ridge", with_target(data, t), settings),
                                     with_target(others, t), control);
        for (const auto& [name, value] : alone) means[name] += value / count;
    }
    ASSERT_EQ(together.size(), means.size());
    for (const auto& [name, value] : means) EXPECT_NEAR(together.at(name), value, 1e-9) << name;
    const auto message = message_of(Status::dimension, [&] {
        score_all(trained("kernel_ridge", data, settings), with_target(others, 0), control);
    });
    EXPECT_NE(message.find("the model predicts 3 targets of a row, the data have 1"), std::string::npos);
}

TEST(SeveralTargets, AreCrossValidated) {
    const Dataset data = several_waves(90, 9);
    auto specification = default_specification("kernel_ridge");
    set_parameter(specification, "grid", "C=0.01:100:10;kernel=[rbf(gamma=0.3),linear]");
    set_parameter(specification, "outer_folds", "3");
    BegunControl control;
    const Model model = cross_validate(data, specification, control);
    EXPECT_EQ(model.targets, count);
    const auto report = nlohmann::json::parse(model.validation_report);
    EXPECT_NE(model.validation_report.find("\"rmse\""), std::string::npos);
    // Guessing the mean of each target is no better.
    EXPECT_GT(score_all(model, data, control).at("r2"), 0.5);
    EXPECT_FALSE(report.empty());
}

TEST(SeveralTargets, SurviveFilesOfAVersionOfTheirOwn) {
    const Dataset data = several_waves(60, 11);
    const Model model = trained("kernel_ridge", data, {{"kernel", "rbf(gamma=0.3)"}, {"updatable", "yes"}});
    const auto bytes = write_model(model);
    EXPECT_EQ(bytes[8], 4);
    BegunControl control;
    const Model read = read_model(bytes, control);
    EXPECT_EQ(read.targets, count);
    EXPECT_EQ(decided(read, data), decided(model, data));
    EXPECT_EQ(write_model(read), bytes);
    EXPECT_EQ(write_model(trained("kernel_ridge", with_target(data, 0), {}))[8], 1);
}

TEST(SeveralTargets, AreUpdatedTogether) {
    const Dataset all = several_waves(120, 13);
    std::vector<Index> first(80);
    std::iota(first.begin(), first.end(), Index{0});
    std::vector<Index> rest(40);
    std::iota(rest.begin(), rest.end(), Index{80});
    const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.3)"}, {"updatable", "yes"}, {"C", "5"}};
    BegunControl control;
    const Dataset further = all.select(rest);
    const std::vector<Index> gone{3, 17};
    const Model model =
        updated(trained("kernel_ridge", all.select(first), settings), &further, gone, control);
    std::vector<Index> staying;
    for (Index i = 0; i < all.rows(); ++i) {
        if (i != 3 && i != 17) staying.push_back(i);
    }
    const auto expected = decided(trained("kernel_ridge", all.select(staying), settings), all);
    const auto found = decided(model, all);
    for (std::size_t e = 0; e < found.size(); ++e) EXPECT_NEAR(found[e], expected[e], 1e-9);
    const Dataset of_one = with_target(further, 0);
    EXPECT_NE(message_of(Status::dimension, [&] { updated(model, &of_one, {}, control); })
                  .find("the model learned 3 targets of a row, further rows have 1"),
              std::string::npos);
}

/// Machines that know nothing of several targets refuse them, and so do uses of one number.
TEST(SeveralTargets, AreRefusedWhereOneIsLearned) {
    const Dataset data = several_waves(40, 15);
    for (const Machine& machine : machines()) {
        if (machine.task != Task::regression || machine.several_targets) continue;
        EXPECT_NE(message_of(Status::unsupported, [&] { trained(machine.name, data, {}); })
                      .find("learns one target, and rows have 3"),
                  std::string::npos)
            << machine.name;
    }
    EXPECT_NE(message_of(Status::unsupported,
                         [&] {
                             trained("kernel_ridge", data, {{"confidence", "0.9"}});
                         })
                  .find("confidence is of one target"),
              std::string::npos);
    EXPECT_NE(message_of(Status::unsupported,
                         [&] {
                             trained(
                                 "kernel_ridge", data,
                                 {{"kernel", "[rbf(gamma=1),linear]"}, {"weights", "mklgl(loss=squares)"}});
                         })
                  .find("learns from one target"),
              std::string::npos);
}

/// What a classifier makes of rows with labels does not ask for their targets.
TEST(SeveralTargets, AreNothingToClassifiers) {
    Dataset data = blobs(60, 2, 2, 2.0, 19);
    data.target_count = count;
    data.targets = normal_values(60 * count, 20);
    const Model model = trained("svm", data, {{"confidence", "0.8"}});
    EXPECT_EQ(model.targets, 1);
    EXPECT_FALSE(model.nonconformity.empty());
}

/// The alignment with several targets is that with Y Y', centred.
TEST(SeveralTargets, KernelsAreAlignedWithAllOfThem) {
    const Dataset data = several_waves(50, 17);
    const Model model =
        trained("kernel_ridge", data,
                {{"kernel", "[rbf(gamma=0.1),linear]"}, {"weights", "align"}, {"scale", "none"}});
    const Index n = data.rows();
    const Matrix centring = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / n);
    const Matrix Y = centring * view(data.targets.data(), n, count);
    std::vector<double> alignments;
    for (const char* kernel : {"rbf(gamma=0.1)", "normalize(linear)"}) {
        const auto values = gram_matrix(make_kernel(kernel, data), data, data);
        const Matrix K = centring * view(values.data(), n, n) * centring;
        alignments.push_back(K.cwiseProduct(Y * Y.transpose()).sum() /
                             (K.norm() * (Y * Y.transpose()).norm()));
    }
    EXPECT_NEAR(model.kernel_weights[0] / model.kernel_weights[1], alignments[0] / alignments[1], 1e-9);
}

TEST(SeveralTargets, AreDescribedOneByOne) {
    Dataset data = dense(2, 1, {1, 2});
    data.targets = {1, 10, 3, 30};
    data.target_count = 2;
    BegunControl control;
    const auto report = nlohmann::json::parse(json_text(describe_data(data, control)));
    const auto& targets = report.at("answers").at("targets");
    ASSERT_EQ(targets.size(), 2U);
    EXPECT_EQ(targets[0].at("mean"), 2);
    EXPECT_EQ(targets[1].at("largest"), 30);
    EXPECT_EQ(targets[1].at("deviation"), 10);
}

}  // namespace
}  // namespace dk::test::several_targets_test
