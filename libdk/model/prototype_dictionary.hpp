// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"
#include "model/model_rows.hpp"
#include "model/predictor_readers.hpp"

namespace dk {

/// What interpretable prototype learning makes: prototypes u_p = sum_i C(i, p) phi(x_i), non-negative
/// combinations of training rows that have unit length in feature space. Each row is reconstructed by a few
/// of them with non-negative weights, and the class with the largest share of the reconstruction is elected.
class PrototypeDictionary final : public Predictor {
  public:
    /// The prototypes with the training rows of which they are made.
    struct RowPrototypes {
        KernelPointer kernel;  // It has k(x, x) = 1.
        Precision precision = Precision::real64;
        Dataset support;                      // features of the rows that some prototype is made of
        std::vector<Index> support_ids = {};  // their positions among the training rows
        Index training_rows = 0;
        Matrix coefficients = {};  // C, support rows x prototypes
        Index code_limit = 0;      // the largest number of prototypes that reconstruct a row
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
    std::string type() const override { return "prototype_dictionary"; }
    void write(ArchiveWriter out) const override;

  private:
    /// Reads the shares of rows first, first + 1, ... (rows x prototypes).
    using ShareReader = std::function<void(Index first, const ConstMatrixRef& shares)>;

    Index count() const { return learned_.set.count(); }
    /// Gives the reader the prototypes' shares of the reconstruction of each row, some rows at a time.
    template <typename T>
    void shares_in(const Dataset& data, const ShareReader& reader, Control& control) const;
    void shares(const Dataset& data, const ShareReader& reader, Control& control) const;
    void shares_of_row(std::span<const double> similarities, VectorRef out) const;

    RowPrototypes learned_;
    ModelRows rows_;
    Vector masses_;  // the sum of each prototype's coefficients
};

/// Makes the predictor from coefficients of all training rows, rows x prototypes: keeps the rows that
/// prototypes are made of, and finds each prototype's nearest rows and class.
std::unique_ptr<Predictor> make_prototype_dictionary(const KernelPointer& kernel, const Dataset& data,
                                                     std::span<const double> coefficients, Index prototypes,
                                                     Index code_limit, Precision precision, Index neighbours,
                                                     Control& control);

std::unique_ptr<Predictor> read_prototype_dictionary(const ArchiveReader& in, const ReadingContext& context);

}  // namespace dk
