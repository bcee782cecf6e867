// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernel/engine/factored_product.hpp"
#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"
#include "model/model_rows.hpp"
#include "model/predictor.hpp"

namespace dk {

/// A function f(x) = sum_i gamma_i k(x_i, x) + b that a machine found.
struct ExpansionFunction {
    std::vector<Index> rows = {};    // training rows, ascending
    std::vector<double> gamma = {};  // the coefficient of each of these rows
    double offset = 0;
    std::optional<double> length = {};  // |w|, where it is known
    Index positive_class = 0;
    Index negative_class = 0;  // -1 where it is all the others, or none
    /// The coefficients of p+ and, with a minus, of p- that the machine found itself, in the order of the
    /// rows; none where the prototypes are those of the canonical form.
    std::vector<double> prototypes = {};
    bool may_be_constant = false;  // where a class that looks at no row is no fault
};

/// What every machine that is linear in feature space makes, such as SVM, Fisher and mean of class: functions
/// that share a kernel and the training rows they need. Prototypes that a machine found itself are explained
/// by the rows of each class: each prototype says what the rows of its sign add to the function.
class KernelExpansion final : public Predictor {
  public:
    /// The functions with the training rows that they need.
    struct SupportFunctions {
        KernelPointer kernel;
        Precision precision = Precision::real64;
        Dataset support;                      // features of the rows that some function needs
        std::vector<Index> support_ids = {};  // their positions among the training rows
        Index training_rows = 0;
        std::vector<WeightBlock> gamma = {};  // support rows x functions, the rows one block after the other
        std::vector<double> offsets = {};
        std::vector<double> lengths = {};  // |w| of each function, or none where any is not known
        PrototypeSet prototypes = {};
        /// The signed coefficients of prototypes that are not those of the canonical form, in blocks such as
        /// gamma has; none where they are.
        std::vector<WeightBlock> own_prototypes = {};
    };

    KernelExpansion(SupportFunctions learned, Control& control);
    /// Gives what other formats are made of.
    const SupportFunctions& learned() const { return learned_; }

    const KernelPointer& kernel() const override { return learned_.kernel; }
    Index decision_count() const override { return std::ssize(learned_.offsets); }
    Index support_count() const override { return std::ssize(learned_.support_ids); }
    void decide(const Dataset& data, const DecisionReader& reader, Control& control) const override;
    const PrototypeSet& prototypes() const override { return learned_.prototypes; }
    bool prototypes_are_pairs() const override { return learned_.own_prototypes.empty(); }
    void prototype_coefficients(double* out) const override;
    void prototype_coordinates(double* out) const override;
    void explain(const Dataset& data, double* out, Control& control) const override;
    DecisionParts decision_parts(const Dataset& row, Control& control) const override;
    Matrix decisions_by_kernel(const Dataset& row, Control& control) const override;
    /// Gives the functions themselves, for those who ask what they would be without a row.
    const SupportFunctions& functions() const { return learned_; }
    /// Readers that know nothing of own prototypes shall refuse them.
    std::string type() const override {
        return learned_.own_prototypes.empty() ? "kernel_expansion" : "averaged_expansion";
    }
    std::shared_ptr<const Predictor> with_threshold(double threshold, Control& control) const override;
    void dual_coefficients(MatrixRef out) const override;
    std::vector<double> dual_offsets() const override { return learned_.offsets; }
    const Dataset* kept_rows() const override { return &learned_.support; }
    std::span<const Index> kept_row_numbers() const override { return learned_.support_ids; }
    std::shared_ptr<const Predictor> renumbered(std::span<const Index> numbers, Index training_rows,
                                                Control& control) const override;
    void write(ArchiveWriter out) const override;

  private:
    template <typename T>
    void decide_in(const Dataset& data, const DecisionReader& reader, Control& control) const;
    template <typename T>
    void explain_in(const Dataset& data, double* out, Control& control) const;
    template <typename T>
    std::vector<double> values_in(const KernelPointer& kernel, const Dataset& row, Control& control) const;
    /// Computes what a kernel, ours or a part of it, says of a row and each support row.
    std::vector<double> values_with_support(const KernelPointer& kernel, const Dataset& row,
                                            Control& control) const;

    SupportFunctions learned_;
    ModelRows rows_;
    Matrix normals_;  // Of a kernel with features these are the functions of its raw features, one a column.
    CombinedRows combined_;  // Of a linear kernel these are the functions, where they take little memory.
};

/// Keeps the rows that the functions need with their coefficients, and leaves the prototypes out. `groups`
/// has for each training row a number from 0 such that about the same functions need the rows of a group;
/// without any, all rows are one group.
KernelExpansion::SupportFunctions support_functions(const KernelPointer& kernel, const Dataset& data,
                                                    std::span<const ExpansionFunction> functions,
                                                    std::span<const Index> groups, Precision precision);

/// Makes the predictor of the functions: keeps the rows that they need, as support_functions() does, and
/// finds their prototypes.
std::unique_ptr<Predictor> make_kernel_expansion(const KernelPointer& kernel, const Dataset& data,
                                                 std::span<const ExpansionFunction> functions,
                                                 std::span<const Index> groups, Precision precision,
                                                 Index neighbours, Control& control);

/// Makes the predictor of functions whose rows nobody can compare any more. Their prototypes are the sums of
/// the terms of each sign, and have no lengths.
std::unique_ptr<Predictor> make_expansion_without_lengths(KernelExpansion::SupportFunctions learned,
                                                          std::span<const ExpansionFunction> functions,
                                                          Control& control);

std::unique_ptr<Predictor> read_kernel_expansion(const ArchiveReader& in, const ReadingContext& context);

}  // namespace dk
