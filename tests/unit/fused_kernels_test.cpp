// SPDX-License-Identifier: Apache-2.0
// GAMKL and DeFIMKL, which train machines to weigh kernels.
#include <nlohmann/json.hpp>
#include <sstream>

#include "data/split.hpp"
#include "pipeline/machine_specification.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::fused_kernels_test {
namespace {

Dataset two_classes(Index rows, std::uint64_t seed, double apart = 1) {
    std::vector<double> x = normal_values(rows * 3, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 2);
        x[i * 3] += apart * static_cast<double>(i % 2);
    }
    return with_labels(dense(rows, 3, x), labels);
}

Model fitted(const std::string& machine, const Dataset& data, const std::string& settings, int threads = 1) {
    BegunControl control(threads);
    auto specification = default_specification(machine);
    std::istringstream words(settings);
    for (std::string word; words >> word;) {
        const auto equals = word.find('=');
        set_parameter(specification, word.substr(0, equals), word.substr(equals + 1));
    }
    return train(data, specification, control);
}

nlohmann::json weight_report(const Model& model) {
    return nlohmann::json::parse(model.weight_report);
}

std::vector<double> decisions_of(const Model& model, const Dataset& data) {
    BegunControl control;
    return decisions(model, data, control);
}

constexpr const char* bank = "kernel=[rbf(gamma=0.01),rbf(gamma=0.3),rbf(gamma=20)] ";
const std::string search = std::string(bank) + "weights=gamkl(population=8,generations=6) ";

TEST(Gamkl, ThreadsAndRepeatsGiveTheSame) {
    const Dataset data = two_classes(60, 1);
    const Model model = fitted("svm", data, search);
    EXPECT_EQ(fitted("svm", data, search, 3).kernel_weights, model.kernel_weights);
    EXPECT_EQ(fitted("svm", data, search).kernel_weights, model.kernel_weights);
}

TEST(Gamkl, WeightsHaveTheNorm) {
    const Dataset data = two_classes(60, 2);
    for (const double p : {1.0, 1.5, 4.0}) {
        const std::string norm = "weights=gamkl(population=6,generations=3,p=" + std::to_string(p);
        double sum = 0;
        for (const double w : fitted("svm", data, bank + norm + ")").kernel_weights) sum += std::pow(w, p);
        EXPECT_NEAR(sum, 1, 1e-12);
        sum = 0;
        for (const double w : fitted("svm", data, bank + norm + ",normalise=sum)").kernel_weights) sum += w;
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

/// The accuracy that is reported is that of machines that are trained one by one on the same folds, and no
/// kernel alone has a larger one.
TEST(Gamkl, ReportsWhatTheWeightsReach) {
    const Dataset data = two_classes(90, 3, 0.8);
    const Model model = fitted("svm", data, search);
    const auto fold_of = stratified_folds(data, 3, 1);
    const auto accuracy_of = [&](const std::vector<double>& weights) {
        double right = 0;
        for (Index fold = 0; fold < 3; ++fold) {
            std::string fixed = "fixed(";
            for (const double w : weights)
                fixed += (fixed.back() == '(' ? "" : ",") + nlohmann::json(w).dump();
            const Model one = fitted("svm", data.select(rows_of_fold(fold_of, fold, false)),
                                     bank + ("weights=" + fixed + ")"));
            const Dataset others = data.select(rows_of_fold(fold_of, fold, true));
            const auto found = decisions_of(one, others);
            for (Index i = 0; i < others.rows(); ++i)
                right += (found[i] >= 0) == (others.labels->of_rows[i] == 1) ? 1 : 0;
        }
        return right / 90;
    };
    const double reported = weight_report(model)["accuracy"].get<double>();
    EXPECT_NEAR(accuracy_of(model.kernel_weights), reported, 1e-12);
    for (const auto& alone : {std::vector{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}})
        EXPECT_LE(accuracy_of(alone), reported + 1e-12);
}

/// The kernel of the labels themselves gets nearly all of the weight.
TEST(Gamkl, FindsAPlantedKernel) {
    const Index n = 40;
    const Dataset rows = two_classes(n, 4);
    GramMatrices gram{3, n, n};
    std::vector<double> values;
    const auto first = gram_matrix(make_kernel("rbf(gamma=0.1)", rows), rows, rows);
    const auto second = gram_matrix(make_kernel("rbf(gamma=2)", rows), rows, rows);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) values.push_back(i % 2 == j % 2 ? 1.0 : -1.0);
    }
    values.insert(values.end(), first.begin(), first.end());
    values.insert(values.end(), second.begin(), second.end());
    gram.self.assign(3 * n, 1.0);
    gram.values = std::move(values);
    Dataset data(std::move(gram));
    data.labels = rows.labels;
    const Model model = fitted("svm", data, "kernel=[gram(0),gram(1),gram(2)] weights=gamkl(p=1)");
    EXPECT_GT(model.kernel_weights[0], 0.9);
    EXPECT_EQ(weight_report(model)["accuracy"].get<double>(), 1);
}

