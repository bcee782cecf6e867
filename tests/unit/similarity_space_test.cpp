// SPDX-License-Identifier: Apache-2.0
// These tests look at ridge regression and the lasso in similarity space.
#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/text.hpp"
#include "data/split.hpp"
#include "trained.hpp"

namespace dk::test::similarity_space_test {
namespace {

using Json = nlohmann::json;

Json report_of(const Model& model) {
    return Json::parse(model.training_report);
}

const std::vector<double> six_numbers{0, 0.5, 1, 2, 3, 4.5};

Dataset six_rows() {
    Dataset data = dense(6, 1, six_numbers);
    data.targets = {1, 2, 2.5, 1, -1, -0.5};
    return data;
}

/// Rows of two or more classes, or with targets where there is one class only.
Dataset rows_of(Index rows, Index classes, std::uint64_t seed) {
    Dataset data = blobs(rows, 3, std::max<Index>(classes, 2), 2, seed);
    if (classes > 1) return data;
    data.labels.reset();
    for (Index i = 0; i < rows; ++i)
        data.targets.push_back(std::sin(data.dense().row(i)[0]) + 0.3 * data.dense().row(i)[1]);
    return data;
}

std::vector<Index> kept_rows_of(const Model& model) {
    const auto a = coefficients(model);
    const Index prototypes = model.predictor->prototypes().count();
    std::vector<Index> rows;
    for (Index p = 0; p < prototypes; ++p) {
        const auto own = a.begin() + p * model.training_rows;
        EXPECT_EQ(std::accumulate(own, own + model.training_rows, 0.0), 1);
        rows.push_back(std::find(own, own + model.training_rows, 1.0) - own);
    }
    return rows;
}

TEST(SimilarityMachines, SixNumbers) {
    const std::vector<Setting> ridge{{"kernel", "rbf(gamma=0.5)"}, {"lambda", "1"}};
    const Model of_ridge = trained("similarity_ridge_regression", six_rows(), ridge);
    // Prediction = y - residual of the whole fit, which the golden weights give.
    const std::vector<double> beta{0.294979715236, 0.617291247548,  0.800093194276,
                                   0.283613608496, -0.529344726746, -0.330439922464};
    const auto found = decided(of_ridge, six_rows());
    for (Index i = 0; i < 6; ++i) {
        double expected = 0.084469828713;
        for (Index j = 0; j < 6; ++j)
            expected += beta[j] * std::exp(-0.5 * std::pow(six_numbers[i] - six_numbers[j], 2));
        EXPECT_NEAR(found[i], expected, 1e-9);
    }
    const double left_out = (0.727668644772 + 0.391841307417 + 1.157156162093 + 0.402774344766 +
                             1.406364888678 + 0.263737154644) /
                            6;
    EXPECT_NEAR(report_of(of_ridge)["leave_one_out_mae"], left_out, 1e-9);

    const Model of_lasso = trained("similarity_lasso_regression", six_rows(),
                                   {{"kernel", "rbf(gamma=0.5)"}, {"lambda", "0.0459614678470"}});
    EXPECT_NEAR(report_of(of_lasso)["largest_lambda"], 0.459614678470, 1e-11);
    EXPECT_EQ(kept_rows_of(of_lasso), (std::vector<Index>{2, 4}));
    EXPECT_EQ(of_lasso.predictor->support_count(), 2);
    const auto values = decided(of_lasso, dense(1, 1, {1}));
    EXPECT_NEAR(values[0], 2.713121919227 - 0.493507304469 * std::exp(-2.0) - 0.454122569825, 1e-4);
}

/// Counts the similarities that a callback is asked for.
struct CountedSimilarities {
    std::int64_t asked = 0;

