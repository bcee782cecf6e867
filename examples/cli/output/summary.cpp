// SPDX-License-Identifier: Apache-2.0
#include "output/summary.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "handles.hpp"
#include "output/table.hpp"

namespace command {
namespace {

constexpr size_t kLongestText = 120;  // Of a kernel, whose bank may have hundreds.

std::string joined_by(const std::vector<std::string>& parts, const std::string& between) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
    return text;
}

// Adds "name 0.97" where the metric exists.
void add_metric(std::vector<std::string>& parts, const Json& scores, const char* name) {
    const Json value = scores.value(name, Json());
    if (value.is_number()) parts.push_back(std::string(name) + " " + rounded(value.get<double>(), 3));
}

// Names the wrong classes that are predicted most often: "12 rows are wrong, most often a as b (7)".
std::string confusions(const Json& scores) {
    const Json& confusion = scores.at("confusion");
    const Json& classes = confusion.at("classes");
    const Json& counts = confusion.at("rows_true_columns_predicted");
    std::vector<std::tuple<int64_t, size_t, size_t>> wrong;
    int64_t total = 0;
    for (size_t truth = 0; truth < classes.size(); ++truth) {
        for (size_t other = 0; other < classes.size(); ++other) {
            const auto count = counts.at(truth).at(other).get<int64_t>();
            if (truth == other || count == 0) continue;
            wrong.emplace_back(-count, truth, other);
            total += count;
        }
    }
    if (total == 0) return "";
    std::ranges::sort(wrong);
    wrong.resize(std::min<size_t>(wrong.size(), 3));
    std::vector<std::string> parts;
    for (const auto& [count, truth, other] : wrong) {
        parts.push_back(classes.at(truth).get<std::string>() + " as " + classes.at(other).get<std::string>() +
                        " (" + std::to_string(-count) + ")");
    }
    return counted(total, "row is wrong: ", "rows are wrong, most often ") + joined_by(parts, ", ");
}

// Gives the defaults of a machine's parameters.
Json defaults_of(const std::string& machine) {
    const Json description = Json::parse(libdk::describe());
    Json defaults = Json::object();
    const auto take = [&](const Json& parameters) {
        for (const Json& one : parameters) defaults[one.at("name").get<std::string>()] = one.at("default");
    };
    take(description.at("common"));
    for (const Json& one : description.at("machines")) {
        if (one.at("name") == machine) take(one.at("parameters"));
    }
    return defaults;
}

// Lists the parameters that were set to something else than the default. Other lines have kernel, weights and
// what cross-validation was told.
std::string changed_parameters(const Json& info) {
    const Json defaults = defaults_of(info.at("machine"));
    std::string text;
    const Json parameters = info.value("parameters", Json::object());
    for (const auto& one : parameters.items()) {
        const std::string key = one.key();
        static const std::set<std::string> told{"kernel", "weights", "grid",   "tune",    "search",
                                                "trials", "folds",   "select", "repeats", "learning_curve"};
        if (told.contains(key) || defaults.value(key, Json()) == one.value()) continue;
        text += " " + key + "=" + one.value().get<std::string>();
    }
    return text;
}

std::string rows_and_classes(const Json& info) {
    std::vector<std::string> parts{counted(info.value("training_rows", int64_t{0}), "row", "rows")};
    if (info.contains("features") && info.at("features").get<int64_t>() > 0)
        parts.front() += " of " + counted(info.at("features").get<int64_t>(), "feature", "features");
    const Json classes = info.value("classes", Json::array());
    if (!classes.empty() && info.value("task", "") != "novelty") {
        std::vector<std::string> names;
        for (const Json& name : classes) names.push_back(name.get<std::string>());
        parts.push_back(info.value("task", "") == "clustering"
                            ? std::to_string(classes.size()) + " clusters"
                            : std::to_string(classes.size()) +
                                  (info.value("task", "") == "multilabel" ? " labels (" : " classes (") +
                                  shortened(joined_by(names, ", "), 60) + ")");
    }
    return joined_by(parts, ", ");
}

std::string prototypes_of(const Json& info) {
    std::vector<std::string> parts;
    const auto support = info.value("support_rows", int64_t{0});
    if (support > 0) parts.push_back(counted(support, "support row", "support rows"));
    const Json prototypes = info.value("prototypes", Json::object());
    const auto count = prototypes.value("count", int64_t{0});
    if (count > 0)
        parts.push_back(counted(count, "prototype", "prototypes") +
                        (prototypes.value("pairs", false) ? " in pairs" : ""));
    const auto decisions = info.value("decisions", int64_t{0});
    if (decisions > 1)
        parts.push_back(counted(decisions, "decision function", "decision functions") + " (" +
                        info.value("decision_rule", "") + ")");
    return joined_by(parts, ", ");
}

// Gives "0.42" for one value, and "0.3 to 0.7" for several.
std::string spread(std::vector<double> values) {
    const auto [least, largest] = std::ranges::minmax_element(values);
    const std::string first = rounded(*least, 3);
    const std::string last = rounded(*largest, 3);
    return first == last ? first : first + " to " + last;
}

std::vector<double> numbers_of(const Json& records, const char* key) {
    std::vector<double> values;
    for (const Json& record : records) {
        if (record.contains(key) && record.at(key).is_number())
            values.push_back(record.at(key).get<double>());
    }
    return values;
}

}  // namespace

