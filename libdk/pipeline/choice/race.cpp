// SPDX-License-Identifier: Apache-2.0
// Successive halving (Jamieson, Talwalkar, Non-stochastic best arm identification and hyperparameter
// optimization, AISTATS 2016), where a heat keeps what may still be the best, however many that are.
#include "pipeline/choice/race.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/metrics/metrics.hpp"
#include "data/split.hpp"
#include "pipeline/automatic.hpp"
#include "pipeline/search/comparison.hpp"
#include "pipeline/search/score_candidates.hpp"

namespace dk {

namespace {

/// The rows of the heats of larger data. Small data run two heats on all rows, with other folds.
constexpr std::array<Index, 3> rows_of_heats{600, 1800, 5400};
/// Ridge regressions cost the cube of their rows.
constexpr Index most_rows_of_ridges = 1800;
/// Support vector machines that are compared stop so far from their optimum, ten times as far as by default.
constexpr const char* compared_tolerance = "0.01";
/// Further heats divide small data so often that about this many rows are judged.
constexpr Index judged_rows = 2000;
constexpr Index most_repeats = 5;

/// Draws about so many rows, of every class its share, and whole groups. Of all rows some of so many parts
/// are drawn that the number is close.
Dataset sample(const Dataset& data, Index rows, std::uint64_t seed) {
    constexpr Index close = 10;
    const Index whole = std::max<Index>(data.rows() / rows, 1);
    const Index parts = std::min(whole < close ? close * data.rows() / rows : whole, most_folds(data));
    const Index drawn = std::max<Index>(std::llround(1.0 * parts * rows / data.rows()), 1);
    if (drawn >= parts) return data;
    auto part_of = stratified_folds(data, parts, seed);
    for (Index& part : part_of) part = part < drawn ? 0 : 1;
    return data.select(rows_of_fold(part_of, 0, true));
}

/// What proposals have in common that share kernel values.
std::tuple<std::string, std::string, std::string> what_is_shared(const Proposal& proposal) {
    return {proposal.scale, proposal.machine, proposal.candidate.kernel};
}

/// The specification that proposals of one machine and one scale share, of rows that are scaled already.
MachineSpecification common_specification(const Proposal& proposal, const MachineSpecification& automatic) {
    MachineSpecification common = specification_of(
        {proposal.machine, proposal.scale, {.kernel = proposal.candidate.kernel}}, automatic);
    for (const auto& [key, value] :
         {std::pair("scale", "none"), std::pair("scale_rows", "none"), std::pair("impute", "none"),
          std::pair("neighbours", "0"), std::pair("probability", "no"), std::pair("false_alarms", "0"),
          std::pair("miss_cost", "0")})
        set_parameter(common, key, value);
    // What is compared need not be solved as closely as what is kept.
    constexpr const char* tolerance = "tolerance";
    const std::string by_default = default_specification("svm").parameters.text(tolerance);
    if (proposal.machine == "svm" && common.parameters.text(tolerance) == by_default)
        set_parameter(common, tolerance, compared_tolerance);
    return common;
}

/// Scores the proposals of a heat from `first` to `last`, which share a machine, a scale and a kernel.
void score_some(Heat& heat, std::size_t first, std::size_t last, const Dataset& rows,
                const MachineSpecification& automatic, Control& control) {
    const Proposal& one = heat.proposals[first];
    std::vector<Candidate> candidates;
    for (std::size_t p = first; p < last; ++p) candidates.push_back(heat.proposals[p].candidate);
    try {
        const auto scores =
            score_candidates(rows, common_specification(one, automatic), candidates, heat.folds, control);
        std::ranges::copy(scores, heat.scores.begin() + static_cast<std::ptrdiff_t>(first));
    } catch (const Error& error) {
        if (error.status() == Status::cancelled || error.status() == Status::out_of_memory) throw;
        for (std::size_t p = first; p < last; ++p) heat.failures[p] = error.what();
    }
}

/// Proposals of a heat from `first` to `last` that share kernel values.
struct Group {
    std::size_t first;
    std::size_t last;
};

std::vector<Group> groups_of(const std::vector<Proposal>& proposals) {
    std::vector<Group> groups;
    for (std::size_t first = 0; first < proposals.size();) {
        std::size_t last = first;
        while (last < proposals.size() && what_is_shared(proposals[last]) == what_is_shared(proposals[first]))
            ++last;
        groups.push_back({first, last});
        first = last;
    }
    return groups;
}

/// Orders groups for a heat that may not come to all of them. In the first heat any number of them is spread
/// over all, by the fractions of the multiples of the golden ratio; in later ones those with the best
/// survivors come first, the best of all at least.
void order_for_limit(std::vector<Group>& groups, const std::vector<Proposal>& gathered,
                     const std::vector<Proposal>& best_first, bool first_heat) {
    constexpr double golden = 0.618033988749895;
    std::vector<std::pair<double, Group>> order;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto shares = [&](const Proposal& one) {
            return what_is_shared(one) == what_is_shared(gathered[groups[g].first]);
        };
        const double place = std::ranges::find_if(best_first, shares) - best_first.begin();
        order.emplace_back(first_heat ? std::fmod(g * golden, 1.0) : place, groups[g]);
    }
    std::ranges::stable_sort(order, {}, &std::pair<double, Group>::first);
    for (std::size_t g = 0; g < groups.size(); ++g) groups[g] = order[g].second;
}

/// Scores the proposals of a heat in groups, which come in this order.
void score_all_proposals(Heat& heat, const std::vector<Group>& groups, const Dataset& rows,
                         const RaceGoal& goal, Control& control) {
    const std::size_t count = heat.proposals.size();
    heat.scores.assign(count, FoldScores(heat.folds.size()));
    heat.failures.resize(count);
    std::string scale;
    Dataset scaled = rows;
    const double limit = goal.automatic.parameters[parameter::seconds];
    double done = 0;
    for (const Group& group : groups) {
        const Proposal& one = heat.proposals[group.first];
        if (done > 0 && goal.time_is_over()) {
            for (std::size_t p = group.first; p < group.last; ++p)
                heat.failures[p] = text("the time was over (seconds=", limit, ")");
            continue;
        }
        if (one.scale != scale) {
            scale = one.scale;
            const Parameters& parameters = specification_of(one, goal.automatic).parameters;
            scaled = fit_scaler(scaler_choice(parameters), rows).apply(rows);
        }
        const double share = static_cast<double>(group.last - group.first) / static_cast<double>(count);
        const ProgressScope scope(control, done, std::min(done + share, 1.0));
        score_some(heat, group.first, group.last, scaled, goal.automatic, control);
        done += share;
    }
}

/// Tells whether a proposal may be as good as the best: it is at most two standard errors behind. The error
/// of a difference of shares is at least what so few rows allow.
bool may_be_best(const Heat& heat, std::size_t p, const RaceGoal& goal) {
    const auto behind = differences(heat.scores[heat.best], heat.scores[p], goal.metric);
    if (behind.empty()) return false;
    const double count = behind.size();
    const double mean = std::accumulate(behind.begin(), behind.end(), 0.0) / count;
    double squares = 0;
    for (const double d : behind) squares += (d - mean) * (d - mean);
    double error = count > 1 ? std::sqrt(squares / (count - 1) / count) : infinity;
    if (goal.metric == "accuracy") {
        const double rank = std::min(heat.scores[heat.best].rank(goal.metric), 1.0);
        const double judged = heat.rows;
        error = std::max(error, std::sqrt((rank * (1 - rank) + 1 / judged) / judged) / 2);
    }
    return mean <= 2 * error;
}

/// Lists the proposals that stay in the race, best first, so that ties are won by what won before.
std::vector<Proposal> survivors(const Heat& heat, const RaceGoal& goal) {
    std::vector<std::size_t> places;
    for (std::size_t p = 0; p < heat.proposals.size(); ++p) {
        if (p == heat.best || may_be_best(heat, p, goal)) places.push_back(p);
    }
    std::ranges::stable_sort(places, std::greater(),
                             [&](std::size_t p) { return heat.scores[p].rank(goal.metric); });
    std::vector<Proposal> kept;
    kept.reserve(places.size());
    for (const std::size_t p : places) kept.push_back(heat.proposals[p]);
    return kept;
}

/// Puts proposals that share kernel values side by side.
void gather_by_kernel(std::vector<Proposal>& proposals) {
    std::ranges::stable_sort(proposals, {}, what_is_shared);
}

Heat run_heat(const Dataset& data, const std::vector<Proposal>& proposals, Index most_rows, Index number,
              const RaceGoal& goal, Control& control) {
    const Parameters& parameters = goal.automatic.parameters;
    const std::uint64_t seed = parameters[parameter::seed] + number;
    const Dataset rows =
        without_single_rows(most_rows < data.rows() ? sample(data, most_rows, seed) : data, goal.task);
    Heat heat{.rows = rows.rows(), .proposals = proposals};
    gather_by_kernel(heat.proposals);
    auto groups = groups_of(heat.proposals);
    if (parameters[parameter::seconds] > 0) order_for_limit(groups, heat.proposals, proposals, number == 0);
    const Index folds = std::min<Index>(parameters[parameter::folds], most_folds(rows));
    if (number > 0) heat.repeats = std::clamp<Index>(judged_rows / rows.rows(), 1, most_repeats);
    MachineSpecification division = default_specification(heat.proposals.front().machine);
    for (const auto& [key, value] : {std::pair("folds", Index(folds)), std::pair("repeats", heat.repeats),
                                     std::pair("seed", Index(seed))})
        set_parameter(division, key, text(value));
    heat.folds = folds_of(rows, division, control);
    score_all_proposals(heat, groups, rows, goal, control);
    heat.best = best_of(heat.scores, goal.metric);
    heat.baseline = report_of_baseline(rows, division, goal.task, heat.folds);
    return heat;
}

}  // namespace

