// SPDX-License-Identifier: Apache-2.0
#include "pipeline/grid.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/scaler.hpp"
#include "kernel/bank.hpp"

namespace dk {

namespace {

constexpr std::size_t most_candidates = 100000;

struct Axis {
    std::string key;
    std::string values;  // as written
};

/// The parts of key=values;key=values, where semicolons inside brackets belong to values.
std::vector<Axis> axes_of(std::string_view grid) {
    std::vector<Axis> axes;
    while (!trimmed(grid).empty()) {
        std::size_t end = 0;
        int depth = 0;
        for (; end < grid.size() && (grid[end] != ';' || depth > 0); ++end) {
            if (grid[end] == '(' || grid[end] == '[') ++depth;
            if (grid[end] == ')' || grid[end] == ']') --depth;
        }
        const std::string_view part = trimmed(grid.substr(0, end));
        grid.remove_prefix(std::min(end + 1, grid.size()));
        const auto equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0 || equals + 1 == part.size()) {
            fail(Status::invalid_parameter, "grid: expected key=value:value;key=value, found ",
                 in_quotes(part));
        }
        Axis axis{std::string(trimmed(part.substr(0, equals))),
                  std::string(trimmed(part.substr(equals + 1)))};
        if (std::ranges::find(axes, axis.key, &Axis::key) != axes.end())
            fail(Status::invalid_parameter, "grid: ", axis.key, " is named twice");
        axes.push_back(std::move(axis));
    }
    return axes;
}

void require_comparable(const std::string& key) {
    for (const auto* fixed : {"grid", "select", "folds", "repeats", "seed", "memory_mb", "neighbours"}) {
        if (key == fixed)
            fail(Status::invalid_parameter, "grid: ", key, " cannot vary from candidate to candidate");
    }
}

/// Every combination so far with each of the values.
template <typename Set>
void multiply(std::vector<Candidate>& candidates, const std::vector<std::string>& values, Set set) {
    if (candidates.size() * values.size() > most_candidates)
        fail(Status::invalid_parameter, "grid: there are more than ", most_candidates, " combinations");
    std::vector<Candidate> all;
    for (const Candidate& candidate : candidates) {
        for (const std::string& value : values) {
            all.push_back(candidate);
            set(all.back(), value);
        }
    }
    candidates = std::move(all);
}

}  // namespace

void check_grid(const Settings& settings, std::string_view grid) {
    for (const Axis& axis : axes_of(grid)) {
        require_comparable(axis.key);
        Settings tried = settings;
        if (axis.key == "kernel") {
            set_parameter(tried, axis.key, axis.values);
            continue;
        }
        for (const std::string& value : split(axis.values, ':'))
            set_parameter(tried, axis.key, trimmed(value));
    }
}

std::vector<Candidate> grid_candidates(const Settings& settings, const Dataset& data) {
    std::vector<Candidate> candidates(1);
    for (const Axis& axis : axes_of(settings.parameters.text("grid"))) {
        if (axis.key == "kernel") {
            const Scaler scaler =
                fit_scaler(settings.parameters.text("scale"), settings.parameters.text("impute"), data);
            const std::vector<std::string> kernels =
                kernel_texts(axis.values, data.kind() == DataKind::gram ? data : scaler.apply(data));
            multiply(candidates, kernels, [](Candidate& c, const std::string& value) { c.kernel = value; });
            continue;
        }
        std::vector<std::string> values;
        for (const std::string& value : split(axis.values, ':')) values.emplace_back(trimmed(value));
        multiply(candidates, values,
                 [&](Candidate& c, const std::string& value) { c.chosen.emplace_back(axis.key, value); });
    }
    // those that share a kernel stand together, for its values to be shared; the order stays otherwise
    std::vector<std::string> kernels;
    for (const Candidate& candidate : candidates) {
        if (std::ranges::find(kernels, candidate.kernel) == kernels.end())
            kernels.push_back(candidate.kernel);
    }
    std::ranges::stable_sort(candidates, {}, [&](const Candidate& candidate) {
        return std::ranges::find(kernels, candidate.kernel) - kernels.begin();
    });
    return candidates;
}

Settings with_candidate(const Settings& settings, const Candidate& candidate) {
    Settings chosen = settings;
    if (!candidate.kernel.empty()) set_parameter(chosen, "kernel", candidate.kernel);
    for (const auto& [key, value] : candidate.chosen) set_parameter(chosen, key, value);
    return chosen;
}

}  // namespace dk
