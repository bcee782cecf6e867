// SPDX-License-Identifier: Apache-2.0
// This file compares learners of prototypes: how accurate they are, what their models cost and how well
// people can read them, and how much both change with the rows.
#pragma once

#include "output.hpp"
#include "prototype_learners.hpp"

namespace command {

// What all learners are compared on.
struct PrototypeExperiment {
    Control& control;
    LearningOptions learning;
    int64_t folds;
    int64_t halves;  // 0 leaves out the stability.
    Data data;
    std::vector<int64_t> labels;
    size_t classes;
};

// Divides the rows into folds as dk cv does.
std::vector<int64_t> folds_of(const Data& data, int64_t folds, int64_t seed);

// Compares one learner. What it cannot do becomes its message, so that the other learners go on.
Json compare_learner(const PrototypeExperiment& experiment, const PrototypeLearner& learner);

}  // namespace command
