// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "matrix/matrix.hpp"
#include "solve/block_storage.hpp"

namespace dk {

/// A LocalProgram is a box program (see box_program.hpp) whose whole matrix K is at hand, or comes by rows as
/// they are needed, in the type T: min 1/2 b'Kb + 1/2 sum_t ridge_t b_t^2 + c'b over lower <= b <= upper,
/// with the sum of b fixed over each group. It does not hold the linear term c, because `descent` contains
/// it.
template <typename T>
struct LocalProgram {
    std::vector<const T*> rows;  // the rows of K, null those that are not fetched yet
    /// This gives some of the rows that are null. It is empty where none is.
    std::function<void(std::span<const Index>, std::span<const T*>)> fetch;
    Index size = 0;
    Index first_group =
        0;             // the number of variables in the first group, which come first; `size` for one group
    Vector curvature;  // K_tt + ridge_t
    Vector ridge;      // empty: none
    Vector lower;
    Vector upper;
    Vector beta;     // b
    Vector descent;  // -(K b + ridge b + c), minus the gradient, kept up to date for variables that can move
    /// Tells whether the descent has single precision meanwhile, with which steps take two thirds of the
    /// time. Only a program whose kernel values have single precision may ask for that.
    bool rough_descent = false;
};

/// Lists the rows of a block.
template <typename T>
std::vector<const T*> rows_of(const BlockView<T>& block, Index count) {
    std::vector<const T*> rows;
    rows.reserve(count);
    for (Index i = 0; i < count; ++i) rows.push_back(block.row(i));
    return rows;
}

struct LocalOutcome {
    std::int64_t iterations = 0;
    double gap = 0;  // the largest violation of optimality left within this program
};

/// What the solver calls now and then, with the violation that is left. It throws when the work shall end.
using LocalPoll = std::function<void(double gap)>;

/// Solves the program by sequential minimal optimisation, until no pair of variables violates optimality by
/// more than the tolerance, or for `most_iterations` steps. The solution stands in beta and descent of the
/// program.
template <typename T>
LocalOutcome solve_local(LocalProgram<T>& program, double tolerance, std::int64_t most_iterations,
                         const LocalPoll& poll);

extern template LocalOutcome solve_local(LocalProgram<double>&, double, std::int64_t, const LocalPoll&);
extern template LocalOutcome solve_local(LocalProgram<float>&, double, std::int64_t, const LocalPoll&);

}  // namespace dk
