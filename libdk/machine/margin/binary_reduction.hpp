// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/machine.hpp"
#include "machine/margin/cost_path.hpp"

namespace dk {

/// What a machine for two classes learns from, beside the kernel matrix or the rows.
struct BinaryProblem {
    std::vector<double> signs;           // +1 or -1
    std::vector<double> sample_weights;  // one a row, 1 where none were given
    std::string positive_class;          // its name, for class weights and messages
    std::string negative_class;          // its name, empty where it is all the others
    const TrainingProblem& problem;
    /// Where there is a path of costs C, this is what the training with the last one has left. The trainer
    /// may start from it and puts its own in its place.
    FunctionPath* path = nullptr;
    /// These are near the function's dual variables. There are none where nobody knows such.
    std::span<const double> start = {};

    Index rows() const { return std::ssize(signs); }
};

/// A machine for two classes that learns from the kernel matrix of their rows.
using GramTrainer = std::function<BinarySolution(const BinaryProblem&, TrainingGram&)>;
/// A machine for two classes that learns from the rows, and asks for kernel values itself.
using RowTrainer = std::function<BinarySolution(const BinaryProblem&, const Dataset&)>;

/// What a trainer asks of the matrix. Where that is blocks, products, features and the diagonal alone, which
/// change nothing in a matrix of sparse features, several threads may train with the same one. Some ask for
/// the whole matrix and take another one of its size.
enum class MatrixUse { any, blocks_and_products, whole };

/// Trains a machine for two classes on data of any number of classes: for every pair of classes, or for every
/// class against the rest, as the parameter `multiclass` says. Where that says so, a prototype of each class
/// is all that is kept of the functions.
TrainedMachine train_by_binary_reduction(const TrainingProblem& problem, const GramTrainer& trainer,
                                         MatrixUse use = MatrixUse::any);
TrainedMachine train_by_binary_reduction(const TrainingProblem& problem, const RowTrainer& trainer);

enum class Multiclass { one_vs_one, one_vs_rest, nearest_prototype };

namespace parameter {
constexpr ChoiceKey<Multiclass> multiclass{
    "multiclass",
    {"ovo", "ovr", "nearest"},
    "More than two classes are told apart by a function for every pair of classes (ovo), or by one for every "
    "class against all others (ovr). With nearest, the prototypes of the classes against all others decide, "
    "also of two classes: a row is of the class whose prototype is nearest in feature space."};
}

}  // namespace dk
