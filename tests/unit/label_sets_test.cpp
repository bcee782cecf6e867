// SPDX-License-Identifier: Apache-2.0
// Rows with several labels: a classifier learns a function for each label, which is what it learns of the
// label alone.
#include "data/label_sets.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "data/labels.hpp"
#include "data/metrics/label_metrics.hpp"
#include "data/split.hpp"
#include "machine/machine.hpp"
#include "model/file/model_file.hpp"
#include "pipeline/in_use/known_model.hpp"
#include "pipeline/prototypes/compress.hpp"
#include "pipeline/score.hpp"
#include "pipeline/search/cross_validate.hpp"
#include "trained.hpp"

namespace dk::test::label_sets_test {
namespace {

const std::vector<std::string> names{"sea", "beach", "city"};

/// Random rows, each with those of three labels that its columns say.
Dataset pictures(Index rows, std::uint64_t seed) {
    Dataset data = random_dense(rows, 3, seed);
    LabelSets sets{.names = names};
    for (Index i = 0; i < rows; ++i) {
        const auto x = data.dense().row(i);
        std::vector<Index> own;
        if (x[0] > 0.2) own.push_back(0);
        if (x[0] + x[1] > 0.5) own.push_back(1);
        if (x[2] * x[2] > 0.6) own.push_back(2);
        sets.add_row(own);
    }
    data.label_sets = std::move(sets);
    return data;
}

/// The same rows, which are of class 1 where they have the label and else of class 0.
Dataset with_label(const Dataset& data, Index label) {
    Dataset one = data;
    one.label_sets.reset();
    std::vector<std::int64_t> has;
    for (Index i = 0; i < data.rows(); ++i) has.push_back(data.has_label(i, label) ? 1 : 0);
    one.labels = labels_from_integers(has);
    return one;
}

TEST(LabelSets, AreSortedAndHaveEachLabelOnce) {
    LabelSets sets{.names = names};
    sets.add_row(std::vector<Index>{2, 0, 2});
    sets.add_row({});
    sets.add_row(std::vector<Index>{1});
    EXPECT_EQ(sets.rows(), 3);
    EXPECT_EQ(sets.of_rows, (std::vector<Index>{0, 2, 1}));
    EXPECT_TRUE(sets.has(0, 2));
    EXPECT_FALSE(sets.has(0, 1));
    EXPECT_FALSE(sets.has(1, 0));
    EXPECT_EQ(sets.counts(), (std::vector<Index>{1, 1, 1}));
    EXPECT_EQ(sets.indicators(-1, 1), (std::vector<double>{1, -1, 1, -1, -1, -1, -1, 1, -1}));
    const LabelSets some = sets.select(std::vector<Index>{2, 0, 2});
    EXPECT_EQ(some.names, names);
    EXPECT_EQ(some.starts, (std::vector<Index>{0, 1, 3, 4}));
    EXPECT_EQ(some.of_rows, (std::vector<Index>{1, 0, 2, 1}));
}

TEST(LabelSets, OfTextsAscendByNumbersOrBytes) {
    const std::vector<std::string_view> numbers{"10,9", "", "-1", "9, 9"};
    const LabelSets sets = label_sets_from_texts(numbers, ',', MemoryBudget(0));
    EXPECT_EQ(sets.names, (std::vector<std::string>{"-1", "9", "10"}));
    EXPECT_EQ(sets.starts, (std::vector<Index>{0, 2, 2, 3, 4}));
    EXPECT_EQ(sets.of_rows, (std::vector<Index>{1, 2, 0, 1}));
    // Where one is no integer, and where a text is none as it is always written, they are names.
    const std::vector<std::string_view> words{"10;red", "9", " blue ;red;"};
    EXPECT_EQ(label_sets_from_texts(words, ';', MemoryBudget(0)).names,
              (std::vector<std::string>{"10", "9", "blue", "red"}));
    const std::vector<std::string_view> codes{"01 1", "10"};
    EXPECT_EQ(label_sets_from_texts(codes, ' ', MemoryBudget(0)).names,
              (std::vector<std::string>{"01", "1", "10"}));
}

TEST(LabelSets, HaveMeasuresThatAreCountedByHand) {
    // Rows {0, 1}, {}, {2}, {0} of three labels; predicted {0}, {}, {1, 2}, {1}.
    const LabelPredictions rows{
        .labels = 3,
        .truth = {1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0},
        .predicted = {1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0},
        .scores = {3, -1, -2, -1, -1, -1, -2, 1, 2, -1, 1, -1},
        .probabilities = {0.75, 0.5, 0.25, 0.5, 0.5, 0.5, 0.25, 0.5, 1, 0.25, 0.5, 0.5}};
    EXPECT_DOUBLE_EQ(subset_accuracy(rows), 1.0 / 4);
    EXPECT_DOUBLE_EQ(hamming_loss(rows), 4.0 / 12);
    EXPECT_DOUBLE_EQ(jaccard_index(rows), (1.0 / 2 + 1 + 1.0 / 2 + 0) / 4);
    EXPECT_DOUBLE_EQ(micro_f1(rows), 2 * 2.0 / (4 + 4));
    // Label 0: 1 of 1 predicted, 1 of 2 true. Label 1: 0 of 2, 0 of 1. Label 2: 1 of 1, 1 of 1.
    EXPECT_DOUBLE_EQ(precision_recall(rows).precision, (1 + 0 + 1) / 3.0);
    EXPECT_DOUBLE_EQ(precision_recall(rows).recall, (0.5 + 0 + 1) / 3);
    EXPECT_DOUBLE_EQ(precision_recall(rows).f1, (2.0 / 3 + 0 + 1) / 3);
    // Label 0: 3 and -1 of those with it, -1 and -2 of those without: pairs 1, 1, 1/2, 1. Label 1: -1 against
    // -1, 1, 1.
    EXPECT_DOUBLE_EQ(mean_area_under_curve(rows), (3.5 / 4 + 0.5 / 3 + 1) / 3);
    // Row 0: labels 0 and 1 are the first two. Row 1 has none. Row 2: the first. Row 3: label 0 ties with
    // label 2 behind label 1, so that 1 of 3 is true.
    EXPECT_DOUBLE_EQ(label_ranking_precision(rows), (1 + 1 + 1 + 1.0 / 3) / 4);
    const double log_losses = -std::log(0.75) * 3 - std::log(0.5) * 7 - std::log(1.0) - std::log(0.25);
    EXPECT_NEAR(logarithmic_loss(rows), log_losses / 12, 1e-15);
    EXPECT_NEAR(brier_loss(rows), (3 * 0.0625 + 7 * 0.25 + 0.5625) / 12, 1e-15);
}

TEST(LabelSets, SpreadRareLabelsOverTheFolds) {
    Dataset data = random_dense(100, 2, 1);
    LabelSets sets{.names = {"often", "rare", "half"}};
    for (Index i = 0; i < 100; ++i) {
        std::vector<Index> own;
        if (i % 10 != 0) own.push_back(0);
        if (i % 20 == 3) own.push_back(1);
        if (i % 2 == 0) own.push_back(2);
        sets.add_row(own);
    }
    data.label_sets = std::move(sets);
    const auto folds = stratified_folds(data, 5, 7);
    std::vector<Index> rare(5);
    for (Index i = 0; i < 100; ++i) rare[folds[i]] += data.has_label(i, 1) ? 1 : 0;
    EXPECT_EQ(rare, std::vector<Index>(5, 1));
    for (Index fold = 0; fold < 5; ++fold) EXPECT_EQ(rows_of_fold(folds, fold, true).size(), 20U);
}

void expect_each_label_alone(const std::string& machine, const std::vector<Setting>& settings, double close) {
    const Dataset data = pictures(90, 3);
    const Dataset others = pictures(25, 4);
    const Model model = trained(machine, data, settings);
    EXPECT_EQ(model.task, "multilabel");
    EXPECT_EQ(model.rule, DecisionRule::labels);
    EXPECT_EQ(model.targets, 3);
    EXPECT_EQ(model.classes.names, names);
    const auto together = decided(model, others);
    ASSERT_EQ(together.size(), 75U);
    BegunControl control;
    const auto predicted = predictions(model, others, control);
    for (Index label = 0; label < 3; ++label) {
        const auto alone = decided(trained(machine, with_label(data, label), settings), others);
        for (Index i = 0; i < others.rows(); ++i) {
            EXPECT_NEAR(together[i * 3 + label], alone[i], close)
                << machine << " " << names[label] << " " << i;
            EXPECT_EQ(predicted[i * 3 + label], together[i * 3 + label] > 0 ? 1 : 0);
        }
    }
}

TEST(LabelSets, AreEachLearnedAsAlone) {
    const Setting kernel{"kernel", "rbf(gamma=0.5)"};
    expect_each_label_alone("svm", {kernel, {"C", "4"}}, 1e-12);
    expect_each_label_alone("svm", {kernel, {"class_weight", "balanced"}}, 1e-12);
    expect_each_label_alone("svm", {kernel, {"loss", "squared_hinge"}}, 1e-12);
    expect_each_label_alone("svm", {kernel, {"loss", "logistic"}}, 1e-9);
    expect_each_label_alone("svm", {{"kernel", "linear"}, {"loss", "logistic"}}, 1e-9);
    expect_each_label_alone("nu_svm", {kernel, {"nu", "0.2"}}, 1e-12);
    expect_each_label_alone("cvm", {kernel, {"C", "10"}}, 1e-12);
    expect_each_label_alone("bvm", {kernel, {"C", "10"}}, 1e-12);
    expect_each_label_alone("kelm", {kernel, {"C", "10"}}, 1e-10);
    expect_each_label_alone("kelm", {kernel, {"C", "10"}, {"offset", "yes"}}, 1e-10);
    expect_each_label_alone(
        "kelm", {kernel, {"solver", "falkon"}, {"landmarks", "30"}, {"tolerance", "1e-12"}}, 1e-6);
    expect_each_label_alone("elm", {kernel, {"hidden", "40"}, {"C", "10"}}, 1e-9);
    expect_each_label_alone("fisher", {kernel}, 1e-9);
    expect_each_label_alone("mean_of_class", {kernel}, 1e-12);
    expect_each_label_alone("rvm", {kernel}, 1e-9);
    expect_each_label_alone("boosted", {kernel}, 1e-9);
}

TEST(LabelSets, OfAllMachinesThatSaySo) {
    const std::set<std::string> tried{"svm", "nu_svm", "cvm",           "bvm", "kelm",
                                      "elm", "fisher", "mean_of_class", "rvm", "boosted"};
    const Dataset data = pictures(30, 5);
    for (const Machine& machine : machines()) {
        EXPECT_EQ(machine.several_labels, tried.contains(machine.name)) << machine.name;
        if (machine.task != Task::classification || machine.several_labels) continue;
        const auto message = message_of(Status::unsupported, [&] {
            trained(machine.name, data, {{"kernel", "rbf"}});
        });
        EXPECT_NE(
            message.find("learns one class a row, and rows have several of 3 labels; machines that learn "
                         "these are svm, nu_svm"),
            std::string::npos)
            << machine.name << ": " << message;
    }
}

TEST(LabelSets, HaveConstantFunctionsWhereAllRowsHaveThemOrNone) {
    Dataset data = pictures(40, 6);
    LabelSets sets{.names = {"all", "sea", "none", "unless weight 0"}};
    for (Index i = 0; i < data.rows(); ++i) {
        std::vector<Index> own{0};
        if (data.has_label(i, 0)) own.push_back(1);
        if (i > 4) own.push_back(3);
        sets.add_row(own);
    }
    data.label_sets = std::move(sets);
    const double log_odds = std::log(41.0);
    for (const char* machine :
         {"svm", "nu_svm", "cvm", "bvm", "kelm", "elm", "fisher", "mean_of_class", "rvm", "boosted"}) {
        std::vector<Setting> settings{{"kernel", "rbf(gamma=0.5)"}};
        if (machine == std::string("nu_svm")) settings.emplace_back("nu", "0.1");
        Dataset rows = data;
        const bool weighs = machine_named(machine).uses_sample_weights;
        rows.sample_weights.assign(weighs ? 40 : 0, 1.0);
        for (Index i = 0; weighs && i < 5; ++i) rows.sample_weights[i] = 0;
        const auto found = decided(trained(machine, rows, settings), pictures(10, 7));
        for (Index i = 0; i < 10; ++i) {
            EXPECT_DOUBLE_EQ(found[i * 4], log_odds) << machine;
            EXPECT_DOUBLE_EQ(found[i * 4 + 2], -log_odds) << machine;
            EXPECT_EQ(found[i * 4 + 3] == log_odds, weighs) << machine;
        }
    }
    BegunControl control;
    const Model logistic = trained("svm", data, {{"kernel", "rbf(gamma=0.5)"}, {"loss", "logistic"}});
    const auto p = probabilities(logistic, pictures(1, 7), control);
    EXPECT_NEAR(p[0], 41.0 / 42, 1e-12);
    EXPECT_NEAR(p[2], 1.0 / 42, 1e-12);
}

TEST(LabelSets, AreNoTargets) {
    EXPECT_NE(message_of(Status::invalid_data, [] { trained("kernel_ridge", pictures(20, 8), {}); })
                  .find("several labels a row, which classifiers learn"),
              std::string::npos);
}

TEST(LabelSets, HaveProbabilitiesOfTheirOwn) {
    const Dataset data = pictures(120, 9);
    BegunControl control;
    for (const char* machine : {"svm", "kelm"}) {
        const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.5)"}, {"probability", "yes"}};
        const Model model = trained(machine, data, settings);
        const auto found = decisions(model, data, control);
        const auto p = probabilities(model, data, control);
        ASSERT_EQ(p.size(), 360U);
        for (Index label = 0; label < 3; ++label) {
            for (Index i = 0; i < data.rows(); ++i) {
                const std::size_t e = i * 3 + label;
                EXPECT_NEAR(p[e],
                            1 / (1 + std::exp(model.calibration.slopes[label] * found[e] +
                                              model.calibration.offsets[label])),
                            1e-15);
            }
        }
        const auto scores = score_all(model, data, control);
        EXPECT_LT(scores.at("log_loss"), std::log(2.0));
        EXPECT_LT(scores.at("brier"), 0.25);
    }
    Model model = trained("svm", data, {{"probability", "yes"}, {"elect", "probability"}});
    const auto p = probabilities(model, data, control);
    const auto predicted = predictions(model, data, control);
    for (std::size_t e = 0; e < p.size(); ++e) EXPECT_EQ(predicted[e], p[e] > 0.5 ? 1 : 0);
}

TEST(LabelSets, AreCrossValidatedAndChosen) {
    const Dataset data = pictures(90, 10);
    auto specification = default_specification("svm");
    set_parameter(specification, "grid", "C=0.01:10;kernel=[rbf(gamma=0.5),linear]");
    BegunControl control;
    const Model model = cross_validate(data, specification, control);
    const auto report = nlohmann::json::parse(model.validation_report);
    EXPECT_EQ(report.at("select"), "micro_f1");
    const double score = report.at("metrics").at("micro_f1").at("mean").get<double>();
    EXPECT_GT(score, report.at("baseline").at("micro_f1").value("mean", 0.0));
    EXPECT_GT(score, 0.8);
    for (const char* metric : {"accuracy", "hamming_loss", "jaccard", "label_ranking", "auc"})
        EXPECT_TRUE(report.at("metrics").contains(metric)) << metric;
    set_parameter(specification, "select", "mcc");
    EXPECT_NE(message_of(Status::invalid_parameter, [&] { cross_validate(data, specification, control); })
                  .find("whose task is multilabel"),
              std::string::npos);
}

TEST(LabelSets, SurviveFilesOfTheLastVersion) {
    const Dataset data = pictures(40, 11);
    const Model model = trained("svm", data, {{"kernel", "rbf(gamma=0.5)"}, {"probability", "yes"}});
    const auto bytes = write_model(model);
    EXPECT_EQ(bytes[8], 4);
    BegunControl control;
    const Model read = read_model(bytes, control);
    EXPECT_EQ(read.rule, DecisionRule::labels);
    EXPECT_EQ(read.targets, 3);
    EXPECT_EQ(predictions(read, data, control), predictions(model, data, control));
    EXPECT_EQ(write_model(read), bytes);
    // One label is a set of labels too.
    Dataset one = data;
    one.label_sets = LabelSets{.names = {"sea"}};
    for (Index i = 0; i < data.rows(); ++i)
        one.label_sets->add_row(data.has_label(i, 0) ? std::vector<Index>{0} : std::vector<Index>{});
    const Model of_one = trained("kelm", one, {});
    const auto of_one_bytes = write_model(of_one);
    EXPECT_EQ(of_one_bytes[8], 4);
    EXPECT_EQ(predictions(read_model(of_one_bytes, control), one, control),
              predictions(of_one, one, control));
}

TEST(LabelSets, AreScoredByTheirNames) {
    const Dataset data = pictures(60, 12);
    const Model model = trained("svm", data, {{"kernel", "rbf(gamma=0.5)"}});
    BegunControl control;
    const auto scores = score_all(model, data, control);
    // Another order of the names, and one more that no row has, are the same sets.
    Dataset other = data;
    other.label_sets = LabelSets{.names = {"city", "moon", "beach", "sea"}};
    const std::vector<Index> position{3, 2, 0};
    for (Index i = 0; i < data.rows(); ++i) {
        std::vector<Index> own;
        for (const Index label : data.label_sets->of_row(i)) own.push_back(position[label]);
        other.label_sets->add_row(own);
    }
    EXPECT_EQ(score_all(model, other, control), scores);
    LabelSets moon = *other.label_sets;
    moon.of_rows.front() = 1;
    other.label_sets = moon;
    EXPECT_NE(message_of(Status::invalid_data, [&] { score_all(model, other, control); })
                  .find("1 row has the label moon"),
              std::string::npos);
    // Rows with one class each have sets of one label.
    Dataset single = data;
    single.label_sets.reset();
    std::vector<std::string_view> classes(data.rows(), "sea");
    single.labels = labels_from_names(classes, MemoryBudget(0));
    EXPECT_LT(score_all(model, single, control).at("accuracy"), 1);
    EXPECT_NE(message_of(Status::unsupported, [&] { score(model, data, metric_named("mcc"), control); })
                  .find("metric mcc is not one of multilabel; there are accuracy"),
              std::string::npos);
}

TEST(LabelSets, AreCompressed) {
    const Dataset data = pictures(120, 13);
    const Model model = trained("svm", data, {{"kernel", "rbf(gamma=0.5)"}, {"C", "10"}});
    auto specification = default_specification("super_sparse");
    set_parameter(specification, "prototypes", "12");
    BegunControl control;
    const Model small = compress(model, data, specification, control);
    EXPECT_EQ(small.predictor->support_count(), 12);
    EXPECT_EQ(small.rule, DecisionRule::labels);
    const auto report = nlohmann::json::parse(small.training_report).at("compressed")[0];
    EXPECT_GT(report.at("agreement").get<double>(), 0.9);
    EXPECT_EQ(predictions(read_model(write_model(small), control), data, control),
              predictions(small, data, control));
}

TEST(LabelSets, RefuseWhatIsOfOneClass) {
    const Dataset data = pictures(40, 14);
    const auto refused = [&](std::vector<Setting> settings) {
        return message_of(Status::unsupported, [&] { trained("svm", data, settings); });
    };
    EXPECT_NE(refused({{"confidence", "0.9"}}).find("confidence is of rows with one class"),
              std::string::npos);
    EXPECT_NE(refused({{"miss_cost", "2"}}).find("false_alarms and miss_cost are of rows with one class"),
              std::string::npos);
    EXPECT_NE(refused({{"updatable", "yes"}}).find("updatable=yes is of rows with one class"),
              std::string::npos);
    EXPECT_NE(refused({{"multiclass", "nearest"}}).find("multiclass=nearest"), std::string::npos);
    EXPECT_NE(
        refused({{"probability", "yes"}, {"calibration", "temperature"}}).find("calibration=temperature"),
        std::string::npos);
    EXPECT_NE(refused({{"kernel", "[rbf, linear]"}, {"weights", "easymkl"}}).find("several labels"),
              std::string::npos);
    EXPECT_NE(refused({{"kernel", "[rbf, linear]"}, {"weights", "dimkl1"}}).find("several labels"),
              std::string::npos);
    BegunControl control;
    EXPECT_NE(message_of(Status::unsupported, [&] { confusion(trained("svm", data, {}), data, control); })
                  .find("several labels"),
              std::string::npos);
}

TEST(LabelSets, OfHostileModelsAreRefused) {
    const Dataset data = pictures(30, 16);
    BegunControl control;
    for (const auto& twice : {std::vector<std::string>{"sea", "sea", "city"}, std::vector<std::string>{}}) {
        Model model = trained("svm", data, {});
        model.classes.names = twice;
        EXPECT_NE(message_of(Status::model_format, [&] { read_model(write_model(model), control); })
                      .find("labels without a name of their own"),
                  std::string::npos);
    }
    Model other = trained("svm", data, {});
    other.machine = "mcvm";
    EXPECT_NE(message_of(Status::model_format, [&] { read_known_model(write_model(other), control); })
                  .find("learns one class a row"),
              std::string::npos);
}

TEST(LabelSets, WeighKernelsByAlignment) {
    const Dataset data = pictures(60, 15);
    const Model model = trained(
        "kelm", data, {{"kernel", "[rbf(gamma=0.5), linear, rbf(gamma=1000)]"}, {"weights", "align"}});
    const auto& weights = model.kernel_weights;
    ASSERT_EQ(weights.size(), 3U);
    EXPECT_GT(weights[0], weights[2]);
    EXPECT_GT(std::accumulate(weights.begin(), weights.end(), 0.0), 0);
    // All the ways that apply to several labels are compared, and those that need one class are not.
    auto specification = default_specification("svm");
    set_parameter(specification, "kernel", "[rbf(gamma=0.5), linear]");
    set_parameter(specification, "folds", "3");
    BegunControl control;
    const auto report =
        nlohmann::json::parse(compare_weights(data, specification, control).validation_report);
    EXPECT_GE(report.at("candidates").size(), 5U);
    // The budget is asked for labels as numbers.
    Dataset wide = pictures(200, 16);
    wide.label_sets->names.clear();
    for (int label = 0; label < 20000; ++label) wide.label_sets->names.push_back(std::to_string(label));
    message_of(Status::memory_budget, [&] {
        trained("svm", wide, {{"kernel", "[rbf, linear]"}, {"weights", "align"}, {"memory_mb", "30"}});
    });
}

}  // namespace
}  // namespace dk::test::label_sets_test
