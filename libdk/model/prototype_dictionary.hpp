// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/training_gram.hpp"
#include "model/predictor.hpp"

namespace dk {

/// Prototypes that are non-negative combinations of training rows, of unit length in feature space, and by a
/// few of which each row is reconstructed, with non-negative weights: what interpretable prototype learning
/// becomes. A class is elected by its share of the reconstruction.
class PrototypeDictionary final : public Predictor {
  public:
    struct Parts {
        KernelPointer kernel;  // with k(x, x) = 1
        Precision precision = Precision::real64;
        Dataset support;                      // features of the rows that some prototype is made of
        std::vector<Index> support_ids = {};  // their positions among the training rows
        Index training_rows = 0;
        std::vector<double> coefficients = {};  // support rows x prototypes
        Index most = 0;                         // prototypes that a row is reconstructed by
        std::vector<double> products = {};      // prototypes x prototypes, in feature space
        std::vector<double> class_shares = {};  // classes x prototypes; of a prototype they sum to 1
        PrototypeSet set = {};
    };

    explicit PrototypeDictionary(Parts parts);

    const KernelPointer& kernel() const override { return parts_.kernel; }
    Index decision_count() const override { return parts_.set.functions(); }
    Index support_count() const override { return size_of(parts_.support_ids); }
    void decide(const Dataset& data, const DecisionReader& reader, Control& control) const override;
    const PrototypeSet& prototypes() const override { return parts_.set; }
    bool prototypes_are_pairs() const override { return false; }
    void prototype_coefficients(double* out) const override;
    void prototype_coordinates(double* out) const override;
    void explain(const Dataset& data, double* out, Control& control) const override;
    std::string type() const override { return "prototype_dictionary"; }
    nlohmann::json archive() const override;

  private:
    using ShareReader = std::function<void(Index first, std::span<const double> shares)>;

    Index count() const { return parts_.set.count(); }
    /// Reads rows of the prototypes' shares of each row's reconstruction.
    template <typename T>
    void shares_in(const Dataset& data, const ShareReader& reader, Control& control) const;
    void shares(const Dataset& data, const ShareReader& reader, Control& control) const;
    void shares_of_row(std::span<const double> similarities, std::span<double> out) const;

    Parts parts_;
    std::vector<double> masses_;  // sums of the prototypes' coefficients
};

/// `coefficients`: training rows x prototypes. Keeps the rows that prototypes are made of, and finds the
/// nearest ones and the classes.
std::unique_ptr<Predictor> make_prototype_dictionary(const KernelPointer& kernel, const Dataset& data,
                                                     std::span<const double> coefficients, Index prototypes,
                                                     Index most, Precision precision, Index neighbours,
                                                     Control& control);

std::unique_ptr<Predictor> read_prototype_dictionary(const nlohmann::json& object,
                                                     const ReadingContext& context);

}  // namespace dk
