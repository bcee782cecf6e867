// SPDX-License-Identifier: Apache-2.0
#include "pipeline/cross_validate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "data/metrics.hpp"
#include "data/split.hpp"
#include "kernel/bank.hpp"
#include "kernel/gram_engine.hpp"
#include "model/archive.hpp"
#include "pipeline/grid.hpp"
#include "pipeline/score.hpp"
#include "pipeline/train.hpp"

namespace dk {

namespace {

using Scores = std::map<std::string, double>;

/// One way to hold rows out.
struct Fold {
    std::vector<Index> training;
    std::vector<Index> held_out;
};

std::vector<Fold> folds_of(const Dataset& data, const Settings& settings) {
    const auto count = static_cast<Index>(settings.parameters.integer("folds"));
    if (count > data.rows()) {
        fail(Status::invalid_parameter, "folds cannot be ", count, " for ", data.rows(),
             " rows; allowed is 2 to ", data.rows());
    }
    const auto seed = static_cast<std::uint64_t>(settings.parameters.integer("seed"));
    std::vector<Fold> folds;
    for (std::int64_t repeat = 0; repeat < settings.parameters.integer("repeats"); ++repeat) {
        const auto fold_of = stratified_folds(data, count, seed + static_cast<std::uint64_t>(repeat));
        for (Index fold = 0; fold < count; ++fold)
            folds.push_back({rows_of_fold(fold_of, fold, false), rows_of_fold(fold_of, fold, true)});
    }
    return folds;
}

/// Mean and sample deviation over the folds that define the metric.
Report summary(const std::vector<double>& of_folds) {
    std::vector<double> defined;
    std::ranges::copy_if(of_folds, std::back_inserter(defined), [](double v) { return !std::isnan(v); });
    const auto count = static_cast<double>(defined.size());
    double mean = 0;
    for (const double v : defined) mean += v / count;
    double squares = 0;
    for (const double v : defined) squares += (v - mean) * (v - mean);
    Report report;
    if (defined.empty()) return report;
    report.add("mean", mean)
        .add("deviation", count > 1 ? std::sqrt(squares / (count - 1)) : 0.0)
        .add("folds", defined);
    return report;
}

/// Metrics of one candidate over the folds.
class FoldScores {
  public:
    explicit FoldScores(std::size_t folds) : of_folds_(folds) {}
    Scores& fold(std::size_t f) { return of_folds_[f]; }

    std::vector<double> values(const std::string& metric) const {
        std::vector<double> all;
        for (const Scores& scores : of_folds_) {
            if (const auto found = scores.find(metric); found != scores.end()) all.push_back(found->second);
        }
        return all;
    }

    /// Larger is better; NaN where no fold defines the metric.
    double rank(const std::string& metric) const {
        double sum = 0;
        double count = 0;
        for (const double v : values(metric)) {
            if (std::isnan(v)) continue;
            sum += v;
            count += 1;
        }
        const bool smaller_is_better = metric == "mae" || metric == "rmse";
        return (smaller_is_better ? -sum : sum) / count;
    }

    nlohmann::ordered_json metrics() const {
        auto json = nlohmann::ordered_json::object();
        for (const auto& metric : metric_descriptions()) {
            const auto all = values(metric.name);
            if (!all.empty()) json[metric.name] = to_json(summary(all));
        }
        return json;
    }

