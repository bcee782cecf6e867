// SPDX-License-Identifier: Apache-2.0
// Machines that are trained with one C after another on the same rows start from each other's solutions. Each
// must find the optimum of its own program all the same.
#include <map>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "machine/margin/cost_path.hpp"
#include "pipeline/search/cross_validate.hpp"
#include "pipeline/search/grid.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::cost_path_test {
namespace {

/// Rows of a few words of many, some of which tell the class.
Dataset texts(Index rows, Index words, double own_share) {
    dk::Random random(17);
    SparseMatrix matrix{.rows = rows, .cols = 2 * words, .row_offsets = {0}};
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 3);
        std::map<Index, double> counts;
        for (int word = 0; word < 30; ++word) {
            const Index drawn = static_cast<Index>(random.below(words));
            counts[random.uniform() < own_share ? words + drawn / 3 * 3 + i % 3 : drawn] += 1;
        }
        for (const auto& [column, count] : counts) {
            if (column >= 2 * words) continue;
            matrix.columns.push_back(column);
            matrix.values.push_back(count);
        }
        matrix.row_offsets.push_back(std::ssize(matrix.columns));
    }
    return with_labels(Dataset(std::move(matrix)), labels);
}

MachineSpecification specified(const std::string& kernel, const std::string& cost,
                               const std::string& loss = "hinge") {
    auto specification = default_specification("svm");
    for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{{"kernel", kernel},
                                                                                     {"C", cost},
                                                                                     {"loss", loss},
                                                                                     {"multiclass", "ovr"},
                                                                                     {"precision", "double"},
                                                                                     {"tolerance", "1e-4"}})
        set_parameter(specification, key, value);
    return specification;
}

struct Trained {
    double objective = 0;
    double iterations = 0;
    double gap = 0;
    std::vector<double> decisions;
};

Trained trained(const Dataset& data, const MachineSpecification& specification, CostPath* path) {
    BegunControl control(2);
    const Model model = train_along(path, data, specification, control);
    Trained out;
    const auto report = nlohmann::json::parse(model.training_report);
    for (const auto& function : report.at("functions")) {
        EXPECT_TRUE(function.at("converged"));
        out.objective += function.at("objective").get<double>();
        out.iterations += function.at("iterations").get<double>();
        out.gap = std::max(out.gap, function.at("gap").get<double>());
    }
    out.decisions.resize(data.rows() * model.predictor->decision_count());
    Index at = 0;
    model.predictor->decide(
        data,
        [&](std::span<const double> some) {
            std::ranges::copy(some, out.decisions.begin() + at);
            at += std::ssize(some);
        },
        control);
    return out;
}

TEST(CostPath, JoinsCandidatesThatDifferInCAlone) {
    const std::vector<Candidate> candidates{{.chosen = {{"C", "10"}, {"loss", "hinge"}}},
                                            {.chosen = {{"C", "10"}, {"loss", "squared_hinge"}}},
                                            {.chosen = {{"C", "2"}, {"loss", "hinge"}}},
                                            {.chosen = {{"C", "2"}, {"loss", "squared_hinge"}}},
                                            {.chosen = {{"C", "1e-1"}, {"loss", "hinge"}}}};
    const std::vector<std::vector<Index>> expected{{4, 2, 0}, {3, 1}};
    EXPECT_EQ(cost_paths(candidates), expected);
}

TEST(CostPath, LeavesCandidatesWithoutCInTheirOrder) {
    const std::vector<Candidate> candidates{{.kernel = "linear"}, {.kernel = "linear"}, {.kernel = "rbf"}};
    const std::vector<std::vector<Index>> expected{{0, 1}, {2}};
    EXPECT_EQ(cost_paths(candidates), expected);
}

