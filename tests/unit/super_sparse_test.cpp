// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "machine/super_sparse/starting_rows.hpp"
#include "machine/super_sparse/super_sparse_fit.hpp"
#include "model/model.hpp"
#include "pipeline/prototypes/compress.hpp"
#include "pipeline/train.hpp"
#include "solve/smooth/lbfgs.hpp"
#include "solve/squares/penalised_squares.hpp"
#include "support.hpp"

namespace dk::test::super_sparse_test {
namespace {

std::vector<double> shares(Index rows, std::uint64_t seed) {
    auto weights = normal_values(rows, seed, 2, 0.3);
    double sum = 0;
    for (double& w : weights) sum += w = std::abs(w);
    for (double& w : weights) w /= sum;
    return weights;
}

struct Squares {
    std::vector<double> features, targets, weights;
    PenalisedSquares problem(double lambda, bool lasso) const {
        return {view(features.data(), 50, 4), view(targets.data(), 50, 3), as_vector(weights), lambda, lasso};
    }
};

Squares random_squares(std::uint64_t seed) {
    return {normal_values(50 * 4, seed, 0.5), normal_values(50 * 3, seed + 1, 1), shares(50, seed + 2)};
}

TEST(PenalisedSquares, RidgeSolvesTheWholeSystem) {
    BegunControl control;
    for (const double lambda : {0.0, 1e-3, 10.0}) {
        const Squares given = random_squares(1);
        const auto found = solve_penalised_squares(given.problem(lambda, false), {}, control);
        const Eigen::Map<const Matrix> s(given.features.data(), 50, 4);
        const Eigen::Map<const Matrix> y(given.targets.data(), 50, 3);
        const Eigen::Map<const Eigen::VectorXd> u(given.weights.data(), 50);
        Matrix whole(50, 5);
        whole << s, Eigen::VectorXd::Ones(50);
        Matrix system = whole.transpose() * u.asDiagonal() * whole;
        system.diagonal().head(4).array() += lambda;
        const Matrix expected = system.ldlt().solve(whole.transpose() * u.asDiagonal() * y);
        for (Index j = 0; j < 4; ++j) {
            for (Index c = 0; c < 3; ++c) EXPECT_NEAR(found.weights(j, c), expected(j, c), 1e-11);
        }
        for (Index c = 0; c < 3; ++c) EXPECT_NEAR(found.offsets[c], expected(4, c), 1e-11);
        const Matrix rest = whole * expected - y;
        const double error = (rest.array().square().rowwise().sum() * u.array()).sum();
        EXPECT_NEAR(found.error, error, 1e-12);
        EXPECT_NEAR(found.objective, error + lambda * expected.topRows(4).squaredNorm(), 1e-11);
    }
}

TEST(PenalisedSquares, LassoIsOptimal) {
    BegunControl control;
    for (const double lambda : {0.01, 0.1, 0.5, 100.0}) {
        const Squares given = random_squares(4);
        const auto found = solve_penalised_squares(given.problem(lambda, true), {}, control);
        for (Index j = 0; j < 4; ++j) {
            for (Index c = 0; c < 3; ++c) {
                double slope = 0;  // the derivative of the error in this weight
                for (Index i = 0; i < 50; ++i)
                    slope += 2 * given.weights[i] * found.residuals(i, c) * given.features[4 * i + j];
                const double weight = found.weights(j, c);
                if (weight == 0) {
                    EXPECT_LE(std::abs(slope), lambda + 1e-8);
                } else {
                    EXPECT_NEAR(slope, -std::copysign(lambda, weight), 1e-8);
                }
            }
        }
    }
}

TEST(LimitedMemory, MinimisesAQuadraticInAsManyStepsAsItHasVariables) {
    // Exact line searches along its directions end at the minimum.
    const auto values = normal_values(36, 5);
    const Eigen::Map<const Eigen::MatrixXd> factor(values.data(), 6, 6);
    const Eigen::MatrixXd hessian = factor * factor.transpose() + Eigen::MatrixXd::Identity(6, 6);
    Eigen::VectorXd x = Eigen::VectorXd::Constant(6, 3);
    LimitedMemory memory(10);
    for (int step = 0; step < 6; ++step) {
        const Eigen::VectorXd g = hessian * x;
        const Eigen::VectorXd direction = memory.direction(g);
        EXPECT_LT(direction.dot(g), 0);
        const double length = -direction.dot(g) / direction.dot(hessian * direction);
        const Eigen::VectorXd move = length * direction;
        const Eigen::VectorXd change = hessian * move;
        x += move;
        memory.add(move, change);
    }
    EXPECT_LE(x.norm(), 1e-8);
}

SuperSparseTargets random_targets(Index rows, Index functions, std::uint64_t seed) {
    return {normal_values(rows * functions, seed), functions, shares(rows, seed + 1)};
}

double objective_at(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                    SuperSparseOptions options, const std::vector<double>& points, Index count) {
    BegunControl control;
    options.moves = false;
    const SuperSparseSolution start{.points = dense(count, data.cols(), points),
                                    .training_ids = std::vector<Index>(count, -1)};
    return fit_super_sparse(kernel, data, targets, options, control, &start).objectives.back();
}

TEST(SuperSparse, TheGradientIsThatOfFiniteDifferences) {
    const Dataset data = random_dense(60, 3, 6);
    for (const Index functions : {1, 4}) {
        const SuperSparseTargets targets = random_targets(60, functions, 7);
        for (const char* text :
             {"rbf(gamma=0.3)", "poly(degree=3, coef0=1)", "arccos(1)", "laplacian(gamma=0.2)"}) {
            for (const bool lasso : {false, true}) {
                const auto kernel = make_kernel(text, data);
                const SuperSparseOptions options{.lambda = 0.01, .lasso = lasso};
                const std::vector<double> points = normal_values(12, 8);
                BegunControl control;
                const auto gradient =
                    super_sparse_gradient(kernel, data, targets, options, DenseMatrix{4, 3, points}, control);
                double largest = 0;
                for (const double g : gradient) largest = std::max(largest, std::abs(g));
                for (std::size_t e = 0; e < points.size(); ++e) {
                    constexpr double h = 1e-5;
                    auto moved = points;
                    moved[e] = points[e] + h;
                    const double above = objective_at(kernel, data, targets, options, moved, 4);
                    moved[e] = points[e] - h;
                    const double below = objective_at(kernel, data, targets, options, moved, 4);
                    EXPECT_NEAR(gradient[e], (above - below) / (2 * h), 1e-5 * std::max(largest, 0.01))
                        << text << (lasso ? " lasso " : " ridge ") << e;
                }
            }
        }
    }
}

TEST(SuperSparse, EveryStepLowersTheObjective) {
    const Dataset data = random_dense(80, 4, 9);
    const SuperSparseTargets targets = random_targets(80, 2, 10);
    for (const bool joint : {true, false}) {
        for (const auto& [text, repulsion] : {std::pair("rbf(gamma=0.2)", false),
                                              {"rbf(gamma=0.2)", true},
                                              {"laplacian(gamma=0.1)", false}}) {
            BegunControl control;
            const SuperSparseOptions options{.prototypes = 5,
                                             .lambda = 1e-3,
                                             .repulsion = repulsion,
                                             .random_start = !joint,
                                             .joint = joint};
            const auto found = fit_super_sparse(make_kernel(text, data), data, targets, options, control);
            ASSERT_GT(found.objectives.size(), 3U);
            for (std::size_t t = 1; t < found.objectives.size(); ++t)
                EXPECT_LT(found.objectives[t], found.objectives[t - 1]);
            EXPECT_EQ(found.points.rows(), 5);
        }
    }
}

TEST(SuperSparse, RepulsionThatCannotBeHadIsAnError) {
    const Dataset data = random_dense(40, 3, 9);
    const SuperSparseTargets targets = random_targets(40, 1, 10);
    BegunControl control;
    const KernelPointer laplacian = make_kernel("laplacian(gamma=0.1)", data);
    EXPECT_THROW(fit_super_sparse(laplacian, data, targets, {.prototypes = 3, .repulsion = true}, control),
                 Error);
    EXPECT_THROW(fit_super_sparse(make_kernel("rbf(gamma=1)", data), data, targets,
                                  {.prototypes = 3, .repulsion = true, .moves = false}, control),
                 Error);
    const SuperSparseOptions paper{.prototypes = 3, .repulsion = true, .repulsion_may_lack = true};
    EXPECT_EQ(fit_super_sparse(laplacian, data, targets, paper, control).points.rows(), 3);
}

/// Two prototypes of the paper's start are one row of each class, however few rows a class has.
TEST(SuperSparse, RandomStartsAreOfEachClass) {
    std::vector<std::int64_t> labels(100, 0);
    for (const std::size_t i : {7, 20, 33, 58, 91}) labels[i] = 1;
    const Dataset data = with_labels(random_dense(100, 2, 3), labels);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto rows = random_starting_rows(data, 2, seed);
        ASSERT_EQ(rows.size(), 2U);
        EXPECT_NE(labels[rows[0]], labels[rows[1]]);
    }
}

TEST(SuperSparse, FreePrototypesFindTheCentresThatMadeTheData) {
    // The function is f = k(., a) - k(., b), where a and b are no rows. Both are found, and no error is left.
    auto values = normal_values(400, 11, 0, 1.5);
    const Dataset data = dense(200, 2, values);
    const auto kernel = make_kernel("rbf(gamma=0.5)", data);
    const Dataset centres = dense(2, 2, {1.3, -0.4, -0.9, 1.1});
    const auto similarities = gram_matrix(kernel, data, centres);
    SuperSparseTargets targets{.values = {}, .functions = 1, .row_weights = std::vector<double>(200, 0.005)};
    for (std::size_t i = 0; i < 200; ++i)
        targets.values.push_back(similarities[2 * i] - similarities[2 * i + 1]);
    BegunControl control;
    const auto found =
        fit_super_sparse(kernel, data, targets,
                         {.prototypes = 2, .lambda = 0, .tolerance = 1e-12, .most_iterations = 500}, control);
    EXPECT_LE(found.objectives.back(), 1e-8);
    const auto& points = found.points.dense().values;
    const std::size_t first = found.weights[0] > 0 ? 0 : 2;
    EXPECT_NEAR(points[first], 1.3, 1e-3);
    EXPECT_NEAR(points[first + 1], -0.4, 1e-3);
    EXPECT_NEAR(points[2 - first], -0.9, 1e-3);
    EXPECT_NEAR(points[3 - first], 1.1, 1e-3);
}

TEST(SuperSparse, MovingIsBetterThanChoosingRows) {
    const Dataset data = random_dense(100, 3, 12);
    const SuperSparseTargets targets = random_targets(100, 1, 13);
    BegunControl control;
    const auto kernel = make_kernel("rbf(gamma=0.3)", data);
    const auto still = fit_super_sparse(kernel, data, targets, {.prototypes = 6, .moves = false}, control);
    const auto moved = fit_super_sparse(kernel, data, targets, {.prototypes = 6}, control);
    EXPECT_LT(moved.objectives.back(), 0.9 * still.objectives.back());
    EXPECT_NEAR(moved.objectives.front(), still.objectives.back(), 1e-12);
    std::vector<Index> ids = still.training_ids;
    std::ranges::sort(ids);
    EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
    EXPECT_GE(ids.front(), 0);
}

TEST(SuperSparse, DuplicatedRowsAreChosenOnce) {
    auto values = normal_values(10, 14);
    std::vector<double> many;
    for (int copy = 0; copy < 6; ++copy) many.insert(many.end(), values.begin(), values.end());
    const Dataset data = dense(30, 2, many);
    BegunControl control;
    const auto found = fit_super_sparse(make_kernel("rbf(gamma=1)", data), data, random_targets(30, 1, 15),
                                        {.prototypes = 20, .moves = false}, control);
    EXPECT_LE(found.points.rows(), 5);
}

Dataset rings(Index rows, std::uint64_t seed) {
    auto values = normal_values(rows * 2, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        const double squares = values[2 * i] * values[2 * i] + values[2 * i + 1] * values[2 * i + 1];
        labels.push_back(squares < 0.7 ? 0 : squares < 2.2 ? 1 : 2);
    }
    return with_labels(dense(rows, 2, values), labels);
}

Model learn(const Dataset& data, const std::string& machine,
            const std::vector<std::pair<std::string, std::string>>& parameters) {
    BegunControl control;
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

TEST(SuperSparse, AFewSharedPrototypesTellThreeClasses) {
    const Dataset data = rings(300, 16);
    const Dataset test = rings(500, 17);
    const double exact = accuracy(learn(data, "svm", {{"kernel", "rbf(gamma=0.5)"}, {"C", "10"}}), test);
    for (const char* target : {"svm", "none"}) {
        const Model model =
            learn(data, "super_sparse",
                  {{"prototypes", "8"}, {"teacher", target}, {"kernel", "rbf(gamma=0.5)"}, {"C", "10"}});
        EXPECT_EQ(model.predictor->support_count(), 8);
        EXPECT_EQ(model.predictor->decision_count(), 3);
        EXPECT_GE(accuracy(model, test), exact - 0.04) << target;
    }
}

/// The classes of a board of three times three fields take turns, so that few prototypes do not tell them.
Dataset board(Index rows, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> uniform(0, 3);
    std::vector<double> values;
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        const double x = uniform(generator);
        const double y = uniform(generator);
        values.insert(values.end(), {x, y});
        labels.push_back(static_cast<std::int64_t>(x) + static_cast<std::int64_t>(y));
        labels.back() %= 2;
    }
    return with_labels(dense(rows, 2, values), labels);
}

TEST(SuperSparse, TheNumberOfPrototypesIsChosenByItsPrice) {
    const Dataset data = board(300, 18);
    const auto chosen = [&](const char* rho) {
        const Model model = learn(data, "super_sparse",
                                  {{"prototypes", "16"},
                                   {"choose_prototypes", "yes"},
                                   {"rho", rho},
                                   {"kernel", "rbf(gamma=2)"},
                                   {"C", "100"},
                                   {"max_iterations", "40"}});
        const auto report = nlohmann::json::parse(model.training_report);
        EXPECT_EQ(report.at("numbers_tried").size(), report.at("errors_held_out").size());
        // The errors are shares of rows, and with most prototypes few.
        EXPECT_LE(report.at("errors_held_out").at(0), 0.25);
        return model.predictor->support_count();
    };
    const Index cheap = chosen("1e-9");
    const Index dear = chosen("1000");
    EXPECT_EQ(dear, 1);
    EXPECT_GT(cheap, 4);
}

/// A teacher sees the rows of its fold alone: rows whose labels are drawn at random are missed in half of the
/// cases, whatever the number of prototypes. A teacher of all rows would have learned them by heart.
TEST(SuperSparse, HeldOutRowsAreUnknownToTeachersAndCopies) {
    std::vector<std::int64_t> labels;
    std::mt19937_64 generator(5);
    for (int i = 0; i < 240; ++i) labels.push_back(static_cast<std::int64_t>(generator() % 2));
    const Dataset data = with_labels(random_dense(240, 2, 21), labels);
    const Model model = learn(data, "super_sparse",
                              {{"prototypes", "40"},
                               {"choose_prototypes", "yes"},
                               {"kernel", "rbf(gamma=50)"},
                               {"C", "1000"},
                               {"copies", "3"},
                               {"max_iterations", "20"}});
    const auto report = nlohmann::json::parse(model.training_report);
    for (const double error : report.at("errors_held_out")) EXPECT_NEAR(error, 0.5, 0.13);
}

TEST(SuperSparse, OppositeCostsOfTheTeacherFavourTheSmallerClass) {
    auto values = normal_values(2 * 200, 31);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < 200; ++i) {
        labels.push_back(i < 20 ? 1 : 0);
        values[2 * i] += i < 20 ? 1.2 : 0;
    }
    const Dataset data = with_labels(dense(200, 2, values), labels);
    const auto found = [&](const char* costs) {
        const Model model = learn(data, "super_sparse",
                                  {{"teacher_costs", costs}, {"kernel", "rbf(gamma=0.3)"}, {"focus", "0"}});
        BegunControl control;
        const auto elected = elected_classes(model, decisions(model, data, control), control);
        return std::accumulate(elected.begin(), elected.begin() + 20, Index{0});
    };
    EXPECT_GT(found("opposite"), found("equal") + 5);
}

