// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pipeline/train.hpp"
#include "support.hpp"

namespace dk::test {

using Setting = std::pair<std::string, std::string>;

inline Model trained(const std::string& machine, const Dataset& data, const std::vector<Setting>& settings) {
    BegunControl control;
    auto chosen = default_specification(machine);
    for (const auto& [key, value] : settings) set_parameter(chosen, key, value);
    return train(data, chosen, control);
}

inline std::vector<double> decided(const Model& model, const Dataset& data) {
    BegunControl control;
    return decisions(model, data, control);
}

/// Gives the coefficients, prototypes x training rows.
inline std::vector<double> coefficients(const Model& model) {
    std::vector<double> out(model.predictor->prototypes().count() * model.training_rows);
    model.predictor->prototype_coefficients(out.data());
    return out;
}

/// Makes points of `classes` classes around different centres, labelled 0, 1, ... in turn. The first class
/// has twice as many where `uneven`.
inline Dataset blobs(Index rows, Index cols, Index classes, double distance, std::uint64_t seed,
                     bool uneven = false) {
    auto values = normal_values(rows * cols, seed);
    std::vector<std::int64_t> labels;
    for (Index i = 0; i < rows; ++i) {
        const Index c = uneven ? std::max<Index>(0, i % (classes + 1) - 1) : i % classes;
        labels.push_back(c);
        values[i * cols + c % cols] += distance;
        values[i * cols] -= distance * static_cast<double>(c / cols);
    }
    return with_labels(dense(rows, cols, values), labels);
}

}  // namespace dk::test
