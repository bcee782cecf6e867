// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/matrix.hpp"
#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"
#include "model/dictionary/dictionary_rule.hpp"
#include "model/model_rows.hpp"
#include "model/predictor.hpp"

namespace dk {

/// What dictionary and prototype learning makes: prototypes u_p = sum_i C(i, p) phi(x_i), combinations of
/// training rows in feature space, and a rule by which they give a row its code and its class.
class PrototypeDictionary final : public Predictor {
  public:
    /// The prototypes with the training rows of which they are made.
    struct RowPrototypes {
        KernelPointer kernel;
        Precision precision = Precision::real64;
        Dataset support;                      // features of the rows that some prototype is made of
        std::vector<Index> support_ids = {};  // their positions among the training rows
        Index training_rows = 0;
        Matrix coefficients =
            {};  // C, support rows x columns: the prototypes, then what the rule has besides
        std::shared_ptr<const DictionaryRule> rule = nullptr;
        PrototypeFacts facts = {};
        PrototypeSet set = {};
    };

    PrototypeDictionary(RowPrototypes learned, Control& control);

    const RowPrototypes& learned() const { return learned_; }

    const KernelPointer& kernel() const override { return learned_.kernel; }
    Index decision_count() const override { return learned_.set.functions(); }
    Index support_count() const override { return std::ssize(learned_.support_ids); }
    void decide(const Dataset& data, const DecisionReader& reader, Control& control) const override;
    const PrototypeSet& prototypes() const override { return learned_.set; }
    bool prototypes_are_pairs() const override { return false; }
    void prototype_coefficients(double* out) const override;
    void prototype_coordinates(double* out) const override;
    void explain(const Dataset& data, double* out, Control& control) const override;
    DecisionParts decision_parts(const Dataset& row, Control& control) const override;
    Index transform_count() const override { return count(); }
    void transform(const Dataset& data, double* out, Control& control) const override;
    const Dataset* kept_rows() const override { return &learned_.support; }
    std::span<const Index> kept_row_numbers() const override { return learned_.support_ids; }
    std::shared_ptr<const Predictor> renumbered(std::span<const Index> numbers, Index training_rows,
                                                Control& control) const override;
    std::string type() const override { return "prototype_dictionary"; }
    void write(ArchiveWriter out) const override;

  private:
    /// Turns a row into a row of results.
    using RowFunction = std::function<void(const DictionaryRow& row, VectorRef out)>;
    /// Reads the results of rows first, first + 1, ...
    using RowReader = std::function<void(Index first, const ConstMatrixRef& results)>;

    Index count() const { return learned_.set.count(); }
    Index columns() const { return learned_.coefficients.cols(); }
    /// Gives the reader `width` results of each row, some rows at a time.
    template <typename T>
    void each_row_in(const Dataset& data, Index width, const RowFunction& function, const RowReader& reader,
                     Control& control) const;
    void each_row(const Dataset& data, Index width, const RowFunction& function, const RowReader& reader,
                  Control& control) const;
    void write_each_row(const Dataset& data, Index width, const RowFunction& function, double* out,
                        Control& control) const;

    RowPrototypes learned_;
    ModelRows rows_;
};

/// What a predictor is made of.
struct LearnedPrototypes {
    KernelPointer kernel;
    ConstMatrixView coefficients;  // of all training rows, rows x columns
    std::shared_ptr<const DictionaryRule> rule;
    /// The class of each prototype; where there is none, it is the class whose rows weigh most in it.
    std::vector<Index> classes = {};
};

/// Makes the predictor: keeps the rows that prototypes are made of, and finds each prototype's nearest rows.
std::unique_ptr<Predictor> make_prototype_dictionary(const LearnedPrototypes& prototypes, const Dataset& data,
                                                     Precision precision, Index neighbours, Control& control);

std::unique_ptr<Predictor> read_prototype_dictionary(const ArchiveReader& in, const ReadingContext& context);

}  // namespace dk
