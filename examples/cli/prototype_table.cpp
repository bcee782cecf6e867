// SPDX-License-Identifier: Apache-2.0
#include "prototype_table.hpp"

#include <algorithm>

#include "output/summary.hpp"
#include "output/table.hpp"

namespace command {
namespace {

constexpr size_t kMostShown = 20;

// Counts the training rows that make each prototype.
std::vector<int64_t> supports(const Model& model, size_t prototypes) {
    const libdk::Matrix coefficients = model.prototype_coefficients();
    std::vector<int64_t> counts;
    for (size_t p = 0; p < prototypes; ++p) {
        const auto own = coefficients.row(static_cast<int64_t>(p));
        counts.push_back(std::count_if(own.begin(), own.end(), [](double one) { return one != 0; }));
    }
    return counts;
}

// Chooses the prototypes that are shown: of each class in turn the one with the most rows that is left.
std::vector<size_t> chosen_prototypes(const Json& prototypes, const std::vector<int64_t>& rows) {
    std::map<std::string, std::vector<size_t>> of_class;
    for (size_t p = 0; p < prototypes.size(); ++p) of_class[prototypes[p].value("class", "")].push_back(p);
    for (auto& [name, own] : of_class)
        std::ranges::stable_sort(own, std::greater(), [&](size_t p) { return rows[p]; });
    std::vector<size_t> chosen;
    const size_t count = std::min(prototypes.size(), kMostShown);
    for (size_t turn = 0; chosen.size() < count; ++turn) {
        for (const auto& [name, own] : of_class) {
            if (turn < own.size() && chosen.size() < count) chosen.push_back(own[turn]);
        }
    }
    std::ranges::sort(chosen);
    return chosen;
}

std::string nearest_of(const Json& prototype) {
    std::string text;
    for (const Json& one : prototype.value("nearest", Json::array()))
        text += (text.empty() ? "" : " ") + std::to_string(one.at("row").get<int64_t>());
    return text;
}

std::string largest_of(const Json& prototype) {
    std::string text;
    for (const Json& one : prototype.value("made_of", Json::array()))
        text += (text.empty() ? "" : "  ") + std::to_string(one.at("row").get<int64_t>()) + ": " +
                rounded(one.at("coefficient").get<double>(), 2);
    return text;
}

}  // namespace

void print_prototypes(const Model& model, const Json& prototypes) {
    const std::vector<int64_t> rows = supports(model, prototypes.size());
    const bool classes = !prototypes.empty() && prototypes.front().contains("class");
    const bool functions = !prototypes.empty() && prototypes.front().contains("function");
    std::vector<std::string> names{"prototype"};
    if (classes) names.emplace_back("class");
    if (functions) names.emplace_back("of");
    const size_t support = names.size();
    for (const char* name : {"support", "nearest rows", "largest coefficients of rows"})
        names.emplace_back(name);
    Table table(std::move(names));
    table.align_right(0);
    table.align_right(support);
    const std::vector<size_t> chosen = chosen_prototypes(prototypes, rows);
    for (const size_t p : chosen) {
        const Json& one = prototypes[p];
        std::vector<std::string> cells{std::to_string(p)};
        if (classes) cells.push_back(one.at("class").get<std::string>());
        if (functions)
            cells.push_back(one.at("side").get<std::string>() + " of " +
                            one.at("function").get<std::string>());
        cells.push_back(std::to_string(rows[p]));
        cells.push_back(nearest_of(one));
        cells.push_back(largest_of(one));
        table.add(std::move(cells));
    }
    Output output;
    table.print(output);
    const auto count = static_cast<int64_t>(prototypes.size());
    output.text("\n");
    print_sentence(output, counted(count, "prototype", "prototypes") + " of " +
                               counted(model.training_rows(), "training row", "training rows") +
                               ", counted from 0" +
                               (chosen.size() < prototypes.size()
                                    ? "; those with the most support are shown, and all by --verbose"
                                    : ""));
    output.commit();
}

}  // namespace command
