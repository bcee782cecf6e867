// SPDX-License-Identifier: Apache-2.0
#include "pipeline/settings.hpp"

#include "base/text.hpp"
#include "kernel/bank.hpp"
#include "pipeline/grid.hpp"
#include "weights/strategy.hpp"

namespace dk {

std::vector<ParameterSpec> common_parameters() {
    return {
        text_parameter("kernel", ParameterType::kernel, "auto",
                       "kernel or bank of kernels; auto is rbf, gram(0) for similarities, gak for series, "
                       "normalize(spectrum) for strings, normalize(weisfeiler_lehman) for graphs"),
        text_parameter("weights", ParameterType::weights, "uniform", "how a bank of kernels becomes one"),
        choice_parameter("scale", {"none", "standard", "robust", "minmax"},
                         "scaling of the columns, learned in training and applied in predicting"),
        choice_parameter("impute", {"none", "mean", "median"},
                         "what fills missing values; none refuses them"),
        choice_parameter(
            "spectrum", {"none", "clip", "flip", "shift", "square"},
            "what becomes of negative eigenvalues of kernels that are not positive semidefinite"),
        choice_parameter("precision", {"double", "single"}, "of kernel values"),
        integer_parameter("memory_mb", 0, 0, 1e9, "memory for kernel matrices; 0 is half of the machine's"),
        integer_parameter("seed", 1, 0, 9e15, "of everything random"),
        flag_parameter("probability", false, "whether to learn probabilities, from out-of-fold decisions"),
        integer_parameter("neighbours", 5, 0, 1000000, "nearest training rows kept for each prototype"),
        integer_parameter("folds", 5, 2, 1000000, "folds of cross-validation"),
        integer_parameter("repeats", 1, 1, 1000000, "repetitions of cross-validation with other folds"),
        text_parameter("grid", ParameterType::text, "",
                       "what cross-validation compares: C=0.1:1:10;kernel=[rbf(gamma=1), arccos_lists(2)]"),
        choice_parameter("select",
                         {"auto", "accuracy", "precision", "recall", "f1", "auc", "mae", "rmse", "r2"},
                         "metric by which the best of a grid is chosen; auto is accuracy, or rmse"),
    };
}

Settings default_settings(std::string_view name) {
    const Machine& machine = machine_named(name);
    auto specs = machine.parameters;
    for (auto& spec : common_parameters()) specs.push_back(std::move(spec));
    return {&machine, Parameters("machine " + machine.name, std::move(specs))};
}

void set_parameter(Settings& settings, std::string_view key, std::string_view value) {
    const auto type = settings.parameters.spec(key).type;
    if (type == ParameterType::kernel && trimmed(value) != "auto") check_kernel_text(value);
    if (type == ParameterType::weights) parse_weights(value);
    if (key == "grid") check_grid(settings, value);
    settings.parameters.set(key, value);
}

std::string kernel_of(const Settings& settings, const Dataset& data) {
    const std::string& text = settings.parameters.text("kernel");
    if (text != "auto") return text;
    switch (data.kind()) {
        case DataKind::dense:
        case DataKind::sparse:
            break;
        case DataKind::gram:
            return "gram(0)";
        case DataKind::series:
            return "gak";
        case DataKind::strings:
            return "normalize(spectrum)";
        case DataKind::graphs:
            return "normalize(weisfeiler_lehman)";
    }
    return "rbf(gamma=auto)";
}

}  // namespace dk