std::chrono::steady_clock::time_point end_of_race(const Parameters& parameters) {
    using namespace std::chrono;
    const double limit = parameters[parameter::seconds];
    if (limit == 0) return steady_clock::time_point::max();
    return steady_clock::now() + duration_cast<steady_clock::duration>(duration<double>(limit));
}

Dataset without_single_rows(const Dataset& data, Task task) {
    if (!data.labels || task != Task::classification) return data;
    const Labels& labels = *data.labels;
    std::vector<Index> counts(labels.classes());
    for (const Index c : labels.of_rows) ++counts[c];
    std::vector<Index> rows;
    for (Index i = 0; i < data.rows(); ++i) {
        if (counts[labels.of_rows[i]] > 1) rows.push_back(i);
    }
    return std::ssize(rows) == data.rows() ? data : data.select(rows);
}

std::vector<Heat> race(const Dataset& data, std::vector<Proposal> proposals, const RaceGoal& goal,
                       Control& control) {
    std::vector<Index> sizes;
    for (const Index rows : rows_of_heats) {
        if (proposals.front().machine != "svm" && rows > most_rows_of_ridges) break;
        sizes.push_back(std::min(rows, data.rows()));
        if (rows >= data.rows()) break;
    }
    if (sizes.size() == 1) sizes.push_back(data.rows());
    std::vector<Heat> heats;
    for (std::size_t h = 0; h < sizes.size(); ++h) {
        const double heats_in_all = sizes.size();
        const ProgressScope scope(control, h / heats_in_all, (h + 1) / heats_in_all,
                                  text("comparing ", proposals.size(), " models on ", sizes[h], " rows"));
        heats.push_back(run_heat(data, proposals, sizes[h], Index(h), goal, control));
        if (!heats.back().failures[heats.back().best].empty()) break;  // All have failed.
        if (goal.time_is_over()) break;
        proposals = survivors(heats.back(), goal);
        if (h > 0) continue;
        constexpr std::size_t refined = 2;
        const std::vector<Proposal> leading(proposals.begin(),
                                            proposals.begin() + std::min(refined, proposals.size()));
        for (const Proposal& proposal : leading) {
            for (Proposal& other : refinements(proposal, goal.automatic)) {
                if (std::ranges::find(proposals, other) == proposals.end())
                    proposals.push_back(std::move(other));
            }
        }
    }
    return heats;
}

}  // namespace dk
