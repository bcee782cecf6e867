// SPDX-License-Identifier: Apache-2.0
// These tests take models of series, strings, graphs and callback similarities from training to the model
// file. They must learn what is easily learned, answer every question, and refuse data of another kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "answers.hpp"
#include "expectations.hpp"
#include "files.hpp"
#include "handles.hpp"
#include "structures.hpp"

namespace dk_test::structures_model_test {
namespace {

constexpr int64_t training_rows = 24;
constexpr int64_t test_rows = 11;

std::vector<double> rbf_matrix(const Data& left, const Data& right) {
    return values_of<double>(dk_data_rows(left.get()) * dk_data_rows(right.get()), dk_gram, left.get(),
                             right.get(), "rbf(gamma=0.5)", nullptr);
}

/// This has training and test data of one kind. The callback's similarities are those of points that only it
/// knows.
struct Objects {
    std::unique_ptr<Similarities> training_similarities, test_similarities;
    Data training, test;
    std::vector<int64_t> test_labels = alternating_labels(test_rows);

    explicit Objects(int kind) {
        if (kind == DK_KIND_SERIES) {
            training = series(training_rows, 3, 71);
            test = series(test_rows, 3, 72);
        } else if (kind == DK_KIND_STRINGS) {
            training = strings(training_rows, 71);
            test = strings(test_rows, 72);
        } else if (kind == DK_KIND_GRAPHS) {
            training = graphs(training_rows, 71);
            test = graphs(test_rows, 72);
        } else {
            make_similarities();
        }
    }

  private:
    void make_similarities() {
        const Data points = dense(make_problem(training_rows, 3, 2, 9.0, 71));
        const Data others = dense(make_problem(test_rows, 3, 2, 9.0, 72));
        training_similarities =
            std::make_unique<Similarities>(rbf_matrix(points, points), training_rows, training_rows);
        test_similarities =
            std::make_unique<Similarities>(rbf_matrix(others, points), test_rows, training_rows);
        const std::vector<double> self(test_rows, 1.0);
        training = training_similarities->data();
        test = test_similarities->data(self.data());
        label(training, labels_of(points));
        test_labels = labels_of(others);
        label(test, test_labels);
    }
};

struct Case {
    std::string name;
    int kind;
    std::string machine, settings;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

class StructuresModel : public testing::TestWithParam<Case> {
  protected:
    const Objects objects{GetParam().kind};

