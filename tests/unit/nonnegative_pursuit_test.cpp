// SPDX-License-Identifier: Apache-2.0
#include "solve/squares/nonnegative_pursuit.hpp"

#include <Eigen/Dense>

#include "solve/smooth/simplex.hpp"
#include "support.hpp"

namespace dk::test::nonnegative_pursuit_test {
namespace {

struct Program {
    Eigen::MatrixXd matrix;
    Eigen::VectorXd linear;

    double objective(const Eigen::VectorXd& x) const { return 0.5 * x.dot(matrix * x) + linear.dot(x); }
};

Program random_program(Index n, Index rank, std::uint64_t seed) {
    const auto values = normal_values(n * rank + n, seed);
    const Eigen::Map<const Eigen::MatrixXd> factor(values.data(), n, rank);
    return {factor * factor.transpose(), Eigen::Map<const Eigen::VectorXd>(values.data() + n * rank, n)};
}

Eigen::VectorXd solve(const Program& program, Index limit) {
    const Index n = program.linear.size();
    const PursuitSolution found = nonnegative_pursuit(program.matrix, program.linear, limit);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
    for (std::size_t k = 0; k < found.support.size(); ++k) x[found.support[k]] = found.values[k];
    EXPECT_NEAR(found.objective, program.objective(x), 1e-10 * (1 + std::abs(found.objective)));
    EXPECT_LE(std::ssize(found.support), limit);
    return x;
}

/// Gives the least objective over all supports of at most so many variables whose unconstrained solution is
/// positive.
double best_of_all_supports(const Program& program, Index limit) {
    const Index n = program.linear.size();
    double best = 0;
    for (unsigned mask = 1; mask < (1U << static_cast<unsigned>(n)); ++mask) {
        std::vector<Index> chosen;
        for (Index j = 0; j < n; ++j) {
            if ((mask >> static_cast<unsigned>(j)) % 2 == 1) chosen.push_back(j);
        }
        if (std::ssize(chosen) > limit) continue;
        const Eigen::MatrixXd sub = program.matrix(chosen, chosen);
        const Eigen::VectorXd right = program.linear(chosen);
        const Eigen::VectorXd x = sub.ldlt().solve(-right);
        if ((sub * x + right).norm() > 1e-8 || x.minCoeff() < 0) continue;
        best = std::min(best, 0.5 * right.dot(x));
    }
    return best;
}

TEST(NonnegativePursuit, WithoutALimitItIsNonnegativeLeastSquares) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Program program = random_program(9, 9, seed);
        const double found = program.objective(solve(program, 9));
        EXPECT_NEAR(found, best_of_all_supports(program, 9), 1e-9 * (1 + std::abs(found))) << seed;
    }
}

TEST(NonnegativePursuit, OptimalityConditionsOfManyVariables) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Program program = random_program(60, 80, 100 + seed);
        const Eigen::VectorXd x = solve(program, 60);
        const Eigen::VectorXd gradient = program.matrix * x + program.linear;
        for (Index j = 0; j < 60; ++j) {
            if (x[j] > 0) {
                EXPECT_NEAR(gradient[j], 0, 1e-8);
            }
            EXPECT_GE(gradient[j], -1e-8);
        }
    }
}

TEST(NonnegativePursuit, AFewAreNoWorseThanFewerAndNearTheBest) {
    double excess = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const Program program = random_program(9, 9, 200 + seed);
        double last = 0;
        for (Index limit = 1; limit <= 9; ++limit) {
            const double found = program.objective(solve(program, limit));
            EXPECT_LE(found, last + 1e-12);
            last = found;
        }
        const double best = best_of_all_supports(program, 3);
        const double found = program.objective(solve(program, 3));
        EXPECT_GE(found, best - 1e-9 * (1 + std::abs(best)));
        if (best < 0) excess += (found - best) / std::abs(best) / 60;
    }
    EXPECT_LE(excess, 0.05);
}

