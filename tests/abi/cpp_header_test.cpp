// SPDX-License-Identifier: Apache-2.0
// dk.hpp: its classes say what the functions of dk.h say, and its failures are exceptions.
#include <gtest/gtest.h>
#include <dk/dk.hpp>

#include <cmath>
#include <thread>

#include "files.hpp"
#include "handles.hpp"

namespace dk_test::cpp_header_test {
namespace {

class CppHeader : public testing::Test {
  protected:
    const Problem problem = make_problem(60, 3, 3, 2.0, 81);
    libdk::Data data = with_labels(libdk::Data::dense(
        libdk::MatrixView<double>(std::span<const double>(problem.x), problem.rows, problem.cols)));
    const dk_data* raw() const { return data.handle(); }

    libdk::Data with_labels(libdk::Data rows) const { return rows.set_labels(problem.labels); }

    template <typename Action>
    static libdk::Error failure_of(Action action) {
        try {
            action();
        } catch (const libdk::Error& error) {
            return error;
        }
        ADD_FAILURE() << "nothing was thrown";
        return {libdk::Status::ok, ""};
    }
};

TEST_F(CppHeader, ModelsSayWhatTheFunctionsSay) {
    const libdk::Parameters parameters("svm", "C=10 kernel=[rbf(gamma=0.2), linear] probability=yes");
    const libdk::Model model = libdk::Model::train(data, parameters);
    const dk_model* handle = model.handle();
    EXPECT_EQ(model.predict(data), values_of<double>(60, dk_predict, handle, raw(), nullptr));
    EXPECT_EQ(model.decision(data).values,
              values_of<double>(60 * model.decision_count(), dk_decision, handle, raw(), nullptr));
    EXPECT_EQ(model.probability(data).values, values_of<double>(180, dk_probability, handle, raw(), nullptr));
    const libdk::Explanation said = model.explain(data);
    EXPECT_EQ(said.contributions.values,
              values_of<double>(60 * model.prototype_count(), dk_explain, handle, raw(), nullptr));
    for (std::int64_t row = 0; row < 60; ++row) {
        for (std::int64_t f = 0; f < model.decision_count(); ++f)
            EXPECT_NEAR(said.contributions(row, 2 * f) + said.contributions(row, 2 * f + 1) +
                            said.offsets[static_cast<std::size_t>(f)],
                        model.decision(data)(row, f), 1e-9);
    }
    double accuracy = 0;
    check(dk_score(&accuracy, handle, raw(), "accuracy", nullptr));
    EXPECT_EQ(model.score(data, "accuracy"), accuracy);
    EXPECT_EQ(model.confusion(data), values_of<int64_t>(9, dk_confusion, handle, raw(), nullptr));
    EXPECT_EQ(model.info(), text_of(dk_model_info, handle));
    EXPECT_EQ(model.classes(), values_of<int64_t>(3, dk_model_classes, handle));
    EXPECT_EQ(model.class_names(), (std::vector<std::string>{"-2", "3", "8"}));
    EXPECT_EQ(model.normals(), values_of<double>(model.decision_count(), dk_model_normals, handle));
    ASSERT_EQ(model.weights().size(), 2U);
    EXPECT_EQ(model.weights()[1].kernel, text_of(dk_model_kernel_name, handle, 1));
    EXPECT_TRUE(model.prototypes_are_pairs());
}

TEST_F(CppHeader, CopiesOfParametersSearchWhatTheOriginalDoes) {
    libdk::Parameters parameters("svm", "C=auto kernel=rbf(gamma=auto:cv)");
    parameters.set("gamma", "auto").set("folds", 3);
    const libdk::Parameters copy = parameters;
    EXPECT_EQ(copy.get("tune"), "C; gamma");
    EXPECT_EQ(copy.get("folds"), "3");
    EXPECT_EQ(copy.given(), "C kernel gamma folds");
}

TEST_F(CppHeader, PrototypesHaveTheirParts) {
    const libdk::Model model =
        libdk::Model::train(data, libdk::Parameters("mean_of_class", "kernel=linear neighbours=2"));
    const auto prototypes = model.prototypes();
    ASSERT_EQ(static_cast<std::int64_t>(prototypes.size()), model.prototype_count());
    const auto coefficients =
        values_of<double>(model.prototype_count() * 60, dk_model_prototype_coefficients, model.handle());
    const libdk::Matrix points = model.prototype_coordinates();
    for (std::size_t p = 0; p < prototypes.size(); ++p) {
        EXPECT_TRUE(std::equal(prototypes[p].coefficients.begin(), prototypes[p].coefficients.end(),
                               coefficients.begin() + static_cast<std::ptrdiff_t>(60 * p)));
        ASSERT_EQ(prototypes[p].nearest.size(), 2U);
        EXPECT_LE(prototypes[p].distances[0], prototypes[p].distances[1]);
        // The first is as far as its coordinates say.
        const auto point = points.row(static_cast<std::int64_t>(p));
        double square = 0;
        for (std::size_t c = 0; c < 3; ++c)
            square +=
                std::pow(point[c] - problem.x[static_cast<std::size_t>(3 * prototypes[p].nearest[0]) + c], 2);
        EXPECT_NEAR(std::sqrt(square), prototypes[p].distances[0], 1e-9);
    }
}

TEST_F(CppHeader, FillsSpansOfTheCaller) {
    const libdk::Model model = libdk::Model::train(data, libdk::Parameters("svm", "C=3"));
    std::vector<double> out(60);
    model.predict(out, data);
    EXPECT_EQ(out, model.predict(data));
    EXPECT_EQ(failure_of([&] { model.predict(std::span(out).first(59), data); }).status(),
              libdk::Status::invalid_argument);
}

TEST_F(CppHeader, ModelsAreWrittenAndRead) {
    const TemporaryDirectory folder;
    const libdk::Model model = libdk::Model::train(data, libdk::Parameters("kelm"));
    const std::string path = folder.path("model.dk");
    model.save(path);
    EXPECT_EQ(libdk::Model::load(path).predict(data), model.predict(data));
    const auto bytes = model.write();
    EXPECT_EQ(libdk::Model::read(bytes).write(), bytes);
    EXPECT_EQ(failure_of([&] { libdk::Model::read(std::span(bytes).first(bytes.size() / 2)); }).status(),
              libdk::Status::model_format);
    EXPECT_EQ(failure_of([&] { libdk::Model::load(path + ".none"); }).status(), libdk::Status::io);
}

TEST_F(CppHeader, DataOfEveryKind) {
    const std::vector<float> narrow{1, 2, 3, 4, 5, 6};
    EXPECT_EQ(
        libdk::Data::dense(libdk::MatrixView<float>(std::span<const float>(narrow), 3, 2)).values().values,
        (std::vector<double>{1, 2, 3, 4, 5, 6}));
    const std::vector<double> columns{1, 3, 5, 2, 4, 6};
    EXPECT_EQ(
        libdk::Data::dense(libdk::MatrixView<double>(std::span<const double>(columns), 3, 2, DK_COL_MAJOR))
            .values()(2, 1),
        6);
    const std::vector<double> holes{1, NAN};
    EXPECT_EQ(libdk::Data::dense_with_missing(libdk::MatrixView<double>(std::span<const double>(holes), 2, 1))
                  .rows(),
              2);
    EXPECT_EQ(failure_of([&] {
                  libdk::Data::dense(libdk::MatrixView<double>(std::span<const double>(holes), 2, 1));
              }).status(),
              libdk::Status::invalid_data);
    const std::vector<std::int64_t> offsets{0, 1, 3};
    const std::vector<std::int64_t> at{1, 0, 2};
    const std::vector<double> values{5, 6, 7};
    const auto sparse = libdk::Data::sparse(offsets, at, values, 3);
    EXPECT_EQ(sparse.kind(), libdk::Kind::sparse);
    EXPECT_EQ(libdk::gram(sparse, "linear").values, (std::vector<double>{25, 0, 0, 85}));
    const std::vector<double> similarities{2, 1, 1, 2};
    EXPECT_EQ(libdk::Data::gram(similarities, 1, 2, 2).kind(), libdk::Kind::gram);
    const std::vector<std::int64_t> lengths{1, 2};
    EXPECT_EQ(libdk::Data::series(values, lengths, 1).kind(), libdk::Kind::series);
    EXPECT_EQ(libdk::Data::strings({"ab", "", "c"}).rows(), 3);
    const std::vector<std::int64_t> nodes{2, 1};
    const std::vector<std::int64_t> edge_counts{1, 0};
    const std::vector<std::int64_t> edges{0, 1};
    EXPECT_EQ(libdk::Data::graphs(nodes, {}, edge_counts, edges).kind(), libdk::Kind::graphs);
    // Lengths that contradict each other are told before libdk reads beyond an array.
    EXPECT_EQ(failure_of([&] { libdk::Data::series(values, offsets, 2); }).status(),
              libdk::Status::invalid_argument);
    EXPECT_EQ(failure_of([&] { libdk::Data::graphs(nodes, {}, edge_counts, offsets); }).status(),
              libdk::Status::invalid_argument);
    EXPECT_EQ(failure_of([&] { libdk::MatrixView<double>(std::span<const double>(values), 2, 2); }).status(),
              libdk::Status::invalid_argument);
}

TEST_F(CppHeader, DataTellWhatTheyAre) {
    data.set_feature_names({"a", "b", "c"});
    EXPECT_EQ(data.feature_name(1), "b");
    EXPECT_EQ(data.cols(), 3);
    const auto folds = data.folds(4, 7);
    EXPECT_EQ(folds, values_of<int64_t>(60, dk_data_folds, raw(), int64_t{4}, uint64_t{7}));
    const std::vector<std::int64_t> some{5, 5, 0};
    EXPECT_EQ(data.select(some).values()(2, 0), problem.x[0]);
    EXPECT_EQ(failure_of([&] { libdk::Data(data).set_targets(std::vector<double>(3)); }).status(),
              libdk::Status::invalid_argument);
}

TEST_F(CppHeader, ParametersAreValues) {
    libdk::Parameters parameters("svm", "C=10 kernel=[rbf(gamma=0.5), poly(degree=2)]");
    libdk::Parameters copy = parameters;
    copy.set("C", 3.5).set("neighbours", 2).set("probability", true);
    EXPECT_EQ(parameters.get("C"), "10");
    EXPECT_EQ(copy.get("C"), "3.5");
    EXPECT_EQ(copy.get("kernel"), parameters.get("kernel"));
    EXPECT_EQ(copy.get("probability"), "yes");
    const libdk::Error unknown = failure_of([&] { parameters.set("gama", 1); });
    EXPECT_EQ(unknown.status(), libdk::Status::invalid_parameter);
    EXPECT_EQ(failure_of([] { libdk::Parameters("swm"); }).status(), libdk::Status::invalid_parameter);
}

TEST_F(CppHeader, ExceptionsOfListenersEndTheCallAndComeOut) {
    struct Mine : std::exception {};
    const libdk::Control control({.progress = [](double, std::string_view) -> bool { throw Mine(); }});
    const Problem large = make_problem(1500, 10, 2, 0.5, 82);
    libdk::Data rows = libdk::Data::dense(
        libdk::MatrixView<double>(std::span<const double>(large.x), large.rows, large.cols));
    rows.set_labels(large.labels);
    EXPECT_THROW(libdk::Model::train(rows, libdk::Parameters("svm", "C=100"), control), Mine);
    const libdk::Control stopping({.progress = [](double, std::string_view) { return false; }});
    EXPECT_EQ(
        failure_of([&] { libdk::Model::train(rows, libdk::Parameters("svm", "C=100"), stopping); }).status(),
        libdk::Status::cancelled);
}

TEST_F(CppHeader, StopTokensStopCalls) {
    std::stop_source source;
    const libdk::Control control({.threads = 2, .stop = source.get_token()});
    EXPECT_EQ(libdk::Model::train(data, libdk::Parameters("svm"), control).predict(data, control).size(),
              60U);
    const Problem large = make_problem(4000, 10, 2, 0.2, 83);
    libdk::Data rows = libdk::Data::dense(
        libdk::MatrixView<double>(std::span<const double>(large.x), large.rows, large.cols));
    rows.set_labels(large.labels);
    std::jthread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        source.request_stop();
    });
    EXPECT_EQ(failure_of([&] {
                  for (int again = 0; again < 1000; ++again)
                      libdk::Model::train(rows, libdk::Parameters("svm", "C=1000 kernel=rbf(gamma=1)"),
                                          control);
              }).status(),
              libdk::Status::cancelled);
    other.join();
    control.reset();
    EXPECT_EQ(failure_of([&] { libdk::Model::train(rows, libdk::Parameters("svm"), control); }).status(),
              libdk::Status::cancelled);
}

