// SPDX-License-Identifier: Apache-2.0
// The weights of alike kernels: minima that were found by hand, the conditions of an optimum, and an
// enumeration of all supports.
#include "solve/smooth/diverse_simplex.hpp"

#include <Eigen/Dense>

#include "solve/smooth/simplex.hpp"
#include "support.hpp"

namespace dk::test::diverse_simplex_test {
namespace {

/// A program whose matrix is stored.
struct Program {
    Program(Matrix similarities, Vector e, double rho, double kappa) : A(std::move(similarities)) {
        for (Index j = 0; j < A.cols(); ++j) columns.emplace_back(A.col(j));
        program = {std::move(e), [this](Index j) -> const Vector& { return columns[j]; }, rho, kappa};
    }

    Vector solved(double tolerance = 0) const {
        const Index f = A.rows();
        Vector first = Vector::Zero(f);
        Index cheapest = 0;
        program.e.minCoeff(&cheapest);
        first[cheapest] = 1;
        return solve_diverse(program, first, tolerance).x;
    }
    Vector gradient(const Vector& x) const { return program.e + program.rho * (A * x + program.kappa * x); }

    Matrix A;
    std::vector<Vector> columns;
    DiverseProgram program;
};

Program four_kernels(double rho, double kappa) {
    const Matrix A{{1, 0.95, 0.1, 0}, {0.95, 1, 0.15, 0.05}, {0.1, 0.15, 1, 0.2}, {0, 0.05, 0.2, 1}};
    return {A, Vector{{-3, -2.9, -2, -1}}, rho, kappa};
}

/// A random A of vectors of unit length, and random costs.
Program random_program(Index f, std::uint64_t seed, double kappa) {
    const auto values = normal_values(f * 5 + f, seed);
    Matrix vectors = view(values.data(), f, 5);
    vectors.rowwise().normalize();
    Matrix A = vectors * vectors.transpose();
    A.diagonal().setOnes();
    const Vector e = as_vector(std::span(values).subspan(f * 5));
    return {A, e, 2.0, kappa};
}

TEST(DiverseSimplex, MinimaByHand) {
    const auto expect = [](const Program& four, const Vector& x, double objective) {
        EXPECT_LE((four.solved(1e-13) - x).cwiseAbs().maxCoeff(), 1e-11);
        EXPECT_NEAR(diverse_objective(four.program, four.solved(1e-13)), objective, 1e-11);
    };
    expect(four_kernels(2, 0), Vector{{7.0 / 9, 0, 2.0 / 9, 0}}, -2.088888888889);
    expect(four_kernels(2, 0.1), Vector{{33.0 / 56, 10.0 / 56, 13.0 / 56, 0}}, -2.033928571429);
    expect(four_kernels(4, 0), Vector{{0.608786610879, 0, 0.313807531381, 0.077405857741}}, -1.485355648536);
    const auto apart = quadratic_simplex(std::vector<double>{-3, -2.9, -2, -1}, 2);
    EXPECT_LE((as_vector(apart) - Vector{{31.0 / 60, 28.0 / 60, 1.0 / 60, 0}}).cwiseAbs().maxCoeff(), 1e-12)
        << "kernels that nobody compares share all the weight between two near copies";
}

TEST(DiverseSimplex, TheGradientIsTheSameOnTheSupportAndNoSmallerElsewhere) {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        const Program program = random_program(40, seed, seed % 2 == 0 ? 0 : 0.5);
        const Vector x = program.solved(1e-9);
        EXPECT_NEAR(x.sum(), 1, 1e-12);
        EXPECT_GE(x.minCoeff(), 0);
        const Vector g = program.gradient(x);
        for (Index l = 0; l < 40; ++l) {
            if (x[l] > 0) {
                EXPECT_NEAR(g[l], g.minCoeff(), 1e-8);
            }
        }
    }
}

/// The minimum over one support, where the gradient is the same for all: A_SS x = nu 1 - e_S.
double minimum_over_all_supports(const Program& program) {
    const Index f = program.A.rows();
    double least = std::numeric_limits<double>::max();
    for (unsigned mask = 1; mask < (1U << static_cast<unsigned>(f)); ++mask) {
        std::vector<Index> support;
        for (Index l = 0; l < f; ++l) {
            if ((mask >> static_cast<unsigned>(l) & 1U) != 0) support.push_back(l);
        }
        const Index s = std::ssize(support);
        Matrix system = Matrix::Ones(s + 1, s + 1);
        system(s, s) = 0;
        system.topLeftCorner(s, s) = program.program.rho * program.A(support, support);
        system.topLeftCorner(s, s).diagonal().array() += program.program.rho * program.program.kappa;
        Vector right = Vector::Ones(s + 1);
        right.head(s) = -program.program.e(support);
        const Vector found = system.fullPivLu().solve(right);
        if (found.head(s).minCoeff() < 0) continue;
        Vector x = Vector::Zero(f);
        x(support) = found.head(s);
        if (std::abs(x.sum() - 1) > 1e-9) continue;
        least = std::min(least, diverse_objective(program.program, x));
    }
    return least;
}

TEST(DiverseSimplex, NoSupportIsBetter) {
    for (std::uint64_t seed = 10; seed < 40; ++seed) {
        const Program program = random_program(7, seed, seed % 3 == 0 ? 0 : 0.3);
        const Vector x = program.solved(1e-12);
        EXPECT_NEAR(diverse_objective(program.program, x), minimum_over_all_supports(program), 1e-10) << seed;
    }
}

TEST(DiverseSimplex, ACopyChangesNothing) {
    const Program four = four_kernels(4, 0);
    const std::vector<Index> doubled{0, 0, 1, 2, 3};
    const Program five(four.A(doubled, doubled), four.program.e(doubled), 4, 0);
    const Vector x = four.solved(1e-12);
    const Vector y = five.solved(1e-12);
    EXPECT_NEAR(y[0] + y[1], x[0], 1e-6);
    for (Index l = 1; l < 4; ++l) EXPECT_NEAR(y[l + 1], x[l], 1e-6);
}

TEST(DiverseSimplex, WithoutLikenessItIsTheQuadraticRule) {
    const auto e = normal_values(30, 50);
    const Program program(Matrix::Identity(30, 30), as_vector(e), 3, 0);
    const auto expected = quadratic_simplex(e, 3);
    EXPECT_LE((program.solved(1e-12) - as_vector(expected)).cwiseAbs().maxCoeff(), 1e-9);
}

}  // namespace
}  // namespace dk::test::diverse_simplex_test
