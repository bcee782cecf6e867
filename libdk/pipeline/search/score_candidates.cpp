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

/// Sorts rows by their classes. Machines that separate pairs of classes read matrices of two of them, which
/// then lie together.
std::vector<Index> by_class(const Dataset& data, std::vector<Index> rows) {
    if (data.labels) std::ranges::stable_sort(rows, {}, [&](Index i) { return data.labels->of_rows[i]; });
    return rows;
}

std::vector<Index> all_rows(const Dataset& data) {
    std::vector<Index> rows(data.rows());
    std::iota(rows.begin(), rows.end(), Index{0});
    return rows;
}

/// Computes the kernels' values between all rows once, as similarities that every fold and every candidate
/// with these kernels shares, which store the rows in this order. Gives nothing where folds can't share them,
/// because scaling differs from fold to fold or from candidate to candidate, because a kernel learns from its
/// rows, or because the machine or the weights read the rows themselves. Gives nothing either where they
/// don't fit in the memory, or where they are many more numbers than the rows, and kernels have factors, on
/// which machines train faster.
std::optional<Dataset> shared_similarities(const Dataset& data, const std::vector<Index>& order,
                                           const MachineSpecification& specification,
                                           std::span<const Candidate> candidates, const MemoryBudget& budget,
                                           Control& control) {
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
    if (std::ranges::is_sorted(order)) return bank_similarities(bank, data, budget, control);
    const double matrices = bank.size() + 1;
    if (!budget.allows(matrix_bytes * matrices + data.feature_bytes())) return std::nullopt;
    std::vector<Index> place_of(order.size());
    for (Index place = 0; place < std::ssize(order); ++place) place_of[order[place]] = place;
    auto stored = bank_similarities(bank, data.select(order), budget, control);
    if (stored) stored = stored->select(place_of);
    return stored;
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

/// Several trainings at once must fit the budget. Their number is fixed, so that the answer does not depend
/// on the number of threads.
constexpr double trainings_at_once = 8;

/// The rows that are trained on and scored, and what all models of them have in common.
struct FoldRows {
    Dataset training;
    Dataset held_out;
    MachineSpecification common;
    bool stored = false;  // whether the rows are similarities that were computed here
};

/// Trains candidates that share one kernel on every fold and scores them on the rows that the fold holds out.
class CandidatesOfOneKernel {
  public:
    CandidatesOfOneKernel(const Dataset& data, const MachineSpecification& specification,
                          std::span<const Candidate> candidates, const std::vector<Fold>& folds,
                          std::span<FoldScores> scores, Control& control)
        : data_(data),
          common_(with_candidate(specification, {.kernel = candidates.front().kernel})),
          candidates_(candidates),
          folds_(folds),
          scores_(scores) {
        set_parameter(common_, parameter::confidence.name,
                      "0");  // No score asks for sets, novelty or updates.
        set_parameter(common_, parameter::novelty.name, "no");
        set_parameter(common_, parameter::updatable.name, "no");
        shared_ =
            shared_similarities(data, by_class(data, all_rows(data)), common_, candidates, budget(), control);
    }

    void score(Control& control) const {
        const ProgressScope scope(control, shared_ ? sharing : 0, 1);
        const auto paths = cost_paths(candidates_);
        const Index tasks = std::ssize(paths) * std::ssize(folds_);
        const auto run_task = [&](Index task, Control& own) {
            score_path(paths[task / std::ssize(folds_)], task % std::ssize(folds_), own);
        };
        if (!run_side_by_side()) {
            for (Index task = 0; task < tasks; ++task) {
                const ProgressScope of_task(control, 1.0 * task / tasks, (task + 1.0) / tasks);
                run_task(task, control);
            }
            return;
        }
        const auto run_alone = [&](int, Index task) {
            // A fold of many rows takes seconds, in which progress would otherwise stand still.
            Control own(Control::Part{1.0 * task / tasks, (task + 1.0) / tasks}, control);
            run_task(task, own);
        };
        const double rows = data_.rows();
        const double pairs = 1.0 * std::ssize(candidates_) * std::ssize(folds_) * rows * rows;
        parallel_for_with(
            tasks, control, [] { return 0; }, run_alone, workforce_of_tasks(pairs, control));
    }

  private:
    MemoryBudget budget() const { return MemoryBudget(common_.parameters[parameter::memory_mb]); }

    bool run_side_by_side() const {
        const bool callback =
            (data_.kind() == DataKind::gram && data_.gram().compute) || only_the_calling_thread(data_);
        // What kernels there are after layers is not known before these are learned.
        const bool layered = !std::ranges::all_of(candidates_, [&](const Candidate& candidate) {
            return tried(common_, candidate, shared_.has_value()).parameters[parameter::layers].empty();
        });
        if (data_.rows() > small_rows || callback || layered) return false;
        // Where folds do not share similarities, each may store its own beside those that it trains with.
        const double kernels =
            shared_ ? shared_->gram().matrices : 1 + 2 * count_kernels(kernel_of(common_, data_), data_);
        return budget().allows(trainings_at_once * 8.0 * data_.rows() * data_.rows() * kernels);
    }

    /// Gives the specification of a candidate. Of stored similarities each kernel of the bank has a matrix.
    static MachineSpecification tried(const MachineSpecification& common, Candidate candidate, bool stored) {
        candidate.kernel.clear();
        if (stored && candidate.alone >= 0) candidate.alone_text = text("gram(", candidate.alone, ")");
        return with_candidate(common, candidate);
    }

    /// Gives similarities of a fold's rows, scaled as those that are trained on say, for models of a path.
    /// Gives nothing where models need the rows, or the path is so short that it does not pay.
    std::optional<FoldRows> scaled_similarities(const std::vector<Index>& path, const Fold& fold,
                                                Control& control) const {
        constexpr std::size_t long_path = 3;
        const Candidate& any = candidates_[path.front()];
        const MachineSpecification first = tried(common_, any, false);
        const auto& few_pairs = first.machine->few_pairs;
        const ScalerChoice choice = scaler_choice(first.parameters);
        if (path.size() < long_path || choice == ScalerChoice() || data_.kind() != DataKind::dense ||
            learns_from_held_out_rows(first) || (few_pairs && few_pairs(first.parameters)))
            return std::nullopt;
        MachineSpecification common = common_;
        for (const auto& key : {parameter::scale.name, parameter::scale_rows.name, parameter::impute.name})
            set_parameter(common, key, "none");
        std::vector<Index> of_both = fold.training;
        of_both.insert(of_both.end(), fold.held_out.begin(), fold.held_out.end());
        const Dataset both = fit_scaler(choice, data_.select(fold.training)).apply(data_.select(of_both));
        const std::vector<Index> places = all_rows(both);
        const auto first_held_out = places.begin() + std::ssize(fold.training);
        std::vector<Index> order = by_class(both, {places.begin(), first_held_out});
        const std::vector<Index> of_held_out = by_class(both, {first_held_out, places.end()});
        order.insert(order.end(), of_held_out.begin(), of_held_out.end());
        const auto similarities = shared_similarities(both, order, common, {&any, 1},
                                                      budget().part(2 * trainings_at_once), control);
        if (!similarities) return std::nullopt;
        set_parameter(common, "kernel", similarities_text(similarities->gram().matrices));
        const std::span all(places);
        return FoldRows{similarities->select(all.first(fold.training.size())),
                        similarities->select(all.subspan(fold.training.size())), common, true};
    }

    /// Gives the rows of a fold, or similarities where all folds, or the models of the path, share them.
    FoldRows rows_of(const std::vector<Index>& path, const Fold& fold, Control& control) const {
        if (!shared_) {
            if (auto scaled = scaled_similarities(path, fold, control)) return std::move(*scaled);
        }
        const Dataset& rows = shared_ ? *shared_ : data_;
        FoldRows of_fold{rows.select(fold.training), rows.select(fold.held_out), common_,
                         shared_.has_value()};
        if (shared_) set_parameter(of_fold.common, "kernel", similarities_text(shared_->gram().matrices));
        return of_fold;
    }

    /// Trains models that differ in C alone one after the other, so that one fold has one path.
    void score_path(const std::vector<Index>& path, Index f, Control& control) const {
        std::optional<FoldRows> rows;
        try {
            rows = rows_of(path, folds_[f], control);
        } catch (const Error& error) {
            fail_for(candidates_[path.front()], error);
        }
        CostPath costs;
        bool all_larger_alike = false;
        const double length = path.size();
        for (Index k = 0; k < length; ++k) {
            const Index c = path[k];
            if (all_larger_alike) {
                scores_[c].fold(f) = scores_[path[k - 1]].fold(f);
                continue;
            }
            const ProgressScope one(control, k / length, (k + 1) / length);
            const MachineSpecification own = tried(rows->common, candidates_[c], rows->stored);
            try {
                const Model model = train_along(length > 1 ? &costs : nullptr, rows->training, own, control);
                scores_[c].fold(f) = score_all(model, rows->held_out, control);
            } catch (const Error& error) {
                fail_for(candidates_[c], error);
            }
            all_larger_alike = costs.is_at_its_end() && !learns_from_held_out_rows(own);
        }
    }

    /// Throws the error with the candidate's name.
    [[noreturn]] static void fail_for(const Candidate& candidate, const Error& error) {
        if (error.status() == Status::cancelled || candidate.parameters().empty()) throw;
        std::string name;
        for (const auto& [key, value] : candidate.parameters())
            name.append(" ").append(key).append("=").append(value);
        fail(error.status(), "candidate", name, ": ", error.what());
    }

    const Dataset& data_;
    MachineSpecification common_;
    std::span<const Candidate> candidates_;
    const std::vector<Fold>& folds_;
    std::span<FoldScores> scores_;
    std::optional<Dataset> shared_;
};

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
        CandidatesOfOneKernel(data, specification, candidates.subspan(first, last - first), folds,
                              std::span(scores).subspan(first, last - first), control)
            .score(control);
        first = last;
    }
    return scores;
}

}  // namespace dk
