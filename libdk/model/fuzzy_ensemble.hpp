// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"
#include "model/predictor.hpp"
#include "solve/fuzzy/fuzzy_measure.hpp"

namespace dk {

/// What DeFIMKL makes: a machine for each kernel, and for each decision function a fuzzy measure by whose
/// Choquet integral the machines' decisions are combined. The formulas stand at the top of
/// fuzzy_ensemble.cpp.
///
/// The prototypes are those of the machines, kernel by kernel in the order of their Shapley values. Of each
/// kernel function f has the prototypes 2 f and 2 f + 1.
class FuzzyEnsemble final : public Predictor {
  public:
    struct Members {
        std::vector<std::unique_ptr<Predictor>> machines = {};  // one a kernel, alike in their functions
        std::vector<FuzzyMeasure> measures = {};                // one a function
        Index training_rows = 0;
    };

    explicit FuzzyEnsemble(Members members);

    const Members& members() const { return members_; }
    const KernelPointer& kernel() const override { return kernel_; }
    Index decision_count() const override { return std::ssize(members_.measures); }
    Index support_count() const override;
    void decide(const Dataset& data, const DecisionReader& reader, Control& control) const override;
    const PrototypeSet& prototypes() const override { return set_; }
    bool prototypes_are_pairs() const override { return false; }
    void prototype_coefficients(double* out) const override;
    void prototype_coordinates(double* out) const override;
    void explain(const Dataset& data, double* out, Control& control) const override;
    DecisionParts decision_parts(const Dataset& row, Control& control) const override;
    Index transform_count() const override { return machines() * decision_count(); }
    void transform(const Dataset& data, double* out, Control& control) const override;
    std::string type() const override { return "fuzzy_ensemble"; }
    void write(ArchiveWriter out) const override;

    /// Gives the mean Shapley value of each kernel over all functions.
    const Vector& kernel_worth() const { return worth_; }

  private:
    Index machines() const { return std::ssize(members_.machines); }
    /// Computes F, the bounded decisions of all machines, rows x (machines x functions).
    Matrix bounded_decisions(const Dataset& data, Control& control) const;
    /// Calls body(first, rows) for some rows at a time.
    template <typename Body>
    void for_pieces(const Dataset& data, Control& control, Body body) const;

    Members members_;
    KernelPointer kernel_;  // the sum of the kernels, weighed by their Shapley values
    Vector worth_;
    std::vector<Index> order_;  // of the kernels, the worthiest first
    PrototypeSet set_;
};

/// Maps a decision f to (-1, 1), where decisions of all machines can be compared.
double bounded_decision(double f);

std::unique_ptr<Predictor> read_fuzzy_ensemble(const ArchiveReader& in, const ReadingContext& context);

}  // namespace dk
