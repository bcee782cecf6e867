// SPDX-License-Identifier: Apache-2.0
// Scores of different folds are not independent, since the folds share training rows, so that the usual
// t-test finds differences where there are none. The corrected resampled t-test has
//
//     t = mean(d) / ((1 / J + n_test / n_train) s^2)^(1/2)
//
// of the J differences d and their sample variance s^2, with J - 1 degrees of freedom.
//
// and so has the interval around the mean of the scores themselves.
//
//     letter              name
//     d                   differences, scores
//     n_test / n_train    share
//
// C. Nadeau, Y. Bengio, Inference for the generalization error, Machine Learning 52, 2003; R. R. Bouckaert,
// E. Frank, Evaluating the replicability of significance tests for comparing learning algorithms, PAKDD 2004.
#include "pipeline/validation/paired_test.hpp"

#include <cmath>
#include <limits>
#include <unsupported/Eigen/SpecialFunctions>

namespace dk {

namespace {

/// Gives the probability that Student's distribution is at least as far from 0 on either side.
double probability_beyond(double t, double degrees) {
    return Eigen::numext::betainc(degrees / 2, 0.5, degrees / (degrees + t * t));
}

/// Finds where this probability is 5 per cent.
double student_quantile(double degrees) {
    constexpr double outside = 0.05;
    double low = 1;
    double high = 20;  // With one degree of freedom it is 12.7.
    for (int halving = 0; halving < 60; ++halving) {
        const double middle = (low + high) / 2;
        (probability_beyond(middle, degrees) > outside ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

PairedTest corrected_resampled_test(std::span<const double> differences, double share) {
    const double J = differences.size();
    PairedTest test;
    if (differences.empty()) return test;
    for (const double d : differences) test.difference += d / J;
    double squares = 0;
    for (const double d : differences) squares += (d - test.difference) * (d - test.difference);
    // What rounding leaves of equal differences is no variance.
    const bool same = J < 2 || squares <= J * std::pow(1e-14 * std::abs(test.difference), 2);
    if (same) {
        if (J < 2 || test.difference == 0) return test;
        test.t = std::copysign(std::numeric_limits<double>::infinity(), test.difference);
        test.p = 0;
        return test;
    }
    test.t = test.difference / std::sqrt((1 / J + share) * squares / (J - 1));
    const double degrees = J - 1;
    test.p = probability_beyond(test.t, degrees);
    return test;
}

ScoreInterval corrected_interval(std::span<const double> scores, double share) {
    const double J = scores.size();
    double mean = 0;
    for (const double score : scores) mean += score / J;
    if (J < 2) return {mean, mean};
    double squares = 0;
    for (const double score : scores) squares += (score - mean) * (score - mean);
    const double half = student_quantile(J - 1) * std::sqrt((1 / J + share) * squares / (J - 1));
    return {mean - half, mean + half};
}

}  // namespace dk
