// SPDX-License-Identifier: Apache-2.0
// Models of landmarks learn further rows from sums over those that are gone. They become what least squares
// over all rows finds with the same landmarks, which the tests solve by orthogonal factors.
#include <Eigen/Dense>
#include <nlohmann/json.hpp>

#include "model/file/model_file.hpp"
#include "pipeline/in_use/update.hpp"
#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test::landmark_update_test {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

Model learn(const char* machine, const Dataset& data, const Settings& more, int threads = 1) {
    BegunControl control(threads);
    auto specification = default_specification(machine);
    for (const auto& [key, value] : Settings{{"kernel", "rbf(gamma=0.5)"},
                                             {"scale", "none"},
                                             {"solver", "falkon"},
                                             {"landmarks", "40"},
                                             {"tolerance", "1e-13"},
                                             {"max_iterations", "500"},
                                             {"updatable", "yes"}})
        set_parameter(specification, key, value);
    for (const auto& [key, value] : more) set_parameter(specification, key, value);
    return train(data, specification, control);
}

Model with_further(const Model& model, const Dataset& further, int threads = 1) {
    BegunControl control(threads);
    return updated(model, &further, {}, control);
}

/// Rows with targets, and with labels of three classes.
Dataset waves(Index rows, std::uint64_t seed) {
    Dataset data = random_dense(rows, 2, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        const auto row = data.dense().row(i);
        data.targets.push_back(std::sin(2 * row[0]) + row[1]);
        labels.push_back(data.targets.back() < -0.5 ? 7 : data.targets.back() < 0.7 ? 3 : 5);
    }
    return with_labels(std::move(data), labels);
}

Dataset part(const Dataset& data, Index first, Index end) {
    std::vector<Index> rows(end - first);
    std::iota(rows.begin(), rows.end(), first);
    Dataset some = data.select(rows);
    if (data.labels) {
        some.labels = data.labels;
        some.labels->of_rows.assign(data.labels->of_rows.begin() + first, data.labels->of_rows.begin() + end);
    }
    some.targets.assign(data.targets.begin() + first, data.targets.begin() + end);
    return some;
}

Matrix matrix_of(const KernelPointer& kernel, const Dataset& left, const Dataset& right) {
    const auto values = gram_matrix(kernel, left, right);
    return view(values.data(), left.rows(), right.rows());
}

/// Gives what least squares over all rows predicts of others: that of |K A + 1 b' - Y|^2 + 1 / C <A, K_MM A>.
Matrix least_squares(const KernelPointer& kernel, const Dataset& data, const Dataset& landmarks,
                     const Matrix& targets, double cost, bool offset, const Dataset& others) {
    const Index n = data.rows();
    const Index m = landmarks.rows();
    const Matrix lower = matrix_of(kernel, landmarks, landmarks).llt().matrixL();
    Matrix system = Matrix::Zero(n + m, offset ? m + 1 : m);
    system.topLeftCorner(n, m) = matrix_of(kernel, data, landmarks);
    if (offset) system.col(m).head(n).setOnes();
    system.bottomLeftCorner(m, m) = lower.transpose() / std::sqrt(cost);
    Matrix right = Matrix::Zero(n + m, targets.cols());
    right.topRows(n) = targets;
    const Matrix found = Eigen::HouseholderQR<Eigen::MatrixXd>(system).solve(Eigen::MatrixXd(right));
    Matrix predicted = matrix_of(kernel, others, landmarks) * found.topRows(m);
    if (offset) predicted.rowwise() += found.row(m);
    return predicted;
}

/// With a narrow kernel landmarks are far from each other. With a wide one, landmarks that are nearly
/// dependent magnify the rounding of sums.
struct Case {
    const char* machine;
    double cost;
    bool offset;
    const char* kernel = "rbf(gamma=20)";
    double tolerance = 1e-8;

    friend void PrintTo(const Case& one, std::ostream* out) {
        *out << one.machine << " " << one.kernel << " C=" << one.cost
             << (one.offset ? " with an offset" : "");
    }
};

class LandmarkUpdate : public testing::TestWithParam<Case> {};

