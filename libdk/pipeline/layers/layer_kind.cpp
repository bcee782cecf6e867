// SPDX-License-Identifier: Apache-2.0
#include "pipeline/layers/layer_kind.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/names/nearest_name.hpp"
#include "base/scanning/scanner.hpp"
#include "base/text.hpp"
#include "weights/strategy/expression.hpp"

namespace dk {

std::span<const LayerKind> layer_kinds() {
    static const std::vector<LayerKind> all{kernel_pca_layer(), anova_layer(), mutual_information_layer(),
                                            large_margin_layer()};
    return all;
}

namespace {

[[noreturn]] void fail_in_layers(Index position, const std::string& message) {
    fail(Status::invalid_parameter, "layers, character ", position, ": ", message);
}

const LayerKind& kind_named(std::string_view name, Index position) {
    const auto kinds = layer_kinds();
    const auto found = std::ranges::find(kinds, name, &LayerKind::name);
    if (found != kinds.end()) return *found;
    std::vector<std::string> names;
    for (const LayerKind& kind : kinds) names.push_back(kind.name);
    fail_in_layers(position, text("there is no layer ", in_quotes(name), "; nearest is ",
                                  in_quotes(nearest_name(name, names))));
}

void set_argument(Parameters& parameters, std::string_view key, std::string_view value) {
    check_expression(parameters.spec(key).type, value);
    parameters.set(key, value);
}

/// Reads the arguments "value, key=value)" of a layer.
void read_arguments(Scanner& scanner, LayerSpecification& layer) {
    for (bool first = true; !scanner.accept(')'); first = false) {
        if (!first && !scanner.accept(',')) fail_in_layers(scanner.position(), "expected , or )");
        scanner.skip_blanks();
        const Index position = scanner.position();
        const std::string_view argument = trimmed(scanner.until(",)"));
        if (argument.empty()) fail_in_layers(position, "expected a value or key=value");
        Scanner parts(argument);
        const std::string_view key = parts.until("=");
        if (key.size() < argument.size()) {
            set_argument(layer.parameters, trimmed(key), trimmed(argument.substr(key.size() + 1)));
        } else if (first) {
            set_argument(layer.parameters, layer.kind->parameters.front().name, argument);
        } else {
            fail_in_layers(position, text("expected key=value, found ", in_quotes(argument)));
        }
    }
}

LayerSpecification read_layer(Scanner& scanner, std::string_view all) {
    scanner.skip_blanks();
    const Index begin = scanner.position();
    const LayerKind& kind = kind_named(scanner.name(), begin);
    LayerSpecification layer{{}, &kind, Parameters("layer " + kind.name, kind.parameters)};
    if (scanner.accept('(')) read_arguments(scanner, layer);
    layer.text = trimmed(all.substr(begin - 1, scanner.position() - begin));
    return layer;
}

}  // namespace

std::vector<LayerSpecification> parse_layers(std::string_view text) {
    std::vector<LayerSpecification> layers;
    Scanner scanner(text);
    if (scanner.at_end()) return layers;
    const bool list = scanner.accept('[');
    do layers.push_back(read_layer(scanner, text));
    while (list && scanner.accept(','));
    if (list && !scanner.accept(']')) fail_in_layers(scanner.position(), "expected , or ]");
    if (!scanner.at_end())
        fail_in_layers(scanner.position(),
                       dk::text("expected the end, found ", in_quotes(scanner.preview(20))));
    return layers;
}

}  // namespace dk
