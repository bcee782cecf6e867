// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "matrix/matrix.hpp"
#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"
#include "model/model_rows.hpp"
#include "model/predictor.hpp"

namespace dk {

/// What kernel principal component analysis makes: directions in feature space through the mean of the
/// training rows. The decision of a row is how much nearer it is to their span than a threshold, and its
/// features are its coordinates along them. The formulas stand at the top of principal_components.cpp.
///
/// The prototypes are the mean and, for each direction, the two points that lie one standard deviation of the
/// training rows from the mean.
class PrincipalComponents final : public Predictor {
  public:
    struct Components {
        KernelPointer kernel;
        Precision precision = Precision::real64;
        Dataset rows;                          // the training rows
        std::vector<double> directions = {};   // A, rows x components
        std::vector<double> eigenvalues = {};  // lambda
        std::vector<double> offsets = {};      // A' times the column means of K
        double grand_mean = 0;                 // of K
        double threshold = 0;                  // on the squared distance from the span
        bool whitens = false;                  // whether features are divided by their deviations
        std::vector<double> coordinates = {};  // of the prototypes; empty where they have none
        PrototypeSet set = {};                 // lengths and nearest rows; the rest follows

        Index count() const { return std::ssize(eigenvalues); }
        ConstMatrixView A() const { return view(directions.data(), rows.rows(), count()); }
        /// Gives the deviation of the training rows along a direction.
        double deviation(Index j) const;
    };

    PrincipalComponents(Components learned, Control& control);
    /// Leaves out all components but those at these positions, which ascend.
    std::shared_ptr<const PrincipalComponents> with_only(std::span<const Index> kept, Control& control) const;

    /// Gives what other formats are made of.
    const Components& learned() const { return learned_; }

    const KernelPointer& kernel() const override { return learned_.kernel; }
    Index decision_count() const override { return 1; }
    Index support_count() const override { return learned_.rows.rows(); }
    void decide(const Dataset& data, const DecisionReader& reader, Control& control) const override;
    const PrototypeSet& prototypes() const override { return learned_.set; }
    bool prototypes_are_pairs() const override { return false; }
    void prototype_coefficients(double* out) const override;
    void prototype_coordinates(double* out) const override;
    void explain(const Dataset& data, double* out, Control& control) const override;
    Index transform_count() const override { return learned_.count(); }
    void transform(const Dataset& data, double* out, Control& control) const override;
    /// Gives the pre-images of the rows' projections on the span.
    void reconstruct(const Dataset& data, double* out, Control& control) const override;
    std::string type() const override { return "principal_components"; }
    void write(ArchiveWriter out) const override;

  private:
    /// Reads the scores of the rows first, first + 1, ..., and behind each row's scores its squared distance
    /// from the mean, which takes k(x, x), if that is wanted, and else nothing of use.
    using ScoreReader = std::function<void(Index first, const MatrixView& scores)>;
    enum class Scores { alone, with_squares };
    void read_scores(const Dataset& data, Scores wanted, const ScoreReader& reader, Control& control) const;
    template <typename T>
    void read_scores_in(const Dataset& data, Scores wanted, const ScoreReader& reader,
                        Control& control) const;

    Components learned_;
    ModelRows rows_;
    WeightBlock projection_;  // [A, 1 / n]
};

std::unique_ptr<PrincipalComponents> read_principal_components(const ArchiveReader& in,
                                                               const ReadingContext& context);

}  // namespace dk
