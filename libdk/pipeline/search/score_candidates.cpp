// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/score_candidates.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/gram/bank_similarities.hpp"
#include "kernel/language/bank.hpp"
#include "machine/margin/cost_path.hpp"
#include "pipeline/score.hpp"
#include "pipeline/train.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

namespace {

/// The part of a cross-validation in which the values that folds share are computed.
constexpr double sharing = 0.1;

/// Computes the matrices of the bank. They are stored in the order of the classes: machines that separate
/// pairs of classes read matrices of two of them, which lie together so.
std::optional<Dataset> similarities_by_class(const Bank& bank, const Dataset& data,
                                             const MemoryBudget& budget, Control& control) {
    if (!data.labels || std::ranges::is_sorted(data.labels->of_rows))
        return bank_similarities(bank, data, budget, control);
    const double matrices = bank.size() + 1;
    if (!budget.allows(8.0 * data.rows() * data.rows() * matrices + data.feature_bytes()))
        return std::nullopt;
    std::vector<Index> order(data.rows());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return data.labels->of_rows[i]; });
    std::vector<Index> place_of(order.size());
    for (Index place = 0; place < std::ssize(order); ++place) place_of[order[place]] = place;
    auto stored = bank_similarities(bank, data.select(order), budget, control);
    if (stored) stored = stored->select(place_of);
    return stored;
}

/// Computes the kernels' values between all rows once, as similarities that every fold and every candidate
/// with these kernels shares. Gives nothing where folds can't share them, because scaling differs from fold
/// to fold or from candidate to candidate, because a kernel learns from its rows, or because the machine or
/// the weights read the rows themselves. Gives nothing either where they don't fit in the memory, or where
/// they are many more numbers than the rows, and kernels have factors, on which machines train faster.
std::optional<Dataset> shared_similarities(const Dataset& data, const MachineSpecification& specification,
                                           std::span<const Candidate> candidates, Control& control) {
    const auto& parameters = specification.parameters;
    const auto leaves_rows = [&](const Candidate& candidate) {
        const auto tried = with_candidate(specification, {.chosen = candidate.chosen}).parameters;
        return scaler_choice(tried) == ScalerChoice() && tried[parameter::layers].empty() &&
               parse_weights(tried[parameter::weights]).strategy->needs != Knowledge::coordinates;
    };
    if (specification.machine->reads_rows) return std::nullopt;
    if (data.kind() == DataKind::gram || !std::ranges::all_of(candidates, leaves_rows)) return std::nullopt;
    if (!has_fixed_values(parameters[parameter::kernel])) return std::nullopt;
    const ProgressScope scope(control, 0, sharing);
    const Bank bank = make_bank(parameters[parameter::kernel], data, &control);
    // A matrix that is so much larger than the rows costs more than what machines compute of it again.
    constexpr double large_beside_rows = 10;
    const double matrix_bytes = 8.0 * data.rows() * data.rows();
    const auto factored = [](const KernelPointer& kernel) { return kernel->factored(); };
    if (std::ranges::all_of(bank, factored) && large_beside_rows * data.feature_bytes() < matrix_bytes)
        return std::nullopt;
    return similarities_by_class(bank, data, MemoryBudget(parameters[parameter::memory_mb]), control);
}

/// Writes the bank of so many matrices of similarities, such as "[gram(0), gram(1)]".
std::string similarities_text(Index matrices) {
    std::vector<std::string> names;
    for (Index k = 0; k < matrices; ++k) names.push_back(text("gram(", k, ")"));
    return matrices == 1 ? names.front() : text("[", join(names, ", "), "]");
}

/// Data of at most so many rows are trained on side by side, each fold by one thread. Larger ones use all
/// threads for each fold.
constexpr Index small_rows = 6000;

