// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "machine/dictionary/prototype_learning.hpp"
#include "model/model.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::imkpl_test {
namespace {

/// Makes rows of three classes, sorted by class, some of which overlap.
Dataset three_classes(Index rows, Index cols, std::uint64_t seed, double apart) {
    auto values = normal_values(rows * cols, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(3 * i / rows);
        values[i * cols + labels.back()] += apart;
    }
    return with_labels(dense(rows, cols, values), labels);
}

/// Definition computes the terms of the objective as they are defined, from whole matrices.
struct Definition {
    Matrix gram, prototypes, codes, same;

    Definition(const LargeMatrix& values, const PrototypeLearning& learning) {
        const Index n = learning.rows();
        const Index c = std::ssize(learning.prototypes());
        gram = values.view();
        prototypes = Matrix::Zero(n, c);
        codes = Matrix::Zero(c, n);
        same = Matrix::Zero(n, n);
        for (Index p = 0; p < c; ++p) {
            const RowCombination& one = learning.prototypes()[p];
            for (std::size_t k = 0; k < one.rows.size(); ++k) prototypes(one.rows[k], p) = one.weights[k];
        }
        for (Index s = 0; s < n; ++s) {
            for (Index p = 0; p < c; ++p) codes(p, s) = learning.codes()(s, p);
            const ClassRange& own = learning.class_range(s);
            for (Index t = own.begin; t < own.end(); ++t) same(s, t) = 1;
        }
    }
    double reconstruction() const {
        const Matrix rest = Matrix::Identity(gram.rows(), gram.rows()) - prototypes * codes;
        return (gram.array() * (rest * rest.transpose()).array()).sum();
    }
    double discrimination() const {
        return ((1 - same.array() * gram.array()) * (prototypes * codes).array()).sum();
    }
    double sparsity() const { return prototypes.sum(); }
};

class Learning : public testing::TestWithParam<std::uint64_t> {
  protected:
    static constexpr Index rows = 60;
    static constexpr Index limit = 4;
    static constexpr LearningOptions options{.prototypes = limit,
                                             .rows_of_prototype = limit,
                                             .prototypes_of_row = limit,
                                             .lambda = 0.3,
                                             .tau = 0.2};

    LargeMatrix gram_of(const char* kernel) const {
        const auto values = gram_matrix(make_kernel(kernel, data), data, data);
        LargeMatrix out(data.rows(), data.rows());
        std::ranges::copy(values, out.data());
        return out;
    }
    void expect_terms(const PrototypeLearning& learning) const {
        const Definition defined(gram, learning);
        const LearningTerms terms = learning.terms();
        EXPECT_NEAR(terms.reconstruction, defined.reconstruction(), 1e-9);
        EXPECT_NEAR(terms.discrimination, options.lambda * defined.discrimination(), 1e-9);
        EXPECT_NEAR(terms.sparsity, options.tau * defined.sparsity(), 1e-10);
    }
    void expect_feasible(const PrototypeLearning& learning) const {
        const Definition defined(gram, learning);
        const Matrix lengths = defined.prototypes.transpose() * defined.gram * defined.prototypes;
        for (Index p = 0; p < lengths.rows(); ++p) {
            EXPECT_NEAR(lengths(p, p), 1, 1e-12);
            EXPECT_LE((defined.prototypes.col(p).array() != 0).count(), limit);
        }
        for (Index s = 0; s < rows; ++s) EXPECT_LE((defined.codes.col(s).array() != 0).count(), limit);
        EXPECT_GE(defined.prototypes.minCoeff(), 0);
        EXPECT_GE(defined.codes.minCoeff(), 0);
    }

