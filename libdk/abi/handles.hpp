// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <string_view>
#include <utility>

#include "base/control.hpp"
#include "data/dataset.hpp"
#include "dk/dk.h"
#include "model/model.hpp"
#include "pipeline/machine_specification.hpp"

// The opaque handles of dk.h are these structures.

struct dk_data {
    explicit dk_data(dk::Dataset v) : value(std::move(v)) {}
    dk::Dataset value;
};

struct dk_params {
    explicit dk_params(dk::MachineSpecification v) : value(std::move(v)) {}
    dk::MachineSpecification value;
};

namespace dk::abi {

/// The number that dk.h has for a task.
inline int32_t task_number(std::string_view task) {
    return task == "classification" ? DK_TASK_CLASSIFICATION
           : task == "regression"   ? DK_TASK_REGRESSION
           : task == "novelty"      ? DK_TASK_NOVELTY
           : task == "clustering"   ? DK_TASK_CLUSTERING
           : task == "multilabel"   ? DK_TASK_MULTILABEL
                                    : DK_TASK_ANY;
}

}  // namespace dk::abi

struct dk_model {
    explicit dk_model(dk::Model v) : value(std::move(v)) {}
    dk::Model value;
};

struct dk_control {
    dk::Control value;
    std::atomic<bool> in_use{false};  // A call runs with it.
};