TEST(SuperSparse, LearnsFromAnyMachineOfItsTask) {
    const Dataset data = rings(200, 23);
    for (const char* teacher : {"kelm", "mcvm", "fisher", "similarity_ridge", "similarity_lasso"}) {
        const Model model = learn(data, "super_sparse", {{"teacher", teacher}, {"kernel", "rbf(gamma=0.5)"}});
        const double own = accuracy(learn(data, teacher, {{"kernel", "rbf(gamma=0.5)"}}), data);
        EXPECT_GE(accuracy(model, data), own - 0.05) << teacher;
    }
    EXPECT_THROW(learn(data, "super_sparse", {{"teacher", "svr"}}), Error);
    EXPECT_THROW(learn(data, "super_sparse", {{"teacher", "imkpl"}}), Error);
    EXPECT_THROW(learn(data, "super_sparse", {{"teacher", "swm"}}), Error);
}

TEST(Compress, DecidesAlikeWithATenthOfTheRows) {
    const Dataset data = rings(400, 19);
    for (const char* machine : {"svm", "kelm", "fisher", "mean_of_class"}) {
        const Model model = learn(data, machine, {{"kernel", "rbf(gamma=0.5)"}});
        BegunControl control;
        auto settings = default_specification("super_sparse");
        set_parameter(settings, "prototypes", "12");
        const Model small = compress(model, data, settings, control);
        EXPECT_EQ(small.predictor->support_count(), 12);
        EXPECT_EQ(small.predictor->decision_count(), model.predictor->decision_count());
        const auto report = nlohmann::json::parse(small.training_report).at("compressed").at(0);
        EXPECT_GE(report.at("agreement").get<double>(), 0.95) << machine;
        EXPECT_NEAR(accuracy(small, rings(500, 20)), accuracy(model, rings(500, 20)), 0.04) << machine;
    }
}

TEST(Compress, ScaledDataRegressionsAndOtherMachinesParameters) {
    Dataset data = random_dense(150, 2, 21, 5, 3);
    for (Index i = 0; i < 150; ++i) data.targets.push_back(std::sin(data.dense().row(i)[0]));
    const Model model = learn(data, "svr", {{"scale", "standard"}, {"C", "10"}, {"epsilon", "0.01"}});
    BegunControl control;
    auto settings = default_specification("super_sparse_regression");
    set_parameter(settings, "prototypes", "25");
    set_parameter(settings, "max_iterations", "300");
    const Model small = compress(model, data, settings, control);
    const auto report = nlohmann::json::parse(small.training_report).at("compressed").at(0);
    EXPECT_LE(report.at("decision_rmse").get<double>(), 0.1);
    auto wrong = default_specification("svm");
    message_of(Status::invalid_parameter, [&] { compress(model, data, wrong, control); });
}

}  // namespace
}  // namespace dk::test::super_sparse_test
