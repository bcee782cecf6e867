// SPDX-License-Identifier: Apache-2.0
// Prototype selection chooses rows z_j as prototypes of classes l such that balls of the radius epsilon
// around them cover the rows of their class, and few of other classes:
//
//     min over a_j^l in {0, 1}, xi >= 0   sum_l sum_j c_l(j) a_j^l + sum_i xi_i
//     subject to                          sum over j that cover i of a_j^l >= 1 - xi_i for i of class l
//     with                                c_l(j) = lambda + number of rows of other classes that j covers.
//
// It is a set cover with prizes for each class by itself. The greedy method takes the pair (j, l) with the
// largest score, which is how many rows of class l it newly covers less how many of other classes it covers,
// while that exceeds lambda.
//
//     letter    name
//     lambda    price
//     B_ij      row i is in balls[j]
//     c_l(j)    cost_of(j, l)
//
// J. Bien, R. Tibshirani, Prototype selection for interpretable classification, Annals of Applied Statistics
// 5, 2011.
#include "solve/cover/prototype_cover.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace dk {

double CoverProgram::cost_of(Index row, Index c) const {
    const auto others = std::ranges::count_if(balls[row], [&](Index i) { return class_of[i] != c; });
    return price + static_cast<double>(others);
}

CoverProgram cover_program(const ConstMatrixRef& squared_distances, double radius,
                           std::vector<Index> class_of, Index classes, double price, Control& control) {
    const Index n = squared_distances.rows();
    CoverProgram program{.balls = std::vector<std::vector<std::int32_t>>(n),
                         .class_of = std::move(class_of),
                         .classes = classes,
                         .price = price};
    const double square = radius * radius;
    const ProgressHold hold(control);
    parallel_for(n, control, [&](Index j) {
        for (Index i = 0; i < n; ++i) {
            if (squared_distances(j, i) < square) program.balls[j].push_back(static_cast<std::int32_t>(i));
        }
    });
    return program;
}

namespace {

/// Finds the largest element, the first row's and in it the first column's of equal ones.
std::pair<Index, Index> first_largest_element(const Matrix& matrix) {
    std::pair<Index, Index> best{0, 0};
    for (Index i = 0; i < matrix.rows(); ++i) {
        for (Index j = 0; j < matrix.cols(); ++j) {
            if (matrix(i, j) > matrix(best.first, best.second)) best = {i, j};
        }
    }
    return best;
}

}  // namespace

CoverChoice greedy_cover(const CoverProgram& program, Control& control) {
    const Index n = program.rows();
    Matrix score(n, program.classes);
    for (Index j = 0; j < n; ++j) {
        score.row(j).setConstant(-static_cast<double>(program.balls[j].size()));
        for (const Index i : program.balls[j]) score(j, program.class_of[i]) += 2;
    }
    CoverChoice choice;
    std::vector<char> covered(n, 0);
    while (true) {
        control.check();
        const auto [j, l] = first_largest_element(score);
        if (!(score(j, l) > program.price)) return choice;
        choice.rows.push_back(j);
        choice.classes.push_back(l);
        for (const Index i : program.balls[j]) {
            if (program.class_of[i] != l || covered[i] != 0) continue;
            covered[i] = 1;
            // Distances are symmetric, so that the balls that have row i are those of the rows in its ball.
            for (const Index other : program.balls[i]) score(other, l) -= 1;
        }
    }
}

double cover_cost(const CoverProgram& program, const CoverChoice& choice) {
    double cost = 0;
    std::vector<char> covered(program.rows(), 0);
    for (std::size_t k = 0; k < choice.rows.size(); ++k) {
        cost += program.cost_of(choice.rows[k], choice.classes[k]);
        for (const Index i : program.balls[choice.rows[k]]) {
            if (program.class_of[i] == choice.classes[k]) covered[i] = 1;
        }
    }
    return cost + static_cast<double>(std::ranges::count(covered, 0));
}

}  // namespace dk
