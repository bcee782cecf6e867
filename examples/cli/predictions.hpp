// SPDX-License-Identifier: Apache-2.0
// This file computes the predictions of a model for a whole dataset and writes them as CSV.
#pragma once

#include "model_view.hpp"

namespace command {

// These columns stand beside each prediction.
enum class Columns {
    none,
    decisions,
    probabilities,
    contributions,
    features,
    reconstructions,
    sets,
    novelty,
    deviation
};

// The predicted labels, or the first target of each row, or its sets of labels, and for each row as many
// values as there are `columns`: decision values, probabilities, contributions of prototypes, features of the
// row, the row as the model keeps it, the answers that hold the truth with a probability, how new the row is,
// or how uncertain its value. Further targets are columns where nothing else is asked for.
struct Predictions {
    std::vector<std::string> names;  // of the rows, or nothing where they have none
    std::vector<double> labels;
    std::vector<std::vector<std::string>> sets;  // of models that predict several labels a row; else none
    std::vector<std::string> columns;
    std::vector<double> values;
};

// `confidence` is the probability of Columns::sets.
Predictions predict(Control& control, Columns columns, const Model& model, const Data& data,
                    const ClassNames& classes, double confidence = 0);

// Writes to a file, or to standard output if the path is empty.
void write_csv(const std::string& path, const Predictions& predictions, const ClassNames& classes);

}  // namespace command
