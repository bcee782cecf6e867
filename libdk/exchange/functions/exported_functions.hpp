// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/functions/exported_layer.hpp"
#include "matrix/matrix.hpp"
#include "model/dictionary/dictionary_rule.hpp"
#include "model/model.hpp"
#include "solve/fuzzy/fuzzy_measure.hpp"

namespace dk {

/// Prototypes u_p of which the nearest one to a row decides: each class has minus the least squared distance
/// k(x, x) - 2 x.u_p + |u_p|^2 to a prototype of its own. A class without prototypes is farther than all.
struct NearestPrototypes {
    std::vector<double> squares;  // |u_p|^2
    std::vector<Index> classes;   // the class that each stands for
};

/// A span of directions through the mean of rows, from which a row must not be farther than a threshold. Its
/// functions are the scores along the directions, and behind them the mean of k(x, Z).
struct PrincipalSpan {
    double threshold = 0;   // on the squared distance
    double grand_mean = 0;  // of the kernel matrix
};

/// The nearest points to a row vote for their classes, as count_votes() says, by the squared distances
/// k(x, x) - 2 k(x, z) + |z|^2. The functions are the values k(x, z) themselves.
struct NeighbourRule {
    std::vector<double> squares;  // |z|^2
    std::vector<Index> classes;   // the class of each point
    Index count;                  // so many points vote
};

/// A code of a row by prototypes, by which a rule of the dictionary decides. The functions are the products
/// with the dictionary's columns.
struct DictionaryCodes {
    PrototypeFacts facts;
    std::shared_ptr<const DictionaryRule> rule;
};

/// Machines whose decisions F are bounded to (-1, 1) and combined for each function by the Choquet integral
/// with a fuzzy measure. The functions are the decisions of the machines, machine by machine.
struct FuzzyRule {
    std::vector<FuzzyMeasure> measures;
};

/// The functions of a model, whose rows x are given as the user has them, scaled first, and then taken
/// through the layers. A scaler that divides columns has shifts of 0. Where the nearest prototype decides, W
/// has a column for each prototype, and W' k(Z, x) are its products x.u_p.
struct ExportedFunctions : ExportedExpansion {
    std::vector<double> norms = {};  // |w| of the functions
    Scaler scaler = {};
    std::vector<ExportedLayer> layers = {};
    std::optional<NearestPrototypes> nearest = {};
    std::optional<PrincipalSpan> span = {};
    std::optional<NeighbourRule> neighbours = {};
    std::optional<DictionaryCodes> codes = {};
    std::optional<FuzzyRule> fuzzy = {};
};

/// Gives the functions of a model. Throws Error(unsupported), which says why, where `format` has no place for
/// them.
ExportedFunctions exported_functions(const Model& model, std::string_view format);

/// Throws Error(unsupported) for a model whose rows are not numbers.
void require_rows_of_numbers(const Model& model, std::string_view format);

}  // namespace dk
