// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "machine/lvq/sparse_prototypes.hpp"
#include "machine/machine.hpp"

namespace dk {

/// The form and the number of rows of sparse prototypes.
struct SparsePrototypes {
    SparseForm form = SparseForm::omp;
    Index rows = 0;  // 0 stands for the number of prototypes of a class
};

/// Lists the parameters of learning vector quantisation.
std::vector<ParameterSpec> quantisation_parameters();

/// Learns prototypes by vector quantisation, and makes them sparse where that is asked for.
TrainedMachine train_quantisation(const TrainingProblem& problem, std::optional<SparsePrototypes> sparse);

}  // namespace dk