    const Dataset data = three_classes(rows, 5, GetParam(), 1.5);
    LargeMatrix gram = gram_of("rbf(gamma=0.15)");
    mutable BegunControl control;
};

TEST_P(Learning, NoStepRaisesTheObjective) {
    PrototypeLearning learning(gram, {0, 20, 40, 60}, options, control);
    learning.initialise();
    expect_feasible(learning);
    double last = learning.terms().sum();
    for (int iteration = 0; iteration < 15; ++iteration) {
        learning.code_rows();
        const double coded = learning.terms().sum();
        EXPECT_LE(coded, last + 1e-9) << "codes, iteration " << iteration;
        learning.move_prototypes();
        last = learning.terms().sum();
        EXPECT_LE(last, coded + 1e-9) << "prototypes, iteration " << iteration;
        expect_feasible(learning);
        expect_terms(learning);
    }
}

TEST_P(Learning, AnotherKernelChangesNothingButLengths) {
    PrototypeLearning learning(gram, {0, 20, 40, 60}, options, control);
    learning.initialise();
    learning.code_rows();
    learning.move_prototypes();
    const Matrix before = Definition(gram, learning).prototypes * Definition(gram, learning).codes;
    gram = gram_of("rbf(gamma=0.8)");
    const double reconstruction = Definition(gram, learning).reconstruction();
    learning.rescale();
    const Definition after(gram, learning);
    EXPECT_LE((after.prototypes * after.codes - before).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(learning.terms().reconstruction, reconstruction, 1e-9);
    expect_feasible(learning);
}

TEST_P(Learning, UnusedPrototypesGo) {
    PrototypeLearning learning(gram, {0, 20, 40, 60}, options, control);
    learning.initialise();
    EXPECT_EQ(learning.prototypes().size(), 12U);
    for (int iteration = 0; iteration < 5; ++iteration) {
        learning.code_rows();
        learning.move_prototypes();
    }
    const LearningTerms before = learning.terms();
    learning.drop_unused();
    const LearningTerms after = learning.terms();
    EXPECT_NEAR(after.reconstruction, before.reconstruction, 1e-10);
    EXPECT_NEAR(after.discrimination, before.discrimination, 1e-10);
    EXPECT_LE(after.sparsity, before.sparsity);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Learning, testing::Values(1, 2, 3, 4, 5));

TEST(Interpretability, ClosedFormOfTheDistances) {
    // Two equal unit vectors are one point, two orthogonal ones are sqrt(2) apart.
    const std::vector<Index> classes{0, 0, 1};
    const auto measured = [&](std::vector<Index> rows, double weight) {
        const RowCombination prototype{std::move(rows), Vector::Constant(2, weight)};
        return interpretability({&prototype, 1}, classes).measure;
    };
    EXPECT_NEAR(measured({0, 1}, 0.5), 1, 1e-15);
    const double w = std::sqrt(0.5);
    EXPECT_NEAR(measured({0, 1}, w), std::exp(-2 * w * w * 2), 1e-15);
    EXPECT_NEAR(measured({0, 2}, w), 0.5 * std::exp(-2 * w * w * 2), 1e-15);
    // Two of similarity 0.65 with the same weight, in length 1: u = 1 / sqrt(2 + 1.3).
    EXPECT_NEAR(measured({0, 1}, 1 / std::sqrt(3.3)), 0.654265252924, 1e-12);
    const RowCombination mixed{{0, 2}, Vector::Constant(2, w)};
    EXPECT_NEAR(interpretability({&mixed, 1}, classes).purity, 0.5, 1e-15);
    EXPECT_NEAR(interpretability({&mixed, 1}, classes).compactness, std::exp(-2 * w * w * 2), 1e-15);
}

TEST(Discrimination, ShareOfTheOwnClassInWhatRowsTake) {
    const std::vector<Index> classes{0, 0, 1};
    const std::vector<RowCombination> prototypes{{{0, 2}, Vector{{0.8, 0.2}}}, {{2}, Vector{{1.0}}}};
    const Matrix codes{{2, 0}, {1, 1}, {1, 1}};
    EXPECT_NEAR(discrimination(prototypes, codes, classes), 0.5 * (3.0 / 4 + 1.0 / 2), 1e-15);
}

/// Makes 50 features of which 3 tell the classes apart.
Dataset hidden_features(std::uint64_t seed, Index rows = 150) {
    auto values = normal_values(rows * 50, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 3);
        for (const Index c : {0, 1, 2}) {
            double& v = values[i * 50 + 7 * c + 4];
            v = 0.3 * v + (labels.back() == c ? 2 : 0);
        }
    }
    return with_labels(dense(rows, 50, values), labels);
}

Model learn(const Dataset& data, const std::string& machine,
            const std::vector<std::pair<std::string, std::string>>& parameters, int threads = 1) {
    BegunControl control(threads);
    auto settings = default_specification(machine);
    for (const auto& [key, value] : parameters) set_parameter(settings, key, value);
    return train(data, settings, control);
}

double accuracy(const Model& model, const Dataset& data) {
    BegunControl control;
    const auto elected = elected_classes(model, decisions(model, data, control), control);
    double right = 0;
    for (std::size_t i = 0; i < elected.size(); ++i) right += elected[i] == data.labels->of_rows[i] ? 1 : 0;
    return right / static_cast<double>(elected.size());
}

TEST(Imkpl, FindsTheFeaturesThatMatter) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Model model = learn(hidden_features(seed), "imkpl",
                                  {{"kernel", "each_feature(rbf(gamma=mean))"},
                                   {"policy", "quadratic"},
                                   {"kernels", "3"},
                                   {"prototypes", "5"}});
        std::vector<Index> found;
        for (Index k = 0; k < 50; ++k) {
            if (model.kernel_weights[k] > 0) found.push_back(k);
        }
        EXPECT_EQ(found, (std::vector<Index>{4, 11, 18}));
        const auto report = nlohmann::json::parse(model.training_report);
        EXPECT_GE(report.at("interpretability").get<double>(), 0.95);
        EXPECT_GE(report.at("discrimination_of_prototypes").get<double>(), 0.95);
        EXPECT_GE(accuracy(model, hidden_features(seed + 100)), 0.97);
    }
}