  private:
    std::vector<Scores> of_folds_;
};

/// The kernels' values between all rows as precomputed similarities, which every fold and every candidate
/// with these kernels shares; none where folds do not share them (scaling differs from fold to fold or from
/// candidate to candidate, or a kernel learns from its rows), or where they do not fit.
std::optional<Dataset> shared_similarities(const Dataset& data, const Settings& settings,
                                           std::span<const Candidate> candidates, Control& control) {
    const auto& parameters = settings.parameters;
    const auto leaves_rows = [&](const Candidate& candidate) {
        const auto tried = with_candidate(settings, {.chosen = candidate.chosen}).parameters;
        return tried.text("scale") == "none" && tried.text("impute") == "none";
    };
    if (data.kind() == DataKind::gram || !std::ranges::all_of(candidates, leaves_rows)) return std::nullopt;
    if (!has_fixed_values(parameters.text("kernel"))) return std::nullopt;
    const Bank bank = make_bank(parameters.text("kernel"), data, &control);
    const auto n = static_cast<double>(data.rows());
    const double bytes = 8 * n * n * static_cast<double>(bank.size() + 1);
    if (!MemoryBudget(parameters.integer("memory_mb")).allows(bytes)) return std::nullopt;
    GramMatrices gram{size_of(bank), data.rows(), nullptr, data.rows()};
    gram.row_ids.resize(unsigned_of(data.rows()));
    std::iota(gram.row_ids.begin(), gram.row_ids.end(), Index{0});
    const GramEngine<double> engine(bank, data, data, &control);
    for (Index k = 0; k < size_of(bank); ++k) {
        const auto self = engine.self(Side::left, k);
        gram.self.insert(gram.self.end(), self.begin(), self.end());
    }
    std::vector<double> values(bank.size() * unsigned_of(data.rows() * data.rows()));
    engine.matrices(values.data(), control);
    gram.values = std::make_shared<const std::vector<double>>(std::move(values));
    return data.with_features(std::move(gram));
}

/// "[gram(0), gram(1)]"
std::string similarities_text(Index matrices) {
    std::vector<std::string> names;
    for (Index k = 0; k < matrices; ++k) names.push_back(text("gram(", k, ")"));
    return matrices == 1 ? names.front() : "[" + join(names, ", ") + "]";
}

/// Rows up to which folds are trained side by side, each by one thread; larger ones use all threads each.
constexpr Index small_rows = 6000;

/// Trains candidates first .. last, which have one kernel, on every fold.
void score_candidates(const Dataset& data, const Settings& settings, std::span<const Candidate> candidates,
                      std::span<FoldScores> scores, const std::vector<Fold>& folds, Control& control) {
    Settings common = with_candidate(settings, {.kernel = candidates.front().kernel});
    const auto shared = shared_similarities(data, common, candidates, control);
    const Dataset& rows = shared ? *shared : data;
    if (shared) set_parameter(common, "kernel", similarities_text(shared->gram().matrices));
    const auto settings_of = [&](Candidate candidate) {
        candidate.kernel.clear();
        if (shared && candidate.alone >= 0) candidate.alone_text = text("gram(", candidate.alone, ")");
        return with_candidate(common, candidate);
    };
    const Index tasks = size_of(candidates) * size_of(folds);
    const auto run_named = [&](Index task, Control& own, auto work) {
        try {
            work(task, own);
        } catch (const Error& error) {
            const Candidate& failed = candidates[unsigned_of(task / size_of(folds))];
            if (error.status() == Status::cancelled || failed.parameters().empty()) throw;
            std::string name;
            for (const auto& [key, value] : failed.parameters())
                name.append(" ").append(key).append("=").append(value);
            fail(error.status(), "grid candidate", name, ": ", error.what());
        }
    };
    const auto train_and_score = [&](Index task, Control& own) {
        const auto c = unsigned_of(task / size_of(folds));
        const auto f = unsigned_of(task % size_of(folds));
        const Model model = train(rows.select(folds[f].training), settings_of(candidates[c]), own);
        scores[c].fold(f) = score_all(model, rows.select(folds[f].held_out), own);
    };
    const bool callback = data.kind() == DataKind::gram && data.gram().compute;
    // several trainings at once must fit the budget; whether they do does not depend on the number of threads
    constexpr double trainings_at_once = 8;
    const auto n = static_cast<double>(rows.rows());
    const double bank_bytes = 8 * n * n * static_cast<double>(count_kernels(kernel_of(common, rows), rows));
    const MemoryBudget budget(settings.parameters.integer("memory_mb"));
    const bool fits = budget.allows(trainings_at_once * bank_bytes);
    if (data.rows() <= small_rows && !callback && fits) {
        parallel_for(tasks, control, [&](Index task) {
            Control own(Control::Part{}, control);
            run_named(task, own, train_and_score);
        });
        return;
    }
    for (Index task = 0; task < tasks; ++task) {
        const ProgressScope scope(control, static_cast<double>(task) / static_cast<double>(tasks),
                                  static_cast<double>(task + 1) / static_cast<double>(tasks));
        run_named(task, control, train_and_score);
    }
}

std::string selecting_metric(const Settings& settings) {
    const std::string& chosen = settings.parameters.text("select");
    const bool regression = settings.machine->task == Task::regression;
    if (chosen == "auto") return regression ? "rmse" : "accuracy";
    const auto all = metric_descriptions();
    const auto found = std::ranges::find(all, chosen, &MetricDescription::name);
    if (regression ? found->of_values : found->of_classes) return chosen;
    fail(Status::invalid_parameter, "select cannot be ", chosen, " for machine ", settings.machine->name,
         ", whose task is ", name_of(settings.machine->task));
}

/// The first of the best.
std::size_t best_of(const std::vector<FoldScores>& scores, const std::string& metric) {
    std::size_t best = 0;
    for (std::size_t c = 1; c < scores.size(); ++c) {
        const double rank = scores[c].rank(metric);
        const double leading = scores[best].rank(metric);
        // sums of the same numbers in another order differ by rounding; that makes none better
        if (rank > leading + 1e-12 * std::abs(leading) || std::isnan(leading)) best = c;
    }
    return best;
}

}  // namespace

Model cross_validate(const Dataset& data, const Settings& settings, Control& control) {
    require_complete_unless_filled(data, settings);
    const std::string metric = selecting_metric(settings);
    const auto folds = folds_of(data, settings);
    const auto candidates = grid_candidates(settings, data);
    std::vector<FoldScores> scores(candidates.size(), FoldScores(folds.size()));
    const double trainings = static_cast<double>(candidates.size() * folds.size()) + 1;
    for (std::size_t first = 0; first < candidates.size();) {
        std::size_t last = first;
        while (last < candidates.size() && candidates[last].kernel == candidates[first].kernel) ++last;
        const ProgressScope scope(control, static_cast<double>(first * folds.size()) / trainings,
                                  static_cast<double>(last * folds.size()) / trainings, "cross-validation");
        score_candidates(data, settings, std::span(candidates).subspan(first, last - first),
                         std::span(scores).subspan(first, last - first), folds, control);
        first = last;
    }
    const std::size_t best = best_of(scores, metric);
    const ProgressScope scope(control, 1 - 1 / trainings, 1.0);
    Model model = train(data, with_candidate(settings, candidates[best]), control);
    nlohmann::ordered_json report{{"folds", settings.parameters.integer("folds")},
                                  {"repeats", settings.parameters.integer("repeats")},
                                  {"metrics", scores[best].metrics()}};
    if (!settings.parameters.text("grid").empty()) {
        report["select"] = metric;
        report["best"] = best;
        report["candidates"] = nlohmann::ordered_json::array();
        for (std::size_t c = 0; c < candidates.size(); ++c) {
            auto chosen = nlohmann::ordered_json::object();
            for (const auto& [key, value] : candidates[c].parameters()) chosen[key] = value;
            report["candidates"].push_back({{"parameters", chosen}, {"metrics", scores[c].metrics()}});
        }
    }
    model.validation_report = report.dump();
    return model;
}

Model compare_weights(const Dataset& data, Settings settings, Control& control) {
    set_parameter(settings, "grid", with_battery(settings.parameters.text("grid")));
    return cross_validate(data, settings, control);
}

}  // namespace dk