    Model trained(dk_control* control = nullptr) const {
        return train(objects.training, GetParam().machine.c_str(), GetParam().settings, control);
    }
};

TEST_P(StructuresModel, LearnsWhatIsEasilyToldApart) {
    const Model model = trained();
    std::vector<double> expected(objects.test_labels.begin(), objects.test_labels.end());
    EXPECT_EQ(predictions(model, objects.test), expected);
    double accuracy = 0.0;
    check(dk_score(&accuracy, model.get(), objects.training.get(), "accuracy", nullptr));
    EXPECT_EQ(accuracy, 1.0);
}

/// Where there is memory for them, the values of all pairs are computed ahead and once.
TEST(StructuresMemory, ValuesThatAreKeptAreThoseThatAreNot) {
    const Data texts = strings(400, 5);  // Their pairs take 0.6 megabytes, of which 2 leave 0.5.
    const Data rows = series(400, 1, 5);
    const std::vector<std::pair<const Data*, std::string>> cases{
        {&texts, "kernel=subsequence(length=2)"},
        {&texts, "kernel=edit(gamma=0.1)"},
        {&texts, "kernel=[normalize(subsequence(length=2)),spectrum(length=2)]"},
        {&rows, "kernel=gak(sigma=2)"},
        {&rows, "kernel=dtw(gamma=0.1)"}};
    for (const auto& [data, settings] : cases) {
        SCOPED_TRACE(settings);
        const Model kept = train(*data, "mean_of_class", settings);
        const Model computed = train(*data, "mean_of_class", settings + " memory_mb=2");
        const std::vector<double> expected = decisions(computed, *data);
        const std::vector<double> found = decisions(kept, *data);
        for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-8) << i;
    }
}

/// Fisher's discriminant needs three matrices of 280 rows, 1.9 of 2 megabytes, which leave no room for pairs.
TEST(StructuresMemory, ValuesThatAreKeptTakeNoneFromTheMachine) {
    for (const char* machine : {"fisher", "kelm"})
        EXPECT_NO_THROW(train(strings(280, 5), machine, "kernel=edit(gamma=0.1) memory_mb=2")) << machine;
}

TEST(StructuresMemory, ThreadsMakeNoDifference) {
    const Data rows = series(60, 2, 5);
    const auto by_threads = [&](int32_t threads) {
        const Control control = create<Control>(dk_control_create);
        check(dk_control_set_threads(control.get(), threads));
        return train(rows, "svm", "kernel=[gak(sigma=2),dtw(gamma=0.1)] weights=alignf", control.get());
    };
    expect_same_answers(by_threads(1), by_threads(3), rows, false);
}

TEST_P(StructuresModel, ExplanationsAddUpToDecisions) {
    const Model model = trained();
    const std::vector<double> parts = explanations(model, objects.test);
    const std::vector<double> whole = decisions(model, objects.test);
    ASSERT_EQ(dk_model_decision_count(model.get()), 1);
    ASSERT_EQ(dk_model_prototype_count(model.get()), 2);
    double offset = 0.0;
    check(dk_model_prototype_offsets(nullptr, &offset, 1, model.get()));
    std::vector<double> sums;
    for (std::size_t i = 0; i < whole.size(); ++i) sums.push_back(parts[2 * i] + parts[2 * i + 1] + offset);
    EXPECT_TRUE(nearly_equal(sums, whole, 1e-9));
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_LE(parts[2 * i], 0.0) << "minus a squared distance";
        EXPECT_GE(parts[2 * i + 1], 0.0) << "a squared distance";
    }
}

TEST_P(StructuresModel, PrototypesAreMixturesOfTheRowsOfTheirClass) {
    const Model model = trained();
    const auto rows = static_cast<std::size_t>(training_rows);
    EXPECT_EQ(dk_model_training_rows(model.get()), training_rows);
    const auto coefficients =
        values_of<double>(2 * training_rows, dk_model_prototype_coefficients, model.get());
    const auto classes = values_of<int64_t>(2, dk_model_prototype_classes, model.get());
    const auto values = values_of<int64_t>(2, dk_model_classes, model.get());
    const std::vector<int64_t> labels = labels_of(objects.training);
    const bool of_one_class =
        GetParam().machine != "fisher";  // Fisher's prototypes mix rows of both classes.
    for (std::size_t prototype = 0; prototype < 2; ++prototype) {
        double sum = 0.0;
        for (std::size_t row = 0; row < rows; ++row) {
            const double coefficient = coefficients[prototype * rows + row];
            EXPECT_GE(coefficient, 0.0);
            sum += coefficient;
        }
        EXPECT_NEAR(sum, 1.0, 1e-9);
    }
    const int64_t neighbours = dk_model_prototype_neighbours(model.get());
    ASSERT_EQ(neighbours, 5);
    std::vector<int64_t> nearest(10);
    std::vector<double> distances(10);
    check(dk_model_prototype_nearest(nearest.data(), distances.data(), 10, model.get()));
    for (std::size_t at = 0; at < 10; ++at) {
        ASSERT_GE(nearest[at], 0);
        ASSERT_LT(nearest[at], training_rows);
        if (of_one_class) {
            EXPECT_EQ(labels[static_cast<std::size_t>(nearest[at])],
                      values[static_cast<std::size_t>(classes[at / 5])])
                << "the classes lie far apart";
        }
        EXPECT_GE(distances[at], 0.0);
        if (at % 5 > 0) {
            EXPECT_GE(distances[at], distances[at - 1]);
        }
    }
    EXPECT_TRUE(all_finite(distances));
}

TEST_P(StructuresModel, ReadsBackTheSameModel) {
    const Model model = trained();
    expect_same_answers(read_model(bytes_of(model.get())), model, objects.test, false);
    TemporaryDirectory directory;
    check(dk_model_save(model.get(), directory.path("model.dk").c_str()));
    expect_same_answers(create<Model>(dk_model_load, directory.path("model.dk").c_str(), nullptr), model,
                        objects.test, false);
}

TEST_P(StructuresModel, TheSameBytesForAnyNumberOfThreads) {
    const Bytes bytes = bytes_of(trained().get());
    for (const int32_t threads : {1, 2, 3}) {
        const Control control = create<Control>(dk_control_create);
        check(dk_control_set_threads(control.get(), threads));
        EXPECT_EQ(bytes_of(trained(control.get()).get()), bytes) << threads;
    }
}

TEST_P(StructuresModel, RefusesDataOfAnotherKind) {
    const Model model = trained();
    constexpr const char* names[]{"dense", "sparse", "gram", "series", "strings", "graphs"};
    std::vector<Data> others;
    others.push_back(dense(make_problem(4, 3, 2, 1.0, 1)));
    others.push_back(sparse(make_problem(4, 3, 2, 1.0, 1)));
    others.push_back(gram(std::vector<double>(4 * training_rows, 1.0), 4, training_rows));
    others.push_back(series(4, 3, 1));
    others.push_back(strings(4, 1));
    others.push_back(graphs(4, 1));
    const std::string own = names[GetParam().kind];
    for (const Data& other : others) {
        const std::string name = names[dk_data_kind(other.get())];
        if (name == own) continue;
        std::vector<double> out(8);
        const Words words{own, name};
        expect_failure([&] { return dk_predict(out.data(), 4, model.get(), other.get(), nullptr); },
                       DK_ERR_DIMENSION, words);
        expect_failure([&] { return dk_decision(out.data(), 4, model.get(), other.get(), nullptr); },
                       DK_ERR_DIMENSION, words);
        expect_failure([&] { return dk_explain(out.data(), 8, model.get(), other.get(), nullptr); },
                       DK_ERR_DIMENSION, words);
    }
}

TEST_P(StructuresModel, EveryTruncation) {
    const Bytes bytes = bytes_of(trained().get());
    for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 500) {
        const Bytes cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
        expect_no_handle<dk_model>(
            [&](dk_model** out) {
                return dk_model_read(out, cut.empty() ? bytes.data() : cut.data(),
                                     static_cast<int64_t>(cut.size()), nullptr);
            },
            DK_ERR_MODEL_FORMAT);
    }
}

