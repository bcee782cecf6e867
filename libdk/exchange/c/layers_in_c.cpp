// SPDX-License-Identifier: Apache-2.0
#include "exchange/c/layers_in_c.hpp"

#include <cmath>

#include "base/text.hpp"
#include "exchange/c/c_words.hpp"
#include "exchange/c/expansion_in_c.hpp"

namespace dk {

namespace {

/// Writes a layer as a function of a row x. Its constants stand inside, where no others have their names.
class LayerInC {
  public:
    explicit LayerInC(std::string function) : name(std::move(function)) {}
    const std::string name;

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
        const ExpansionInC in_c = expansion_in_c(functions, "out", false, name + "_");
        return text(in_c.functions, head(), "    enum { FEATURES = ", functions.points.cols(),
                    ", POINTS = ", functions.points.rows(), ", FUNCTIONS = ", functions.weights.cols(),
                    " };\n", in_c.constants, "    int p, f", in_c.variables, ";\n", in_c.statements,
                    in_c.reads_row() ? "" : "    (void)x;\n", "}\n");
    }
    std::string operator()(const JoinedExpansions& expansions) const {
        std::string functions;
        std::string calls;
        Index first = 0;
        for (std::size_t k = 0; k < expansions.size(); ++k) {
            const LayerInC part{text(name, "_", k)};
            functions += part(expansions[k]);
            calls += text("    ", part.name, "(x, out + ", first, ");\n");
            first += expansions[k].weights.cols();
        }
        return functions + head() + calls + "}\n";
    }
    std::string operator()(const RandomNetwork& network) const {
        std::string constants;
        std::string statements;
        std::string from = "x";
        for (std::size_t l = 0; l < network.layers.size(); ++l) {
            const RandomLayer& layer = network.layers[l];
            const bool last = l + 1 == network.layers.size();
            const std::string to = last ? "out" : text("after_", l);
            const Matrix& W = layer.directions;
            constants += c_array(text("directions_", l, "[", W.size(), "]"),
                                 std::span(W.data(), static_cast<std::size_t>(W.size())));
            if (!layer.biases.empty()) constants += c_array(text("biases_", l, "[]"), layer.biases);
            if (!last) constants += text("    double ", to, "[", network.features, "];\n");
            statements += text("    for (f = 0; f < ", W.rows(), "; ++f) {\n        double u = ",
                               layer.biases.empty() ? text(0) : text("biases_", l, "[f]"),
                               ";\n        for (c = 0; c < ", W.cols(), "; ++c) u += directions_", l, "[f * ",
                               W.cols(), " + c] * ", from, l == 0 ? "[columns[c]]" : "[c]", ";\n",
                               bent(layer, network.features, to), "    }\n");
            from = to;
        }
        std::string columns = "    static const int columns[] = {";
        for (const Index column : network.columns) columns += text(column, ", ");
        return head() + columns + "};\n" + constants + "    int f, c;\n" + statements + "}\n";
    }

  private:
    /// The statements that bend the product u of the direction f.
    static std::string bent(const RandomLayer& layer, Index features, const std::string& to) {
        const std::string scale = c_number(std::sqrt(2 / static_cast<double>(features)));
        const std::string value = text("        ", to, "[f] = ");
        if (layer.bend == RandomLayer::Bend::sigmoid) return value + "1 / (1 + exp(-u));\n";
        if (layer.bend == RandomLayer::Bend::fourier)
            return text(value, scale, " * cos(u);\n        ", to, "[f + ", layer.directions.rows(),
                        "] = ", scale, " * sin(u);\n");
        std::string power = scale;
        for (int n = 0; n < layer.degree; ++n) power += " * u";
        return text(value, "u > 0 ? ", power, " : 0;\n");
    }
};

/// Tells how many columns rows have after a layer.
struct OutputsOf {
    Index operator()(const KeptColumns& kept) const { return std::ssize(kept.columns); }
    Index operator()(const LinearMap& map) const { return map.directions.rows(); }
    Index operator()(const ExportedExpansion& functions) const { return functions.weights.cols(); }
    Index operator()(const JoinedExpansions& expansions) const {
        Index count = 0;
        for (const ExportedExpansion& functions : expansions) count += functions.weights.cols();
        return count;
    }
    Index operator()(const RandomNetwork& network) const { return network.features; }
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
        out.functions += layer_in_c(layers[k], name);
        from = to;
    }
    out.statements += calls;
    return out;
}

std::string layer_in_c(const ExportedLayer& layer, const std::string& name) {
    return std::visit(LayerInC(name), layer);
}

}  // namespace dk
