// SPDX-License-Identifier: Apache-2.0
// These are the learners that dk prototypes-compare compares, and how each is told how many prototypes it may
// have.
#pragma once

#include <string>
#include <vector>

#include "control.hpp"
#include "parameters.hpp"

namespace command {

// How a machine gets its number of prototypes.
enum class Budget {
    per_class,     // A parameter counts the prototypes of a class.
    per_function,  // It counts those of a function, of which two classes have one and more have one each.
    in_all,        // It counts the prototypes of all classes.
    by_price,      // There is no such parameter, but fewer prototypes are worth a higher price.
    by_lambda,     // There is none, but a larger penalty leaves fewer rows.
    none           // The machine is the reference without a limit.
};

struct PrototypeLearner {
    std::string machine;
    Budget budget;
    std::string counted_by;                    // the parameter that counts prototypes
    std::vector<std::string> parameters = {};  // other parameters that make it this learner
    bool weighs_kernels = false;

    std::string name() const;
};

const std::vector<PrototypeLearner>& prototype_learners();

// What all learners of a comparison have in common.
struct LearningOptions {
    std::string kernel;
    std::string scale;
    int64_t seed = 1;
    int64_t prototypes = 5;               // of each class
    std::vector<std::string> parameters;  // Each is set for the machines that know it.
};

// Says whether a machine has a parameter.
bool has_parameter(const Settings& settings, const std::string& key);

// Gives the parameters of a learner for data of so many classes.
Settings learner_settings(const PrototypeLearner& learner, const LearningOptions& options, size_t classes);

// A model that a learner made, and the value that was found for the parameter that limits the prototypes.
struct Learned {
    Model model;
    std::string limited_by;  // KEY=VALUE, or empty where no value had to be found
};

// Trains with at most the prototypes that `options` allow. Where no parameter counts them, it is the least
// price or penalty that leaves so few, which is looked for by bisection on these rows.
Learned learn_prototypes(Control& control, const PrototypeLearner& learner, const LearningOptions& options,
                         const Data& data, size_t classes);

}  // namespace command
