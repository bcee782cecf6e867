// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "machine/dictionary/dictionary_learning.hpp"
#include "machine/machine.hpp"
#include "model/dictionary/nonnegative_codes.hpp"
#include "model/dictionary/prototype_dictionary.hpp"

namespace dk {

inline constexpr const char* dictionary_reference =
    "Hosseini, Hammer, Interpretable multiple-kernel prototype learning for discriminative representation "
    "and feature selection, CIKM 2019";

inline constexpr char dictionary_prototypes[] =
    "Prototypes have length 1 in feature space, and all classes share them. Explanations are their shares in "
    "the row's reconstruction, with the sum 1; with decision=share a class decides by the sum over "
    "prototypes of the share times the part of the prototype that is of the class. Features are the code of "
    "a row, the weights with which prototypes reconstruct it.";

/// Parameters of the machines that learn interpretable prototypes.
namespace parameter {
constexpr IntegerKey prototypes{
    "prototypes",
    0,
    {0, 10000},
    "This number, the paper's T0, limits four: the prototypes of a class, and where nothing else is said the "
    "rows that a prototype is made of, the prototypes that reconstruct a row, and the neighbours of a row. 0 "
    "stands for half of the smallest class, and at most 20."};
constexpr IntegerKey rows_of_prototype{
    "rows_of_prototype",
    0,
    {0, 10000},
    "A prototype is made of at most so many rows; 0 stands for the number of prototypes of a class."};
constexpr IntegerKey prototypes_of_row{"prototypes_of_row",
                                       0,
                                       {0, 10000},
                                       "A row is reconstructed by at most so many prototypes; 0 stands for "
                                       "the number of prototypes of a class."};
constexpr RealKey lambda{
    "lambda", 0.2, {0, 1e6}, "A larger lambda makes rows be reconstructed by prototypes of their own class."};
constexpr RealKey tau{
    "tau", 0.2, {0, 1e6}, "A larger tau makes the sum of the prototypes' coefficients smaller."};
constexpr RealKey tolerance{"tolerance", 1e-4, Range::positive(),
                            "Learning stops when the objective falls by less than this share twice in turn."};
constexpr IntegerKey max_iterations{
    "max_iterations", 50, {1, 1e9}, "Learning stops after so many iterations."};
constexpr ChoiceKey<NonnegativeCodes::Decision> decision{
    "decision",
    {"share", "residual"},
    "A row is of the class that has the largest share of its reconstruction (share), or whose prototypes "
    "alone reconstruct it best (residual)."};
}  // namespace parameter

/// Lists the parameters above in their order.
std::vector<ParameterSpec> dictionary_parameters();

/// Gives the options that the parameters say for rows in this order, with equal weights of the kernels.
DictionaryOptions dictionary_options(const Parameters& parameters, const ClassOrder& ordered);

/// Makes the predictor of a dictionary of the rows of `data`.
std::unique_ptr<Predictor> predictor_of(const Dictionary& dictionary, const ClassOrder& ordered,
                                        const Bank& bank, const Dataset& data, const TrainingProblem& problem,
                                        Index prototypes_of_row);

/// Makes the trained machine of a dictionary of all rows.
TrainedMachine trained_dictionary(const Dictionary& dictionary, const ClassOrder& ordered, const Bank& bank,
                                  const TrainingProblem& problem, Index prototypes_of_row);

/// Throws where rows have weights, which these machines do not use, or where there is no memory for codes,
/// products and neighbourhoods beside the matrices of rows.
void require_learnable(const TrainingProblem& problem, const ClassOrder& ordered,
                       const LearningOptions& options);

}  // namespace dk
