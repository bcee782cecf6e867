// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "prototype/row_selection.hpp"
#include "support.hpp"

namespace dk::test::row_selection_test {
namespace {

std::vector<Index> first_rows(Index count) {
    std::vector<Index> rows(count);
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

/// Similarities -(x - x')^2 / 2 of points on a line, whose distances are |x - x'|.
Matrix on_a_line(const std::vector<double>& x) {
    Matrix S(std::ssize(x), std::ssize(x));
    for (Index i = 0; i < S.rows(); ++i) {
        for (Index j = 0; j < S.cols(); ++j) S(i, j) = -0.5 * (x[i] - x[j]) * (x[i] - x[j]);
    }
    return S;
}

RowDistances distances_of(const Matrix& S) {
    return {view(S.data(), S.rows(), S.cols()), first_rows(S.rows())};
}

Matrix random_similarities(Index rows, std::uint64_t seed) {
    const auto values = normal_values(rows * rows, seed);
    const Matrix any = view(values.data(), rows, rows);
    return any + any.transpose();
}

std::vector<Index> selected(RowSelection selection, const Matrix& S, const std::vector<Index>& class_of,
                            Index count, std::uint64_t seed = 1) {
    BegunControl control;
    return select_rows(selection, view(S.data(), S.rows(), S.cols()), first_rows(S.rows()), class_of, count,
                       seed, control);
}

TEST(RowSelection, DistancesOfAnIndefiniteMatrixAreAtLeastZero) {
    const Matrix S{{1, 2}, {2, 1}};
    const RowDistances d = distances_of(S);
    EXPECT_EQ(d(0, 1), 0);
    EXPECT_EQ(d(1, 1), 0);
    EXPECT_NEAR(distances_of(on_a_line({1, 4}))(0, 1), 3, 1e-15);
}

/// Total distances of 0, 1, 2, 6, 10 are 19, 16, 15, 19 and 31: 10 is the border's first, and then of the
/// others 0, 1, 2, 6 with 9, 7, 7, 15 it is 6. The medoid is 2, the farthest from it 10, and then 6 is 4 from
/// both.
TEST(RowSelection, BorderAndSpanningByHand) {
    BegunControl control;
    const Matrix S = on_a_line({0, 1, 2, 6, 10});
    const RowDistances d = distances_of(S);
    EXPECT_EQ(border_rows(d, 3, control), (std::vector<Index>{4, 3, 0}));
    EXPECT_EQ(spanning_rows(d, 3, control), (std::vector<Index>{2, 4, 3}));
    EXPECT_EQ(spanning_rows(d, 9, control), (std::vector<Index>{2, 4, 3, 0, 1}));
}

TEST(RowSelection, MedoidsStandStillWhereKernelKMeansSwings) {
    BegunControl control;
    const Matrix S{{1, 0.5, 0.9, 0.9}, {0.5, 1, 0.7, 0}, {0.9, 0.7, 1, -0.8}, {0.9, 0, -0.8, 1}};
    const Medoids found = k_medoids(distances_of(S), {0, 2}, control);
    EXPECT_EQ(found.rows, (std::vector<Index>{0, 2}));
    ASSERT_EQ(found.energies.size(), 1);
    EXPECT_NEAR(found.energies[0], 1.221810264741, 1e-12);
}

TEST(RowSelection, TheEnergyOfMedoidsNeverRises) {
    BegunControl control;
    int steps = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Index n = 10 + static_cast<Index>(seed % 40);
        const Index m = 2 + static_cast<Index>(seed % 3);
        const Matrix S = random_similarities(n, seed);
        const RowDistances d = distances_of(S);
        const Medoids found =
            k_medoids(d, seed % 2 == 0 ? spanning_rows(d, m, control) : first_rows(m), control);
        for (std::size_t step = 1; step < found.energies.size(); ++step) {
            EXPECT_LE(found.energies[step], found.energies[step - 1]);
            ++steps;
        }
        double energy = 0;
        for (Index i = 0; i < n; ++i) {
            double least = infinity;
            for (const Index z : found.rows) least = std::min(least, z == i ? 0 : d(i, z));
            energy += least;
        }
        EXPECT_NEAR(found.energies.back(), energy, 1e-12 * n);
    }
    EXPECT_GT(steps, 100);
}

TEST(RowSelection, EveryWayGivesDifferentRowsInOrder) {
    for (const RowSelection selection :
         {RowSelection::random, RowSelection::border, RowSelection::spanning, RowSelection::k_medoids}) {
        Matrix S = random_similarities(12, 3);
        for (const Index twin : {5, 7}) {  // Rows may be the same.
            S.row(twin) = S.row(2);
            S.col(twin) = S.col(2);
        }
        for (const Index count : {1, 4, 12, 40}) {
            const auto rows = selected(selection, S, {}, count);
            EXPECT_EQ(std::ssize(rows), std::min<Index>(count, 12));
            EXPECT_EQ(std::ranges::adjacent_find(rows, std::greater_equal()), rows.end());
        }
    }
}

TEST(RowSelection, ClassesHaveEqualShares) {
    const Matrix S = random_similarities(10, 8);
    const std::vector<Index> class_of{0, 0, 0, 0, 0, 0, 1, 2, 2, 2};
    for (const RowSelection selection :
         {RowSelection::random, RowSelection::border, RowSelection::spanning, RowSelection::k_medoids}) {
        const auto counts = [&](Index count) {
            std::vector<Index> of_classes(3);
            for (const Index i : selected(selection, S, class_of, count)) ++of_classes[class_of[i]];
            return of_classes;
        };
        EXPECT_EQ(counts(2), (std::vector<Index>{1, 1, 0}));
        EXPECT_EQ(counts(5), (std::vector<Index>{2, 1, 1}));  // The second class has only one row to give.
        EXPECT_EQ(counts(30), (std::vector<Index>{6, 1, 3}));
    }
}

TEST(RowSelection, TheSeedDecidesRandomRows) {
    const Matrix S = Matrix::Identity(100, 100);
    EXPECT_EQ(selected(RowSelection::random, S, {}, 10, 4), selected(RowSelection::random, S, {}, 10, 4));
    EXPECT_NE(selected(RowSelection::random, S, {}, 10, 4), selected(RowSelection::random, S, {}, 10, 5));
}

}  // namespace
}  // namespace dk::test::row_selection_test
