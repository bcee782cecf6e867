// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// What ridge regression on few landmarks needs of all rows: sums over them. Further rows join by adding
/// theirs. Rows of weights W count so many times: the sums are K_nM' W K_nM and so on.
struct LandmarkSums {
    double weight;               // 1' 1, the number of rows
    LargeMatrix square;          // K_nM' K_nM, landmarks x landmarks
    Matrix right;                // K_nM' Y, landmarks x columns
    Vector values;               // K_nM' 1
    Eigen::RowVectorXd targets;  // 1' Y
    double cost = 1;             // C of the model that was made of them

    Index landmarks() const { return right.rows(); }
};

/// Gives the sums of some of the landmarks, in the order of their places.
LandmarkSums sums_of_landmarks(const LandmarkSums& sums, std::span<const Index> places, Control& control);

}  // namespace dk
