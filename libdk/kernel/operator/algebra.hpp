// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernel/kernel.hpp"

namespace dk {

/// Kernels that have a better normalised form than dividing by the diagonal.
class Normalisable {
  public:
    Normalisable() = default;
    virtual ~Normalisable() = default;
    Normalisable(const Normalisable&) = delete;
    Normalisable& operator=(const Normalisable&) = delete;
    virtual KernelPointer normalised() const = 0;
};

struct WeightedKernel {
    double weight;
    KernelPointer kernel;
};

/// sum_k weight_k k_k(x, z) + offset
KernelPointer linear_combination(std::vector<WeightedKernel> terms, double offset);

/// The product of kernels, two or more.
KernelPointer product_of(std::vector<KernelPointer> factors);

/// k(x, z)^exponent, exponent >= 1
KernelPointer power_of(KernelPointer kernel, int exponent);

/// exp(k(x, z))
KernelPointer exponential_of(KernelPointer kernel);

/// k(x, z) / sqrt(k(x, x) k(z, z)); rows with k(x, x) <= 0 share a direction of
/// their own: 1 with each other, 0 with all others.
KernelPointer normalised(const KernelPointer& kernel);

/// The one kernel that a bank becomes under weights; kernels of weight 0 are left out.
KernelPointer combine(const Bank& bank, const std::vector<double>& weights);

}  // namespace dk
