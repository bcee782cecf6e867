// SPDX-License-Identifier: Apache-2.0
#include "base/names/nearest_name.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/names/peer_names.hpp"

namespace dk {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
    for (const std::string_view meant : names_of_peers(name)) {
        if (std::ranges::find(candidates, meant) != candidates.end()) return std::string(meant);
    }
    name = name.substr(0, 64);  // The time grows with the square of the length.
    const auto best = std::ranges::min_element(
        candidates, {}, [&](const std::string& candidate) { return edit_distance(name, candidate); });
    return best == candidates.end() ? std::string() : *best;
}

}  // namespace dk
