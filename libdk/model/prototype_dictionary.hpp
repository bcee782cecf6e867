// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"
#include "model/model_rows.hpp"
#include "model/predictor_readers.hpp"

namespace dk {

/// What interpretable prototype learning makes: prototypes u_p = sum_i C(i, p) phi(x_i), non-negative
/// combinations of training rows that have unit length in feature space. Each row is reconstructed by a few
/// of them with non-negative weights. The class is elected that has the largest share of the reconstruction,
/// or whose prototypes alone reconstruct the row best.
class PrototypeDictionary final : public Predictor {
  public:
    enum class Decision { share, residual };

    /// The prototypes with the training rows of which they are made.
    struct RowPrototypes {
        KernelPointer kernel;  // It has k(x, x) = 1.
        Precision precision = Precision::real64;
        Dataset support;                      // features of the rows that some prototype is made of
        std::vector<Index> support_ids = {};  // their positions among the training rows
        Index training_rows = 0;
        Matrix coefficients = {};  // C, support rows x prototypes
        Index code_limit = 0;      // the largest number of prototypes that reconstruct a row
        Decision decision = Decision::share;
        Matrix products = {};      // u_p.u_q, prototypes x prototypes
        Matrix class_shares = {};  // classes x prototypes; the shares of a prototype sum to 1
        PrototypeSet set = {};
    };

    PrototypeDictionary(RowPrototypes learned, Control& control);

    const KernelPointer& kernel() const override { return learned_.kernel; }
    Index decision_count() const override { return learned_.set.functions(); }
    Index support_count() const override { return std::ssize(learned_.support_ids); }
    void decide(const Dataset& data, const DecisionReader& reader, Control& control) const override;
    const PrototypeSet& prototypes() const override { return learned_.set; }
    bool prototypes_are_pairs() const override { return false; }
    void prototype_coefficients(double* out) const override;
    void prototype_coordinates(double* out) const override;
    void explain(const Dataset& data, double* out, Control& control) const override;
    Index transform_count() const override { return count(); }
    void transform(const Dataset& data, double* out, Control& control) const override;
    std::string type() const override { return "prototype_dictionary"; }
    void write(ArchiveWriter out) const override;

  private:
    /// Turns what a row has in common with each prototype, their similarities, into a row of results.
    using RowFunction = std::function<void(std::span<const double> similarities, VectorRef out)>;
    /// Reads the results of rows first, first + 1, ...
    using RowReader = std::function<void(Index first, const ConstMatrixRef& results)>;

    Index count() const { return learned_.set.count(); }
    /// Gives the reader `width` results of each row, some rows at a time.
    template <typename T>
    void each_row_in(const Dataset& data, Index width, const RowFunction& function, const RowReader& reader,
                     Control& control) const;
    void each_row(const Dataset& data, Index width, const RowFunction& function, const RowReader& reader,
                  Control& control) const;
    void write_each_row(const Dataset& data, Index width, const RowFunction& function, double* out,
                        Control& control) const;
    Vector code_of(std::span<const double> similarities) const;
    void shares(std::span<const double> similarities, VectorRef out) const;
    void class_shares(std::span<const double> similarities, VectorRef out) const;
    void class_nearness(std::span<const double> similarities, VectorRef out) const;

    RowPrototypes learned_;
    ModelRows rows_;
    Vector masses_;  // the sum of each prototype's coefficients
};

/// What a predictor is made of: coefficients of all training rows, rows x prototypes, and how it decides.
struct LearnedPrototypes {
    KernelPointer kernel;
    ConstMatrixView coefficients;
    Index code_limit = 0;
    PrototypeDictionary::Decision decision = PrototypeDictionary::Decision::share;
};

/// Makes the predictor: keeps the rows that prototypes are made of, and finds each prototype's nearest rows
/// and class.
std::unique_ptr<Predictor> make_prototype_dictionary(const LearnedPrototypes& prototypes, const Dataset& data,
                                                     Precision precision, Index neighbours, Control& control);

std::unique_ptr<Predictor> read_prototype_dictionary(const ArchiveReader& in, const ReadingContext& context);

}  // namespace dk
