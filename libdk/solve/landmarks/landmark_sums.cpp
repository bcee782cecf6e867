// SPDX-License-Identifier: Apache-2.0
#include "solve/landmarks/landmark_sums.hpp"

#include "base/parallel.hpp"

namespace dk {

LandmarkSums sums_of_landmarks(const LandmarkSums& sums, std::span<const Index> places, Control& control) {
    const Index count = std::ssize(places);
    LandmarkSums out{.weight = sums.weight,
                     .square = LargeMatrix(count, count),
                     .right = Matrix(count, sums.right.cols()),
                     .values = Vector(count),
                     .targets = sums.targets,
                     .cost = sums.cost};
    parallel_for_rows(count, count, control, [&](Index i) {
        for (Index j = 0; j < count; ++j) out.square(i, j) = sums.square(places[i], places[j]);
        out.right.row(i) = sums.right.row(places[i]);
        out.values[i] = sums.values[places[i]];
    });
    return out;
}

}  // namespace dk