void expect_solutions_of_trainings_alone(const std::string& kernel, const std::string& loss) {
    const Dataset data = texts(900, 300, 0.5);
    CostPath path;
    double saved = 0;
    for (const std::string cost : {"0.01", "1", "10", "100", "1"}) {
        const auto specification = specified(kernel, cost, loss);
        const Trained after = trained(data, specification, &path);
        const Trained alone = trained(data, specification, nullptr);
        EXPECT_NEAR(after.objective, alone.objective, 1e-4 * std::abs(alone.objective)) << kernel << cost;
        EXPECT_LE(after.gap, 1e-4);
        for (std::size_t i = 0; i < alone.decisions.size(); ++i)
            ASSERT_NEAR(after.decisions[i], alone.decisions[i], 0.01) << kernel << " C=" << cost;
        saved += alone.iterations - after.iterations;
    }
    EXPECT_GT(saved, 0) << kernel << " " << loss;
}

TEST(CostPath, SolutionsAreThoseOfTrainingsAlone) {
    for (const std::string kernel : {"linear", "rbf(gamma=0.01)"}) {
        for (const std::string loss : {"hinge", "squared_hinge"}) {
            SCOPED_TRACE(kernel + " " + loss);
            expect_solutions_of_trainings_alone(kernel, loss);
        }
    }
}

TEST(CostPath, OfPairsWithWeightsAndProbabilities) {
    Dataset data = texts(600, 300, 0.5);
    for (Index i = 0; i < data.rows(); ++i) data.sample_weights.push_back(i % 7 == 0 ? 0.0 : 1.0 + i % 2);
    CostPath path;
    for (const std::string cost : {"1", "10"}) {
        auto specification = specified("linear", cost);
        set_parameter(specification, "multiclass", "ovo");
        set_parameter(specification, "class_weight", "0:0.5,2:3");
        set_parameter(specification, "probability", "yes");
        const Trained after = trained(data, specification, &path);
        const Trained alone = trained(data, specification, nullptr);
        for (std::size_t i = 0; i < alone.decisions.size(); ++i)
            ASSERT_NEAR(after.decisions[i], alone.decisions[i], 0.01) << "C=" << cost;
    }
    EXPECT_EQ(path.functions.size(), 3U);
}

TEST(CostPath, OfBoundedVariablesHandsNothingOn) {
    const Dataset data = texts(600, 300, 0.05);
    CostPath path;
    trained(data, specified("linear", "0.001"), &path);
    ASSERT_EQ(path.functions.size(), 3U);
    for (const auto& function : path.functions) {
        EXPECT_TRUE(function.duals.empty());
        EXPECT_FALSE(function.unbounded);
    }
    EXPECT_FALSE(path.is_at_its_end());
    EXPECT_EQ(trained(data, specified("linear", "0.01"), &path).decisions,
              trained(data, specified("linear", "0.01"), nullptr).decisions);
}

/// Two classes that a narrow kernel separates: from some C on no row is at its bound.
Dataset separable(Index rows) {
    dk::Random random(5);
    DenseMatrix points{.rows = rows, .cols = 2};
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 3);
        for (Index j = 0; j < 2; ++j) points.values.push_back(random.normal() + 2.0 * double(i % 3 == j));
    }
    return with_labels(Dataset(std::move(points)), labels);
}

TEST(CostPath, EndsWhereNoRowIsAtItsBound) {
    const Dataset data = separable(240);
    for (const std::string multiclass : {"ovr", "ovo"}) {
        const auto with = [&](const std::string& cost, const std::string& loss) {
            auto specification = specified("rbf(gamma=20)", cost, loss);
            set_parameter(specification, "multiclass", multiclass);
            return specification;
        };
        CostPath path;
        trained(data, with("0.1", "hinge"), &path);
        EXPECT_FALSE(path.is_at_its_end());
        trained(data, with("1e4", "hinge"), &path);
        ASSERT_TRUE(path.is_at_its_end());
        const Trained after = trained(data, with("1e5", "hinge"), &path);
        const Trained alone = trained(data, with("1e5", "hinge"), nullptr);
        EXPECT_EQ(after.iterations, 0);
        EXPECT_NEAR(after.objective, alone.objective, 1e-4 * std::abs(alone.objective));
        // A smaller C has narrower bounds, where the solution may be another one.
        const Trained smaller = trained(data, with("0.1", "hinge"), &path);
        EXPECT_NEAR(smaller.objective, trained(data, with("0.1", "hinge"), nullptr).objective, 1e-3);
        EXPECT_FALSE(path.is_at_its_end());
        // Squared slack has no bounds, and changes with C.
        trained(data, with("1e4", "squared_hinge"), &path);
        EXPECT_FALSE(path.is_at_its_end());
    }
}

