// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"
#include "matrix/matrix.hpp"

namespace dk {

// What the machines that reduce a support vector machine share. Two classes have one function, and more have
// one each, against all others. Every function is reduced by itself.

/// Lists the parameters of machine svm that a reduced machine passes on: all but `multiclass`.
std::vector<ParameterSpec> passed_to_svm();

/// A function w = sum_i alpha_i phi(x_i) of a support vector machine.
struct SupportFunction {
    std::vector<Index> rows;  // its support vectors among the training rows
    Vector alpha;
};

struct SupportFunctions {
    std::vector<SupportFunction> functions;
    Matrix decisions;  // f(x) of all training rows, rows x functions
    DecisionRule rule;
    Report report;
};

/// Trains the support vector machine.
SupportFunctions train_support_functions(const TrainingProblem& problem);

/// What took the place of one function: points that are training rows, or that are not.
struct ReducedFunction {
    std::vector<Index> rows = {};  // the training row that each point is, or empty where points are free
    Matrix points = {};            // free points, one a row
    Vector weights = {};
    double squared_norm = 0;  // |w|^2
    double lost = 0;          // |w - w'|^2
};

/// Makes the trained machine of the reduced functions. Offsets are such that each function's mean over the
/// training rows stays the same. A point that several functions have stands there once.
TrainedMachine reduced_machine(const TrainingProblem& problem, const SupportFunctions& given,
                               std::span<const ReducedFunction> reduced);

}  // namespace dk
