// SPDX-License-Identifier: Apache-2.0
#include "exchange/c/layers_in_c.hpp"

#include "base/text.hpp"
#include "exchange/c/c_words.hpp"
#include "exchange/c/expansion_in_c.hpp"

namespace dk {

namespace {

/// Writes a layer as a function of a row x. Its constants stand inside, where no others have their names.
struct LayerInC {
    std::string name;

    std::string head() const { return text("\nstatic void ", name, "(const double *x, double *out) {\n"); }
    std::string operator()(const KeptColumns& kept) const {
        std::string out = head() + "    static const int kept[] = {";
        for (const Index column : kept.columns) out += text(column, ", ");
        return out + text("};\n    int c;\n    for (c = 0; c < ", kept.columns.size(),
                          "; ++c) out[c] = x[kept[c]];\n}\n");
    }
    std::string operator()(const LinearMap& map) const {
        const Matrix& D = map.directions;
        return head() + text("    enum { FEATURES = ", D.cols(), ", OUTPUTS = ", D.rows(), " };\n") +
               c_array("directions[OUTPUTS * FEATURES]",
                       std::span(D.data(), static_cast<std::size_t>(D.size()))) +
               R"(    int c, f;
    for (f = 0; f < OUTPUTS; ++f)
        for (out[f] = 0, c = 0; c < FEATURES; ++c) out[f] += directions[f * FEATURES + c] * x[c];
}
)";
    }
    std::string operator()(const ExportedExpansion& functions) const {
        const ExpansionInC in_c = expansion_in_c(functions, "out", false);
        return text(head(), "    enum { FEATURES = ", functions.points.cols(),
                    ", POINTS = ", functions.points.rows(), ", FUNCTIONS = ", functions.weights.cols(),
                    " };\n", in_c.constants, "    int p, f", in_c.variables, ";\n", in_c.statements,
                    in_c.reads_row() ? "" : "    (void)x;\n", "}\n");
    }
};

/// Tells how many columns rows have after a layer.
struct OutputsOf {
    Index operator()(const KeptColumns& kept) const { return std::ssize(kept.columns); }
    Index operator()(const LinearMap& map) const { return map.directions.rows(); }
    Index operator()(const ExportedExpansion& functions) const { return functions.weights.cols(); }
};

}  // namespace

LayersInC layers_in_c(std::span<const ExportedLayer> layers) {
    LayersInC out;
    std::string calls;
    std::string from = "x";
    for (std::size_t k = 0; k < layers.size(); ++k) {
        const bool last = k + 1 == layers.size();
        const std::string name = text("layer_", k);
        const std::string to = last ? "out" : text("after_", k);
        if (!last) out.statements += text("    double ", to, "[", std::visit(OutputsOf(), layers[k]), "];\n");
        calls += text("    ", name, "(", from, ", ", to, ");\n");
        out.functions += std::visit(LayerInC{name}, layers[k]);
        from = to;
    }
    out.statements += calls;
    return out;
}

}  // namespace dk