TEST(Gamkl, NeedsClasses) {
    Dataset data = random_dense(20, 3, 5);
    data.targets = normal_values(20, 6);
    EXPECT_THROW(fitted("svr", data, search), Error);
    EXPECT_THROW(fitted("one_class_svm", data, search), Error);
    EXPECT_THROW(fitted("svm", with_labels(random_dense(3, 2, 7), {0, 1, 1}), search), Error);
}

TEST(Defimkl, OneKernelIsItsMachine) {
    const Dataset data = two_classes(60, 8);
    const Dataset others = two_classes(40, 9);
    const auto ours = decisions_of(fitted("defimkl", data, "kernel=rbf(gamma=0.3) tolerance=1e-9"), others);
    const auto svm = decisions_of(fitted("svm", data, "kernel=rbf(gamma=0.3) tolerance=1e-9"), others);
    for (std::size_t i = 0; i < ours.size(); ++i)
        EXPECT_NEAR(ours[i], svm[i] / std::sqrt(1 + svm[i] * svm[i]), 1e-12);
}

/// A kernel that tells nothing is worth little beside one that tells all, and weights are Shapley values.
TEST(Defimkl, WeightsSayWhatKernelsAreWorth) {
    const Dataset data = two_classes(150, 10, 4);
    const Model model =
        fitted("defimkl", data, "kernel=[on(0,rbf(gamma=0.5)),on(1,rbf(gamma=0.5)),on(2,rbf(gamma=0.5))]");
    EXPECT_GT(model.kernel_weights[0], 0.7);
    EXPECT_NEAR(model.kernel_weights[0] + model.kernel_weights[1] + model.kernel_weights[2], 1, 1e-12);
    const auto report = nlohmann::json::parse(model.training_report);
    EXPECT_EQ(report["functions"].size(), 1U);
    EXPECT_EQ(report["functions"][0]["interactions"].size(), 3U);
    const auto shapley = report["functions"][0]["shapley"].get<std::vector<double>>();
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(shapley[k], model.kernel_weights[k], 1e-12);
}

TEST(Defimkl, OrderOfKernelsDoesNotMatter) {
    const Dataset data = two_classes(80, 11);
    const Model ab = fitted("defimkl", data, "kernel=[rbf(gamma=0.05),rbf(gamma=1)] tolerance=1e-9");
    const Model ba = fitted("defimkl", data, "kernel=[rbf(gamma=1),rbf(gamma=0.05)] tolerance=1e-9");
    EXPECT_NEAR(ab.kernel_weights[0], ba.kernel_weights[1], 1e-6);
    const auto a = decisions_of(ab, data);
    const auto b = decisions_of(ba, data);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-6);
}

TEST(Defimkl, ManyKernelsAndFewRowsAreRefused) {
    const Dataset data = two_classes(30, 12);
    EXPECT_THROW(fitted("defimkl", data, "kernel=grid(rbf,gamma=1:2:3:4:5:6:7:8:9:10:11)"), Error);
    const Dataset few = with_labels(random_dense(3, 2, 13), {0, 1, 1});
    EXPECT_THROW(fitted("defimkl", few, "kernel=[rbf(gamma=1),linear]"), Error);
    EXPECT_NO_THROW(fitted("defimkl", few, "kernel=[rbf(gamma=1),linear] insample=yes"));
}

}  // namespace
}  // namespace dk::test::fused_kernels_test
