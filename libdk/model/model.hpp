// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "data/dataset.hpp"
#include "data/reading/read_file.hpp"
#include "model/decision/decision_rule.hpp"
#include "model/decision/nonconformity.hpp"
#include "model/novelty.hpp"
#include "model/predictor.hpp"
#include "model/preparation.hpp"
#include "solve/landmarks/landmark_sums.hpp"
#include "solve/squares/factor_at_need.hpp"
#include "solve/squares/ridge_factor.hpp"

namespace dk {

/// What is known of the training rows that a model keeps, in their order there: it learns from them again
/// when it is updated.
struct KeptAnswers {
    std::vector<Index> classes = {};   // positions among the model's classes; empty without classes
    std::vector<double> targets = {};  // rows x targets of the model; empty but in regressions
    std::vector<double> weights = {};  // empty where every row has weight 1
};

/// A trained model: how it was made, and what it learned. Immutable once built.
struct Model {
    std::string machine;
    std::string task;        // classification, regression, novelty, clustering or multilabel
    Assignments parameters;  // the value of each, as text

    std::string kernel;                // the combined kernel
    std::vector<std::string> kernels;  // the bank
    std::vector<double> kernel_weights;

    Labels classes;  // the table alone: of_rows is empty; of several labels a row, these
    DecisionRule rule = DecisionRule::binary;
    Index targets = 1;            // how many numbers it predicts for a row: its targets, or labels
    Calibration calibration;      // empty without probabilities
    Nonconformity nonconformity;  // empty without sets of answers

    DataKind kind = DataKind::dense;
    Index features = 0;
    Index training_rows = 0;
    std::vector<std::string> feature_names;
    Assignments reading;  // the options with which the training file was read
    Preparation preparation;
    Assignments warnings;  // what looked wrong with the training rows: what about, and a sentence

    std::shared_ptr<const NoveltyReference> novelty = nullptr;  // null without novelty=yes
    std::shared_ptr<const KeptAnswers> kept_answers = nullptr;  // null without updatable=yes
    /// With updatable=yes, ridge machines keep the factor of the kernel matrix of the kept rows. Model files
    /// do not have it, because it is made anew from the rows.
    std::shared_ptr<const RidgeFactor> factor = nullptr;
    /// Deviations of ridge machines need the factor of all training rows, where updates have none.
    std::shared_ptr<FactorAtNeed> factor_at_need = std::make_shared<FactorAtNeed>();
    /// With updatable=yes, ridge machines with landmarks keep sums over all rows that they have learned from.
    /// The landmarks are the kept rows.
    std::shared_ptr<const LandmarkSums> sums = nullptr;

    // These are JSON texts.
    std::string weight_report = "{}";
    std::string training_report = "{}";
    std::string validation_report = "{}";
    std::string choice_report = "{}";     // how the machine auto chose the model
    std::string threshold_report = "{}";  // how the threshold between two classes was moved

    std::shared_ptr<const Predictor> predictor;

    /// Gives the value of a parameter, which every model has.
    const std::string& parameter(std::string_view name) const;
    /// Tells whether it is a regression whose functions are levels of one target, in place of the target.
    bool predicts_levels() const;
    /// Tells whether it predicts several numbers of a row: targets, or which labels it has.
    bool predicts_several() const { return targets > 1 || rule == DecisionRule::labels; }
    /// Tells whether the largest probability elects a row's class, and not the decisions.
    bool elects_by_probability() const;
};

/// Gives what rows in files have to look like for the model. A model that fills missing values has them kept.
EarlierFile training_file(const Model& model);

/// Tells everything but the arrays, as JSON text.
std::string model_info(const Model& model);

/// Gives rows as the model was trained on them, before scaling: of its kind, with its columns in their order.
/// Throws Error(dimension) when they do not fit the model.
Dataset rows_for_model(const Model& model, const Dataset& data, Control& control);

/// Gives rows as the predictor knows them: with the model's columns, scaled, after all layers. Throws
/// Error(dimension) when they do not fit the model.
Dataset prepared_rows(const Model& model, const Dataset& data, Control& control);
/// Gives the same rows as the model has them: a model of dense rows gets the zeros of sparse ones, and a
/// model of sparse rows only what is not zero. Rows of other kinds stay.
Dataset rows_of_model_kind(const Model& model, const Dataset& data, Control& control);

/// Computes decisions for data as the user has them. Those of a regression with several functions of one
/// target, which are of levels that ascend, are sorted in each row, so that none crosses another. Throws
/// Error(dimension) when these do not fit the model.
void decide(const Model& model, const Dataset& data, const DecisionReader& reader, Control& control);

/// Asks the budget for as many matrices of the decisions of so many rows by so many functions.
void require_memory_of_decisions(Index rows, Index functions, Index matrices, Control& control);

/// Computes the decisions of all rows, rows x decisions, for which it asks the budget.
std::vector<double> decisions(const Model& model, const Dataset& data, Control& control);

/// Gives what a regression predicts of each row by its decisions: all of several targets, and of one target
/// those of the middle function, of an even number of functions the lower of the middle ones.
std::vector<double> predicted_values(const Model& model, std::vector<double> decisions);

/// Computes what each prototype contributes to each row's decisions, rows x prototypes (see dk_explain).
void explain(const Model& model, const Dataset& data, double* out, Control& control);

/// Takes the decisions on one row apart (see Predictor::decision_parts).
DecisionParts decision_parts(const Model& model, const Dataset& row, Control& control);

/// Computes what each kernel of a weighted sum adds to each decision on one row, kernels x functions; no rows
/// where the model does not know.
Matrix decisions_by_kernel(const Model& model, const Dataset& row, Control& control);

/// Writes the coefficients of the prototypes, prototypes x training rows.
void prototype_coefficients(const Model& model, std::span<double> out);

/// Gives what the prototypes of each function leave of its decision, S / (2 t) (see
/// dk_model_prototype_offsets).
std::vector<double> prototype_offsets(const Model& model);

/// Writes the prototypes in the columns and units of the data, prototypes x features; a column that no layer
/// kept is NaN. Throws Error(unsupported) where prototypes are no points of that space.
void prototype_coordinates(const Model& model, std::span<double> out);

/// Tells how many numbers transform() writes for a row: the predictor's features, or else what the last layer
/// makes of a row. It is 0 for a model without both.
Index transform_count(const Model& model);

/// Tells the same, and throws Error(unsupported) for a model without features.
Index required_transform_count(const Model& model);

/// Computes what the model sees of each row, rows x transform_count(model) (see dk_transform).
void transform(const Model& model, const Dataset& data, double* out, Control& control);

/// Reconstructs rows from what the model keeps of them, rows x features in the units of the data (see
/// dk_reconstruct).
void reconstruct(const Model& model, const Dataset& data, std::span<double> out, Control& control);

/// Tells how far each row lies from the training rows. Throws Error(unsupported) without novelty=yes.
std::vector<RowNovelty> novelty(const Model& model, const Dataset& data, Control& control);

/// Finds the position of each row's class. Throws Error(unsupported) for a regression.
std::vector<Index> elected_classes(const Model& model, std::span<const double> decisions, Control& control);

/// Writes 1 for each label that a row is predicted to have, and 0 for the others, rows x labels: by the signs
/// of the decisions, or by probabilities above one half where these elect.
std::vector<double> elected_labels(const Model& model, std::span<const double> decisions);

/// Computes the probability of each class for each row, rows x classes. Throws Error(unsupported) without
/// calibration.
std::vector<double> probabilities(const Model& model, std::span<const double> decisions, Control& control);

}  // namespace dk
