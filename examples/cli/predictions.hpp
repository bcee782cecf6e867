// SPDX-License-Identifier: Apache-2.0
// Predictions of a model for a whole dataset, and their CSV form.
#pragma once

#include "model_view.hpp"

namespace command {

// What stands beside each prediction.
enum class Columns { none, decisions, probabilities, contributions };

// Predictions, and with them the decision values, probabilities or contributions of prototypes, `columns` a
// row.
struct Predictions {
    std::vector<double> labels;
    std::vector<std::string> columns;
    std::vector<double> values;
};

Predictions predict(Control& control, Columns columns, const Model& model, const Data& data,
                    const ClassNames& classes);

// To a file, or to standard output for an empty path.
void write_csv(const std::string& path, const Predictions& predictions, const ClassNames& classes);

}  // namespace command