/// Trains candidates that share one kernel on every fold and scores them on the rows that the fold holds out.
void score_those_of_one_kernel(const Dataset& data, const MachineSpecification& specification,
                               std::span<const Candidate> candidates, std::span<FoldScores> scores,
                               const std::vector<Fold>& folds, Control& control) {
    MachineSpecification common = with_candidate(specification, {.kernel = candidates.front().kernel});
    set_parameter(common, parameter::confidence.name, "0");  // No score asks for sets, novelty or updates.
    set_parameter(common, parameter::novelty.name, "no");
    set_parameter(common, parameter::updatable.name, "no");
    const auto shared = shared_similarities(data, common, candidates, control);
    const ProgressScope scope(control, shared ? sharing : 0, 1);
    const Dataset& rows = shared ? *shared : data;
    if (shared) set_parameter(common, "kernel", similarities_text(shared->gram().matrices));
    const auto specification_of = [&](Candidate candidate) {
        candidate.kernel.clear();
        if (shared && candidate.alone >= 0) candidate.alone_text = text("gram(", candidate.alone, ")");
        return with_candidate(common, candidate);
    };
    const auto run_named = [&](const Candidate& candidate, Control& own, auto work) {
        try {
            work(own);
        } catch (const Error& error) {
            if (error.status() == Status::cancelled || candidate.parameters().empty()) throw;
            std::string name;
            for (const auto& [key, value] : candidate.parameters())
                name.append(" ").append(key).append("=").append(value);
            fail(error.status(), "candidate", name, ": ", error.what());
        }
    };
    // Models that differ in C alone are trained one after the other, so that one fold has one path.
    const auto score_path = [&](const std::vector<Index>& of_path, Index f, Control& own) {
        const Dataset training = rows.select(folds[f].training);
        const Dataset held_out = rows.select(folds[f].held_out);
        CostPath path;
        bool all_larger_alike = false;
        const double length = of_path.size();
        for (Index k = 0; k < length; ++k) {
            const Index c = of_path[k];
            if (all_larger_alike) {
                scores[c].fold(f) = scores[of_path[k - 1]].fold(f);
                continue;
            }
            const ProgressScope one(own, k / length, (k + 1) / length);
            run_named(candidates[c], own, [&](Control& part) {
                const MachineSpecification tried = specification_of(candidates[c]);
                const Model model = train_along(length > 1 ? &path : nullptr, training, tried, part);
                scores[c].fold(f) = score_all(model, held_out, part);
                all_larger_alike = path.is_at_its_end() && !learns_from_held_out_rows(tried);
            });
        }
    };
    const auto paths = cost_paths(candidates);
    const Index tasks = std::ssize(paths) * std::ssize(folds);
    const auto run_task = [&](Index task, Control& own) {
        score_path(paths[task / std::ssize(folds)], task % std::ssize(folds), own);
    };
    const bool callback =
        (data.kind() == DataKind::gram && data.gram().compute) || only_the_calling_thread(data);
    // Several trainings at once must fit the budget. Their number is fixed, so that the answer does not
    // depend on the number of threads.
    constexpr double trainings_at_once = 8;
    const MemoryBudget budget(specification.parameters[parameter::memory_mb]);
    const auto fit = [&] {
        const double bank_bytes =
            8.0 * rows.rows() * rows.rows() * count_kernels(kernel_of(common, rows), rows);
        return budget.allows(trainings_at_once * bank_bytes);
    };
    // What kernels there are after layers is not known before these are learned.
    const bool layered = !std::ranges::all_of(candidates, [&](const Candidate& c) {
        return specification_of(c).parameters[parameter::layers].empty();
    });
    if (data.rows() <= small_rows && !callback && !layered && fit()) {
        const auto run_alone = [&](int, Index task) {
            // A fold of many rows takes seconds, in which progress would otherwise stand still.
            Control own(Control::Part{1.0 * task / tasks, (task + 1.0) / tasks}, control);
            run_task(task, own);
        };
        const double pairs = 1.0 * std::ssize(candidates) * std::ssize(folds) * rows.rows() * rows.rows();
        parallel_for_with(
            tasks, control, [] { return 0; }, run_alone, workforce_of_tasks(pairs, control));
        return;
    }
    for (Index task = 0; task < tasks; ++task) {
        const ProgressScope of_task(control, 1.0 * task / tasks, (task + 1.0) / tasks);
        run_task(task, control);
    }
}

}  // namespace

std::vector<FoldScores> score_candidates(const Dataset& data, const MachineSpecification& specification,
                                         std::span<const Candidate> candidates,
                                         const std::vector<Fold>& folds, Control& control) {
    constexpr double bytes_of_scores = 2048;  // of all metrics, with their names
    control.memory().require(
        bytes_of_scores * candidates.size() * folds.size(),
        text("scores of ", candidates.size(), " combinations on ", folds.size(), " folds each"));
    std::vector<FoldScores> scores(candidates.size(), FoldScores(folds.size()));
    const double all = candidates.size();
    for (std::size_t first = 0; first < candidates.size();) {
        std::size_t last = first;
        while (last < candidates.size() && candidates[last].kernel == candidates[first].kernel) ++last;
        const ProgressScope scope(control, first / all, last / all, "cross-validation");
        score_those_of_one_kernel(data, specification, candidates.subspan(first, last - first),
                                  std::span(scores).subspan(first, last - first), folds, control);
        first = last;
    }
    return scores;
}

}  // namespace dk
