// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "matrix/matrix.hpp"

namespace dk {

/// The weight of the rows that a model of the others tells wrongly, and the sum of their squared errors. Of
/// two errors the one with fewer wrong rows is less; where there are no classes none is wrong, and the
/// squares decide.
struct LeftOutError {
    double wrong = 0;
    double squares = 0;

    bool operator<(const LeftOutError& other) const {
        return wrong != other.wrong ? wrong < other.wrong : squares < other.squares;
    }
};

/// What targets are: values; or the signs of class membership, where the column of the largest value, or of a
/// single one the sign, tells the class; or the number of a class, 1, 2, ..., where the nearest one does.
struct RidgeTargets {
    bool classes = false;
    Index numbers = 0;  // how many classes have a number, or 0
};

/// Adds the errors of leave-one-out predictions, rows x columns, which are multiplied with the square roots
/// of the rows' weights, as the targets are.
void add_left_out(LeftOutError& error, const ConstMatrixRef& found, const ConstMatrixRef& targets,
                  const Vector& roots, const RidgeTargets& kind);

/// The costs that select_C compares, ascending.
std::vector<double> costs_to_choose_from();

}  // namespace dk
