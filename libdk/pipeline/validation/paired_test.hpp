// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace dk {

/// How far two learners lie apart over the same folds, and how likely chance alone would set them as far
/// apart.
struct PairedTest {
    double difference = 0;  // the mean
    double t = 0;           // of Student's distribution with a degree less than there are folds
    double p = 1;           // two-sided
};

/// Tests differences over folds whose training rows overlap, by the corrected resampled t-test. `share` is
/// the number of a fold's test rows over that of its training rows. Where all differences are the same, p is
/// 1 if they are 0, and 0 else.
PairedTest corrected_resampled_test(std::span<const double> differences, double share);

/// The ends of an interval that holds the mean of scores over all possible folds with 95 per cent certainty.
struct ScoreInterval {
    double low = 0;
    double high = 0;
};

/// Finds it for scores of folds whose training rows overlap, by the same correction. It is a point where
/// there are fewer than two scores, or all are the same.
ScoreInterval corrected_interval(std::span<const double> scores, double share);

}  // namespace dk