TEST(Imkpl, PoliciesWeighAsTheySay) {
    const Dataset data = hidden_features(5);
    const auto weights_of = [&](const char* policy) {
        return learn(data, "imkpl",
                     {{"kernel", "each_feature(rbf(gamma=mean))"}, {"kernels", "4"}, {"policy", policy}})
            .kernel_weights;
    };
    const auto vertex = weights_of("lp_vertex");
    EXPECT_EQ(std::ranges::count(vertex, 1.0), 1);
    EXPECT_EQ(std::ranges::count(vertex, 0.0), 49);
    const auto capped = weights_of("capped");
    EXPECT_EQ(std::ranges::count(capped, 0.25), 4);
    EXPECT_EQ(std::ranges::count(capped, 0.0), 46);
}

TEST(Imkpl, TheObjectiveFallsButForWhatLengthsChange) {
    // No term rises but that of the coefficients' sum, which the new lengths may raise.
    const Model model = learn(three_classes(90, 6, 7, 1.2), "imkpl",
                              {{"kernel", "each_feature(rbf(gamma=0.5))"}, {"tolerance", "1e-9"}});
    const auto report = nlohmann::json::parse(model.training_report);
    const auto objectives = report.at("objectives").get<std::vector<double>>();
    const auto sparsity = report.at("sparsity").get<std::vector<double>>();
    ASSERT_GE(objectives.size(), 3U);
    for (std::size_t t = 2; t < objectives.size(); ++t) {
        const double slack = std::max(0.0, sparsity[t] - sparsity[t - 1]);
        EXPECT_LE(objectives[t], objectives[t - 1] + slack + 1e-8) << t;
    }
    for (std::size_t t = 0; t < objectives.size(); ++t) {
        const double penalty = objectives[t] - report.at("reconstruction")[t].get<double>() -
                               report.at("discrimination")[t].get<double>() - sparsity[t] -
                               report.at("locality")[t].get<double>();
        EXPECT_GE(penalty, -1e-9);  // the term rho / 2 |weights|^2
    }
}

TEST(Imkpl, EveryPolicyAndCentringFalls) {
    const Dataset data = three_classes(90, 8, 8, 1.2);
    for (const char* policy : {"diverse", "quadratic", "capped", "lp_vertex", "uniform"}) {
        for (const char* centre : {"all", "local", "none"}) {
            const Model model = learn(data, "imkpl",
                                      {{"kernel", "each_feature(rbf(gamma=mean))"},
                                       {"policy", policy},
                                       {"centre", centre},
                                       {"tolerance", "1e-9"}});
            const auto report = nlohmann::json::parse(model.training_report);
            const auto objectives = report.at("objectives").get<std::vector<double>>();
            const auto sparsity = report.at("sparsity").get<std::vector<double>>();
            for (std::size_t t = 1; t < objectives.size(); ++t) {
                const double slack = std::max(0.0, sparsity[t] - sparsity[t - 1]);
                EXPECT_LE(objectives[t], objectives[t - 1] + slack + 2e-5 * std::abs(objectives[t]))
                    << policy << ", centre " << centre << ", iteration " << t;
            }
            EXPECT_LE(report.at("weights_gap").get<double>(), 1.1e-5);
        }
    }
}

TEST(Imkpl, DecidesByTheNearestReconstruction) {
    const Dataset data = three_classes(90, 5, 9, 1.5);
    const Model model =
        learn(data, "iskpl", {{"kernel", "rbf(gamma=0.2)"}, {"prototypes", "6"}, {"decision", "residual"}});
    BegunControl control;
    const Index count = model.predictor->prototypes().count();
    Matrix coefficients(count, 90);
    model.predictor->prototype_coefficients(coefficients.data());
    const auto values = gram_matrix(make_kernel("rbf(gamma=0.2)", data), data, data);
    const Matrix gram = view(values.data(), 90, 90);
    const Matrix similarities = gram * coefficients.transpose();
    const Matrix products = coefficients * similarities;
    const auto decision = decisions(model, data, control);
    std::vector<double> share(90 * count);
    model.predictor->explain(data, share.data(), control);
    for (Index i = 0; i < 90; ++i) {
        // The code is the shares over the masses, times what makes it the minimum along its direction.
        Vector gamma(count);
        for (Index p = 0; p < count; ++p) gamma[p] = share[i * count + p] / coefficients.row(p).sum();
        gamma *= gamma.dot(similarities.row(i)) / gamma.dot(products * gamma);
        for (Index q = 0; q < 3; ++q) {
            Vector own = gamma;
            for (Index p = 0; p < count; ++p) {
                if (model.predictor->prototypes().classes[p] != q) own[p] = 0;
            }
            const double residual = gram(i, i) - 2 * own.dot(similarities.row(i)) + own.dot(products * own);
            EXPECT_NEAR(decision[3 * i + q], gram(i, i) - residual, 1e-9);
        }
    }
    EXPECT_GE(accuracy(model, data), 0.8);
}