std::string counted(int64_t count, const std::string& one, const std::string& several) {
    return std::to_string(count) + " " + (count == 1 ? one : several);
}

std::string selecting_metric(const Json& info) {
    const Json& validation = info.at("cross_validation");
    if (validation.contains("select")) return validation.at("select");
    const std::string task = info.value("task", "");
    return task == "regression" ? "rmse" : task == "multilabel" ? "micro_f1" : "accuracy";
}

void Summary::add(const std::string& name, const std::string& text) {
    if (!text.empty()) lines_.push_back({name, printable(text)});
}

void Summary::add_scores(const Json& scores, const std::string& data) {
    std::vector<std::string> parts;
    for (const char* name : {"accuracy", "micro_f1", "hamming_loss", "f1", "auc", "rmse", "mae", "r2"})
        add_metric(parts, scores, name);
    add("test", joined_by(parts, ", ") + " on " + counted(scores.at("rows").get<int64_t>(), "row", "rows") +
                    " of " + data);
    if (scores.contains("confusion")) add("", confusions(scores));
}

void Summary::add_validation(const Json& info) {
    if (!info.contains("cross_validation")) return;
    const Json& validation = info.at("cross_validation");
    const std::string first = selecting_metric(info);
    std::vector<std::string> parts;
    const auto add_mean = [&](const std::string& name) {
        const Json metric = validation.at("metrics").value(name, Json::object());
        if (!metric.contains("mean")) return;
        parts.push_back(name + " " + rounded(metric.at("mean").get<double>(), 3) + " \u00B1 " +
                        rounded(metric.at("deviation").get<double>(), 2));
    };
    add_mean(first);
    for (const char* name : {"accuracy", "f1", "auc", "rmse", "mae", "r2"}) {
        if (name != first && parts.size() < 3) add_mean(name);
    }
    const auto repeats = validation.at("repeats").get<int64_t>();
    add("score", joined_by(parts, ", ") + "; mean \u00B1 deviation over " +
                     counted(validation.at("folds").get<int64_t>(), "fold", "folds") +
                     (repeats > 1 ? ", " + std::to_string(repeats) + " times" : ""));
    const Json baseline = validation.value("baseline", Json::object()).value(first, Json::object());
    if (baseline.contains("mean"))
        add("baseline", first + " " + rounded(baseline.at("mean").get<double>(), 3) + " by " +
                            (info.at("task") == "regression"   ? "the mean"
                             : info.at("task") == "multilabel" ? "the labels that most rows have"
                                                               : "the most frequent class") +
                            ", whatever the features are");
    add_learning_curve(validation, first);
    add_failures(validation);
    const bool best_of_several = validation.value("candidates", Json::array()).size() > 1;
    if (best_of_several && !validation.contains("nested") && !info.contains("choice"))
        add("optimistic",
            "the best of several scores on the same folds is a little too good; outer_folds=5 tells one that "
            "is not");
    if (!validation.contains("nested")) return;
    const Json nested = validation.at("nested").at("metrics").value(first, Json::object());
    if (nested.contains("mean"))
        add("unbiased",
            first + " " + rounded(nested.at("mean").get<double>(), 3) + " \u00B1 " +
                rounded(nested.at("deviation").get<double>(), 2) + " on " +
                counted(validation.at("nested").at("folds").get<int64_t>(), "outer fold", "outer folds") +
                " that had no part in choosing");
}

// Says whether the last step of a learning curve was better than the one before by more than two standard
// errors of the gain, which is positive where more rows were better.
void Summary::add_learning_curve(const Json& validation, const std::string& metric) {
    const Json curve = validation.value("learning_curve", Json::array());
    if (curve.size() < 2) return;
    const Json& fewer = curve.at(curve.size() - 2);
    const Json& all = curve.back();
    const auto told = [&](const Json& point) {
        return rounded(point.at("mean").get<double>(), 3) + " with " +
               counted(point.at("rows").get<int64_t>(), "row", "rows");
    };
    for (const char* key : {"rows", "mean"}) {
        if (!fewer.contains(key) || !all.contains(key)) return;
    }
    const double gain = all.value("gain", 0.0);
    const double chance = 2 * all.value("error_of_gain", 0.0);
    const char* verdict = gain > chance    ? "more rows would help"
                          : gain < -chance ? "it is worse with more rows"
                                           : "no more than chance tells them apart";
    add("more rows", metric + " " + told(fewer) + ", " + told(all) + ": " + verdict);
}

