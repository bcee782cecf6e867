// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "matrix/matrix.hpp"

namespace dk {

/// LimitedMemory is the limited-memory BFGS approximation H of an inverse Hessian, which it makes from the
/// last steps and the changes of the gradient that came with them.
class LimitedMemory {
  public:
    explicit LimitedMemory(Index pairs) : most_(pairs) {}

    void clear() { pairs_.clear(); }
    /// Remembers a step and the gradient's change, unless they show no positive curvature, which would make H
    /// indefinite.
    void add(const ConstVectorRef& step, const ConstVectorRef& change);
    /// Gives -H times the gradient, which is a descent direction.
    Vector direction(const ConstVectorRef& gradient) const;
    bool empty() const { return pairs_.empty(); }

  private:
    struct Pair {
        Vector step;       // s
        Vector change;     // y
        double curvature;  // s'y
    };
    Index most_;
    std::deque<Pair> pairs_;
};

}  // namespace dk
