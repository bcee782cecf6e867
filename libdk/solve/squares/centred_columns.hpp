// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// The columns of a least squares program and its targets without their weighted means, so that the program
/// needs no offset b any more. Row i of both counts u_i times in it: its elements are multiplied by the root
/// of u_i here.
struct CentredColumns {
    LargeMatrix columns;  // row j has sqrt(u_i) (S(i, j) - s_j) for all rows i: columns x rows
    Matrix targets;       // row c has sqrt(u_i) (Y(i, c) - y_c) for all rows i: functions x rows
    Vector column_means;  // s
    Vector target_means;  // y
    Vector roots;         // sqrt(u_i)

    Index rows() const { return roots.size(); }
    Index count() const { return column_means.size(); }
    Index functions() const { return target_means.size(); }
    /// Gives the offset b = y_c - s beta of function c with these weights beta of the columns.
    double offset(Index c, const ConstVectorRef& beta) const {
        return target_means[c] - column_means.dot(beta);
    }
};

/// Takes the means off S (rows x columns) and Y (rows x functions). Some of the weights u must be more than
/// 0, and none less. The columns take as much memory as S, for which the caller asks.
CentredColumns centred_columns(const ConstMatrixRef& S, const ConstMatrixRef& Y, const ConstVectorRef& u,
                               Control& control);

}  // namespace dk