    Dataset data(const std::vector<double>& training, const std::vector<double>& rows) {
        GramMatrices gram{1, std::ssize(rows), std::ssize(training)};
        gram.self.assign(rows.size(), 0.5);
        gram.compute = [this, training, rows](std::span<const Index> some, std::span<const Index> columns,
                                              double* out) {
            for (const Index i : some) {
                for (const Index j : columns) {
                    ++asked;
                    // This is no kernel: a row is less like itself than like rows near by.
                    const double distance = std::abs(rows[i] - training[j]);
                    *out++ = distance == 0 ? 0.5 : std::cos(distance) * std::exp(-0.1 * distance);
                }
            }
        };
        return Dataset(std::move(gram));
    }
};

TEST(SimilarityMachines, PredictionsAskForTheKeptRowsAlone) {
    CountedSimilarities similarities;
    const auto training = normal_values(60, 3, 0, 3);
    Dataset data = similarities.data(training, training);
    for (const double x : training) data.targets.push_back(std::sin(x));
    const Model model = trained("similarity_lasso_regression", data, {{"kernel", "gram(0)"}});
    const Index kept = model.predictor->support_count();
    EXPECT_GT(kept, 0);
    EXPECT_LT(kept, 60);
    const Dataset others = similarities.data(training, normal_values(7, 9, 0, 3));
    similarities.asked = 0;
    const auto found = decided(model, others);
    EXPECT_EQ(similarities.asked, 7 * kept);
    EXPECT_EQ(found.size(), 7);
}

TEST(SimilarityMachines, EachWayToChooseABasisKeepsSoManyRows) {
    for (const Index classes : {0, 2, 3}) {
        const Dataset data = rows_of(60, classes, 5);
        const std::string task = classes > 1 ? "" : "_regression";
        for (const char* basis : {"random", "border", "spanning", "k_medoids"}) {
            for (const char* machine : {"similarity_ridge", "similarity_lasso"}) {
                std::vector<Setting> settings{
                    {"basis", basis}, {"prototypes", "9"}, {"kernel", "rbf(gamma=0.2)"}};
                if (classes > 1) settings.emplace_back("per_class", "yes");
                const Model model = trained(machine + task, data, settings);
                const auto rows = kept_rows_of(model);
                EXPECT_EQ(report_of(model)["basis"], 9);
                EXPECT_LE(std::ssize(rows), 9);
                if (machine == std::string("similarity_ridge")) {
                    EXPECT_EQ(std::ssize(rows), 9);
                }
                EXPECT_GT(report_of(model)["lambda"], 0);
            }
        }
    }
}

TEST(SimilarityMachines, BasisMustFitItsNumber) {
    const Dataset data = rows_of(20, 2, 5);
    const std::string message = message_of(Status::invalid_parameter, [&] {
        trained("similarity_ridge", data, {{"prototypes", "4"}});
    });
    EXPECT_NE(message.find("prototypes=4"), std::string::npos);
    EXPECT_NE(message.find("k_medoids"), std::string::npos);
    // More than there are is all of them.
    const Model model =
        trained("similarity_ridge", data, {{"basis", "border"}, {"prototypes", "40"}, {"lambda", "1"}});
    EXPECT_EQ(model.predictor->support_count(), 20);
}

/// The errors that choose lambda are counted here from the definition: each fold trains a model of its own,
/// on its rows alone.
TEST(SimilarityMachines, CrossValidationTrainsOnTheFoldsOwnRows) {
    for (const Index classes : {0, 2, 3}) {
        const Dataset data = rows_of(40, classes, 11);
        const std::string machine = classes > 1 ? "similarity_lasso" : "similarity_lasso_regression";
        const std::vector<Setting> kernel{{"kernel", "rbf(gamma=0.3)"}};
        const Model chosen = trained(machine, data, kernel);
        const double lambda = report_of(chosen)["lambda"];
        const double largest = report_of(chosen)["largest_lambda"];
        const auto fold_of = stratified_folds(data, 5, 1);
        const auto error_at = [&](double tried) {
            double error = 0;
            for (Index fold = 0; fold < 5; ++fold) {
                const Dataset known = data.select(rows_of_fold(fold_of, fold, false));
                const Dataset unseen = data.select(rows_of_fold(fold_of, fold, true));
                auto settings = kernel;
                settings.emplace_back("lambda", format_number(tried));
                const Model model = trained(machine, known, settings);
                const auto found = decided(model, unseen);
                BegunControl control;
                const auto classes_found =
                    classes > 1 ? elected_classes(model, found, control) : std::vector<Index>();
                for (Index i = 0; i < unseen.rows(); ++i) {
                    error += classes > 1 ? (classes_found[i] == unseen.labels->of_rows[i] ? 0 : 1)
                                         : std::abs(found[i] - unseen.targets[i]);
                }
            }
            return error / 40;
        };
        const double here = error_at(lambda);
        const Json report = report_of(chosen);
        if (classes > 1) {
            EXPECT_NEAR(report["held_out_accuracy"], 1 - here, 1e-12);
        } else {
            EXPECT_NEAR(report["held_out_mae"], here, 1e-4);
        }
        for (const double share : {0.9, 0.3, 0.1, 0.01}) EXPECT_GE(error_at(share * largest), here - 0.05);
    }
}

TEST(SimilarityMachines, RidgeHonoursWeights) {
    Dataset data = rows_of(30, 0, 21);
    data.sample_weights = normal_values(30, 7, 1, 0.2);
    data.sample_weights[4] = 0;
    const Model model =
        trained("similarity_ridge_regression", data, {{"lambda", "0.5"}, {"kernel", "rbf(gamma=0.2)"}});
    BegunControl control;
    const auto values = gram_matrix(make_bank("rbf(gamma=0.2)", data, &control).front(), data, data);
    Eigen::MatrixXd whole(30, 31);
    whole << view(values.data(), 30, 30), Eigen::VectorXd::Ones(30);
    const auto u = as_vector(data.sample_weights).asDiagonal();
    Eigen::MatrixXd system = whole.transpose() * u * whole;
    system.diagonal().head(30).array() += 0.5;
    const Eigen::VectorXd solved =
        system.fullPivLu().solve(whole.transpose() * (u * as_vector(data.targets)));
    const Eigen::VectorXd expected = whole * solved;
    const auto found = decided(model, data);
    for (Index i = 0; i < 30; ++i) EXPECT_NEAR(found[i], expected[i], 1e-9);
}

/// A row of weight 2 is one that stands there twice: equal columns share one weight of the lasso.
TEST(SimilarityMachines, LassoHonoursWeights) {
    for (const Index classes : {0, 3}) {
        Dataset data = rows_of(30, classes, 21);
        data.sample_weights.assign(30, 1.0);
        std::vector<Index> rows(30);
        std::iota(rows.begin(), rows.end(), Index{0});
        for (const Index twice : {3, 8, 20}) {
            data.sample_weights[twice] = 2;
            rows.push_back(twice);
        }
        Dataset repeated = data.select(rows);
        repeated.sample_weights.clear();
        const std::string machine = classes > 1 ? "similarity_lasso" : "similarity_lasso_regression";
        const std::vector<Setting> settings{{"lambda", "0.02"}, {"kernel", "rbf(gamma=0.2)"}};
        const auto weighted = decided(trained(machine, data, settings), data);
        const auto copied = decided(trained(machine, repeated, settings), data);
        Dataset plain = data;
        plain.sample_weights.clear();
        const auto unweighted = decided(trained(machine, plain, settings), data);
        double difference = 0;
        for (std::size_t i = 0; i < weighted.size(); ++i) {
            EXPECT_NEAR(weighted[i], copied[i], 1e-3);
            difference = std::max(difference, std::abs(weighted[i] - unweighted[i]));
        }
        EXPECT_GT(difference, 0.01);
    }
}

TEST(SimilarityMachines, AConstantIsLearnedWhereNothingElseIs) {
    Dataset data = rows_of(20, 0, 31);
    data.targets.assign(20, 3.5);
    for (const char* machine : {"similarity_ridge_regression", "similarity_lasso_regression"}) {
        const auto found = decided(trained(machine, data, {}), data);
        for (const double value : found) EXPECT_NEAR(value, 3.5, 1e-12) << machine;
    }
    const Model model = trained("similarity_lasso", rows_of(20, 2, 31), {{"lambda", "1000"}});
    EXPECT_EQ(model.predictor->support_count(), 1);
    for (const double value : decided(model, rows_of(20, 2, 32))) EXPECT_NEAR(value, 0, 1e-12);
}

TEST(SimilarityMachines, LearnFromIndefiniteSimilarities) {
    const Dataset data = rows_of(80, 2, 41);
    for (const char* machine : {"similarity_ridge", "similarity_lasso"}) {
        for (const char* kernel :
             {"sigmoid(gamma=2, coef0=-1)", "corrected(sigmoid(gamma=2, coef0=-1), method=shift)"}) {
            const Model model = trained(machine, data, {{"kernel", kernel}});
            const auto found = decided(model, data);
            Index right = 0;
            for (Index i = 0; i < 80; ++i) right += (found[i] > 0) == (data.labels->of_rows[i] == 1) ? 1 : 0;
            EXPECT_GT(right, 60) << machine << " " << kernel;
        }
    }
}

TEST(SimilarityMachines, MemoryIsAskedForFirst) {
    const Dataset data = rows_of(2000, 2, 51);
    const std::string message = message_of(Status::memory_budget, [&] {
        trained("similarity_ridge", data, {{"memory_mb", "20"}});
    });
    EXPECT_NE(message.find("2000"), std::string::npos) << message;
    EXPECT_EQ(
        trained("similarity_ridge", data, {{"memory_mb", "20"}, {"basis", "random"}, {"prototypes", "50"}})
            .predictor->support_count(),
        50);
}

}  // namespace
}  // namespace dk::test::similarity_space_test
