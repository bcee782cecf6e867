// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.hpp"
#include "base/parameters.hpp"
#include "base/report.hpp"
#include "kernel/gram/training_gram.hpp"
#include "model/preparation.hpp"

namespace dk {

/// What a layer learns from: training rows as the layers before give them, with their classes where the
/// machine learns some.
struct LayerProblem {
    const Dataset& data;
    const Parameters& parameters;  // of the layer
    Precision precision;
    std::uint64_t seed;
    MemoryBudget budget;
    Control& control;
};

/// What a layer that makes new columns learned, and the training rows with these columns.
struct LearnedColumns {
    LayerStep step;
    Dataset rows;
    Report report;
};

/// A kind of layer. One that ranks columns has rank(), and keeps the best of them; another has learn().
struct LayerKind {
    std::string name;
    std::string doc;
    std::string reference;
    /// These are its parameters. A value without a key belongs to the first.
    std::vector<ParameterSpec> parameters;
    std::function<std::vector<double>(const LayerProblem&)> rank = {};
    std::function<LearnedColumns(const LayerProblem&)> learn = {};
};

/// Lists all kinds of layers.
std::span<const LayerKind> layer_kinds();

/// A layer as the parameter `layers` asks for it.
struct LayerSpecification {
    std::string text;
    const LayerKind* kind;
    Parameters parameters;
};

/// Parses a layer or a list of them, such as "[kernel_pca(rbf, components=50), anova_f(10)]"; nothing gives
/// no layers. Throws Error(invalid_parameter) that says where the text is wrong.
std::vector<LayerSpecification> parse_layers(std::string_view text);

namespace parameter {
/// How many columns a ranking keeps: so many, a share of them below 1, or auto.
extern const TextKey keep;
}  // namespace parameter

LayerKind kernel_pca_layer();
LayerKind anova_layer();
LayerKind mutual_information_layer();
LayerKind large_margin_layer();

}  // namespace dk
