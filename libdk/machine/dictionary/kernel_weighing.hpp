// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "machine/dictionary/bank_matrices.hpp"
#include "machine/dictionary/prototype_learning.hpp"

namespace dk {

/// How the weights of kernels follow from their costs.
enum class WeightPolicy { quadratic, capped, lp_vertex };

struct WeighingOptions {
    WeightPolicy policy = WeightPolicy::quadratic;
    Index kernels = 0;     // how many have a weight; 0 stands for a tenth of the bank, and at least 2
    Index neighbours = 5;  // the paper's T0
    double lambda = 0.2;
    double mu = 0.2;
};

/// Takes the step of beta of interpretable multiple-kernel prototype learning: it finds the weights of a
/// bank's kernels where U and Gamma stay. The program and its letters stand at the top of
/// kernel_weighing.cpp.
class KernelWeighing {
  public:
    /// `gram` is the matrix of the kernels with equal weights, in which neighbourhoods are found once: the
    /// objective would not be one function if they changed.
    KernelWeighing(BankMatrices& stream, const PrototypeLearning& learning, const LargeMatrix& gram,
                   WeighingOptions options, Control& control);

    /// Finds beta for the present U and Gamma.
    Vector weights();
    /// Computes mu J_ls in the kernel with the matrix `gram`.
    double local_separation(const LargeMatrix& gram) const;
    /// Computes what the policy quadratic adds to the objective, rho / 2 |beta|^2.
    double penalty(const ConstVectorRef& weights) const { return 0.5 * rho_ * weights.squaredNorm(); }

  private:
    LargeMatrix cost_matrix() const;
    Vector costs();
    std::vector<double> weights_of(const Vector& e);

    BankMatrices& stream_;
    const PrototypeLearning& learning_;
    WeighingOptions options_;
    Control& control_;
    std::vector<std::vector<Index>> same_;   // the nearest rows of its class for each row i, N_i^k
    std::vector<std::vector<Index>> other_;  // the nearest rows of other classes for each row i
    double rho_ = 0;
};

}  // namespace dk
