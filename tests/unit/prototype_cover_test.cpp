// SPDX-License-Identifier: Apache-2.0
// Prototype selection as a set cover, against values derived by hand and against all choices there are.
#include "solve/cover/cover_relaxation.hpp"
#include "support.hpp"

namespace dk::test::prototype_cover_test {
namespace {

CoverProgram on_a_line(const std::vector<double>& x, std::vector<Index> class_of, Index classes,
                       double radius, double price) {
    const Index n = std::ssize(x);
    Matrix squares(n, n);
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) squares(i, j) = (x[i] - x[j]) * (x[i] - x[j]);
    }
    BegunControl control;
    return cover_program(squares, radius, std::move(class_of), classes, price, control);
}

TEST(PrototypeCover, TheGreedyChoiceIsThatDerivedByHand) {
    const std::vector<double> x{0, .1, .2, .25, .9, 1, 1.1};
    const std::vector<Index> class_of{0, 0, 0, 1, 1, 1, 1};
    BegunControl control;
    const CoverProgram program = on_a_line(x, class_of, 2, .22, 1.0 / 7);
    const CoverChoice choice = greedy_cover(program, control);
    EXPECT_EQ(choice.rows, (std::vector<Index>{0, 4}));
    EXPECT_EQ(choice.classes, (std::vector<Index>{0, 1}));
    EXPECT_NEAR(cover_cost(program, choice), 9.0 / 7, 1e-12);

    const CoverProgram dear = on_a_line(x, class_of, 2, .22, 7);
    EXPECT_TRUE(greedy_cover(dear, control).rows.empty());
    EXPECT_NEAR(cover_cost(dear, {}), 7, 1e-12);
}

/// A row in two balls of other classes is wrongly covered twice.
TEST(PrototypeCover, EachBallOfAnotherClassCounts) {
    const CoverProgram program = on_a_line({0, -.5, .5}, {0, 1, 2}, 3, .6, .01);
    EXPECT_NEAR(cover_cost(program, {.rows = {1, 2}, .classes = {1, 2}}), 2 * .01 + 1 + 2, 1e-12);
}

/// Random points on a line in two classes.
CoverProgram random_program(std::uint64_t seed, Index rows) {
    std::vector<Index> class_of(rows);
    for (Index i = 0; i < rows; ++i) class_of[i] = i % 2;
    return on_a_line(normal_values(rows, seed), std::move(class_of), 2, .4, 1.0 / static_cast<double>(rows));
}

/// The least cost over all choices: each class by itself, all subsets of rows.
double least_cost(const CoverProgram& program) {
    double sum = 0;
    for (Index c = 0; c < program.classes; ++c) {
        double least = infinity;
        for (Index subset = 0; subset < (Index{1} << program.rows()); ++subset) {
            double cost = 0;
            std::vector<char> covered(program.rows(), 0);
            for (Index j = 0; j < program.rows(); ++j) {
                if ((subset >> j & 1) == 0) continue;
                cost += program.cost_of(j, c);
                for (const Index i : program.balls[j]) covered[i] = 1;
            }
            for (Index i = 0; i < program.rows(); ++i) cost += program.class_of[i] == c && covered[i] == 0;
            least = std::min(least, cost);
        }
        sum += least;
    }
    return sum;
}

TEST(PrototypeCover, NoChoiceCostsLessThanTheBest) {
    BegunControl control;
    int best = 0;
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        const CoverProgram program = random_program(seed, 12);
        const double least = least_cost(program);
        const double greedy = cover_cost(program, greedy_cover(program, control));
        EXPECT_GE(greedy, least - 1e-9);
        best += greedy < least + 1e-9;
    }
    EXPECT_GE(best, 13);  // It is a good method: more often than not nothing is better.
}

TEST(PrototypeCover, TheRelaxationIsBelowTheBestAndRoundingAbove) {
    BegunControl control;
    if (!has_linear_programs()) {
        const CoverProgram program = random_program(1, 12);
        EXPECT_THROW(relaxed_cover(program, 0, control), Error);
        EXPECT_THROW(rounded_cover(program, 1, control), Error);
        return;
    }
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
        const CoverProgram program = random_program(seed, 12);
        double relaxed = 0;
        for (Index c = 0; c < 2; ++c) relaxed += relaxed_cover(program, c, control).cost;
        const double least = least_cost(program);
        EXPECT_LE(relaxed, least + 1e-7);
        const CoverChoice rounded = rounded_cover(program, seed, control);
        EXPECT_GE(cover_cost(program, rounded), least - 1e-9);
        EXPECT_EQ(rounded.rows, rounded_cover(program, seed, control).rows);
    }
}

}  // namespace
}  // namespace dk::test::prototype_cover_test
