// SPDX-License-Identifier: Apache-2.0
#include "output/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "output/summary.hpp"
#include "output/table.hpp"

namespace command {
namespace {

constexpr size_t kFew = 20;
constexpr double kLevel = 0.05;  // Of the test that tells candidates apart.

std::string text_of(const Json& value) {
    return value.is_string() ? with_short_numbers(value.get<std::string>()) : value.dump();
}

// Means of the same numbers differ by rounding, which is nothing to show.
std::string number_of(const Json& value, int digits) {
    if (!value.is_number()) return "";
    const auto number = value.get<double>();
    return rounded(std::abs(number) < 1e-12 ? 0 : number, digits);
}

// Gives the positions from the least to the largest, equal ones in their order.
std::vector<size_t> sorted_by(const std::vector<double>& values) {
    std::vector<size_t> order(values.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t at) { return values[at]; });
    return order;
}

// Gives the names of the columns that have the parameters of all candidates.
std::vector<std::string> parameters_of(const Json& candidates, auto parameters) {
    std::vector<std::string> keys;
    for (const Json& candidate : candidates) {
        const Json own = parameters(candidate);
        for (const auto& one : own.items()) {
            if (std::ranges::find(keys, one.key()) == keys.end()) keys.push_back(one.key());
        }
    }
    return keys;
}

std::vector<std::string> cells_of(const Json& parameters, const std::vector<std::string>& keys) {
    std::vector<std::string> cells;
    for (const std::string& key : keys)
        cells.push_back(parameters.contains(key) ? text_of(parameters.at(key)) : "");
    return cells;
}

// What the table says of a candidate beside its numbers.
std::string verdict_of(const Json& candidate, bool best, const std::string& metric) {
    if (best) return "best";
    if (!candidate.at("metrics").value(metric, Json::object()).contains("mean")) return "not measured";
    const Json p = candidate.value("behind_best", Json::object()).value("p", Json());
    return p.is_number() && p.get<double>() < kLevel ? "" : "not told apart";
}

void print_rest(Output& output, size_t left) {
    if (left > 0) output.text("  ... and " + std::to_string(left) + " more, which --verbose shows\n");
}

}  // namespace

void print_candidates(Output& output, const Json& info, Shown shown) {
    // What auto tried is long, and was not asked for.
    if (shown == Shown::few && info.contains("choice")) return;
    const Json& validation = info.at("cross_validation");
    const Json& candidates = validation.at("candidates");
    const std::string metric = selecting_metric(info);
    const auto best = validation.at("best").get<size_t>();
    std::vector<double> behind;
    for (const Json& candidate : candidates) {
        const Json difference = candidate.value("behind_best", Json::object()).value("difference", Json());
        behind.push_back(behind.size() == best    ? -std::numeric_limits<double>::infinity()
                         : difference.is_number() ? difference.get<double>()
                                                  : std::numeric_limits<double>::infinity());
    }
    const auto keys = parameters_of(candidates, [](const Json& one) { return one.at("parameters"); });
    std::vector<std::string> names = keys;
    for (const std::string& name :
         {metric, std::string("deviation"), std::string("behind"), std::string("p")})
        names.push_back(name);
    names.emplace_back("");
    Table table(names);
    for (size_t column = keys.size(); column < keys.size() + 4; ++column) table.align_right(column);
    std::vector<size_t> order = sorted_by(behind);
    const size_t few = shown == Shown::all ? order.size() : std::min(order.size(), kFew);
    for (const size_t at : std::span(order).first(few)) {
        const Json& candidate = candidates.at(at);
        std::vector<std::string> cells = cells_of(candidate.at("parameters"), keys);
        const Json values = candidate.at("metrics").value(metric, Json::object());
        const Json test = candidate.value("behind_best", Json::object());
        cells.push_back(number_of(values.value("mean", Json()), 4));
        cells.push_back(number_of(values.value("deviation", Json()), 2));
        cells.push_back(number_of(test.value("difference", Json()), 2));
        cells.push_back(number_of(test.value("p", Json()), 2));
        cells.push_back(verdict_of(candidate, at == best, metric));
        table.add(std::move(cells), at == best ? Tone::best : Tone::plain);
    }
    output.text("\n");
    print_sentence(output, counted(int64_t(order.size()), "candidate", "candidates") +
                               ", the best first; p below " + rounded(kLevel) + " tells one from the best");
    table.print(output, 2);
    print_rest(output, order.size() - few);
}

void print_ranks(Output& output, const Json& ranks, Shown shown) {
    const Json& candidates = ranks.at("candidates");
    std::vector<double> means;
    for (const Json& candidate : candidates) means.push_back(candidate.at("mean_rank").get<double>());
    auto keys = parameters_of(candidates, [](const Json& one) { return one; });
    std::erase(keys, "mean_rank");
    std::erase(keys, "told_from_best");
    std::vector<std::string> names = keys;
    names.emplace_back("mean rank");
    names.emplace_back("");
    Table table(names);
    table.align_right(keys.size());
    const std::vector<size_t> order = sorted_by(means);
    const size_t few = shown == Shown::all ? order.size() : std::min(order.size(), kFew);
    for (const size_t at : std::span(order).first(few)) {
        const Json& candidate = candidates.at(at);
        std::vector<std::string> cells = cells_of(candidate, keys);
        const bool best = means[at] == means[order.front()];
        const bool apart = candidate.at("told_from_best").get<bool>();
        cells.push_back(rounded(means[at], 4));
        cells.push_back(best ? "best" : apart ? "" : "not told apart");
        table.add(std::move(cells), best ? Tone::best : Tone::plain);
    }
    output.text("\n");
    print_sentence(output, "ranks by " + ranks.at("metric").get<std::string>() + " over " +
                               counted(ranks.at("sets").get<int64_t>(), "set", "sets") + "; " +
                               rounded(ranks.at("critical_difference").get<double>(), 3) +
                               " tell one from the best");
    table.print(output, 2);
    print_rest(output, order.size() - few);
}

}  // namespace command
