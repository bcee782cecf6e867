// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "kernel/kernel.hpp"
#include "model/file/archive.hpp"
#include "prototype/canonical.hpp"

namespace dk {

/// Reads decisions as they come: those of some rows, the next ones after the rows of the call before.
using DecisionReader = std::function<void(std::span<const double> decisions)>;

/// What a machine learned: decision functions and their prototypes. Immutable; all members are safe
/// from many threads at once. Datasets it is given are scaled already.
class Predictor {
  public:
    Predictor() = default;
    virtual ~Predictor() = default;
    Predictor(const Predictor&) = delete;
    Predictor& operator=(const Predictor&) = delete;

    virtual Index decision_count() const = 0;
    virtual const KernelPointer& kernel() const = 0;
    /// Number of training rows (or of prototypes in their place) that predictions need.
    virtual Index support_count() const = 0;
    /// Decisions of all rows, in pieces that need little memory.
    virtual void decide(const Dataset& data, const DecisionReader& reader, Control& control) const = 0;

    virtual const PrototypeSet& prototypes() const = 0;
    /// Whether function f has the prototypes 2 f and 2 f + 1; not of models that learn prototypes of their
    /// own.
    virtual bool prototypes_are_pairs() const { return true; }
    /// prototypes x training rows.
    virtual void prototype_coefficients(double* out) const = 0;
    /// prototypes x features, in scaled units; throws Error(unsupported) when the kernel is not linear.
    virtual void prototype_coordinates(double* out) const = 0;
    /// rows x prototypes, see dk_explain.
    virtual void explain(const Dataset& data, double* out, Control& control) const = 0;

    /// The name under which predictor_readers() knows the reader of what write() writes.
    virtual std::string type() const = 0;
    virtual void write(ArchiveWriter out) const = 0;
};

}  // namespace dk
