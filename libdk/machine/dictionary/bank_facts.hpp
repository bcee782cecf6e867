// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "machine/dictionary/bank_matrices.hpp"

namespace dk {

/// What the weights of a bank's kernels depend on beside the prototypes: how flat each kernel is, and how
/// alike two of them are. It is found in one pass over the matrices.
class BankFacts {
  public:
    /// With `sketch_size` 0 the kernels are not compared.
    BankFacts(BankMatrices& stream, Index sketch_size, const MemoryBudget& budget, Control& control);

    Index kernels() const { return mean_similarities_.size(); }
    /// The mean of k(x, z) over all pairs of different rows.
    const Vector& mean_similarities() const { return mean_similarities_; }
    /// The kernels that are not the same for all rows, in their order.
    const std::vector<Index>& informative() const { return informative_; }
    /// The likeness of kernel `informative()[l]` to each informative kernel: an estimate of their centred
    /// alignment.
    const Vector& alignments(Index l) const;
    /// Gives w' A w of weights of informative kernels, where A has the alignments: the squared length of the
    /// weighted sum of what stands for the kernels, which needs no column of A.
    double alike(const ConstVectorRef& weights) const;

  private:
    Vector mean_similarities_;
    std::vector<Index> informative_;
    Matrix sketches_;  // informative kernels x sketch size, with rows of length 1
    mutable std::unordered_map<Index, Vector> known_;
};

/// The weights with which learning begins: the same for all kernels that are not flat.
Vector equal_weights(const BankFacts& facts);

}  // namespace dk