TEST(Imkpl, KernelsThatAreStreamedGiveTheSameModel) {
    const Dataset data = hidden_features(6, 120);  // The 50 matrices have 0.11 MB each.
    const auto learned = [&](const char* megabytes) {
        return learn(
            data, "imkpl",
            {{"kernel", "each_feature(rbf(gamma=mean))"}, {"memory_mb", megabytes}, {"scale", "standard"}});
    };
    const Model kept = learned("1000");
    const Model streamed = learned("1");
    EXPECT_EQ(kept.kernel_weights, streamed.kernel_weights);
    EXPECT_EQ(kept.training_report, streamed.training_report);
}

TEST(Imkpl, SmallClassesHaveFewerPrototypes) {
    std::vector<std::int64_t> labels{0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2};
    const Dataset data = with_labels(random_dense(11, 3, 9), labels);
    const Model model = learn(data, "iskpl", {{"prototypes", "4"}});
    EXPECT_LE(model.predictor->prototypes().count(), 4 + 1 + 2);
    EXPECT_EQ(model.predictor->decision_count(), 3);
}

TEST(Imkpl, RowsThatCancelEachOtherMakeNoPrototype) {
    // There are two opposite rows of one class, whose equal combination has no length.
    auto values = normal_values(120, 40);
    values.insert(values.end(), {1, 0, -1, 0});
    std::vector<std::int64_t> labels;
    for (std::size_t i = 0; i < 60; ++i) {
        labels.push_back(i < 30 ? 0 : 1);
        values[2 * i] += i < 30 ? 5 : 0;
        values[2 * i + 1] += i < 30 ? 0 : 5;
    }
    labels.insert(labels.end(), {2, 2});
    const Model model = learn(with_labels(dense(62, 2, values), labels), "imkpl",
                              {{"kernel", "[linear, poly(degree=3, coef0=0)]"}});
    const auto report = nlohmann::json::parse(model.training_report);
    for (const auto& objective : report.at("objectives")) EXPECT_TRUE(std::isfinite(objective.get<double>()));
    EXPECT_GE(report.at("interpretability").get<double>(), 0);
}

TEST(Imkpl, KernelsThatOverflowBetweenRowsAreNamed) {
    std::vector<double> values;
    std::vector<std::int64_t> labels;
    for (int i = 0; i < 40; ++i) {
        values.push_back(i % 2 == 0 ? 26 : -26);
        labels.push_back(i % 3 == 0 ? 1 : 0);
    }
    const Dataset data = with_labels(dense(40, 1, values), labels);
    for (const char* machine : {"imkpl", "mean_of_class"}) {
        const auto message = message_of(Status::numerical, [&] {
            learn(data, machine,
                  {{"kernel", "[exp(-1*linear), rbf(gamma=1)]"},
                   {"weights", machine[0] == 'i' ? "uniform" : "dimkl1"}});
        });
        EXPECT_NE(message.find("overflows"), std::string::npos);
    }
}

TEST(Imkpl, WeightsOfAnotherStrategyAreRefused) {
    const auto message = message_of(Status::unsupported, [] {
        learn(hidden_features(1), "imkpl",
              {{"kernel", "each_feature(rbf(gamma=mean))"}, {"weights", "dimkl1"}});
    });
    EXPECT_NE(message.find("imkpl"), std::string::npos);
}

TEST(Iskpl, KernelsAreNormalised) {
    const Dataset data = three_classes(60, 4, 10, 3);
    const Model scaled = learn(data, "iskpl", {{"kernel", "7*poly(degree=2, coef0=1)"}});
    const Model plain = learn(data, "iskpl", {{"kernel", "poly(degree=2, coef0=1)"}});
    BegunControl control;
    const auto first = decisions(scaled, data, control);
    const auto second = decisions(plain, data, control);
    for (std::size_t e = 0; e < first.size(); ++e) EXPECT_NEAR(first[e], second[e], 1e-9);
    EXPECT_GE(accuracy(plain, data), 0.9);
}

}  // namespace
}  // namespace dk::test::imkpl_test
