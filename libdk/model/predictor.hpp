// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "kernel/engine/kernel.hpp"
#include "model/archive/archive.hpp"
#include "prototype/canonical.hpp"

namespace dk {

/// Reads decisions as they come: each call brings those of the next rows.
using DecisionReader = std::function<void(std::span<const double> decisions)>;

/// What a prototype, or one of the training rows behind it, adds to a decision function.
struct DecisionTerm {
    Index function;
    Index prototype;
    Index training_row;  // -1 where the prototype is no sum over training rows
    double contribution;
};

/// The decisions on one row as sums: decision f is offsets[f] and the contributions to function f.
struct DecisionParts {
    std::vector<DecisionTerm> terms = {};
    std::vector<double> offsets = {};
};

/// What a machine learned: decision functions and their prototypes. It never changes, so that many threads
/// may call its members at once. The datasets that it is given are scaled already.
class Predictor {
  public:
    Predictor() = default;
    virtual ~Predictor() = default;
    Predictor(const Predictor&) = delete;
    Predictor& operator=(const Predictor&) = delete;

    virtual Index decision_count() const = 0;
    virtual const KernelPointer& kernel() const = 0;
    /// Tells how many training rows, or prototypes in their place, predictions need.
    virtual Index support_count() const = 0;
    /// Computes the decisions of all rows, in pieces that need little memory.
    virtual void decide(const Dataset& data, const DecisionReader& reader, Control& control) const = 0;

    virtual const PrototypeSet& prototypes() const = 0;
    /// Tells whether function f has the prototypes 2 f and 2 f + 1. It has not where the machine learned
    /// prototypes of its own.
    virtual bool prototypes_are_pairs() const { return true; }
    /// Writes what each training row contributes to each prototype, prototypes x training rows.
    virtual void prototype_coefficients(double* out) const = 0;
    /// Writes the prototypes as rows of features, in scaled units. Throws Error(unsupported) where they have
    /// none, as combinations of rows in the feature space of a kernel that is not linear.
    virtual void prototype_coordinates(double* out) const = 0;
    /// Writes what each prototype contributes to each row's decisions, rows x prototypes (see dk_explain).
    virtual void explain(const Dataset& data, double* out, Control& control) const = 0;

    /// Takes the decisions on one row apart: what each prototype, or each training row where decisions are
    /// sums over rows, adds to each function. Where a predictor says nothing else, these are the
    /// contributions of explain(), each to the function of its prototype.
    virtual DecisionParts decision_parts(const Dataset& row, Control& control) const;
    /// Computes what each kernel of a weighted sum, in the order of Kernel::terms(), adds to each decision on
    /// one row, kernels x functions. Without any rows it says that this model does not know.
    virtual Matrix decisions_by_kernel(const Dataset& row, Control& control) const;

    /// Tells how many numbers transform() writes for a row; 0 where the model has no features of rows.
    virtual Index transform_count() const;
    /// Writes what the model sees of each row, rows x transform_count() (see dk_transform). Where a predictor
    /// says nothing else, these are the features of its kernel.
    virtual void transform(const Dataset& data, double* out, Control& control) const;

    /// Writes for each row the point whose image is nearest to what the model keeps of the row's image, in
    /// scaled units, rows x features. Throws Error(unsupported) where a model does not say.
    virtual void reconstruct(const Dataset& data, double* out, Control& control) const;

    /// Makes the same predictor with one decision that is smaller by a threshold. Throws Error(unsupported)
    /// where the decision has no offset that could move.
    virtual std::shared_ptr<const Predictor> with_threshold(double threshold, Control& control) const;

    /// Writes the coefficient of each training row in each function, functions x training rows, where
    /// decisions are sums of kernel values with these; throws Error(unsupported) elsewhere.
    virtual void dual_coefficients(MatrixRef out) const;
    /// Gives what completes these sums, for each function.
    virtual std::vector<double> dual_offsets() const;

    /// Gives the training rows that the predictor keeps; null where it keeps none of them as they were.
    virtual const Dataset* kept_rows() const { return nullptr; }
    /// Gives the numbers that the kept rows have among the training rows.
    virtual std::span<const Index> kept_row_numbers() const { return {}; }
    /// Makes the same predictor with other numbers of its training rows: row i becomes row numbers[i] of so
    /// many. Throws Error(unsupported) where the predictor keeps no rows.
    virtual std::shared_ptr<const Predictor> renumbered(std::span<const Index> numbers, Index training_rows,
                                                        Control& control) const;

    /// Gives the name under which predictor_readers() knows the reader of what write() writes.
    virtual std::string type() const = 0;
    /// Writes all that the predictor needs into a model file.
    virtual void write(ArchiveWriter out) const = 0;
};

}  // namespace dk
