// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/large_array.hpp"
#include "kernel/engine/kernel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// An explicit map phi of rows to vectors, which makes the kernel k(x, z) = phi(x).phi(z). Some maps combine
/// raw features psi that are cheaper, phi(x) = W' psi(x). Sums over rows are then best taken of these, as in
/// Phi' v = W' (Psi' v), and W is applied once.
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

    /// Gives the number of raw features of a row.
    virtual Index raw_dimension() const { return dimension(); }
    /// Writes the raw features of all rows, rows x raw_dimension().
    virtual void write_raw_features(const Dataset& data, MatrixView out, Control& control) const;
    /// Gives W w for w with dimension() rows.
    virtual Matrix to_raw(const Matrix& w, Control& /*control*/) const { return w; }
    /// Gives W' s for s with raw_dimension() rows.
    virtual Matrix from_raw(const Matrix& s, Control& /*control*/) const { return s; }
    /// Gives the features of rows whose raw features are known, Psi W.
    virtual Matrix combined(const Matrix& raw, Control& /*control*/) const { return raw; }

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
