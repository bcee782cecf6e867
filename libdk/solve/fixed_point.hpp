// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <span>
#include <vector>

namespace dk {

/// Anderson's mixing of the last steps x -> g(x) towards a fixed point: of the combinations of sum 1 of these
/// x the one whose combined residual g - x is the smallest, and from there `stretch` times that residual
/// (Walker, Ni, Anderson acceleration for fixed-point iterations, SIAM J. Numer. Anal. 49, 2011).
class FixedPointMixing {
  public:
    /// `older`: how many steps are combined with the last one.
    explicit FixedPointMixing(std::size_t older, double stretch = 1) : most_(older + 1), stretch_(stretch) {}

    void add(std::span<const double> x, std::span<const double> g);
    /// The point to go on from; plain g after one step.
    std::vector<double> next() const;
    /// Forgets all but the last step.
    void restart();

  private:
    struct Step {
        std::vector<double> x;
        std::vector<double> residual;
    };

    std::size_t most_;
    double stretch_;
    std::deque<Step> steps_;
};

}  // namespace dk
