// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/types.hpp"

namespace dk {

/// Computes the area under the ROC curve, the probability that a positive row scores above a negative one,
/// where a tie counts half. It is NaN when there is no positive or no negative row.
double area_under_curve(std::span<const double> scores, const std::vector<bool>& positive);

/// The errors of a system that lets rows in: the share of the negative rows that it accepts, FAR, and the
/// share of the positive ones that it rejects, FRR.
struct AcceptanceErrors {
    double false_acceptance;
    double false_rejection;
};

/// Computes the equal error rate: what FAR and FRR are where they are equal as the threshold falls, on
/// straight lines between the thresholds that accept one more score. It is NaN when there is no positive or
/// no negative row.
double equal_error_rate(std::span<const double> scores, const std::vector<bool>& positive);

/// Computes the mean of the ROC curve over the false acceptance rates up to `limit`, which is above 0; beyond
/// 1 the curve stays at 1. With limit 1 it is area_under_curve(). It is NaN when there is no positive or no
/// negative row.
double area_under_curve_to(std::span<const double> scores, const std::vector<bool>& positive, double limit);

}  // namespace dk
