// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>

#include "machine/dictionary/bank_facts.hpp"

namespace dk {

/// An objective of the weights beta of a bank's kernels, beta' Q beta + b' beta, where Q_lm = v_l.v_m for a
/// vector v_l that each kernel matrix gives.
struct QuadraticObjective {
    Index length = 0;  // of v
    /// Writes v_l of a kernel matrix and gives b_l.
    std::function<double(const ConstMatrixView& kernel, VectorRef v)> terms;
};

struct QuadraticWeighingOptions {
    bool diverse = false;  // whether alike kernels share their weight
    double rho = 10;       // of that penalty, as a multiple of the spread of b
    double kappa = 1;      // how much of the penalty does not ask for likeness

    /// By so many numbers two kernels are compared.
    Index sketch_size() const { return diverse ? 2048 : 0; }
};

/// Finds the weights of a bank's kernels that minimise a quadratic objective over the simplex. Flat kernels
/// have none.
class QuadraticWeighing {
  public:
    QuadraticWeighing(BankMatrices& stream, const BankFacts& facts, QuadraticWeighingOptions options,
                      const MemoryBudget& budget)
        : stream_(stream), facts_(facts), options_(options), budget_(budget) {}

    /// Gives the weights of all kernels of the bank.
    Vector minimise(const QuadraticObjective& objective);
    /// Gives the penalty of alike kernels, which is ours, at some weights.
    double penalty(const Vector& weights) const;
    /// How far the last weights were from the minimum, relative to the spread of b, at most.
    double gap() const { return gap_; }

  private:
    void read_all(const QuadraticObjective& objective);
    void make_columns(Index l);
    const Vector& column(const QuadraticObjective& objective, Index l);

    BankMatrices& stream_;
    const BankFacts& facts_;
    QuadraticWeighingOptions options_;
    const MemoryBudget& budget_;
    Vector linear_;                // b
    LargeMatrix vectors_;          // v_l of each informative kernel, or none where there is no memory for all
    std::vector<Index> cheapest_;  // the informative kernels by ascending b
    std::map<Index, Vector> columns_;  // of Q and the penalty's matrix
    double rho_ = -1;                  // chosen in the first step
    double gap_ = 0;
};

}  // namespace dk