TEST_P(StructuresModel, CrossValidates) {
    const Params params = parameters(GetParam().machine.c_str(), GetParam().settings + " folds=3");
    const Model model = create<Model>(dk_cross_validate, objects.training.get(), params.get(), nullptr);
    EXPECT_NE(text_of(dk_model_info, model.get()).find("\"cross_validation\""), std::string::npos);
    EXPECT_TRUE(same_bits(decisions(model, objects.test), decisions(trained(), objects.test)))
        << "the model is that of all rows";
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, StructuresModel,
    testing::Values(
        Case{"series_svm", DK_KIND_SERIES, "svm", ""}, Case{"series_fisher", DK_KIND_SERIES, "fisher", ""},
        Case{"series_mean_of_class", DK_KIND_SERIES, "mean_of_class", ""},
        Case{"series_on", DK_KIND_SERIES, "svm", "kernel=on(0:1, gak)"},
        Case{"series_bank", DK_KIND_SERIES, "svm", "kernel=each_channel(gak) weights=dimkl1"},
        Case{"series_dtw", DK_KIND_SERIES, "svm", "kernel=dtw spectrum=clip"},
        Case{"strings_svm", DK_KIND_STRINGS, "svm", ""},
        Case{"strings_fisher", DK_KIND_STRINGS, "fisher", "kernel=normalize(mismatch)"},
        Case{"strings_mean_of_class", DK_KIND_STRINGS, "mean_of_class", "kernel=normalize(subsequence)"},
        Case{"strings_edit", DK_KIND_STRINGS, "svm", "kernel=edit spectrum=flip"},
        Case{"strings_bank", DK_KIND_STRINGS, "svm",
             "kernel=[spectrum(length=2),spectrum(length=3)] weights=dimkl1"},
        Case{"graphs_svm", DK_KIND_GRAPHS, "svm", ""}, Case{"graphs_fisher", DK_KIND_GRAPHS, "fisher", ""},
        Case{"graphs_mean_of_class", DK_KIND_GRAPHS, "mean_of_class", ""},
        Case{"similarity_svm", DK_KIND_GRAM, "svm", ""},
        Case{"similarity_fisher", DK_KIND_GRAM, "fisher", ""},
        Case{"similarity_mean_of_class", DK_KIND_GRAM, "mean_of_class", ""}),
    [](const auto& information) { return information.param.name; });

