// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "machine/dictionary/kernel_stream.hpp"
#include "machine/dictionary/prototype_learning.hpp"

namespace dk {

/// What the costs of kernels make of their weights.
enum class WeightPolicy { quadratic, capped, lp_vertex };

struct WeighingOptions {
    WeightPolicy policy = WeightPolicy::quadratic;
    Index kernels = 0;  // that have a weight; 0 is a tenth of the bank, and at least 2
    Index most = 5;     // T0, the size of neighbourhoods
    double lambda = 0.2;
    double mu = 0.2;
};

/// The step of beta of interpretable multiple-kernel prototype learning: the weights of a bank's kernels
/// where U and Gamma stay. The program and its letters stand at the top of kernel_weighing.cpp.
class KernelWeighing {
  public:
    /// `gram` is the matrix of the kernels with equal weights, in which neighbourhoods are found once: the
    /// objective would not be one function if they changed.
    KernelWeighing(KernelStream& stream, const PrototypeLearning& learning, const LargeMatrix& gram,
                   WeighingOptions options, Control& control);

    Vector weights();
    /// mu J_ls in a kernel with the matrix `gram`.
    double local_separation(const LargeMatrix& gram) const;
    /// What the policy quadratic adds to the objective.
    double penalty(const ConstVectorRef& weights) const { return 0.5 * rho_ * weights.squaredNorm(); }

  private:
    LargeMatrix cost_matrix() const;
    Vector costs();
    std::vector<double> weights_of(const Vector& e);

    KernelStream& stream_;
    const PrototypeLearning& learning_;
    WeighingOptions options_;
    Control& control_;
    std::vector<std::vector<Index>> same_;   // N_i^k of each row i
    std::vector<std::vector<Index>> other_;  // the nearest rows of other classes of each row i
    double rho_ = 0;
};

}  // namespace dk
