// SPDX-License-Identifier: Apache-2.0
#include "exchange/import_options.hpp"

#include <algorithm>

#include "base/parameters.hpp"
#include "base/scanning/assignments.hpp"
#include "base/text.hpp"

namespace dk {

namespace parameter {
constexpr ChoiceKey<> import_format{
    "format",
    {"auto", "libsvm", "liblinear", "thundersvm"},
    "This is the program whose model it is; auto finds it from the first line of the file."};
constexpr ChoiceKey<> import_data{
    "data",
    {"auto", "dense", "sparse"},
    "The model keeps dense or sparse rows; auto takes dense rows where few values are zero."};
constexpr IntegerKey import_features{
    "features",
    0,
    {0, 2147483647},
    "Rows have so many features, or, with 0, as many as the file has values for. Files in LIBSVM's format do "
    "not say it."};
}  // namespace parameter

ImportOptions import_options(std::string_view text) {
    Parameters parameters("import",
                          {parameter::import_format, parameter::import_data, parameter::import_features});
    text = trimmed(text);
    const auto end = std::min(text.find_first_of(" \t\r\n"), text.size());
    if (const auto first = text.substr(0, end); !first.empty() && first.find('=') == std::string_view::npos) {
        parameters.set("format", first);
        text.remove_prefix(end);
    }
    for (const auto& [key, value] : split_assignments(text)) parameters.set(key, value);
    return {parameters[parameter::import_format], parameters[parameter::import_data],
            parameters[parameter::import_features]};
}

}  // namespace dk
