// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"
#include "machine/super_sparse_fit.hpp"

namespace dk {

// What the super-sparse machines and the compression of other models share.

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

}  // namespace dk
