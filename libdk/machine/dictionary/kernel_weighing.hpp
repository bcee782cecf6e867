// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/parameters.hpp"
#include "machine/dictionary/bank_facts.hpp"
#include "machine/dictionary/bank_matrices.hpp"
#include "machine/dictionary/prototype_learning.hpp"

namespace dk {

/// How the weights of kernels follow from their costs.
enum class WeightPolicy { diverse, quadratic, capped, lp_vertex, uniform };
inline constexpr ChoiceNames weight_policies{"diverse", "quadratic", "capped", "lp_vertex", "uniform"};
inline std::string_view name_of(WeightPolicy policy) {
    return weight_policies.all()[static_cast<std::size_t>(policy)];
}

/// Which costs are compared with those of a kernel that is as flat and tells nothing.
enum class Centring { all, local, none };

struct WeighingOptions {
    WeightPolicy policy = WeightPolicy::diverse;
    Centring centre = Centring::all;
    Index kernels =
        0;            // that have a weight (quadratic, capped); 0 stands for half of the bank, and at least 2
    double rho = 10;  // the penalty of weights as a multiple of the costs' spread (diverse)
    double kappa = 1;      // how much of it does not ask for likeness (diverse)
    Index neighbours = 5;  // the paper's k
    double lambda = 0.2;
    double mu = 0.2;

    /// By so many numbers two kernels are compared. With fewer, the errors of kernels that are nearly unlike
    /// grow beyond their likeness.
    Index sketch_size() const { return policy == WeightPolicy::diverse ? 2048 : 0; }
};

/// Takes the step of beta of interpretable multiple-kernel prototype learning: it finds the weights of a
/// bank's kernels where U and Gamma stay. The program and its letters stand at the top of
/// kernel_weighing.cpp.
class KernelWeighing {
  public:
    /// `gram` is the matrix of the kernels with equal weights, in which neighbourhoods are found once: the
    /// objective would not be one function if they changed.
    KernelWeighing(BankMatrices& stream, const BankFacts& facts, const PrototypeLearning& learning,
                   const LargeMatrix& gram, WeighingOptions options, Control& control);

    /// Computes what each kernel that is not flat costs for the present U and Gamma, but for a constant.
    Vector costs();
    /// Finds beta for the present U and Gamma.
    const Vector& weights();
    /// Computes mu J_ls in the kernel with the matrix `gram`.
    double local_separation(const LargeMatrix& gram) const;
    /// Computes what is ours in the objective, omega s'beta and the penalty of the policy, for the present
    /// beta.
    double own_terms() const;
    /// How far the present beta is from the minimum of its program, relative to the costs' spread, at most.
    double gap() const { return gap_; }

  private:
    LargeMatrix cost_matrix() const;
    double reward_of_flatness(const LargeMatrix& w) const;
    Vector weights_of(const Vector& e);
    Vector diverse_weights(const Vector& e);

    BankMatrices& stream_;
    const BankFacts& facts_;
    const PrototypeLearning& learning_;
    WeighingOptions options_;
    Control& control_;
    std::vector<std::vector<Index>> same_;   // the nearest rows of its class for each row i, N_i^k
    std::vector<std::vector<Index>> other_;  // the nearest rows of other classes for each row i
    Vector beta_;                            // of all kernels of the bank
    std::optional<double> omega_, rho_;      // chosen in the first step
    double penalty_ = 0;
    double gap_ = 0;
};

}  // namespace dk
