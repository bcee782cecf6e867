// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/archive/archive.hpp"
#include "model/archive/reading_context.hpp"
#include "model/model_rows.hpp"
#include "model/predictor.hpp"

namespace dk {

/// Writes a score for each class by the classes of the nearest rows, the nearest first: the share of rows
/// that are of the class. Where classes have equally many of them, the class of the nearer row has the larger
/// score, since each class gets at most half of one row's share more: half of it divided by the place of its
/// nearest row, which is 1 for the nearest of all.
void count_votes(std::span<const Index> voter_classes, std::span<double> scores);

/// What the rule of nearest neighbours makes: all training rows, of which the nearest to a row in feature
/// space vote for their classes. Each training row is a prototype.
class NeighbourVotes final : public Predictor {
  public:
    struct Voters {
        KernelPointer kernel;
        Precision precision = Precision::real64;
        Dataset rows;     // features of all training rows
        Index count = 1;  // so many of them vote
        PrototypeSet set = {};
    };

    NeighbourVotes(Voters learned, Control& control);

    /// Gives what other formats are made of.
    const Voters& learned() const { return learned_; }

    const KernelPointer& kernel() const override { return learned_.kernel; }
    Index decision_count() const override { return learned_.set.functions(); }
    Index support_count() const override { return learned_.set.count(); }
    void decide(const Dataset& data, const DecisionReader& reader, Control& control) const override;
    const PrototypeSet& prototypes() const override { return learned_.set; }
    bool prototypes_are_pairs() const override { return false; }
    void prototype_coefficients(double* out) const override;
    void prototype_coordinates(double* out) const override;
    void explain(const Dataset& data, double* out, Control& control) const override;
    std::string type() const override { return "neighbour_votes"; }
    void write(ArchiveWriter out) const override;

  private:
    /// Reads the voters of rows first, first + 1, ..., rows x count, the nearest first.
    using VoterReader = std::function<void(Index first, std::span<const Index> voters)>;

    void search_voters(const Dataset& data, const VoterReader& reader, Control& control) const;
    template <typename T>
    void find_voters_in(const Dataset& data, const VoterReader& reader, Control& control) const;
    void find_voters(const Dataset& data, const VoterReader& reader, Control& control) const;
    std::vector<Index> classes_of(std::span<const Index> voters) const;

    Voters learned_;
    std::unique_ptr<const RowSearch> search_;  // null where voters are found by the values of all rows
    ModelRows rows_;
};

/// Makes the predictor, of which as many rows vote, or all where there are fewer.
std::unique_ptr<Predictor> make_neighbour_votes(const KernelPointer& kernel, const Dataset& data,
                                                Index voters, Precision precision, Index neighbours,
                                                Control& control);

std::unique_ptr<Predictor> read_neighbour_votes(const ArchiveReader& in, const ReadingContext& context);

}  // namespace dk
