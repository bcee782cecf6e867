// SPDX-License-Identifier: Apache-2.0
// A map of rows by two kernel principal components: the eigenvectors v_1, v_2 of H K H, where K is the kernel
// matrix of some rows and H = I - 1 1' / n, with eigenvalues l_1 >= l_2. Row i is at (l^(1/2) v)_i. A point p
// in feature space with products k_i = p.x_i is at l^(-1/2) v' H (k - K 1 / n), and those of a prototype of a
// pair follow from what dk_explain says: k_i = (k(x_i, x_i) + |p|^2 - |x_i - p|^2) / 2.
//
// B. Schoelkopf, A. Smola, K.-R. Mueller, Nonlinear component analysis as a kernel eigenvalue problem, Neural
// Computation 10, 1998.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "matrix/eigen/symmetric_eigen.hpp"
#include "report/charts.hpp"
#include "report/html.hpp"
#include "report/sections.hpp"

namespace dk {

namespace {

constexpr Index most_mapped_rows = 400;
constexpr Index most_mapped_prototypes = 24;

struct Components {
    Matrix K;
    Matrix vectors;  // 2 x rows
    Vector values;   // 2
    double total = 0;

    double place_of_row(Index component, Index row) const {
        return std::sqrt(values[component]) * vectors(component, row);
    }
    double place_of(Index component, const Vector& products) const {
        Vector centred = products - K.rowwise().mean();
        centred.array() -= centred.mean();
        return vectors.row(component).dot(centred) / std::sqrt(values[component]);
    }
};

/// Finds both components, or nothing where the rows do not spread in two directions.
std::optional<Components> components_of(Matrix K, Control& control) {
    const Index n = K.rows();
    const Vector means = K.rowwise().mean();
    LargeMatrix centred(n, n);
    centred.view() = K.array() + means.mean();
    centred.view().colwise() -= means;
    centred.view().rowwise() -= means.transpose();
    const double total = centred.view().trace();
    const SymmetricEigen eigen = symmetric_eigen(std::move(centred), control);
    if (n < 3 || !(eigen.values[n - 2] > 1e-10 * std::abs(eigen.values[n - 1]))) return std::nullopt;
    Components found{std::move(K), Matrix(2, n), Vector(2), total};
    for (Index c = 0; c < 2; ++c) {
        found.values[c] = eigen.values[n - 1 - c];
        found.vectors.row(c) = ConstVectorView(eigen.vectors.row(n - 1 - c), n).transpose();
    }
    return found;
}

/// The products of each of some prototypes with the rows, a column for each; none where prototypes are no
/// pairs.
Matrix prototype_products(const Model& model, const Dataset& prepared, const Vector& self, Control& control) {
    const PrototypeSet& set = model.predictor->prototypes();
    const bool known = model.predictor->prototypes_are_pairs() && set.count() <= most_mapped_prototypes &&
                       std::ssize(set.squared_norms) == set.count();
    if (!known) return {};
    Matrix said(prepared.rows(), set.count());
    model.predictor->explain(prepared, said.data(), control);
    Matrix products(prepared.rows(), set.count());
    for (Index p = 0; p < set.count(); ++p) {
        const double sign = p % 2 == 0 ? -1 : 1;
        const Vector distances = sign * 2 * set.scales[p / 2] * said.col(p);
        products.col(p) = ((self - distances).array() + set.squared_norms[p]) / 2;
    }
    return products;
}

std::string row_tip(const ReportedModel& reported, const ScoredRows& scored, Index row) {
    std::string tip = text("row ", row);
    if (scored.classes)
        tip += text(": ", reported.model.classes.class_name(scored.classes->truth[row]), ", predicted ",
                    reported.model.classes.class_name(scored.classes->elected[row]));
    if (scored.values)
        tip += text(": ", shown(scored.values->truth[row]), ", predicted ",
                    shown(scored.values->predicted[row]));
    return tip;
}

Index row_colour(const ScoredRows& scored, Index row) {
    if (scored.classes) return scored.classes->truth[row];
    return scored.elected.empty() ? 0 : scored.elected[row];
}

}  // namespace

std::string map_section(const ReportedModel& reported, const ScoredRows& scored, Control& control) {
    const Model& model = reported.model;
    const KernelPointer& kernel = model.predictor->kernel();
    if (model.kind == DataKind::gram || kernel->asks_caller() || kernel->knows_rows()) return "";
    const std::vector<Index> rows = spread_rows(reported.data.rows(), most_mapped_rows);
    const Dataset prepared = prepared_rows(model, reported.data.select(rows), control);
    Matrix K(std::ssize(rows), std::ssize(rows));
    {
        const ProgressHold hold(control);
        GramEngine<double>(kernel, prepared, prepared, &control).matrices(K.data(), control);
    }
    const Vector self = K.diagonal();
    const auto components = components_of(std::move(K), control);
    if (!components) return "";
    std::vector<Mark> marks;
    for (Index i = 0; i < std::ssize(rows); ++i)
        marks.push_back({components->place_of_row(0, i), components->place_of_row(1, i),
                         row_colour(scored, rows[i]), false, row_tip(reported, scored, rows[i])});
    const ProgressHold hold(control);
    const Matrix products = prototype_products(model, prepared, self, control);
    const PrototypeSet& set = model.predictor->prototypes();
    for (Index p = 0; p < products.cols(); ++p) {
        const Vector of_prototype = products.col(p);
        marks.push_back(
            {components->place_of(0, of_prototype), components->place_of(1, of_prototype),
             std::max<Index>(set.classes[p], 0), true,
             text("prototype ", p,
                  model.classes.classes() > 0 ? " of " + class_text(model, set.classes[p]) : std::string())});
    }
    std::vector<double> x;
    std::vector<double> y;
    for (const Mark& mark : marks) {
        x.push_back(mark.x);
        y.push_back(mark.y);
    }
    const auto title = [&](Index c) {
        return text("component ", c + 1, " (", shown_percent(100 * components->values[c] / components->total),
                    ")");
    };
    const std::string caption =
        text(rows.size(), " rows", products.cols() > 0 ? " and the prototypes (diamonds)" : "",
             " by two kernel principal components");
    std::vector<std::string> names;
    for (Index c = 0; model.task != "regression" && c < model.classes.classes(); ++c)
        names.push_back(model.classes.class_name(c));
    return section(
        "Map", "Rows that the model finds alike are near each other, as far as two directions can show it.",
        side_by_side(std::vector<std::string>{
            scatter_chart(marks, axis_over(title(0), x), axis_over(title(1), y), names, false, caption)}));
}

}  // namespace dk
