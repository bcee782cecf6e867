// SPDX-License-Identifier: Apache-2.0
#include "solve/squares/centred_columns.hpp"

#include "base/parallel.hpp"

namespace dk {

CentredColumns centred_columns(const ConstMatrixRef& S, const ConstMatrixRef& Y, const ConstVectorRef& u,
                               Control& control) {
    const double sum = u.sum();
    CentredColumns centred{.columns = LargeMatrix(S.cols(), S.rows()),
                           .targets = Y.transpose(),
                           .column_means = Vector(S.cols()),
                           .target_means = Y.transpose() * u / sum,
                           .roots = u.cwiseSqrt()};
    centred.targets.colwise() -= centred.target_means;
    centred.targets.array().rowwise() *= centred.roots.transpose().array();
    MatrixView columns = centred.columns.view();
    // A thread takes so many columns that it reads whole cache lines of S.
    constexpr Index at_once = 8;
    const ProgressHold hold(control);
    parallel_for((S.cols() + at_once - 1) / at_once, control, [&](Index block) {
        const Index first = block * at_once;
        const Index count = std::min(at_once, S.cols() - first);
        auto own = columns.middleRows(first, count);
        own = S.middleCols(first, count).transpose();
        for (Index j = 0; j < count; ++j) {
            const double mean = u.dot(own.row(j)) / sum;
            centred.column_means[first + j] = mean;
            own.row(j) = ((own.row(j).array() - mean) * centred.roots.transpose().array()).matrix();
        }
    });
    return centred;
}

}  // namespace dk