TEST(NonnegativePursuit, SingularMatricesAndDuplicates) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Program program = random_program(9, 3, 300 + seed);
        const double found = program.objective(solve(program, 9));
        EXPECT_TRUE(std::isfinite(found));
        EXPECT_LE(found, 0);
    }
    Program twins{Eigen::MatrixXd::Ones(4, 4), Eigen::VectorXd::Constant(4, -3.0)};
    const Eigen::VectorXd x = solve(twins, 4);
    EXPECT_NEAR(x.sum(), 3, 1e-12);
    EXPECT_EQ((x.array() > 0).count(), 1);
}

TEST(NonnegativePursuit, NothingToGainIsZero) {
    const Program program{Eigen::MatrixXd::Identity(3, 3), Eigen::Vector3d(0, 1, 2)};
    EXPECT_EQ(solve(program, 3), Eigen::Vector3d(0, 0, 0));
    const Program one{Eigen::MatrixXd::Constant(1, 1, 2), Eigen::VectorXd::Constant(1, -4.0)};
    EXPECT_NEAR(solve(one, 1)[0], 2, 1e-15);  // The objective has 1/2 x'Hx, not x'Hx.
}

TEST(NonnegativePursuit, MatricesThatAreNotSemidefiniteEnd) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const auto values = normal_values(72, 400 + seed);
        Eigen::MatrixXd matrix = Eigen::Map<const Eigen::MatrixXd>(values.data(), 8, 8);
        matrix = (matrix + matrix.transpose()).eval();
        const Program program{matrix, Eigen::Map<const Eigen::VectorXd>(values.data() + 64, 8)};
        const Eigen::VectorXd x = solve(program, 8);
        EXPECT_TRUE(x.allFinite());
        EXPECT_GE(x.minCoeff(), 0);
    }
}

TEST(Simplex, NearestPoint) {
    EXPECT_EQ(project_onto_simplex(std::vector<double>{0.2, 0.3, 0.5}), (std::vector<double>{0.2, 0.3, 0.5}));
    EXPECT_EQ(project_onto_simplex(std::vector<double>{5, 1, 0}), (std::vector<double>{1, 0, 0}));
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto v = normal_values(7, 500 + seed);
        const auto x = project_onto_simplex(v);
        EXPECT_NEAR(std::accumulate(x.begin(), x.end(), 0.0), 1, 1e-14);
        // At the projection v - x is the same for all positive elements, and no larger for the others.
        double shift = -1e300;
        for (std::size_t i = 0; i < 7; ++i) {
            EXPECT_GE(x[i], 0);
            if (x[i] > 0) shift = v[i] - x[i];
        }
        for (std::size_t i = 0; i < 7; ++i) {
            if (x[i] > 0) {
                EXPECT_NEAR(v[i] - x[i], shift, 1e-14);
            } else {
                EXPECT_LE(v[i], shift + 1e-14);
            }
        }
    }
}

TEST(Simplex, QuadraticWeightsHaveTheNumberAskedFor) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto costs = normal_values(12, 600 + seed);
        for (Index count = 1; count <= 12; ++count) {
            const double weight = quadratic_weight(costs, count);
            const auto x = quadratic_simplex(costs, weight);
            EXPECT_EQ(std::ranges::count_if(x, [](double v) { return v > 1e-14; }), count);
            // A point is optimal when cost + weight x is equal where x > 0, and no smaller elsewhere.
            double level = 0;
            for (std::size_t i = 0; i < 12; ++i) {
                if (x[i] > 1e-14) level = costs[i] + weight * x[i];
            }
            for (std::size_t i = 0; i < 12; ++i) EXPECT_GE(costs[i] + weight * x[i], level - 1e-12);
        }
    }
}

TEST(Simplex, CheapestOnesAndTies) {
    const std::vector<double> costs{3, 1, 2, 1};
    EXPECT_EQ(cheapest_vertex(costs), (std::vector<double>{0, 1, 0, 0}));
    EXPECT_EQ(cheapest_equally(costs, 2), (std::vector<double>{0, 0.5, 0, 0.5}));
    const std::vector<double> equal(5, 7.0);
    for (const Index count : {1, 3, 5}) {
        const auto x = quadratic_simplex(equal, quadratic_weight(equal, count));
        for (const double v : x) EXPECT_NEAR(v, 0.2, 1e-15);
    }
}

}  // namespace
}  // namespace dk::test::nonnegative_pursuit_test