TEST_F(CppHeader, SimilaritiesAreAskedOfTheCaller) {
    const auto values = libdk::gram(data, "rbf(gamma=0.3)");
    libdk::Data similar =
        libdk::Data::similarity(60, 60,
                                [&values](std::span<double> out, std::span<const std::int64_t> rows,
                                          std::span<const std::int64_t> training_rows) {
                                    std::size_t at = 0;
                                    for (const std::int64_t i : rows) {
                                        for (const std::int64_t j : training_rows) out[at++] = values(i, j);
                                    }
                                });
    similar.set_labels(problem.labels);
    const auto parameters = libdk::Parameters("svm", "C=5");
    const auto found =
        libdk::Model::train(similar, libdk::Parameters(parameters).set("kernel", "gram(0)")).predict(similar);
    EXPECT_EQ(found, libdk::Model::train(data, libdk::Parameters(parameters).set("kernel", "rbf(gamma=0.3)"))
                         .predict(data));
    const libdk::Data failing = libdk::Data::similarity(
        60, 60, [](auto, auto, auto) { throw std::runtime_error("no"); }, std::vector<double>(60, 1.0));
    EXPECT_EQ(failure_of([&] { libdk::gram(failing, "gram(0)"); }).status(), libdk::Status::callback);
}

TEST_F(CppHeader, KernelsAndCurves) {
    EXPECT_EQ(libdk::kernel_count(data, "[rbf, linear]"), 2);
    EXPECT_EQ(libdk::gram(data, "[rbf, linear]").rows, 120);
    const std::vector<double> v(60, 1.0);
    const auto product = libdk::gram_product(data, data, "rbf(gamma=0.1)", v, 1);
    const auto K = libdk::gram(data, data, "rbf(gamma=0.1)");
    double sum = 0;
    for (std::int64_t j = 0; j < 60; ++j) sum += K(7, j);
    EXPECT_NEAR(product(7, 0), sum, 1e-12);
    const std::vector<double> far{0, 1};
    const std::vector<double> scores{0.9, 0.2, 0.5, 0.1};
    const std::vector<std::int64_t> genuine{1, 1, 0, 0};
    EXPECT_EQ(libdk::verification_curve(far, scores, genuine), (std::vector<double>{0.5, 0}));
    EXPECT_EQ(libdk::version(), std::string(dk_version_string()));
    EXPECT_EQ(libdk::describe(), text_of(dk_describe));
    EXPECT_EQ(libdk::name_of(libdk::Status::numerical), "DK_ERR_NUMERICAL");
}

