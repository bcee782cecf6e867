// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "base/control.hpp"

namespace dk {

/// ViolationProgress reports the progress of a method whose violation of optimality falls to a tolerance. The
/// violation falls about evenly on a logarithmic scale, so progress is the part of the way that is done on
/// that scale.
class ViolationProgress {
  public:
    explicit ViolationProgress(double tolerance) : tolerance_(tolerance) {}

    void report(double violation, Control& control) {
        largest_ = std::max(largest_, violation);
        const double span = std::log(std::max(largest_ / tolerance_, 1.0 + 1e-9));
        const double done = violation > 0 ? std::log(largest_ / violation) / span : 1.0;
        control.check(std::clamp(done, 0.0, 1.0));
    }

  private:
    double tolerance_;
    double largest_ = 0;
};

}  // namespace dk
