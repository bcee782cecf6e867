// SPDX-License-Identifier: Apache-2.0
// Layers between the data and the machine. The golden values of rankings were derived independently of this
// library.
#include <limits>
#include <nlohmann/json.hpp>

#include "pipeline/layers/anova.hpp"
#include "pipeline/layers/layer_stack.hpp"
#include "pipeline/layers/mutual_information.hpp"
#include "pipeline/layers/neighbour_count.hpp"
#include "pipeline/search/cross_validate.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::layers_test {
namespace {

MachineSpecification specified(const std::string& machine,
                               const std::vector<std::pair<std::string, std::string>>& settings) {
    auto specification = default_specification(machine);
    for (const auto& [key, value] : settings) set_parameter(specification, key, value);
    return specification;
}

LayerStack stack_of(const std::string& text, const Dataset& data, int threads = 1) {
    BegunControl control(threads);
    return learn_layers(parse_layers(text), data, {Precision::real64, 1, MemoryBudget(0)}, control);
}

std::vector<double> f_of(const std::vector<double>& column, const std::vector<std::int64_t>& classes) {
    BegunControl control;
    return anova_f(with_labels(dense(std::ssize(column), 1, column), classes), control);
}

TEST(AnovaF, GivesTheWorkedExamples) {
    const std::vector<std::int64_t> classes{0, 0, 0, 1, 1, 2, 2};
    EXPECT_NEAR(f_of({1, 2, 4, 3, 6, 5, 7}, classes)[0], 3.014925373, 5e-10);
    EXPECT_NEAR(f_of({0, 1, 0, 2, 1, 3, 2}, classes)[0], 6.914285714, 5e-10);
    EXPECT_EQ(f_of(std::vector<double>(7, 0.1), classes)[0], 0);
    EXPECT_EQ(f_of({1, 1, 1, 2, 2, 5, 5}, classes)[0], std::numeric_limits<double>::infinity());
}

TEST(AnovaF, DoesNotDependOnOriginAndUnit) {
    const std::vector<std::int64_t> classes{0, 0, 0, 1, 1, 2, 2};
    std::vector<double> shifted{1, 2, 4, 3, 6, 5, 7};
    for (double& x : shifted) x += 1e8;
    EXPECT_NEAR(f_of(shifted, classes)[0], 3.014925373, 1e-7);
    EXPECT_NEAR(f_of({-1e-9, -2e-9, -4e-9, -3e-9, -6e-9, -5e-9, -7e-9}, classes)[0], 3.014925373, 5e-10);
}

TEST(AnovaF, NeedsMoreRowsThanClasses) {
    EXPECT_THROW(f_of({1, 2}, {0, 1}), Error);
}

/// 60 rows of one column with the values 0 to 59.
std::vector<double> counted() {
    std::vector<double> x(60);
    for (Index i = 0; i < 60; ++i) x[i] = static_cast<double>(i);
    return x;
}

double information(const std::vector<double>& x, const std::function<std::int64_t(Index)>& label,
                   Index bins = 20, bool correct = false) {
    std::vector<std::int64_t> classes;
    for (Index i = 0; i < std::ssize(x); ++i) classes.push_back(label(i));
    BegunControl control;
    return mutual_information(with_labels(dense(std::ssize(x), 1, x), classes), {bins, correct}, control)[0];
}

TEST(MutualInformation, GivesTheWorkedExamples) {
    const auto third = [](Index i) { return std::int64_t{i % 7 < 3}; };
    EXPECT_NEAR(information(counted(), third), 0.306230313, 5e-10);
    EXPECT_NEAR(information(counted(), third, 5), 0.009109019, 5e-10);
    std::vector<double> tied = counted();
    for (double& x : tied) x = std::floor(x / 4);
    EXPECT_NEAR(information(tied, third), 0.165898479, 5e-10);
    EXPECT_NEAR(information(counted(), [](Index i) { return std::int64_t{i >= 30}; }), std::log(2), 1e-14);
    EXPECT_EQ(information(counted(), [](Index i) { return i % 3; }), 0);
}

TEST(MutualInformation, KnowsTheOrderOfValuesAlone) {
    const auto third = [](Index i) { return std::int64_t{i % 7 < 3}; };
    std::vector<double> stretched = counted();
    for (double& x : stretched) x = std::exp(x / 5);
    EXPECT_EQ(information(stretched, third), information(counted(), third));
    EXPECT_NEAR(information(counted(), [](Index i) { return i % 7 < 3 ? std::int64_t{-5} : 9; }),
                information(counted(), third), 1e-15);
}

TEST(MutualInformation, LessWhatChanceGives) {
    const auto third = [](Index i) { return std::int64_t{i % 7 < 3}; };
    EXPECT_NEAR(information(counted(), third, 20, true), 0.306230313 - 19.0 / 120, 5e-10);
}

TEST(Layers, SayWhereTheirTextIsWrong) {
    const auto message = [](const std::string& text) -> std::string {
        try {
            parse_layers(text);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(message("[anova_f(10), anova(3)]").find("character 15: there is no layer 'anova'"),
              std::string::npos);
    EXPECT_NE(message("anova_f(2").find("expected , or )"), std::string::npos);
    EXPECT_NE(message("[anova_f").find("expected , or ]"), std::string::npos);
    EXPECT_NE(message("anova_f, anova_f").find("expected the end"), std::string::npos);
    EXPECT_NE(message("anova_f(1.5)").find("keep cannot be '1.5'"), std::string::npos);
    EXPECT_NE(message("anova_f(0)").find("keep cannot be"), std::string::npos);
    EXPECT_NE(message("anova_f(3, 4)").find("expected key=value"), std::string::npos);
    EXPECT_NE(message("anova_f(width=4)").find("width"), std::string::npos);
    EXPECT_NE(message("kernel_pca(rbf(gama=1))").find("gama"), std::string::npos);
    EXPECT_NE(message("kernel_pca(rbf, weights=dimkl9)").find("dimkl9"), std::string::npos);
    EXPECT_TRUE(parse_layers("").empty());
    EXPECT_TRUE(parse_layers("  ").empty());
    const auto two = parse_layers(" [ kernel_pca([rbf, linear], components = 3) , anova_f(0.5) ] ");
    ASSERT_EQ(two.size(), 2U);
    EXPECT_EQ(two[0].text, "kernel_pca([rbf, linear], components = 3)");
    EXPECT_EQ(two[1].text, "anova_f(0.5)");
}

/// Rows of 2 informative columns in places 3 and 7, and of 18 without meaning.
Dataset informative_columns(Index rows, std::uint64_t seed) {
    auto values = normal_values(rows * 20, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 2);
        values[i * 20 + 3] += i % 2 ? 2.5 : -2.5;
        values[i * 20 + 7] += i % 2 ? -2.5 : 2.5;
    }
    return with_labels(dense(rows, 20, values), labels);
}

TEST(Layers, KeepTheColumnsThatTellTheClasses) {
    const Dataset data = informative_columns(80, 4);
    for (const char* layer : {"anova_f(2)", "mutual_information(2)", "anova_f(0.1)", "anova_f"}) {
        const LayerStack stack = stack_of(layer, data);
        const auto& kept = std::get<KeptColumns>(stack.layers.front().step).columns;
        EXPECT_TRUE(std::ranges::find(kept, 3) != kept.end() || std::ranges::find(kept, 7) != kept.end())
            << layer;
        EXPECT_LE(kept.size(), 8U) << layer;
        if (std::string(layer) != "anova_f") {
            EXPECT_EQ(kept, (std::vector<Index>{3, 7})) << layer;
        }
        EXPECT_TRUE(std::ranges::is_sorted(kept));
    }
}

TEST(Layers, ColumnsOfEqualScoreGoByTheirPosition) {
    std::vector<double> values;
    for (Index i = 0; i < 10; ++i) values.insert(values.end(), 4, static_cast<double>(i % 2) + 0.01 * i);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < 10; ++i) labels.push_back(i % 2);
    const LayerStack stack = stack_of("anova_f(2)", with_labels(dense(10, 4, values), labels));
    EXPECT_EQ(std::get<KeptColumns>(stack.layers.front().step).columns, (std::vector<Index>{0, 1}));
}

TEST(Layers, NumberOfColumnsIsWhatServesNeighboursBest) {
    // The first column tells everything, so that more can only be as good; the least number wins.
    std::vector<double> training;
    std::vector<double> held_out;
    std::vector<std::int64_t> labels;
    const auto noise = normal_values(200, 9, 0, 30);
    for (Index i = 0; i < 40; ++i) {
        labels.push_back(i % 2);
        training.insert(training.end(), {i % 2 ? 10.0 : -10.0, noise[2 * i], noise[2 * i + 1]});
        held_out.insert(held_out.end(), {i % 2 ? 9.0 : -9.0, noise[80 + 2 * i], noise[81 + 2 * i]});
    }
    BegunControl control;
    const Dataset known = with_labels(dense(40, 3, training), labels);
    const Dataset asked = with_labels(dense(40, 3, held_out), labels);
    EXPECT_EQ(best_column_count(known, asked, std::vector<Index>{0, 1, 2}, control), 1);
    // Where noise ranks first, one column is chance, and all are best.
    EXPECT_EQ(best_column_count(known, asked, std::vector<Index>{1, 0}, control), 2);
}

TEST(Layers, ComponentsOfTheLinearKernelLeaveDistancesAsTheyAre) {
    const Dataset data = informative_columns(60, 5);
    const auto decided = [&](const std::string& layers) {
        BegunControl control;
        const Model model = train(
            data,
            specified("svm",
                      {{"kernel", "rbf(gamma=0.05)"}, {"tolerance", "1e-8"}, {"C", "2"}, {"layers", layers}}),
            control);
        return decisions(model, data, control);
    };
    const auto plain = decided("");
    const auto through = decided("kernel_pca(linear, components=20)");
    ASSERT_EQ(plain.size(), through.size());
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(plain[i], through[i], 1e-6);
}

TEST(Layers, GiveTrainingRowsWhatTheyGaveInTraining) {
    const Dataset data = informative_columns(50, 6);
    const LayerStack stack = stack_of(
        "[kernel_pca([rbf, arccos(0,2)], weights=umkl, components=0.5), anova_f(0.25), kernel_pca(rbf, "
        "components=5, whiten=yes)]",
        data);
    ASSERT_EQ(stack.layers.size(), 3U);
    EXPECT_EQ(stack.layers[0].outputs(), 7);  // a quarter of 25
    EXPECT_EQ(stack.layers[2].outputs(), 5);
    BegunControl control;
    Dataset again = data;
    for (const Layer& layer : stack.layers) again = layer.apply(again, control);
    const auto& stored = stack.rows.dense().values;
    const auto& found = again.dense().values;
    ASSERT_EQ(stored.size(), found.size());
    for (std::size_t i = 0; i < stored.size(); ++i) EXPECT_NEAR(stored[i], found[i], 1e-9);
}

TEST(Layers, SelectedComponentsAreThoseOfTheWhole) {
    const Dataset data = informative_columns(40, 7);
    const LayerStack whole = stack_of("kernel_pca(rbf, components=8)", data);
    const LayerStack chosen = stack_of("[kernel_pca(rbf, components=8), anova_f(3)]", data);
    const auto report = nlohmann::json::parse(chosen.layers[1].report);
    const auto kept = report.at("kept").get<std::vector<Index>>();
    ASSERT_EQ(kept.size(), 3U);
    BegunControl control;
    const Dataset other = informative_columns(10, 8);
    const Dataset all = whole.layers[0].apply(other, control);
    Dataset some = other;
    for (const Layer& layer : chosen.layers) some = layer.apply(some, control);
    for (Index i = 0; i < 10; ++i) {
        for (Index k = 0; k < 3; ++k) EXPECT_EQ(some.dense().row(i)[k], all.dense().row(i)[kept[k]]);
    }
}

TEST(Layers, AreTheSameForAnyNumberOfThreads) {
    const Dataset data = informative_columns(90, 10);
    const char* text = "[kernel_pca(rbf, components=20), mutual_information, kernel_pca(rbf), anova_f(0.5)]";
    EXPECT_EQ(stack_of(text, data, 1).rows.dense().values, stack_of(text, data, 5).rows.dense().values);
}

/// Mean accuracy of five-fold cross-validation.
double validated(const Dataset& data, const std::string& layers) {
    BegunControl control(2);
    const Model model =
        cross_validate(data, specified("svm", {{"kernel", "linear"}, {"layers", layers}}), control);
    return nlohmann::json::parse(model.validation_report)["metrics"]["accuracy"]["mean"];
}

TEST(Layers, SeeNoHeldOutLabels) {
    // The labels are chance. A ranking that saw held-out rows would find columns that agree with them.
    constexpr Index rows = 120;
    std::vector<std::int64_t> labels;
    for (const double v : normal_values(rows, 11)) labels.push_back(v > 0 ? 1 : 0);
    const Dataset data = with_labels(random_dense(rows, 1500, 12), labels);
    const double error = std::sqrt(0.25 / rows);
    EXPECT_LT(validated(data, "anova_f(10)"), 0.55 + 3 * error);
    EXPECT_LT(validated(data, "mutual_information(10)"), 0.55 + 3 * error);
    EXPECT_LT(validated(data, "[kernel_pca(linear, components=40), anova_f(5)]"), 0.55 + 3 * error);
    // So it would look.
    const LayerStack leaking = stack_of("anova_f(10)", data);
    EXPECT_GT(validated(leaking.rows, ""), 0.55 + 3 * error);
}

TEST(Layers, RefuseWhatTheyCannotCount) {
    Dataset data = informative_columns(20, 13);
    const auto status_of = [](const std::string& text, const Dataset& rows) {
        try {
            stack_of(text, rows);
        } catch (const Error& error) {
            return error.status();
        }
        return Status::ok;
    };
    EXPECT_EQ(status_of("anova_f(2)", to_sparse(data)), Status::unsupported);
    EXPECT_EQ(status_of("anova_f(2)", features_only(data)), Status::unsupported);
    EXPECT_EQ(status_of("kernel_pca(spectrum)", data), Status::unsupported);
    data.sample_weights.assign(20, 1.0);
    EXPECT_EQ(status_of("anova_f(2)", data), Status::unsupported);
    EXPECT_EQ(status_of("", data), Status::ok);
}

}  // namespace
}  // namespace dk::test::layers_test