TEST(StructuresModels, KernelAutoIsTheOneDocumented) {
    const auto name = [](int kind) {
        const Objects objects(kind);
        return text_of(dk_model_kernel_name, train(objects.training, "svm").get(), int64_t{0});
    };
    EXPECT_NE(name(DK_KIND_SERIES).find("gak("), std::string::npos) << name(DK_KIND_SERIES);
    EXPECT_NE(name(DK_KIND_STRINGS).find("normalize(spectrum"), std::string::npos) << name(DK_KIND_STRINGS);
    EXPECT_NE(name(DK_KIND_GRAPHS).find("normalize(weisfeiler_lehman"), std::string::npos)
        << name(DK_KIND_GRAPHS);
    EXPECT_NE(name(DK_KIND_GRAM).find("gram(0)"), std::string::npos) << name(DK_KIND_GRAM);
}

TEST(StructuresModels, ChannelsMustBeThoseOfTraining) {
    const Model model = train(series(10, 3, 1), "svm", "kernel=on(0:1, gak)");
    EXPECT_EQ(dk_model_feature_count(model.get()), 3);
    std::vector<double> out(4);
    for (const int64_t channels : {2, 4}) {
        const Data other = series(4, channels, 1);
        expect_failure([&] { return dk_predict(out.data(), 4, model.get(), other.get(), nullptr); },
                       DK_ERR_DIMENSION, {"3", std::to_string(channels)});
    }
    const Data data = series(10, 2, 1);
    const Params params = parameters("svm", "kernel=on(0:2, gak)");
    expect_no_handle_in<dk_model>(
        [&](dk_model** model_out) { return dk_train(model_out, data.get(), params.get(), nullptr); },
        {DK_ERR_DIMENSION, DK_ERR_INVALID_KERNEL}, {"2"});
}

TEST(StructuresModels, ABankOfChannelsHasOneKernelAChannel) {
    const Data data = series(20, 3, 1);
    const Model model = train(data, "svm", "kernel=each_channel(gak) weights=dimkl1");
    ASSERT_EQ(dk_model_kernel_count(model.get()), 3);
    const auto weights = values_of<double>(3, dk_model_kernel_weights, model.get());
    double sum = 0.0;
    for (const double weight : weights) {
        EXPECT_GE(weight, 0.0);
        sum += weight;
    }
    EXPECT_GT(sum, 0.0);
    int64_t count = 0;
    check(dk_kernel_count(&count, data.get(), "each_channel(gak)"));
    EXPECT_EQ(count, 3);
}

TEST(StructuresModels, OneChannelOfManyIsTheSeriesOfThatChannelAlone) {
    const SeriesProblem all = make_series(12, 3, 9);
    SeriesProblem second{1, {}, all.lengths, all.labels};
    for (std::size_t at = 1; at < all.values.size(); at += 3) second.values.push_back(all.values[at]);
    for (const char* kernel : {"gak(sigma=1.5)", "gak", "dtw", "dtw(gamma=0.2, band=2)"}) {
        const std::string on = std::string("on(1, ") + kernel + ")";
        EXPECT_TRUE(nearly_equal(
            values_of<double>(144, dk_gram, unlabelled(all).get(), nullptr, on.c_str(), nullptr),
            values_of<double>(144, dk_gram, unlabelled(second).get(), nullptr, kernel, nullptr), 1e-12))
            << kernel;
    }
}

TEST(StructuresModels, PointsAmongTheFeaturesDoNotExist) {
    for (const int kind : {DK_KIND_SERIES, DK_KIND_STRINGS, DK_KIND_GRAPHS, DK_KIND_GRAM}) {
        const Objects objects(kind);
        const Model model = train(objects.training, "svm");
        const int64_t length = dk_model_prototype_count(model.get()) * dk_model_feature_count(model.get());
        std::vector<double> out(static_cast<std::size_t>(length));
        expect_failure([&] { return dk_model_prototype_coordinates(out.data(), length, model.get()); },
                       DK_ERR_UNSUPPORTED);
    }
}

TEST(StructuresModels, ProbabilitiesOfSeries) {
    const Data data = series(30, 2, 4);
    const Data test = series(9, 2, 5);
    const Model model = train(data, "svm", "probability=yes folds=3");
    const std::vector<double> values = probabilities(model, test);
    for (std::size_t row = 0; row < 9; ++row) EXPECT_NEAR(values[2 * row] + values[2 * row + 1], 1.0, 1e-12);
    EXPECT_TRUE(all_finite(values));
    expect_same_answers(read_model(bytes_of(model.get())), model, test, true);
}

}  // namespace
}  // namespace dk_test::structures_model_test
