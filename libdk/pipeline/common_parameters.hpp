// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "data/scaling/scaler.hpp"
#include "kernel/gram/training_gram.hpp"
#include "kernel/lowrank/spectrum.hpp"
#include "machine/common_parameters.hpp"
#include "weights/strategy/expression.hpp"

/// Parameters that every machine has and the pipeline reads.
namespace dk::parameter {

inline constexpr ChoiceKey<> scale{
    "scale",
    {"auto", "none", "standard", "robust", "minmax", "symmetric", "largest", "ranks"},
    "Columns are scaled in predicting as training learned it: standard gives each column mean 0 and "
    "deviation 1, robust median 0 and interquartile range 1, minmax the range 0 to 1, symmetric the range -1 "
    "to 1, largest divides by the largest magnitude, also in sparse rows, ranks takes the rank of a value "
    "among those of the training rows, with mean 0 and deviation 1, which outliers and skewed columns do not "
    "harm, and none leaves them. auto is standard, or largest for sparse rows, where the widest column "
    "deviates more than ten times as far as the median one, so that kernels would see hardly anything else, "
    "and none elsewhere."};
inline constexpr ChoiceKey<RowScale> scale_rows{
    "scale_rows",
    {"none", "l2", "l1", "max", "standard"},
    "Each row is scaled by itself, before its columns are: l2 divides by its Euclidean length, l1 by the sum "
    "and max by the largest of its magnitudes, standard gives it mean 0 and deviation 1."};
static_assert(std::ranges::equal(scale_rows.names.all(), row_scale_names));
inline constexpr TextKey layers{
    "layers", "",
    "Layers make of the scaled rows what the machine is given, each of what the one before made, such as "
    "[kernel_pca([rbf, arccos(1)], weights=umkl, components=50), anova_f(20)]."};
inline constexpr ChoiceKey<> impute{
    "impute",
    {"none", "mean", "median"},
    "The column's mean or median over the training rows replaces a missing value; none refuses data that "
    "miss values."};
inline constexpr ChoiceKey<> spectrum{
    "spectrum",
    {"none", "clip", "flip", "shift", "square"},
    "This mends a kernel that has negative eigenvalues on the training rows: clip sets them to 0, flip takes "
    "their absolute values, shift adds the same number to all "
    "eigenvalues, square squares all, and none leaves the kernel as it is."};
static_assert(std::ranges::equal(spectrum.names.all().subspan(1), spectrum_methods.all()));
inline constexpr IntegerKey memory_mb{
    "memory_mb",
    0,
    {0, 1e9},
    "Kernel matrices may take so many megabytes of memory; 0 allows half of what the computer has."};
inline constexpr FlagKey probability{
    "probability", false,
    "With yes, the model predicts probabilities too, which it learns from decisions on held-out folds."};
enum class CalibrationKind { sigmoid, temperature };
inline constexpr ChoiceKey<CalibrationKind> calibration{
    "calibration",
    {"sigmoid", "temperature"},
    "Probabilities come from a sigmoid for each decision function (sigmoid), or from one number by which all "
    "decisions are divided (temperature), which suits many classes of few rows."};
inline constexpr ChoiceKey<> elect{
    "elect",
    {"decision", "probability"},
    "A row's class is that of its decisions, which probabilities do not change, or the one of the largest "
    "probability."};
inline constexpr RealKey confidence{"confidence",
                                    0,
                                    {0, 0.999999},
                                    "With 0.9, the model gives sets of classes, or intervals of values, that "
                                    "hold the truth of nine new rows in "
                                    "ten, which it learns from decisions on held-out folds; 0 gives none."};
inline constexpr FlagKey confidence_by_class{
    "confidence_by_class", false,
    "With yes, sets of classes hold the truth as often among the rows of each class, not only in all rows."};
inline constexpr RealKey false_alarms{
    "false_alarms",
    0,
    {0, 0.5},
    "With 0.05, the threshold between two classes is moved until about at most so large a share of new rows "
    "of the first class are taken for the second, with room for 95 per cent certainty on held-out folds; a "
    "bound that is a theorem takes rows of its own (dk_move_threshold). 0 leaves the threshold."};
inline constexpr RealKey miss_cost{
    "miss_cost",
    0,
    {0, 1e9},
    "With 5, the threshold between two classes is moved to where errors on held-out folds cost least, if a "
    "row of the second class that is taken for the first costs five times the opposite; 0 leaves it."};
inline constexpr FlagKey novelty{"novelty", false,
                                 "With yes, the model also tells how far a row lies from the training rows, "
                                 "and how usual that is, so that "
                                 "one can refuse to predict what is like nothing it has seen."};
inline constexpr FlagKey updatable{
    "updatable", false,
    "With yes, the model keeps what it takes to join further rows to it and to forget some: the answers of "
    "the rows that it has, and of ridge machines the factor of their kernel matrix in memory, or with "
    "landmarks sums over all rows."};
inline constexpr FlagKey many_classes{"many_classes", false,
                                      "Labels of which more than 256 have one row each, and most do, are "
                                      "taken for numbers of rows, and training "
                                      "classes of them is refused; with yes they are classes."};
inline constexpr IntegerKey folds{
    "folds",
    5,
    {2, 1000000},
    "Cross-validation divides the rows into so many parts; each part is "
    "predicted by a model that is trained on the others. With probability=yes "
    "or a confidence training predicts held-out rows so, in five parts at most."};
inline constexpr IntegerKey repeats{
    "repeats", 1, {1, 1000000}, "Cross-validation runs so many times, each time with other folds."};
inline constexpr IntegerKey outer_folds{
    "outer_folds",
    0,
    {0, 1000000},
    "With 2 or more, cross-validation runs on the training rows of so many outer folds too, and what it "
    "chooses "
    "there is scored on the other rows, which had no part in the choice."};
inline constexpr IntegerKey halves{"halves",
                                   0,
                                   {0, 100000},
                                   "After cross-validation the weights of the bank are learned again on so "
                                   "many random halves of the rows, to "
                                   "tell how much they depend on the rows."};
inline constexpr TextKey grid{
    "grid", "",
    "Cross-validation compares these values, such as C=0.1:1:10;kernel=[rbf(gamma=1), arccos_lists(2)]."};
inline constexpr TextKey tune{
    "tune", "",
    "Cross-validation searches the best values of these numbers of the machine and its kernel, such as C; "
    "gamma=0.01..10, each between limits that are given or suit it; auto stands for C and the kernel's "
    "width."};
inline constexpr ChoiceKey<> search{
    "search",
    {"adaptive", "random"},
    "A search for the best values goes on where those that it has compared promise most (adaptive), or tries "
    "values that are spread evenly (random)."};
inline constexpr IntegerKey trials{
    "trials", 40, {1, 10000}, "A search for the best values compares so many combinations."};
inline constexpr FlagKey learning_curve{
    "learning_curve", false,
    "With yes, cross-validation also tells what the model scores when it is trained on an eighth, a quarter "
    "and a half of the rows, so that one sees whether more rows would help."};
/// common_parameters() adds the choices, which are auto and the names of all metrics.
inline constexpr TextKey select{
    "select", "auto",
    "This metric chooses the best of a grid; auto is accuracy for classes, "
    "micro_f1 for several labels a row, rmse for numbers and pinball for quantiles.",
    ParameterType::choice};

}  // namespace dk::parameter

namespace dk {

/// Gives the number type of a model's kernel values.
inline Precision precision_of(const Parameters& parameters) {
    return parameters[parameter::precision] == parameter::PrecisionChoice::real32 ? Precision::real32
                                                                                  : Precision::real64;
}

}  // namespace dk
