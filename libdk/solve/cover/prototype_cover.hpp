// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// The program of prototype selection: prototypes are rows with a class, and cover the rows within a radius.
/// Its letters stand at the top of prototype_cover.cpp.
struct CoverProgram {
    std::vector<std::vector<std::int32_t>> balls;  // the rows that each row would cover, in ascending order
    std::vector<Index> class_of;                   // of each row
    Index classes = 0;
    double price = 0;  // lambda, what a prototype costs

    Index rows() const { return std::ssize(balls); }
    /// Computes c_l(j), what row j costs as a prototype of class l: the price, and 1 for each row of another
    /// class that it covers.
    double cost_of(Index row, Index c) const;
};

/// Rows that are prototypes, each of a class.
struct CoverChoice {
    std::vector<Index> rows = {};
    std::vector<Index> classes = {};
};

/// Finds the rows that are nearer to each row than the radius, from the matrix of squared distances.
CoverProgram cover_program(const ConstMatrixRef& squared_distances, double radius,
                           std::vector<Index> class_of, Index classes, double price, Control& control);

/// Takes one prototype after the other, that which lowers the cost most, while one does.
CoverChoice greedy_cover(const CoverProgram& program, Control& control);

/// Computes the cost of a choice: the prices, the rows that no prototype of their class covers, and the rows
/// of other classes that each prototype covers.
double cover_cost(const CoverProgram& program, const CoverChoice& choice);

}  // namespace dk
