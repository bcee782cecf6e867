// SPDX-License-Identifier: Apache-2.0
// These tests compare the solver with re-estimation of all precisions at once with pruning (MacKay's rule),
// and with a greedy search from every single row. Both were written apart from this library, and on these
// problems they agree to 1e-12.
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/random.hpp"
#include "model/model.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test {
namespace {

struct KnownModel {
    std::uint64_t seed;
    double gamma;
    double evidence;
    double noise_variance;
    std::vector<double> rows;
    std::vector<double> precisions;
    std::vector<double> decisions;  // the decisions on the first rows
};

/// Makes two classes, one inside and one outside of a circle.
Dataset circle(std::uint64_t seed) {
    Random random(seed);
    std::vector<double> values(60);
    for (double& v : values) v = 2 * random.uniform() - 1;
    std::vector<std::int64_t> labels;
    for (std::size_t i = 0; i < 30; ++i) {
        const double noise = 0.3 * (random.uniform() - 0.5);
        const double squares = values[2 * i] * values[2 * i] + values[2 * i + 1] * values[2 * i + 1];
        labels.push_back(squares + noise > 0.55 ? 1 : -1);
    }
    return with_labels(dense(30, 2, values), labels);
}

/// Makes sin(x) / x with noise.
Dataset noisy_sinc(std::uint64_t seed) {
    Random random(seed);
    std::vector<double> values;
    std::vector<double> targets;
    for (int i = 0; i < 40; ++i) {
        const double x = -4 + 8 * random.uniform();
        double noise = -1.5;
        for (int draw = 0; draw < 3; ++draw) noise += random.uniform();
        values.push_back(x);
        targets.push_back((x == 0 ? 1 : std::sin(x) / x) + 0.2 * noise);
    }
    Dataset data = dense(40, 1, values);
    data.targets = targets;
    return data;
}

struct Learned {
    nlohmann::json report;  // what the function reports
    std::vector<double> decisions;
};

Learned learn(const char* machine, const Dataset& data, double gamma, const char* centred = "yes",
              const char* tolerance = "1e-7") {
    BegunControl control;
    auto settings = default_specification(machine);
    set_parameter(settings, "kernel", text("rbf(gamma=", gamma, ")"));
    set_parameter(settings, "tolerance", tolerance);
    set_parameter(settings, "max_iterations", "100000");
    set_parameter(settings, "centred", centred);
    const Model model = train(data, settings, control);
    return {nlohmann::json::parse(model.training_report).at("functions").at(0),
            decisions(model, data, control)};
}

void expect_known(const Learned& found, const KnownModel& known) {
    SCOPED_TRACE(text("seed ", known.seed, " gamma ", known.gamma));
    EXPECT_TRUE(found.report.at("converged").get<bool>());
    EXPECT_EQ(found.report.at("relevant_rows").get<std::vector<double>>(), known.rows);
    EXPECT_NEAR(found.report.at("evidence").get<double>(), known.evidence, 1e-6);
    const auto precisions = found.report.at("precisions").get<std::vector<double>>();
    ASSERT_EQ(precisions.size(), known.precisions.size());
    for (std::size_t r = 0; r < precisions.size(); ++r)
        EXPECT_NEAR(precisions[r], known.precisions[r], 1e-5 * known.precisions[r]);
    for (std::size_t i = 0; i < known.decisions.size(); ++i)
        EXPECT_NEAR(found.decisions[i], known.decisions[i], 1e-5);
}

const std::vector<KnownModel> known_classifiers{
    {101,
     1,
     -7.67151869,
     0,
     {5, 13, 25},
     {0.00956727733, 0.00123979755, 0.0122411372},
     {10.0316091, -5.08495947, 7.17115738, 11.3883868, 3.00653808, 2.76225944}},
    {102,
     1,
     -9.687683129,
     0,
     {0, 1, 7},
     {0.0170006727, 0.0019135397, 0.305815638},
     {1.76249979, -8.24560086, -7.03471986, -0.267572549, 1.77741956, -5.09891528}},
    {106,
     1,
     -10.20151061,
     0,
     {9, 13, 14},
     {0.000608460355, 0.00298218863, 0.0088919935},
     {3.13051308, 0.689989729, 6.43545723, 1.33632656, 3.65621667, 3.44059577}},
    {107,
     3,
     -9.005124988,
     0,
     {11, 12, 14},
     {0.0089557969, 0.0767368719, 0.00085527651},
     {0.649936881, -17.1969753, 2.56202354, 3.22727344, -3.78792462, -8.64041364}},
    {111,
     3,
     -9.240246117,
     0,
     {6, 15, 17},
     {0.02474156, 0.00257988301, 0.00160653099},
     {4.28265129, -1.15935717, 1.01198003, 1.13060979, 5.84725823, 4.16545992}},
    {111,
     1,
     -10.0328863,
     0,
     {6, 15, 17},
     {0.0243187411, 0.00162692988, 0.00112106343},
     {4.21251693, -0.131824651, 0.952277879, 1.02797157, 7.78298999, 3.27282508}},
    {122,
     1,
     -7.827764417,
     0,
     {1, 6, 26},
     {0.0324414201, 0.023940575, 0.00152555992},
     {2.45535963, 5.39062203, 5.63679332, 1.65006188, -6.52090761, 0.75808845}},
    {123,
     1,
     -7.072958869,
     0,
     {8, 21, 25},
     {0.00459525867, 0.00116540919, 0.0012595656},
     {6.0067195, 4.87106325, -3.32145505, 9.91791628, 1.24014488, 4.57432814}},
    {101,
     3,
     -8.050192335,
     0,
     {1, 13, 16},
     {0.005982523, 0.00111949146, 0.00775495637},
     {9.17926742, -6.9209833, 9.13224252, 10.1351161, 4.2668459, 3.92180308}},
    {119,
     3,
     -5.234832631,
     0,
     {7, 9, 25},
     {0.0704895629, 0.000789586924, 0.0027837815},
     {8.85357466, 7.3264391, -3.03019554, -1.82426187, 2.96836364, 8.37766641}},
    {123,
     3,
     -6.684106881,
     0,
     {21, 23, 25},
     {0.00146375484, 0.00677194877, 0.00243243469},
     {4.61413341, 4.04371194, -4.72107286, 7.48367863, 2.09173373, 3.94904978}},
};

const std::vector<KnownModel> known_regressions{
    {201,
     0.5,
     14.59413006,
     0.00753848539,
     {17, 29, 34, 36},
     {0.482691749, 0.76705852, 2.8291868, 2.25343926},
     {0.737531701, 0.31911329, 0.357550677, 0.586439458, 0.536269277, -0.0865535236}},
    {209,
     0.5,
     9.552814455,
     0.0109010988,
     {1, 5, 18},
     {1.1677734, 0.445815233, 1.46837517},
     {0.713944065, -0.101501179, 0.971132464, 0.942556449, 0.480613536, -0.208529887}},
    {211,
     0.5,
     14.85662396,
     0.00852861777,
     {0, 38},
     {0.175222719, 0.368278508},
     {-0.125766123, 0.878626366, 0.836183498, 0.9692078, 0.548528302, 0.22146474}},
    {213,
     0.5,
     8.68244978,
     0.0107574401,
     {5, 16, 19, 20, 25},
     {1.4634219, 2.30849635, 0.725651504, 0.216070753, 9.55796986},
     {0.934749774, -0.225023904, 0.909436131, 0.712904167, 0.848033127, -0.0946521034}},
    {220,
     0.5,
     18.29394677,
     0.00665943087,
     {0, 6, 11, 28},
     {0.358123915, 13.5392047, 33.7902052, 0.246536793},
     {-0.130484276, 0.59024068, 0.66342578, -0.0717583873, 0.87337467, -0.0990374313}},
};

TEST(RelevanceVectors, ClassifiersOfAnIndependentImplementation) {
    for (const KnownModel& known : known_classifiers)
        expect_known(learn("rvm", circle(known.seed), known.gamma), known);
}

TEST(RelevanceVectors, RegressionsOfAnIndependentImplementation) {
    for (const KnownModel& known : known_regressions) {
        const Learned found = learn("rvr", noisy_sinc(known.seed), known.gamma);
        expect_known(found, known);
        EXPECT_NEAR(found.report.at("noise_variance").get<double>(), known.noise_variance,
                    1e-6 * known.noise_variance);
    }
}

TEST(RelevanceVectors, TheEvidenceEndsAboveItsStart) {
    for (std::uint64_t seed = 300; seed < 310; ++seed) {
        const auto evidences =
            learn("rvm", circle(seed), 1).report.at("evidences").get<std::vector<double>>();
        EXPECT_GT(evidences.back(), evidences.front()) << "seed " << seed;
    }
}

TEST(RelevanceVectors, WithoutCentringOnlyRelevantRowsAreNeeded) {
    BegunControl control;
    auto settings = default_specification("rvm");
    set_parameter(settings, "centred", "no");
    set_parameter(settings, "kernel", "rbf(gamma=1)");
    const Dataset data = circle(101);
    const Model model = train(data, settings, control);
    const auto report = nlohmann::json::parse(model.training_report).at("functions").at(0);
    EXPECT_EQ(static_cast<std::size_t>(model.predictor->support_count()), report.at("relevant_rows").size());
    EXPECT_LE(model.predictor->support_count(), 8);
    set_parameter(settings, "centred", "yes");
    EXPECT_EQ(train(data, settings, control).predictor->support_count(), data.rows());
}

TEST(RelevanceVectors, AMovedInputSpaceChangesNothing) {
    // A linear kernel's centred matrix does not know where the origin is.
    Dataset data = circle(102);
    std::vector<double> moved(data.dense().values);
    for (double& v : moved) v += 50;
    Dataset far = data.with_features(DenseMatrix{30, 2, moved});
    BegunControl control;
    auto settings = default_specification("rvm");
    set_parameter(settings, "kernel", "linear");
    const auto near_decisions = decisions(train(data, settings, control), data, control);
    const auto far_decisions = decisions(train(far, settings, control), far, control);
    for (std::size_t i = 0; i < near_decisions.size(); ++i)
        EXPECT_NEAR(near_decisions[i], far_decisions[i], 1e-6);
}

TEST(RelevanceVectors, UnitsOfTheTargetsDoNotMatter) {
    Dataset data = noisy_sinc(209);
    const Learned plain = learn("rvr", data, 0.5, "yes", "1e-5");
    for (double& target : data.targets) target *= 1e9;
    const Learned scaled = learn("rvr", data, 0.5, "yes", "1e-5");
    EXPECT_EQ(plain.report.at("relevant_rows"), scaled.report.at("relevant_rows"));
    for (std::size_t i = 0; i < plain.decisions.size(); ++i)
        EXPECT_NEAR(scaled.decisions[i] / 1e9, plain.decisions[i], 1e-6);
}

TEST(RelevanceVectors, StopsAtItsLimitAndSaysSo) {
    BegunControl control;
    auto settings = default_specification("rvr");
    set_parameter(settings, "kernel", "rbf(gamma=2)");
    set_parameter(settings, "max_iterations", "2");
    const Model model = train(noisy_sinc(201), settings, control);
    const auto report = nlohmann::json::parse(model.training_report).at("functions").at(0);
    EXPECT_FALSE(report.at("converged").get<bool>());
    EXPECT_EQ(report.at("iterations").get<int>(), 2);
}

TEST(RelevanceVectors, DuplicatedRowsAndConstantTargets) {
    Dataset data = noisy_sinc(209);
    std::vector<Index> twice;
    for (Index i = 0; i < 40; ++i) twice.insert(twice.end(), {i, i});
    const Learned found = learn("rvr", data.select(twice), 0.5, "yes", "1e-3");
    EXPECT_TRUE(found.report.at("converged").get<bool>());
    const auto rows = found.report.at("relevant_rows").get<std::vector<double>>();
    for (std::size_t r = 1; r < rows.size(); ++r)  // Never are both rows of a pair relevant.
        EXPECT_NE(std::floor(rows[r] / 2), std::floor(rows[r - 1] / 2));
    data.targets.assign(40, 3.0);
    message_of(Status::numerical,
               [&] { learn("rvr", data, 0.5, "yes", "1e-3"); });  // A model without rows has no prototypes.
}

}  // namespace
}  // namespace dk::test
