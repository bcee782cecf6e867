// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/report.hpp"
#include "base/types.hpp"

namespace dk {

/// Tells when to stop learning: when the objective fell by less than the tolerance, as a share of its size,
/// twice in turn. An objective that rises has not converged, so rises are counted.
class FlatObjective {
  public:
    explicit FlatObjective(double tolerance) : tolerance_(tolerance) {}

    bool now(double objective) {
        const double fall = last_ - objective;
        const double size = std::abs(last_);
        if (fall < 0) {
            ++rises_;
            largest_rise_ = std::max(largest_rise_, -fall / size);
        }
        flat_ = fall >= 0 && fall < tolerance_ * size ? flat_ + 1 : 0;
        last_ = objective;
        return flat_ >= 2;
    }

    void write(Report& report) const { report.add("rises", rises_).add("largest_rise", largest_rise_); }

  private:
    double tolerance_;
    double last_ = std::numeric_limits<double>::max();
    int flat_ = 0;
    Index rises_ = 0;
    double largest_rise_ = 0;  // as a share of the objective
};

}  // namespace dk
