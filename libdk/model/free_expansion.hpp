// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"
#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"
#include "model/decision/decision_rule.hpp"
#include "model/model_rows.hpp"
#include "model/predictor.hpp"

namespace dk {

/// What super-sparse machines make: functions f_c(x) = sum_j W(j, c) k(x, z_j) + b_c of few prototypes z_j,
/// which all functions share and which need not be training rows.
class FreeExpansion final : public Predictor {
  public:
    /// The prototypes with the functions that they make.
    struct PrototypeFunctions {
        KernelPointer kernel;
        Precision precision = Precision::real64;
        Dataset points;                        // the prototypes z, of the kind of the data
        std::vector<Index> training_ids = {};  // the training row that each point is, -1 where it is none
        Index training_rows = 0;
        std::vector<double> weights = {};    // W, row by row: prototypes x functions
        std::vector<double> offsets = {};    // b, one for each function
        std::vector<Index> main_terms = {};  // the function in which each prototype weighs most

        ConstMatrixView W() const { return view(weights.data(), points.rows(), std::ssize(offsets)); }
        PrototypeSet set = {};
    };

    FreeExpansion(PrototypeFunctions learned, Control& control)
        : learned_(std::move(learned)),
          rows_(*learned_.kernel, learned_.precision, learned_.points, control) {}
    /// Gives what other formats are made of.
    const PrototypeFunctions& learned() const { return learned_; }

    const KernelPointer& kernel() const override { return learned_.kernel; }
    Index decision_count() const override { return std::ssize(learned_.offsets); }
    Index support_count() const override { return learned_.points.rows(); }
    void decide(const Dataset& data, const DecisionReader& reader, Control& control) const override;
    const PrototypeSet& prototypes() const override { return learned_.set; }
    bool prototypes_are_pairs() const override { return false; }
    void prototype_coefficients(double* out) const override;
    void prototype_coordinates(double* out) const override;
    void dual_coefficients(MatrixRef out) const override;
    std::vector<double> dual_offsets() const override;
    void explain(const Dataset& data, double* out, Control& control) const override;
    DecisionParts decision_parts(const Dataset& row, Control& control) const override;
    Index transform_count() const override { return count(); }
    void transform(const Dataset& data, double* out, Control& control) const override;
    std::string type() const override { return "free_expansion"; }
    std::shared_ptr<const Predictor> with_threshold(double threshold, Control& control) const override;
    void write(ArchiveWriter out) const override;

  private:
    template <typename T>
    void decide_in(const Dataset& data, const DecisionReader& reader, Control& control) const;
    template <typename T>
    void weighted_similarities_in(const Dataset& data, const ConstVectorRef& weights, double* out,
                                  Control& control) const;
    void weighted_similarities(const Dataset& data, const ConstVectorRef& weights, double* out,
                               Control& control) const;
    Index count() const { return learned_.set.count(); }

    PrototypeFunctions learned_;
    ModelRows rows_;
};

/// Makes the predictor of `learned` and finds the prototypes' classes, lengths and nearest rows. `sides` are
/// those of each function; a regression has none.
std::unique_ptr<Predictor> make_free_expansion(FreeExpansion::PrototypeFunctions learned, const Dataset& data,
                                               std::span<const FunctionSides> sides, Index neighbours,
                                               Control& control);

std::unique_ptr<Predictor> read_free_expansion(const ArchiveReader& in, const ReadingContext& context);

}  // namespace dk