TEST_F(CppHeader, ComparisonsAndMeasures) {
    const std::vector<double> scores{0.9, 0.8, 0.5, 0.6};
    EXPECT_EQ(libdk::mean_ranks(scores, 2), (std::vector<double>{1.5, 1.5}));
    EXPECT_EQ(failure_of([&] { libdk::mean_ranks(scores, 3); }).status(), libdk::Status::invalid_argument);
    EXPECT_NEAR(libdk::critical_difference(2, 6), 1.959964 / std::sqrt(6), 1e-6);
    const libdk::ResampledTest test = libdk::resampled_test(std::vector<double>{1, 2, 3}, 0.5);
    EXPECT_DOUBLE_EQ(test.difference, 2);
    EXPECT_NEAR(test.t, 2 / std::sqrt(5.0 / 6), 1e-12);
    EXPECT_NEAR(test.p, 1 - test.t / std::sqrt(2 + test.t * test.t), 1e-12);
    const std::vector<std::int64_t> selected{1, 1, 0, 0, 1, 1};
    EXPECT_NEAR(libdk::jaccard_stability(selected, 3), 1.0 / 3, 1e-15);
    EXPECT_NEAR(libdk::selection_stability(selected, 3), -0.5, 1e-15);
    EXPECT_EQ(failure_of([&] { libdk::jaccard_stability(selected, 4); }).status(),
              libdk::Status::invalid_argument);
    const auto model = libdk::Model::train(data, libdk::Parameters("mean_of_class", "kernel=rbf(gamma=0.1)"));
    const libdk::PrototypeMeasures measures = model.prototype_measures(data);
    EXPECT_EQ(measures.purity.size(), static_cast<std::size_t>(model.prototype_count()));
    for (const double compactness : measures.compactness) {
        EXPECT_GT(compactness, 0);
        EXPECT_LT(compactness, 1);
    }
}

}  // namespace
}  // namespace dk_test::cpp_header_test
