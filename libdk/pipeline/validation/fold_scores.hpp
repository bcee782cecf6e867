// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/report.hpp"
#include "base/types.hpp"

namespace dk {

/// The value of each metric on the rows of one fold.
using Scores = std::map<std::string, double>;

/// The mean of numbers, and its standard error, which is NaN for one number. Both are NaN for none.
struct MeanAndError {
    double mean;
    double standard_error;
};
/// Numbers that are NaN do not count.
MeanAndError mean_and_error(const std::vector<double>& values);

/// Gives the share of test rows over training rows where so many folds divide the rows.
inline double share_of_test_rows(Index folds) {
    return 1 / static_cast<double>(folds - 1);
}

/// The values of all metrics for one candidate in each fold.
class FoldScores {
  public:
    explicit FoldScores(std::size_t folds) : of_folds_(folds) {}
    Scores& fold(std::size_t f) { return of_folds_[f]; }

    /// Gives the value in each fold that has the metric, which may be NaN where the fold does not define it.
    std::vector<double> values(const std::string& metric) const;

    /// Computes the mean of a metric, with a sign such that larger is better. It is NaN where no fold defines
    /// the metric.
    double rank(const std::string& metric) const;

    /// Reports the mean and the sample deviation of every metric over the folds that define it, and an
    /// interval of 95 per cent around the mean. `share` is the number of a fold's test rows over that of its
    /// training rows.
    Report report(double share) const;

  private:
    std::vector<Scores> of_folds_;
};

}  // namespace dk
