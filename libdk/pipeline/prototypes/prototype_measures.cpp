// SPDX-License-Identifier: Apache-2.0
#include "pipeline/prototypes/prototype_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "prototype/measures.hpp"

namespace dk {

namespace {

/// Tells whether every training row has length 1 in feature space, where alone prototypes are compact.
bool has_unit_rows(const Model& model, const Dataset& training, Control& control) {
    const KernelPointer& kernel = model.predictor->kernel();
    if (kernel->unit_diagonal()) return true;
    const Dataset rows = prepared_rows(model, training, control);
    const GramEngine<double> engine(kernel, rows, rows, &control);
    return std::ranges::all_of(engine.self(Side::left),
                               [](double self) { return std::abs(self - 1) < 1e-9; });
}

RowCombination combination_of(const ConstVectorRef& coefficients) {
    RowCombination combination;
    for (Index row = 0; row < coefficients.size(); ++row) {
        if (coefficients[row] != 0) combination.rows.push_back(row);
    }
    combination.weights = coefficients(combination.rows);
    return combination;
}

}  // namespace

PrototypeMeasures prototype_measures(const Model& model, const Dataset& training, Control& control) {
    if (training.rows() != model.training_rows)
        fail(Status::dimension, "training has ", training.rows(), " rows; the model was trained on ",
             model.training_rows);
    if (training.label_sets)
        fail(Status::unsupported, "purity is of rows with one class, and these have several labels");
    if (!training.labels) fail(Status::invalid_data, "the data have no labels");
    const PrototypeSet& set = model.predictor->prototypes();
    control.memory().require(8.0 * set.count() * model.training_rows,
                             text("coefficients of ", set.count(), " prototypes"));
    Matrix coefficients(set.count(), model.training_rows);
    prototype_coefficients(model, {coefficients.data(), static_cast<std::size_t>(coefficients.size())});
    const bool unit_rows = has_unit_rows(model, training, control);
    PrototypeMeasures measures;
    for (Index p = 0; p < set.count(); ++p) {
        control.check();
        const Vector own = coefficients.row(p);
        const RowCombination combination = combination_of(own);
        const double length = unit_rows ? set.squared_norms[p] : std::numeric_limits<double>::quiet_NaN();
        measures.purity.push_back(purity(combination, training.labels->of_rows));
        measures.compactness.push_back(compactness(combination, length));
    }
    return measures;
}

}  // namespace dk
