// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"
#include "machine/super_sparse/super_sparse_fit.hpp"

namespace dk {

// What the super-sparse machines and the compression of other models share.

inline constexpr const char* super_sparse_reference =
    "Demontis, Melis, Biggio, Fumera, Roli, Super-sparse learning in similarity spaces, IEEE CIM 2016";

std::vector<ParameterSpec> super_sparse_parameters();
SuperSparseOptions super_sparse_options(const Parameters& parameters);
void report_super_sparse(Report& report, const SuperSparseSolution& solution);

/// fit_super_sparse for sparse rows too.
SuperSparseSolution fit_super_sparse_rows(const KernelPointer& kernel, const Dataset& data,
                                          const SuperSparseTargets& targets,
                                          const SuperSparseOptions& options, Control& control);

/// `data`: the rows learned from, as predicting will have them.
std::unique_ptr<Predictor> super_sparse_predictor(SuperSparseSolution solution, const KernelPointer& kernel,
                                                  const Dataset& data, std::span<const FunctionSides> sides,
                                                  Precision precision, Index neighbours, Control& control);

/// The options that the parameters of a machine choose, with its seed.
SuperSparseOptions super_sparse_options(const TrainingProblem& problem);

/// Weights divided by their sum.
std::vector<double> shares(std::vector<double> weights);

/// Learns prototypes for `data`, the rows that have these targets, and as many as the parameters choose.
TrainedMachine learn_super_sparse(const TrainingProblem& problem, const Dataset& data,
                                  const SuperSparseTargets& targets, DecisionRule rule);

}  // namespace dk
