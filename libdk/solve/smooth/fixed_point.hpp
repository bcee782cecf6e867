// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <span>

#include "matrix/matrix.hpp"

namespace dk {

/// FixedPointMixing is Anderson's mixing: it combines the last steps x -> g(x) of a fixed-point iteration to
/// come nearer to the fixed point than the last step did.
class FixedPointMixing {
  public:
    /// `older` is the number of steps that are combined with the last one. `stretch` is how far the mixed
    /// point goes along the combined residual.
    explicit FixedPointMixing(Index older, double stretch = 1) : most_(older + 1), stretch_(stretch) {}

    void add(std::span<const double> x, std::span<const double> g);
    /// Gives the point to go on from, which is plain g after one step.
    std::vector<double> next() const;
    /// Forgets all but the last step.
    void restart();

  private:
    struct Step {
        Vector x;
        Vector residual;  // g(x) - x
    };

    Index most_;
    double stretch_;
    std::deque<Step> steps_;
};

}  // namespace dk
