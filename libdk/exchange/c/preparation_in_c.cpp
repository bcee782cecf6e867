// SPDX-License-Identifier: Apache-2.0
#include "exchange/c/preparation_in_c.hpp"

#include "exchange/c/c_words.hpp"
#include "exchange/c/layers_in_c.hpp"

namespace dk {

namespace {

/// scale_row() in C.
std::string scaling_of_rows(RowScale how) {
    std::string out = R"(
static void scale_row(double *x) {
    double largest = 0, sum = 0;
    int j;
    for (j = 0; j < COLUMNS; ++j) largest = fmax(largest, fabs(x[j]));
    if (largest == 0) return;
)";
    if (how == RowScale::standard)
        return out + R"(    double variance = 0, width;
    for (j = 0; j < COLUMNS; ++j) sum += x[j] / COLUMNS;
    for (j = 0; j < COLUMNS; ++j) variance += (x[j] - sum) * (x[j] - sum) / COLUMNS;
    width = sqrt(variance);
    for (j = 0; j < COLUMNS; ++j) x[j] = width > 1e-14 * largest ? (x[j] - sum) / width : 0;
}
)";
    if (how == RowScale::max)
        return out + R"(    sum = largest;
    for (j = 0; j < COLUMNS; ++j) x[j] /= sum;
}
)";
    out += "    for (j = 0; j < COLUMNS; ++j) x[j] /= largest;\n    for (j = 0; j < COLUMNS; ++j) sum += ";
    out += how == RowScale::l2 ? "x[j] * x[j];\n    sum = sqrt(sum);\n" : "fabs(x[j]);\n";
    return out + "    for (j = 0; j < COLUMNS; ++j) x[j] /= sum;\n}\n";
}

/// ColumnRanks::rank() in C.
constexpr const char* rank_function = R"(
static double rank_of(int column, double value) {
    int below = first_knot[column], above = first_knot[column + 1] - 1;
    double share;
    if (value <= knot_values[below]) return knot_ranks[below];
    if (value >= knot_values[above]) return knot_ranks[above];
    while (above - below > 1) {
        const int middle = (below + above) / 2;
        if (knot_values[middle] <= value)
            below = middle;
        else
            above = middle;
    }
    share = (value / 2 - knot_values[below] / 2) / (knot_values[above] / 2 - knot_values[below] / 2);
    return knot_ranks[below] * (1 - share) + knot_ranks[above] * share;
}
)";

/// Writes the scaling of a row to x: what stands before the function, and the statements in it.
PreparationInC scaling_in_c(const Scaler& scaler) {
    PreparationInC out;
    if (scaler.identity()) {
        out.statements = "    const double *const x = row;\n";
        return out;
    }
    std::string functions;
    out.statements = "    double x[COLUMNS];\n    for (j = 0; j < COLUMNS; ++j) ";
    out.statements += scaler.fill.empty() ? "x[j] = row[j];\n" : "x[j] = isnan(row[j]) ? fill[j] : row[j];\n";
    if (!scaler.fill.empty()) out.definitions += c_array("fill[COLUMNS]", scaler.fill);
    if (scaler.rows != RowScale::none) {
        functions += scaling_of_rows(scaler.rows);
        out.statements += "    scale_row(x);\n";
    }
    if (!scaler.ranks.empty()) {
        out.definitions += "static const int first_knot[] = {";
        for (const Index first : scaler.ranks.first) out.definitions += text(first, ", ");
        out.definitions += "};\n" + c_array("knot_values[]", scaler.ranks.values) +
                           c_array("knot_ranks[]", scaler.ranks.ranks);
        functions += rank_function;
        out.statements += "    for (j = 0; j < COLUMNS; ++j) x[j] = rank_of(j, x[j]);\n";
    }
    if (!scaler.shift.empty()) {
        out.definitions += c_array("shift[COLUMNS]", scaler.shift) + c_array("scale[COLUMNS]", scaler.scale);
        out.statements += "    for (j = 0; j < COLUMNS; ++j) x[j] = (x[j] - shift[j]) / scale[j];\n";
    }
    out.definitions += functions;
    return out;
}

}  // namespace

PreparationInC preparation_in_c(const Scaler& scaler, std::span<const ExportedLayer> layers) {
    PreparationInC scaling = scaling_in_c(scaler);
    if (layers.empty()) return scaling;
    const LayersInC through = layers_in_c(layers);
    return {text(scaling.definitions, through.functions,
                 "\nstatic void take_layers(const double *row, double *out) {\n",
                 scaler.identity() ? "" : "    int j;\n", scaling.statements, through.statements, "}\n"),
            "    double x[FEATURES];\n    take_layers(row, x);\n"};
}

}  // namespace dk
