// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <span>
#include <vector>

namespace dk {

/// The limited-memory approximation of an inverse Hessian from the last steps and the gradients' changes
/// (Nocedal, Math. Comp. 35, 1980).
class LimitedMemory {
  public:
    explicit LimitedMemory(std::size_t pairs) : most_(pairs) {}

    void clear() { pairs_.clear(); }
    /// Pairs that show no curvature are left out.
    void add(std::vector<double> step, std::vector<double> change);
    /// Minus the approximation times the gradient: a descent direction.
    std::vector<double> direction(std::span<const double> gradient) const;
    bool empty() const { return pairs_.empty(); }

  private:
    struct Pair {
        std::vector<double> step;
        std::vector<double> change;
        double curvature;  // step . change
    };
    std::size_t most_;
    std::deque<Pair> pairs_;
};

}  // namespace dk