TEST_P(LandmarkUpdate, IsLeastSquaresOverAllRowsWithTheLandmarksThatItHas) {
    const Case& one = GetParam();
    const bool classes = std::string(one.machine) == "kelm";
    const Dataset all = waves(9500, 1);  // The last part has more rows than are read at once.
    const Dataset others = waves(200, 2);
    Matrix targets = as_vector(all.targets);
    if (classes) {
        targets = Matrix::Constant(all.rows(), 3, -1);
        for (Index i = 0; i < all.rows(); ++i) targets(i, all.labels->of_rows[i]) = 1;
    }
    Model model = learn(
        one.machine, part(all, 0, 400),
        {{"kernel", one.kernel}, {"C", std::to_string(one.cost)}, {"offset", one.offset ? "yes" : "no"}});
    const Dataset landmarks = *model.predictor->kept_rows();
    ASSERT_EQ(landmarks.rows(), 40);
    Index rows = 400;
    for (const Index next : {Index{400}, Index{401}, Index{1000}, Index{9500}}) {
        if (next > rows) model = with_further(model, part(all, rows, next));
        rows = next;
        BegunControl control;
        const auto found = decisions(model, others, control);
        const Matrix expected = least_squares(model.predictor->kernel(), part(all, 0, rows), landmarks,
                                              targets.topRows(rows), one.cost, one.offset, others);
        EXPECT_LE((view(found.data(), others.rows(), expected.cols()) - expected).cwiseAbs().maxCoeff(),
                  one.tolerance)
            << rows;
        EXPECT_EQ(model.training_rows, rows);
        EXPECT_EQ(model.predictor->support_count(), 40);
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, LandmarkUpdate,
                         testing::Values(Case{"kernel_ridge", 1, false}, Case{"kernel_ridge", 50, false},
                                         Case{"kernel_ridge", 50, true}, Case{"kelm", 1, false},
                                         Case{"kelm", 50, false}, Case{"kelm", 50, true},
                                         Case{"kernel_ridge", 1, false, "rbf(gamma=0.5)", 1e-4},
                                         Case{"kelm", 50, true, "rbf(gamma=0.5)", 1e-4}));

TEST(LandmarkUpdates, OfASavedModelAreTheSameBitsForAnyNumberOfThreads) {
    const Dataset all = waves(9000, 3);
    const Dataset rest = part(all, 500, 9000);
    const Model model = learn("kelm", part(all, 0, 500), {});
    BegunControl control;
    const Model loaded = read_model(write_model(model), control);
    const auto expected = write_model(with_further(model, rest));
    for (const int threads : {1, 2, 5}) {
        EXPECT_EQ(write_model(with_further(loaded, rest, threads)), expected) << threads;
        EXPECT_EQ(write_model(learn("kelm", part(all, 0, 500), {}, threads)), write_model(model)) << threads;
    }
}

TEST(LandmarkUpdates, KeepTheChosenCost) {
    const Dataset all = waves(900, 4);
    for (const char* offset : {"no", "yes"}) {
        const Model model =
            learn("kernel_ridge", part(all, 0, 600), {{"select_C", "yes"}, {"offset", offset}});
        const Model changed = with_further(model, part(all, 600, 900));
        const auto cost = [](const Model& of) {
            return nlohmann::json::parse(of.training_report).at("functions").at(0).at("C").get<double>();
        };
        EXPECT_NE(cost(model), 1);
        EXPECT_EQ(cost(changed), cost(model)) << offset;
    }
}

TEST(LandmarkUpdates, ForgetNoRow) {
    const Dataset all = waves(300, 5);
    const Model model = learn("kelm", all, {});
    BegunControl control;
    const std::vector<Index> gone{17};
    const std::string message =
        message_of(Status::unsupported, [&] { updated(model, nullptr, gone, control); });
    EXPECT_NE(message.find("row 17"), std::string::npos) << message;
}

// A class of few rows has no landmark, and is learned from the sums.
TEST(LandmarkUpdates, KnowClassesWithoutLandmarks) {
    Dataset all = waves(900, 6);
    std::vector<std::int64_t> labels(900);
    for (Index i = 0; i < 900; ++i) labels[i] = i == 10 || i == 11 ? 9 : i % 2;
    all = with_labels(std::move(all), labels);
    const Model model = learn("kelm", part(all, 0, 600), {{"landmarks", "5"}});
    const auto& kept = model.kept_answers->classes;
    ASSERT_EQ(std::ranges::count(kept, 2), 0);
    const Model changed = with_further(model, part(all, 600, 900));
    EXPECT_EQ(changed.classes.classes(), 3);
    EXPECT_EQ(changed.training_rows, 900);
}

/// Rows of which every fifth has no similarity to any under a form without a constant.
Dataset with_zero_rows(Index rows, std::uint64_t seed) {
    const Dataset all = waves(rows, seed);
    std::vector<double> values;
    for (Index i = 0; i < all.rows(); ++i) {
        const auto row = all.dense().row(i);
        for (Index j = 0; j < 2; ++j) values.push_back(i % 5 == 0 ? 0 : row[j]);
    }
    Dataset with_zeros = dense(rows, 2, std::move(values));
    with_zeros.targets = all.targets;
    return with_zeros;
}

// 4 features of a cubic form are fewer than the landmarks, some of which would have no coefficient.
TEST(LandmarkUpdates, KeepLandmarksThatHaveNoCoefficients) {
    const Dataset all = with_zero_rows(600, 7);
    const Settings settings{{"kernel", "poly(degree=3, coef0=0)"}, {"C", "10"}};
    const Model model = learn("kernel_ridge", part(all, 0, 400), settings);
    EXPECT_EQ(model.predictor->support_count(), 40);
    const Model changed = with_further(model, part(all, 400, 600));
    const Model again =
        learn("kernel_ridge", all, {{"kernel", "poly(degree=3, coef0=0)"}, {"C", "10"}, {"solver", "exact"}});
    BegunControl control;
    const auto found = decisions(changed, all, control);
    const auto expected = decisions(again, all, control);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-5);
}

