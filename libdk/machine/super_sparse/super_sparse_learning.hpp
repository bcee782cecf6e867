// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "machine/machine.hpp"
#include "machine/super_sparse/super_sparse_fit.hpp"

namespace dk {

// What the super-sparse machines and the compression of other models share.

inline constexpr const char* super_sparse_reference =
    "Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016";

std::vector<ParameterSpec> super_sparse_parameters();

/// Reads the options from the parameters but for the seed, which stays 1.
SuperSparseOptions super_sparse_options(const Parameters& parameters);

/// Adds what a model tells of its learning.
void report_super_sparse(Report& report, const SuperSparseSolution& solution);

/// Gives the rows from which prototypes are learned: dense ones, unless the kernel has learned from sparse
/// rows and so compares only these. Prototypes then stay rows.
Dataset learning_rows(const KernelPointer& kernel, const Dataset& data, Control& control);

/// Learns as fit_super_sparse does, and makes sparse rows dense for it.
SuperSparseSolution fit_super_sparse_rows(const KernelPointer& kernel, const Dataset& data,
                                          const SuperSparseTargets& targets,
                                          const SuperSparseOptions& options, Control& control);

/// Makes the predictor of a solution. `data` are the rows learned from, of the kind that predicting will get.
std::unique_ptr<Predictor> super_sparse_predictor(SuperSparseSolution solution, const KernelPointer& kernel,
                                                  const Dataset& data, std::span<const FunctionSides> sides,
                                                  Precision precision, Index neighbours, Control& control);

/// Reads the options from the parameters of a machine, and its seed.
SuperSparseOptions super_sparse_options(const TrainingProblem& problem);

/// Divides the weights by their sum.
std::vector<double> shares(std::vector<double> weights);

/// What prototypes learn from: rows, which may be copies of others with noise, and what the functions are to
/// be there.
struct SuperSparseLesson {
    Dataset rows;
    SuperSparseTargets targets;
};

/// Makes the lesson of some of the training rows, which must not depend on any other row.
using LessonMaker = std::function<SuperSparseLesson(const Dataset& rows, Control& control)>;

/// Learns as many prototypes as the parameters choose.
TrainedMachine learn_super_sparse(const TrainingProblem& problem, const LessonMaker& lesson_of,
                                  DecisionRule rule);

}  // namespace dk
