// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "machine/machine.hpp"
#include "matrix/matrix.hpp"
#include "prototype/row_selection.hpp"
#include "solve/squares/centred_columns.hpp"

namespace dk {

// What ridge regression and the lasso in similarity space share. A row x is seen by its similarities s(x,
// z_j) to the rows z_j of the basis, and functions are linear in these. So s may be any similarity: nothing
// asks it to be positive semidefinite.

inline constexpr const char* similarity_space_reference =
    "Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016";

enum class Basis { all, random, border, spanning, k_medoids };

namespace parameter {
constexpr ChoiceKey<Basis> basis{
    "basis",
    {"all", "random", "border", "spanning", "k_medoids"},
    "Rows are seen by their similarities to these training rows: to all of them, to some at random, to those "
    "farthest from the others (border), to a central row and those farthest from each other (spanning), or "
    "to the most central row of each cluster (k_medoids)."};
constexpr IntegerKey basis_rows{
    "prototypes", 0, {0, 1e9}, "The basis has so many training rows; 0 stands for all of them."};
constexpr FlagKey per_class{"per_class", false,
                            "With yes, each class gives an equal share of the basis, chosen among its rows."};
}  // namespace parameter

inline bool has_random_basis(const Parameters& parameters) {
    return parameters[parameter::basis] == Basis::random;
}

/// What functions shall be at the training rows, and how much each row counts.
struct SimilarityTargets {
    std::vector<double> values;  // Y, row by row
    Index functions = 1;
    std::vector<double> row_weights;  // u, one each where none were given
    DecisionRule rule = DecisionRule::regression;

    ConstMatrixView Y() const { return view(values.data(), std::ssize(values) / functions, functions); }
};

/// Gives the data's own targets, or +1 and -1 for the rows in and out of each class; two classes take one
/// function.
SimilarityTargets similarity_targets(const TrainingProblem& problem);

/// The similarities of training rows to the rows of a basis, which is chosen among the training rows or among
/// some of them.
class SimilaritySpace {
  public:
    explicit SimilaritySpace(const TrainingProblem& problem);

    /// Chooses the basis among these rows, as the parameters say.
    std::vector<Index> basis_among(std::span<const Index> rows) const;
    /// Gives S(rows, basis).
    Matrix similarities(std::span<const Index> rows, std::span<const Index> basis) const;

  private:
    const TrainingProblem& problem_;
    std::optional<RowSelection> selection_;  // none where the basis is all rows
    Index count_;
    std::vector<Index> class_of_;  // empty unless classes have a share each
    LargeMatrix whole_;            // the similarities of all rows; empty for a random basis
};

/// What functions get wrong on rows that they did not see: the weight of the rows in wrong classes, and the
/// squared error where that is equal; or the absolute error of a regression.
struct UnseenError {
    double first = 0;
    double second = 0;

    bool operator<(const UnseenError& other) const {
        return first != other.first ? first < other.first : second < other.second;
    }
};

/// Adds the error of a row, which has this weight, these targets and these values of the functions.
void add_error(UnseenError& error, DecisionRule rule, double weight, const Eigen::RowVectorXd& targets,
               const Eigen::RowVectorXd& values);

/// The weights beta of the basis, basis x functions, and the offsets.
struct SimilarityFunctions {
    Matrix beta = {};
    Vector offsets = {};
};

/// Solves a program for each lambda in turn, and hands each solution on.
using PathReader = std::function<void(Index lambda, const SimilarityFunctions& found)>;
using PathSolver = std::function<void(const CentredColumns& columns, std::span<const double> lambdas,
                                      Control& control, const PathReader& reader)>;

/// Computes the error of each lambda on held-out rows. Each of the folds does what training does, on the rows
/// that are not in it: it chooses a basis among them and solves the program for all lambdas.
/// Error(invalid_data) tells when there are too few rows.
std::vector<UnseenError> cross_validated_errors(const TrainingProblem& problem, const SimilaritySpace& space,
                                                const SimilarityTargets& targets,
                                                std::span<const double> lambdas, Index folds,
                                                const PathSolver& solve);

/// Finds the position of the least error, the first of equal ones.
Index least_error(std::span<const UnseenError> errors);

/// Adds an error to a report, as a share or mean over the rows' weight: `name`_accuracy, or `name`_mae.
void report_error(Report& report, const std::string& name, const UnseenError& error,
                  const SimilarityTargets& targets);

/// Makes the trained machine of these functions. Rows of the basis whose weights are all zero are left out;
/// if all rows are, one stays, so that there is a prototype to ask for.
TrainedMachine similarity_machine(const TrainingProblem& problem, std::span<const Index> basis,
                                  const SimilarityFunctions& functions, DecisionRule rule, Report report);

}  // namespace dk
