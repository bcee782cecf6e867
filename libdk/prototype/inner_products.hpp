// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "base/control.hpp"
#include "kernel/engine/gram_engine.hpp"

namespace dk {

/// InnerProducts adds up |p+|^2, |p-|^2 and p+ . p- of the prototypes of each function, where function f has
/// prototypes 2 f and 2 f + 1, from their weights over the support rows.
class InnerProducts {
  public:
    /// Tells whether p+ . p- is asked for. Without it, blocks that no prototype has in common need no values.
    enum class Parts { norms_alone, norms_and_crossed };

    InnerProducts(std::span<const WeightBlock> weights, Index functions, Parts parts)
        : weights_(weights), parts_(parts), squared_norms_(2 * functions), crossed_(functions) {}

    /// Adds the parts of training rows first, first + 1, ..., which have these inner products with all
    /// prototypes, row-major. Training row i is support row support_of[i], or none where that is -1.
    void add_rows(Index first, std::span<const double> products, std::span<const Index> support_of);

    /// Computes all parts from the kernel matrix of the support rows. Of pairs of blocks, or of parts of a
    /// large block, each is computed once, and only where both have weights of one function, or of one
    /// prototype for the norms alone. Where each function is of a pair of classes, that leaves one product of
    /// two classes in place of as many as there are classes, and none for the norms alone.
    template <typename T>
    void add_all(const GramEngine<T>& engine, Control& control);

    const std::vector<double>& squared_norms() const { return squared_norms_; }
    /// Gives p+ . p- of each function, or nothing of use where that is not asked for.
    const std::vector<double>& crossed() const { return crossed_; }

  private:
    std::span<const WeightBlock> weights_;
    Parts parts_;
    std::vector<double> squared_norms_;
    std::vector<double> crossed_;
};

extern template void InnerProducts::add_all(const GramEngine<double>&, Control&);
extern template void InnerProducts::add_all(const GramEngine<float>&, Control&);

}  // namespace dk