// A row far from all others, whose target is 0, is a landmark for the rows that come there.
TEST(LandmarkUpdates, KeepLandmarksOfTargetsThatAreZero) {
    std::vector<double> values = normal_values(40, 9);
    values.push_back(1000);
    Dataset all = dense(41, 1, values);
    for (const double value : values) all.targets.push_back(value == 1000 ? 0 : std::sin(value));
    const Model model =
        learn("kernel_ridge", all, {{"kernel", "rbf(gamma=10)"}, {"landmarks", "41"}, {"C", "1"}});
    Dataset further = dense(5, 1, std::vector<double>(5, 1000.0));
    further.targets.assign(5, 7);
    const Model changed = with_further(model, further);
    BegunControl control;
    // Six rows there have the sum of targets 35, and the ridge counts as one of target 0.
    EXPECT_NEAR(decisions(changed, dense(1, 1, {1000.0}), control).front(), 35.0 / 7, 1e-9);
}

// Sums over many rows of kernels whose values are large round what matters away, unless that is looked after.
TEST(LandmarkUpdates, PredictAsWellAsModelsThatAreNotUpdated) {
    Dataset all = random_dense(4000, 5, 10);
    for (Index i = 0; i < all.rows(); ++i) {
        const auto row = all.dense().row(i);
        all.targets.push_back(row[0] * row[1] + std::sin(row[2]) + 0.3 * row[3]);
    }
    const auto error_of = [&](const Model& model) {
        BegunControl control;
        const auto found = decisions(model, all, control);
        return std::sqrt((as_vector(found) - as_vector(all.targets)).squaredNorm() / 4000);
    };
    for (const auto& [kernel, cost] :
         std::vector<std::pair<const char*, const char*>>{{"poly(degree=3)", "1"},
                                                          {"poly(degree=2)", "64"},
                                                          {"poly(degree=3)", "1e6"},
                                                          {"rbf(gamma=0.05)", "1e3"},
                                                          {"rbf(gamma=0.05)", "1e6"},
                                                          {"rbf(gamma=0.05)", "1e9"}}) {
        for (const char* offset : {"no", "yes"}) {
            const Settings settings{{"kernel", kernel},   {"C", cost},           {"offset", offset},
                                    {"landmarks", "300"}, {"tolerance", "1e-7"}, {"max_iterations", "50"}};
            Settings plain = settings;
            plain.emplace_back("updatable", "no");
            const double of_plain = error_of(learn("kernel_ridge", all, plain));
            const double of_whole = error_of(learn("kernel_ridge", all, settings));
            const Model first = learn("kernel_ridge", part(all, 0, 3000), settings);
            const double of_updated = error_of(with_further(first, part(all, 3000, 4000)));
            EXPECT_LE(of_whole, 1.05 * of_plain + 0.01) << kernel << cost << offset;
            EXPECT_LE(of_updated, 1.1 * of_whole + 0.02) << kernel << cost << offset;
        }
    }
}

TEST(LandmarkUpdates, TakeTheLandmarksOfAModelThatHasOutgrownItsMatrix) {
    const Dataset all = waves(1500, 8);
    Model model = learn("kernel_ridge", part(all, 0, 700), {{"solver", "auto"}, {"memory_mb", "20"}});
    EXPECT_EQ(model.predictor->support_count(), 700);
    model = with_further(model, part(all, 700, 1500));
    EXPECT_EQ(model.predictor->support_count(), 40);
    EXPECT_EQ(model.sums->weight, 1500);
}

}  // namespace
}  // namespace dk::test::landmark_update_test