TEST(CostPath, HasNoEndWhereWeightsFollowC) {
    const Dataset data = separable(240);
    const auto with = [&](const std::string& cost) {
        auto specification = specified("[rbf(gamma=20), rbf(gamma=5), linear]", cost);
        set_parameter(specification, "weights", "mklgl");
        return specification;
    };
    CostPath path;
    trained(data, with("1e3"), &path);
    EXPECT_FALSE(path.is_at_its_end());
    const Trained after = trained(data, with("1e5"), &path);
    const Trained alone = trained(data, with("1e5"), nullptr);
    for (std::size_t i = 0; i < alone.decisions.size(); ++i)
        ASSERT_NEAR(after.decisions[i], alone.decisions[i], 0.01);
}

TEST(CostPath, OfUnconvergedTrainingsHandsNothingOn) {
    const Dataset data = separable(240);
    auto specification = specified("rbf(gamma=1)", "1");
    set_parameter(specification, "max_iterations", "5");
    CostPath path;
    BegunControl control(1);
    train_along(&path, data, specification, control);
    for (const auto& function : path.functions) EXPECT_TRUE(function.duals.empty());
}

std::string validation(const Dataset& data, const std::string& kernel,
                       const std::vector<std::pair<std::string, std::string>>& settings) {
    auto specification = specified(kernel, "1");
    for (const auto& [key, value] : settings) set_parameter(specification, key, value);
    BegunControl control(2);
    return cross_validate(data, specification, control).validation_report;
}

TEST(CostPath, CandidatesBeyondItsEndHaveTheScoresThatTheyHaveAlone) {
    const Dataset data = separable(240);
    for (const std::string probability : {"no", "yes"}) {
        const auto together = nlohmann::json::parse(
            validation(data, "rbf(gamma=20)", {{"grid", "C=1:1e4:1e5:1e6"}, {"probability", probability}}));
        for (const std::string cost : {"1", "1e4", "1e5", "1e6"}) {
            const auto alone = nlohmann::json::parse(
                validation(data, "rbf(gamma=20)", {{"C", cost}, {"probability", probability}}));
            bool found = false;
            for (const auto& candidate : together.at("candidates")) {
                if (std::stod(candidate.at("parameters").at("C").get<std::string>()) != std::stod(cost))
                    continue;
                found = true;
                EXPECT_NEAR(candidate.at("metrics").at("accuracy").at("mean").get<double>(),
                            alone.at("metrics").at("accuracy").at("mean").get<double>(), 0.005);
            }
            EXPECT_TRUE(found) << cost;
        }
    }
}

TEST(CostPath, OfCrossValidationGivesTheSameForAnyNumberOfThreads) {
    const Dataset data = texts(6100, 200, 0.4);  // More rows than are trained on side by side.
    auto specification = specified("linear", "1");
    for (const auto& [key, value] :
         std::vector<std::pair<std::string, std::string>>{{"grid", "C=10:0.1:1"}, {"folds", "2"}})
        set_parameter(specification, key, value);
    const auto report = [&](int threads) {
        BegunControl control(threads);
        return cross_validate(data, specification, control).validation_report;
    };
    EXPECT_EQ(report(1), report(3));
}

}  // namespace
}  // namespace dk::test::cost_path_test
