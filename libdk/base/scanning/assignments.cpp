// SPDX-License-Identifier: Apache-2.0
#include "base/scanning/assignments.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/scanning/scanner.hpp"
#include "base/text.hpp"

namespace dk {

namespace {

std::string_view without_quotes(std::string_view value) {
    const bool quoted = value.size() > 1 && value.front() == '"' && value.back() == '"';
    return quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

Assignments split_assignments(std::string_view text) {
    Assignments pairs;
    for (Scanner scanner(text); !scanner.at_end();) {
        const Index position = scanner.position();
        const std::string_view pair = scanner.until(blanks);
        const auto equals = pair.find('=');
        if (equals == 0 || equals == std::string_view::npos) {
            fail(Status::invalid_parameter, "expected key=value at character ", position, ", found ",
                 in_quotes(pair));
        }
        const std::string key(trimmed(pair.substr(0, equals)));
        if (std::ranges::find(pairs, key, &std::pair<std::string, std::string>::first) != pairs.end())
            fail(Status::invalid_parameter, in_quotes(key), " stands twice, again at character ", position);
        pairs.emplace_back(key, without_quotes(trimmed(pair.substr(equals + 1))));
    }
    return pairs;
}

}  // namespace dk
