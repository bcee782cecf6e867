// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "base/parameters.hpp"
#include "base/report.hpp"
#include "kernel/gram/training_gram.hpp"
#include "machine/common_parameters.hpp"
#include "machine/prototypes_are.hpp"
#include "model/decision/decision_rule.hpp"
#include "model/predictor.hpp"
#include "solve/landmarks/landmark_sums.hpp"
#include "solve/squares/ridge_factor.hpp"
#include "weights/strategy/machine_loss.hpp"

namespace dk {

struct CostPath;  // machine/margin/cost_path.hpp

/// What a model was before it is updated, so that training may begin there, and what an update of the new one
/// will need. It is empty before the first training.
struct EarlierModel {
    /// These are near the new coefficients, rows x functions, or rows x prototypes where a machine learns
    /// these; they are zero for rows that are new.
    Matrix coefficients = {};
    /// These are the classes of such prototypes.
    std::vector<Index> prototype_classes = {};
    /// This is the factor of the kernel matrix of the first rows, and after the training that of all; null
    /// where no machine keeps it.
    std::shared_ptr<const RidgeFactor> factor = nullptr;
    /// These are sums over all rows that the model has learned from, of landmarks; null where coefficients
    /// are not those of landmarks.
    std::shared_ptr<const LandmarkSums> sums = nullptr;
    /// These rows are the landmarks of the sums, in their order.
    std::vector<Index> landmarks = {};
};

/// What a machine is given: scaled data, with at least two classes or with targets as its task needs, and the
/// kernel into which the bank was combined. A machine that weighs the bank itself gets it normalised.
struct TrainingProblem {
    const Dataset& data;
    KernelPointer kernel;
    const Bank& bank;
    const Parameters& parameters;
    Precision precision;
    MemoryBudget budget;
    Control& control;
    CostPath* path = nullptr;         // null where no other C was tried before or is tried after
    EarlierModel* earlier = nullptr;  // null where the model is not to be updated
};

struct TrainedMachine {
    std::unique_ptr<Predictor> predictor = nullptr;
    DecisionRule rule = DecisionRule::binary;
    Report report = {};
    std::vector<double> kernel_weights = {};  // empty unless the machine weighs the bank itself
    bool log_odds = false;           // whether each function gives the log odds of its positive class
    KernelPointer kernel = nullptr;  // the one that it found in the place of the bank's only one
};

/// What a machine learns from: classes, targets, rows alone, where it tells whether other rows are like them
/// or in which cluster they are, or classes, targets or rows, as the data have it. A classifier of rows that
/// may have several labels has the task multilabel.
enum class Task { classification, regression, novelty, clustering, any, multilabel };
std::string_view name_of(Task task);
/// Tells whether what rows are is known, and learned.
bool learns_answers(Task task);

/// How a machine's functions without one of the training rows are known: not at all, by the linear system of
/// a ridge regression, or by training anew, where rows that the functions do not need change nothing.
enum class LeftOutRow { unknown, ridge, trained };

/// A learner. To add one takes a file in machine/ and a line in machine/machine.cpp.
struct Machine {
    std::string name;
    std::string doc;
    std::string reference;
    /// This says what its prototypes are and, where it is not what the canonical form has, what explanations
    /// and features say of a row by them.
    std::string prototypes = prototypes_are::pairs;
    Task task;
    /// This tells whether a row's weight counts. Machines for which all rows are the same refuse weights.
    bool uses_sample_weights = true;
    /// These are its own parameters. The pipeline adds those that all machines have.
    std::vector<ParameterSpec> parameters;
    std::function<TrainedMachine(const TrainingProblem&)> train;
    /// This tells whether it finds the weights of the bank's kernels itself, so that the parameter `weights`
    /// must stay at its default.
    bool weighs_kernels = false;
    /// This tells whether it looks at the rows themselves too, as machines whose prototypes move do, so that
    /// kernel values alone do not do.
    bool reads_rows = false;
    /// This tells what its errors cost, for strategies that learn the weights of kernels together with it. It
    /// is null for machines that have no such cost.
    std::function<MachineLoss(const Parameters&, const Dataset&)> loss = nullptr;
    LeftOutRow left_out = LeftOutRow::unknown;
    /// This tells whether training looks at few of the pairs of rows, so that dear values of all would be
    /// wasted. It is null for machines that look at most.
    std::function<bool(const Parameters&)> few_pairs = nullptr;
    /// This tells whether it learns several targets of each row at once.
    bool several_targets = false;
    /// This tells whether it is a classifier that learns rows with several labels, a function for each label.
    bool several_labels = false;
    /// This tells whether its models can be updated: training on rows that a model keeps, in its kernel,
    /// makes the model of these rows.
    bool updates = false;
};

/// Tells what the machine learns of these rows: its task, or multilabel where it classifies rows that may
/// have several labels.
Task learned_task(const Machine& machine, const Dataset& data);

/// Refuses weights of rows that the machine would not look at.
void require_usable_weights(const Machine& machine, const Dataset& data);

/// Makes the parameters with which one machine trains another: its own ones at their defaults and, of those
/// that every machine reads, the outer machine's seed and precision, without nearest rows.
Parameters inner_parameters(const Machine& inner, const Parameters& outer);

/// Lists all machines.
std::span<const Machine> machines();

/// Finds a machine. Where there is none of this name, it throws Error(invalid_parameter) with the nearest
/// name.
const Machine& machine_named(std::string_view name);

Machine mean_of_class_machine();
Machine fisher_machine();
Machine svm_machine();
Machine nu_svm_machine();
Machine svr_machine();
Machine nu_svr_machine();
Machine quantile_regression_machine();
Machine one_class_svm_machine();
Machine cvm_machine();
Machine bvm_machine();
Machine mcvm_machine();
Machine elm_machine();
Machine kelm_machine();
Machine kernel_ridge_machine();
Machine rvm_machine();
Machine rvr_machine();
Machine boosted_machine();
Machine imkpl_machine();
Machine iskpl_machine();
Machine mkldpl_machine();
Machine dkmld_machine();
Machine midl_surrogate_machine();
Machine kglvq_machine();
Machine akglvq_machine();
Machine prototype_selection_machine();
Machine super_sparse_machine();
Machine super_sparse_regression_machine();
Machine selected_svm_machine();
Machine reduced_svm_machine();
Machine similarity_ridge_machine();
Machine similarity_ridge_regression_machine();
Machine similarity_lasso_machine();
Machine similarity_lasso_regression_machine();
Machine kernel_pca_machine();
Machine kernel_k_means_machine();
Machine defimkl_machine();
Machine nearest_neighbours_machine();

}  // namespace dk
