// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/large_array.hpp"
#include "kernel/kernel.hpp"

namespace dk {

/// An explicit map phi of rows to vectors, which makes the kernel k(x, z) = phi(x).phi(z).
class FeatureMap {
  public:
    FeatureMap() = default;
    virtual ~FeatureMap() = default;
    FeatureMap(const FeatureMap&) = delete;
    FeatureMap& operator=(const FeatureMap&) = delete;

    virtual Index dimension() const = 0;
    virtual bool works_on(DataKind kind) const = 0;
    /// Tells whether the features of every row have the length 1.
    virtual bool unit_length() const { return false; }
    /// Computes the features of all rows, a row-major matrix of rows x dimension elements.
    virtual LargeArray<double> features(const Dataset& data, Control& control) const = 0;
    /// Appends what the map has learned, as Kernel::collect_states() does.
    virtual void collect_states(std::vector<const KernelState*>& states) const = 0;
};

/// Makes the evaluator of the kernel of a map, which need not outlive it.
template <typename T>
std::unique_ptr<Evaluator<T>> make_feature_evaluator(const Operands<T>& operands, const FeatureMap& map);

/// Makes the kernel of a feature map, whose text is its specification. A product of its matrix and a vector
/// takes rows x dimension operations.
KernelPointer make_feature_kernel(std::shared_ptr<const FeatureMap> map, std::string text);

}  // namespace dk
