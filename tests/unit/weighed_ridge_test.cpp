// SPDX-License-Identifier: Apache-2.0
// Ridge machines count squared errors by the weights of rows. Their functions are those of
//
//     [K + W^-1 / C   1] [a]   [y]
//     [1'             0] [b] = [0]
//
// which these tests solve by themselves; weights that are integers are repeats of rows; and what rows that
// were left out are told is what a machine without them says.
#include <Eigen/Dense>
#include <nlohmann/json.hpp>
#include <numeric>

#include "model/file/model_file.hpp"
#include "pipeline/in_use/update.hpp"
#include "pipeline/score.hpp"
#include "trained.hpp"

namespace dk::test::weighed_ridge_test {
namespace {

/// Noisy waves, whose rows have weights from 0.1 to 3.
Dataset weighed_waves(Index rows, std::uint64_t seed) {
    Dataset data = random_dense(rows, 3, seed);
    const auto noise = normal_values(rows, seed + 1);
    std::mt19937_64 generator(seed + 2);
    std::uniform_real_distribution<double> weight(0.1, 3);
    for (Index i = 0; i < rows; ++i) {
        const auto row = data.dense().row(i);
        data.targets.push_back(2 + std::sin(2 * row[0]) + row[1] + 0.4 * noise[i]);
        data.sample_weights.push_back(weight(generator));
    }
    return data;
}

Matrix gram_of(const std::string& kernel, const Dataset& left, const Dataset& right) {
    const auto values = gram_matrix(make_kernel(kernel, left), left, right);
    return view(values.data(), left.rows(), right.rows());
}

/// Solves the program above and predicts other rows.
Vector solved(const std::string& kernel, const Dataset& data, double cost, bool offset,
              const Dataset& others) {
    const Index n = data.rows();
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(n + 1, n + 1);
    system.topLeftCorner(n, n) = gram_of(kernel, data, data);
    system.diagonal().head(n).array() += (cost * as_vector(data.sample_weights).array()).inverse();
    if (offset) {
        system.col(n).head(n).setOnes();
        system.row(n).head(n).setOnes();
    } else {
        system(n, n) = 1;
    }
    Eigen::VectorXd right = Eigen::VectorXd::Zero(n + 1);
    right.head(n) = as_vector(data.targets);
    const Eigen::VectorXd found = system.fullPivLu().solve(right);
    return (gram_of(kernel, others, data) * found.head(n)).array() + found[n];
}

/// Solves [K' W K + K_MM / C   K' w] [a; b] = K' W y and w'(K a + b 1) = w'y, and predicts the rows
/// themselves.
Vector solved_for_landmarks(const std::string& kernel, const Dataset& data, const Dataset& landmarks,
                            double cost, bool offset) {
    const Index m = landmarks.rows();
    Eigen::MatrixXd features = Eigen::MatrixXd::Ones(data.rows(), m + 1);
    features.leftCols(m) = gram_of(kernel, data, landmarks);
    if (!offset) features.col(m).setZero();
    const Eigen::VectorXd weights = as_vector(data.sample_weights);
    Eigen::MatrixXd system = features.transpose() * weights.asDiagonal() * features;
    system.topLeftCorner(m, m) += gram_of(kernel, landmarks, landmarks) / cost;
    if (!offset) system(m, m) = 1;
    const Eigen::VectorXd targets = as_vector(data.targets);
    return features * system.fullPivLu().solve(features.transpose() * weights.asDiagonal() * targets);
}

double distance(const Model& model, const Dataset& rows, const Vector& expected) {
    const auto found = decided(model, rows);
    return (as_vector(found) - expected).cwiseAbs().maxCoeff();
}

TEST(WeighedRidge, SolvesItsEquations) {
    const Dataset data = weighed_waves(120, 11);
    const Dataset others = random_dense(40, 3, 17);
    for (const char* kernel : {"rbf(gamma=0.5)", "linear", "poly(degree=2, gamma=0.3, coef0=1)"}) {
        for (const char* cost : {"0.05", "20"}) {
            for (const char* offset : {"no", "yes"}) {
                const Vector expected = solved(kernel, data, std::stod(cost), *offset == 'y', others);
                const std::vector<Setting> settings{
                    {"kernel", kernel}, {"C", cost}, {"offset", offset}, {"scale", "none"}};
                EXPECT_LE(distance(trained("kernel_ridge", data, settings), others, expected), 1e-9)
                    << kernel << " " << cost << " " << offset;
                // With all rows as landmarks, coefficients of these are all that there are.
                std::vector<Setting> by_landmarks = settings;
                for (const Setting& more : {Setting{"solver", "falkon"},
                                            {"landmarks", "120"},
                                            {"tolerance", "1e-12"},
                                            {"max_iterations", "500"}})
                    by_landmarks.push_back(more);
                EXPECT_LE(distance(trained("kernel_ridge", data, by_landmarks), others, expected), 1e-5)
                    << kernel << " " << cost << " " << offset;
                by_landmarks.emplace_back("updatable", "yes");
                EXPECT_LE(distance(trained("kernel_ridge", data, by_landmarks), others, expected), 1e-4)
                    << kernel << " " << cost << " " << offset;
            }
        }
    }
}

/// Rows that are repeated as often as their weights say.
Dataset repeated(const Dataset& data) {
    std::vector<Index> rows;
    for (Index i = 0; i < data.rows(); ++i)
        rows.insert(rows.end(), static_cast<Index>(data.sample_weights[i]), i);
    Dataset all = data.select(rows);
    all.sample_weights.clear();
    return all;
}

TEST(WeighedRidge, WeightsAreRepeatsOfRows) {
    Dataset data = blobs(90, 3, 3, 1.0, 23);
    for (Index i = 0; i < data.rows(); ++i) {
        data.sample_weights.push_back(static_cast<double>(i % 4));  // some have none
        data.targets.push_back(data.dense().row(i)[0] * data.dense().row(i)[1]);
    }
    const Dataset all = repeated(data);
    for (const char* machine : {"kelm", "kernel_ridge"}) {
        for (const char* kernel : {"rbf(gamma=0.3)", "linear"}) {
            for (const char* offset : {"no", "yes"}) {
                const std::vector<Setting> settings{
                    {"kernel", kernel}, {"C", "2"}, {"offset", offset}, {"scale", "none"}};
                const auto weighed = decided(trained(machine, data, settings), data);
                const auto repeats = decided(trained(machine, all, settings), data);
                EXPECT_LE((as_vector(weighed) - as_vector(repeats)).cwiseAbs().maxCoeff(), 1e-9)
                    << machine << kernel << offset;
            }
        }
    }
    // The random nodes of an extreme learning machine depend on the seed alone.
    const std::vector<Setting> nodes{
        {"features", "sigmoid"}, {"kernel", "linear"}, {"hidden", "30"}, {"scale", "none"}};
    const auto weighed = decided(trained("elm", data, nodes), data);
    const auto repeats = decided(trained("elm", all, nodes), data);
    EXPECT_LE((as_vector(weighed) - as_vector(repeats)).cwiseAbs().maxCoeff(), 1e-8);
}

double reported(const Model& model, const char* key) {
    const auto report = nlohmann::json::parse(model.training_report);
    return (report.contains(key) ? report : report.at("functions").at(0)).at(key).get<double>();
}

/// The error on rows that are left out counts by their weights, and C is the one with the least.
TEST(WeighedRidge, LeavesOutRowByRow) {
    const Dataset data = weighed_waves(40, 31);
    for (const char* kernel : {"rbf(gamma=0.5)", "linear"}) {
        for (const bool offset : {false, true}) {
            double least = infinity;
            for (int power = -10; power <= 20; power += 2) {
                const double cost = std::ldexp(1.0, power);
                double squares = 0;
                for (Index i = 0; i < data.rows(); ++i) {
                    std::vector<Index> rest(data.rows());
                    std::iota(rest.begin(), rest.end(), Index{0});
                    rest.erase(rest.begin() + i);
                    const Vector found =
                        solved(kernel, data.select(rest), cost, offset, data.select({&i, 1}));
                    squares += data.sample_weights[i] * std::pow(found[0] - data.targets[i], 2);
                }
                const double weight = as_vector(data.sample_weights).sum();
                const double error = std::sqrt(squares / weight);
                least = std::min(least, error);
                if (power != 0) continue;
                for (const char* solver : {"exact", "falkon"}) {
                    const Model model = trained("kernel_ridge", data,
                                                {{"kernel", kernel},
                                                 {"offset", offset ? "yes" : "no"},
                                                 {"scale", "none"},
                                                 {"leave_one_out", "yes"},
                                                 {"solver", solver}});
                    EXPECT_NEAR(reported(model, "leave_one_out_rmse"), error, 1e-6 * error)
                        << kernel << offset << solver;
                }
            }
            const Model chosen = trained("kernel_ridge", data,
                                         {{"kernel", kernel},
                                          {"offset", offset ? "yes" : "no"},
                                          {"scale", "none"},
                                          {"select_C", "yes"}});
            EXPECT_NEAR(reported(chosen, "leave_one_out_rmse"), least, 1e-8 * least) << kernel << offset;
            EXPECT_LE(distance(chosen, data, solved(kernel, data, reported(chosen, "C"), offset, data)),
                      1e-6);
        }
    }
}

TEST(WeighedRidge, UpdatesMakeTheModelOfAllRows) {
    const Dataset all = weighed_waves(200, 41);
    std::vector<Index> first(150);
    std::iota(first.begin(), first.end(), Index{0});
    std::vector<Index> rest(50);
    std::iota(rest.begin(), rest.end(), Index{150});
    for (const char* offset : {"no", "yes"}) {
        const std::vector<Setting> settings{{"kernel", "rbf(gamma=0.4)"},
                                            {"C", "3"},
                                            {"offset", offset},
                                            {"scale", "none"},
                                            {"updatable", "yes"}};
        BegunControl control;
        const Model before = trained("kernel_ridge", all.select(first), settings);
        const Dataset further = all.select(rest);
        const Vector expected = solved("rbf(gamma=0.4)", all, 3, *offset == 'y', all);
        EXPECT_LE(distance(updated(before, &further, {}, control), all, expected), 1e-9) << offset;
        // What a file keeps are the weights, of which the factor is made anew.
        const Model read = read_model(write_model(before), control);
        EXPECT_LE(distance(updated(read, &further, {}, control), all, expected), 1e-9) << offset;
        std::vector<Setting> by_landmarks = settings;
        by_landmarks.insert(by_landmarks.end(), {{"solver", "falkon"}, {"landmarks", "150"}});
        const Model landmarks = updated(
            read_model(write_model(trained("kernel_ridge", all.select(first), by_landmarks)), control),
            &further, {}, control);
        EXPECT_NEAR(landmarks.sums->weight, as_vector(all.sample_weights).sum(), 1e-9);
        // Further rows are no landmarks.
        const Vector of_landmarks =
            solved_for_landmarks("rbf(gamma=0.4)", all, all.select(first), 3, *offset == 'y');
        EXPECT_LE(distance(landmarks, all, of_landmarks), 1e-5) << offset;
    }
}

TEST(WeighedRidge, TuningRefusesWeights) {
    EXPECT_NE(message_of(Status::unsupported,
                         [&] {
                             trained("kernel_ridge", weighed_waves(20, 5),
                                     {{"kernel", "rbf(gamma=1)"}, {"tune_kernel", "evidence"}});
                         })
                  .find("tune_kernel counts every row the same"),
              std::string::npos);
}

}  // namespace
}  // namespace dk::test::weighed_ridge_test