// Says how many combinations of a search could not be trained, and why one of them.
void Summary::add_failures(const Json& validation) {
    const Json tuned = validation.value("tuned", Json::object());
    const Json failures = tuned.value("failures", Json::array());
    if (failures.empty()) return;
    add("failed", std::to_string(failures.size()) + " of " +
                      counted(tuned.value("tried", int64_t{0}), "combination", "combinations") +
                      " could not be trained, such as " + failures.front().value("parameters", "") + ": " +
                      shortened(failures.front().value("reason", ""), 200));
}

void Summary::add_model(const Json& info) {
    add("model", info.at("machine").get<std::string>() + changed_parameters(info));
    if (info.contains("choice")) add("chosen", info.at("choice").at("reason").get<std::string>());
    add_kernels(info);
    add("data", rows_and_classes(info));
    for (const Json& sentence : info.value("understood", Json::array()))
        add("understood", sentence.get<std::string>());
    const Json training = info.value("training", Json::object());
    if (training.contains("scaled")) add("scaled", training.at("scaled").get<std::string>());
    if (info.contains("threshold")) add_threshold(info.at("threshold"));
    add("made of", prototypes_of(info));
}

void Summary::add_threshold(const Json& threshold) {
    const auto share = [&](const char* name) { return rounded(100 * threshold.value(name, 0.0), 3) + " %"; };
    std::string text = "moved by " + rounded(threshold.at("moved_by").get<double>(), 3) + " on " +
                       counted(threshold.at("rows").get<int64_t>(), "row", "rows") + ": " +
                       share("false_alarms") + " false alarms";
    if (threshold.contains("bound_of_false_alarms"))
        text += " (at most " + share("bound_of_false_alarms") +
                (threshold.contains("sure") ? ", " + share("sure") + " sure)" : ")");
    text += ", " + share("misses") + " misses";
    if (threshold.contains("miss_cost"))
        text += " (each costs " + rounded(threshold.at("miss_cost").get<double>(), 3) + " false alarms)";
    add("threshold", text);
}

// A bank is told by its weights, of which the largest matter most.
void Summary::add_kernels(const Json& info) {
    const Json kernels = info.value("kernels", Json::array());
    if (kernels.size() < 2)
        return add("kernel", shortened(with_short_numbers(info.at("kernel")), kLongestText));
    std::vector<std::pair<double, std::string>> order;
    for (const Json& one : kernels) order.emplace_back(one.at("weight").get<double>(), one.at("kernel"));
    std::ranges::stable_sort(order, std::greater(), &std::pair<double, std::string>::first);
    std::vector<std::string> parts;
    const auto used =
        static_cast<size_t>(std::ranges::count_if(order, [](const auto& one) { return one.first != 0; }));
    for (size_t k = 0; k < std::min<size_t>(used, 3); ++k)
        parts.push_back(rounded(order[k].first, 3) + " " +
                        shortened(with_short_numbers(order[k].second), kLongestText / 3));
    add("kernels", std::to_string(used) + " of " + std::to_string(order.size()) + " have a weight by " +
                       info.value("weights", "") + ": " + joined_by(parts, ", ") + (used > 3 ? ", ..." : ""));
}

void Summary::add_training(const Json& info) {
    const Json training = info.value("training", Json::object());
    Json records = training.value("functions", Json::array());
    if (numbers_of(records, "iterations").empty()) records = Json::array({training});
    int64_t failed = 0;
    bool known = false;
    for (const Json& record : records) {
        if (!record.contains("converged")) continue;
        known = true;
        failed += record.at("converged").get<bool>() ? 0 : 1;
    }
    if (!known) return;
    std::string text = failed == 0 ? "converged" : "NOT converged";
    if (failed > 0 && records.size() > 1)
        text += ": " + std::to_string(failed) + " of " + std::to_string(records.size()) + " functions";
    const auto iterations = numbers_of(records, "iterations");
    if (!iterations.empty())
        text += " after " + spread(iterations) + (records.size() > 1 ? " iterations each" : " iterations");
    const auto gaps = numbers_of(records, "gap");
    if (!gaps.empty()) text += ", gap at most " + rounded(*std::ranges::max_element(gaps), 2);
    add("training", text);
}

void Summary::print(Output& output) const {
    size_t names = 0;
    for (const Line& line : lines_) names = std::max(names, columns_of(line.name));
    const size_t limit = columns_of_line();
    const size_t room = limit == 0 ? 0 : limit > names + 12 ? limit - names - 2 : 10;
    for (const Line& line : lines_) {
        std::string before =
            toned(Tone::heading, line.name) + std::string(names - columns_of(line.name), ' ');
        for (const std::string& text : wrapped(line.text, room)) {
            const bool failed = text.starts_with("NOT ");
            output.text(before + "  " + toned(failed ? Tone::warning : Tone::plain, text) + "\n");
            before = std::string(names, ' ');
        }
    }
}

}  // namespace command
