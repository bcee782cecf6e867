// SPDX-License-Identifier: Apache-2.0
#include "exchange/c/expansion_in_c.hpp"

#include <numeric>

#include "base/text.hpp"
#include "exchange/c/c_words.hpp"
#include "exchange/c/c_writer.hpp"
#include "exchange/formula/kernel_formula.hpp"

namespace dk {

ExpansionInC expansion_in_c(const ExportedExpansion& functions, std::string_view to, bool wants_square,
                            const std::string& prefix) {
    const Dataset dense = with_dense_rows(functions.points, 1, MemoryBudget(0));
    const DenseMatrix& points = dense.dense();
    CWriter writer(view(points.values.data(), points.rows, points.cols), prefix);
    Columns columns = functions.columns;
    if (columns.empty()) {
        columns.resize(points.cols);
        std::iota(columns.begin(), columns.end(), Index{0});
    }
    const KernelTerms terms{writer, columns};
    const std::string value = writer.name_of(kernel_formula(functions.kernel, terms, "c"), true);
    ExpansionInC out;
    if (wants_square)
        out.square_of_row = writer.name_of(kernel_formula(functions.kernel, terms.of_row(), "c"), false);
    const CWriter::Code code = writer.code_for({value, out.square_of_row});
    const Matrix& W = functions.weights;
    const bool has_weights = W.size() > 0;
    const bool reads_points = code.of_pairs.find("z[c]") != std::string::npos;
    if (reads_points) out.constants += c_array("points[POINTS * FEATURES]", points.values);
    if (has_weights)
        out.constants +=
            c_array("weights[POINTS * FUNCTIONS]", std::span(W.data(), static_cast<std::size_t>(W.size()))) +
            c_array("offsets[FUNCTIONS]", functions.offsets);
    out.constants += code.constants;
    out.functions = code.functions;
    out.statements = code.of_row;
    if (has_weights)
        out.statements += text("    for (f = 0; f < FUNCTIONS; ++f) ", to, "[f] = offsets[f];\n");
    out.statements += "    for (p = 0; p < POINTS; ++p) {\n";
    if (reads_points) out.statements += "        const double *const z = points + p * FEATURES;\n";
    out.statements += text(code.of_pairs, "        const double value = ", value, ";\n        ");
    out.statements += has_weights ? text("for (f = 0; f < FUNCTIONS; ++f) ", to,
                                         "[f] += weights[p * FUNCTIONS + f] * value;\n    }\n")
                                  : text(to, "[p] = value;\n    }\n");
    if (out.statements.find("(j = ") != std::string::npos) out.variables += ", j";
    if (out.statements.find("[c]") != std::string::npos) out.variables += ", c";
    return out;
}

}  // namespace dk
