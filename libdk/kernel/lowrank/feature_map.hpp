// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/large_array.hpp"
#include "kernel/kernel.hpp"

namespace dk {

/// An explicit map of rows to vectors, so that k(x, z) = phi(x).phi(z).
class FeatureMap {
  public:
    FeatureMap() = default;
    virtual ~FeatureMap() = default;
    FeatureMap(const FeatureMap&) = delete;
    FeatureMap& operator=(const FeatureMap&) = delete;

    virtual Index dimension() const = 0;
    virtual bool works_on(DataKind kind) const = 0;
    /// rows x dimension, row-major.
    virtual LargeArray<double> features(const Dataset& data, Control& control) const = 0;
    virtual void collect_states(std::vector<const KernelState*>& states) const = 0;
};

/// The kernel of a feature map. Whatever works with kernels works with it; products with its matrix cost
/// rows x dimension.
KernelPointer make_feature_kernel(std::shared_ptr<const FeatureMap> map, std::string text);

}  // namespace dk
