// SPDX-License-Identifier: Apache-2.0
// The large-margin metric, against its definition and finite differences.
#include "pipeline/layers/large_margin.hpp"

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "pipeline/layers/layer_stack.hpp"
#include "trained.hpp"

namespace dk::test::large_margin_test {
namespace {

/// The loss by its definition, triple for triple.
double defined_loss(const Dataset& data, const std::vector<std::vector<Index>>& targets, const Matrix& map,
                    double push) {
    const auto distance = [&](Index i, Index j) {
        Vector difference(data.cols());
        for (Index c = 0; c < data.cols(); ++c)
            difference[c] = data.dense().row(i)[c] - data.dense().row(j)[c];
        return (map * difference).squaredNorm();
    };
    double loss = 0;
    for (Index i = 0; i < data.rows(); ++i) {
        for (const Index j : targets[i]) {
            loss += distance(i, j);
            for (Index l = 0; l < data.rows(); ++l) {
                if (data.labels->of_rows[l] != data.labels->of_rows[i])
                    loss += push * std::max(0.0, 1 + distance(i, j) - distance(i, l));
            }
        }
    }
    return loss;
}

Matrix random_map(Index rows, Index cols, std::uint64_t seed) {
    const auto values = normal_values(rows * cols, seed);
    return Eigen::Map<const Matrix>(values.data(), rows, cols);
}

TEST(LargeMargin, LossIsThatOfItsDefinition) {
    BegunControl control(2);
    const Dataset data = blobs(150, 4, 3, 1.0, 3);
    const LargeMarginProblem problem(data, {.neighbours = 3, .push = 1.7}, control);
    for (const auto& targets : problem.targets()) EXPECT_EQ(targets.size(), 3U);
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Matrix map = random_map(4, 4, seed);
        const double known = defined_loss(data, problem.targets(), map, 1.7);
        EXPECT_NEAR(problem.evaluate(map, false, control).loss, known, 1e-9 * known);
    }
    // Where all distances vanish, every triple costs the margin.
    const double triples = 150 * 3 * 100;
    EXPECT_NEAR(problem.evaluate(Matrix::Zero(4, 4), false, control).loss, 1.7 * triples, 1e-6);
}

TEST(LargeMargin, GradientIsThatOfDifferences) {
    BegunControl control(2);
    const Dataset data = blobs(60, 3, 2, 1.0, 4);
    const LargeMarginProblem problem(data, {.neighbours = 2, .push = 0.8}, control);
    const Matrix map = Matrix::Identity(3, 3) + 0.3 * random_map(3, 3, 5);
    const LargeMarginLoss here = problem.evaluate(map, true, control);
    for (Index r = 0; r < 3; ++r) {
        for (Index c = 0; c < 3; ++c) {
            constexpr double step = 1e-6;
            Matrix up = map;
            Matrix down = map;
            up(r, c) += step;
            down(r, c) -= step;
            const double slope =
                (problem.evaluate(up, false, control).loss - problem.evaluate(down, false, control).loss) /
                (2 * step);
            EXPECT_NEAR(here.gradient(r, c), slope, 1e-4 * here.gradient.cwiseAbs().maxCoeff());
        }
    }
}

TEST(LargeMargin, RotationsOfTheMapChangeNothing) {
    BegunControl control;
    const Dataset data = blobs(40, 3, 2, 1.0, 6);
    const LargeMarginProblem problem(data, {}, control);
    const Matrix map = random_map(3, 3, 7);
    const Eigen::HouseholderQR<Eigen::MatrixXd> rotation(random_map(3, 3, 8));
    const Matrix turned = Eigen::MatrixXd(rotation.householderQ()) * map;
    const double loss = problem.evaluate(map, false, control).loss;
    EXPECT_NEAR(problem.evaluate(turned, false, control).loss, loss, 1e-10 * loss);
}

/// One column tells the class and the others are noise of ten times its size.
Dataset loud_noise(Index rows, std::uint64_t seed) {
    auto values = normal_values(rows * 5, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        labels.push_back(i % 2);
        values[5 * i] = 0.3 * values[5 * i] + static_cast<double>(i % 2);
        for (Index c = 1; c < 5; ++c) values[5 * i + c] *= 3;
    }
    return with_labels(dense(rows, 5, values), labels);
}

TEST(LargeMargin, LossFallsAndNoiseLosesItsWeight) {
    BegunControl control(2);
    const Dataset data = loud_noise(200, 9);
    const LargeMarginSolution found = large_margin_map(data, {}, control);
    for (std::size_t s = 1; s < found.losses.size(); ++s) EXPECT_LT(found.losses[s], found.losses[s - 1]);
    EXPECT_LT(found.losses.back(), 0.5 * found.losses.front());
    const Vector lengths = found.map.colwise().norm();
    EXPECT_GT(lengths[0], 3 * lengths.tail(4).maxCoeff());
}

/// The share of rows whose nearest other row is of their class.
double nearest_alike(const Dataset& data) {
    double alike = 0;
    for (Index i = 0; i < data.rows(); ++i) {
        Index nearest = -1;
        double least = infinity;
        for (Index j = 0; j < data.rows(); ++j) {
            double distance = 0;
            for (Index c = 0; c < data.cols(); ++c)
                distance += std::pow(data.dense().row(i)[c] - data.dense().row(j)[c], 2);
            if (j == i || distance >= least) continue;
            least = distance;
            nearest = j;
        }
        alike += data.labels->of_rows[i] == data.labels->of_rows[nearest] ? 1 : 0;
    }
    return alike / static_cast<double>(data.rows());
}

TEST(LargeMargin, LayerBringsUnseenRowsOfAClassTogether) {
    BegunControl control;
    const Dataset data = loud_noise(200, 10);
    const LayerStack stack =
        learn_layers(parse_layers("large_margin"), data, {Precision::real64, 1, MemoryBudget(0)}, control);
    const Dataset unseen = loud_noise(150, 11);
    // Beside such noise the class's column hardly tells which row is nearest.
    const double before = nearest_alike(unseen);
    EXPECT_LT(before, 0.65);
    EXPECT_GT(nearest_alike(stack.layers.front().apply(unseen, control)), before + 0.15);
}

TEST(LargeMargin, TheSameBitsForAnyThreads) {
    const Dataset data = blobs(300, 6, 3, 1.0, 12);
    BegunControl one(1);
    BegunControl five(5);
    const LargeMarginOptions options{.most_steps = 5};
    EXPECT_EQ(large_margin_map(data, options, one).map, large_margin_map(data, options, five).map);
}

TEST(LargeMargin, ClassesOfFewRows) {
    BegunControl control;
    // One class has one row, which has no targets, and another two.
    const Dataset data = with_labels(dense(7, 1, {0, 0.1, 0.2, 0.3, 5, 5.5, 9}),
                                     std::vector<std::int64_t>{0, 0, 0, 0, 1, 1, 2});
    const LargeMarginProblem problem(data, {}, control);
    EXPECT_EQ(problem.targets()[4].size(), 1U);
    EXPECT_TRUE(problem.targets()[6].empty());
    const LargeMarginSolution found = large_margin_map(data, {}, control);
    EXPECT_LE(found.losses.back(), found.losses.front());
    // Rows that are all alike have nothing to be moved by.
    const Dataset alike = with_labels(dense(4, 2, std::vector<double>(8, 1.0)), {0, 1, 0, 1});
    EXPECT_EQ(large_margin_map(alike, {}, control).losses.size(), 1U);
}

TEST(LargeMargin, WithTheMultilayerKernelMachine) {
    const Dataset data = loud_noise(120, 13);
    const char* layers =
        "[kernel_pca(rbf, components=20), mutual_information(8), large_margin(max_iterations=20)]";
    const Model model =
        trained("kelm", data, {{"kernel", "rbf(gamma=auto)"}, {"layers", layers}, {"C", "10"}});
    const auto report = nlohmann::json::parse(model.preparation.layers.back().report);
    EXPECT_EQ(report.at("columns"), 8);
    EXPECT_EQ(decided(model, data).size(), 120U);
    message_of(Status::unsupported, [&] {
        trained("one_class_svm", features_only(data), {{"layers", "large_margin"}});
    });
}

}  // namespace
}  // namespace dk::test::large_margin_test
