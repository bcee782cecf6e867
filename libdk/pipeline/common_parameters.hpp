// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/gram/training_gram.hpp"
#include "machine/common_parameters.hpp"

/// Parameters of every machine that the pipeline reads.
namespace dk::parameter {

inline constexpr TextKey kernel{
    "kernel", "auto",
    "The kernel that says how alike two rows are, or a bank of kernels in brackets. auto is rbf for tables, "
    "gram(0) for similarities, gak for series, normalize(spectrum) for strings and "
    "normalize(weisfeiler_lehman) for graphs.",
    ParameterType::kernel};
inline constexpr TextKey weights{"weights", "uniform",
                                 "The strategy that finds the weight of each kernel of a bank.",
                                 ParameterType::weights};
inline constexpr ChoiceKey<> scale{
    "scale",
    {"none", "standard", "robust", "minmax"},
    "The scaling of columns, which is learned in training and applied in predicting: standard gives each "
    "column mean 0 and deviation 1, robust median 0 and interquartile range 1, minmax the range 0 to 1."};
inline constexpr ChoiceKey<> impute{
    "impute",
    {"none", "mean", "median"},
    "What replaces a missing value: the column's mean or median over the training "
    "rows; none refuses data that miss values."};
inline constexpr ChoiceKey<> spectrum{
    "spectrum",
    {"none", "clip", "flip", "shift", "square"},
    "What becomes of the negative eigenvalues of a kernel that is not positive semidefinite on the training "
    "rows: clip sets them to 0, flip takes their absolute values, shift adds the same number to all "
    "eigenvalues, square squares all, and none leaves the kernel as it is."};
inline constexpr ChoiceKey<Precision> precision{
    "precision",
    {"double", "single"},
    "The number type in which kernel values are computed and kept: double, or single, which is faster and "
    "keeps 7 digits."};
inline constexpr IntegerKey memory_mb{
    "memory_mb",
    0,
    {0, 1e9},
    "The memory for kernel matrices in megabytes; 0 allows half of the machine's memory."};
inline constexpr FlagKey probability{
    "probability", false,
    "Whether the model predicts probabilities too, which it learns from decisions on held-out folds."};
inline constexpr IntegerKey folds{"folds",
                                  5,
                                  {2, 1000000},
                                  "The number of parts into which cross-validation divides the rows; each "
                                  "part is predicted by a model that is trained on the others."};
inline constexpr IntegerKey repeats{
    "repeats", 1, {1, 1000000}, "How often cross-validation is repeated with other folds."};
inline constexpr TextKey grid{
    "grid", "",
    "The values that cross-validation compares, such as C=0.1:1:10;kernel=[rbf(gamma=1), arccos_lists(2)]."};
/// common_parameters() adds the choices, which are auto and the names of all metrics.
inline constexpr TextKey select{
    "select", "auto",
    "The metric by which the best of a grid is chosen; auto is accuracy for classes and rmse for numbers.",
    ParameterType::choice};

}  // namespace dk::parameter
