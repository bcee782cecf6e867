// SPDX-License-Identifier: Apache-2.0
#include "solve/enclosing_ball.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/random.hpp"
#include "solve/core_matrix.hpp"

namespace dk {

namespace {

/// Samples without a point outside the ball before it counts as enclosing all.
constexpr int samples_before_stop = 7;

/// What both methods share: sampling rows, group after group, and the report.
class BallSearch {
  public:
    BallSearch(CoreSource& source, const BallOptions& options, Control& control)
        : source_(source), options_(options), control_(control), random_(options.seed) {
        for (Index i = 0; i < source.size(); ++i) {
            if (!options.excluded.empty() && options.excluded[unsigned_of(i)] != 0) continue;
            rows_of_[options.groups.empty() ? 0 : options.groups[unsigned_of(i)]].push_back(i);
            largest_ = std::max(largest_, source.diagonal()[unsigned_of(i)]);
        }
    }

    /// The largest squared norm, which all points are moved out to.
    double largest() const { return largest_; }

    /// One row of every group.
    std::vector<Index> first_rows() {
        std::vector<Index> rows;
        for (const auto& [group, members] : rows_of_) rows.push_back(members[random_.below(members.size())]);
        return rows;
    }

    struct Found {
        Index row = -1;
        double product = std::numeric_limits<double>::infinity();  // (Ka)_i, the smallest of the sample
    };

    /// The farthest of a sample, from one group after the other in turn.
    Found farthest(std::span<const Index> core, std::span<const double> alpha) {
        auto group = std::next(rows_of_.begin(), static_cast<Index>(turn_++ % rows_of_.size()));
        std::vector<Index> sample;
        if (options_.sample >= size_of(group->second)) sample = group->second;
        while (size_of(sample) < std::min(options_.sample, size_of(group->second)))
            sample.push_back(group->second[random_.below(group->second.size())]);
        std::vector<double> values(sample.size() * core.size());
        source_.values(sample, core, values.data(), control_);
        Found found;
        for (std::size_t k = 0; k < sample.size(); ++k) {
            const double* row = values.data() + k * core.size();
            const double product =
                std::inner_product(core.begin(), core.end(), alpha.begin(), 0.0, std::plus(),
                                   [&, at = 0](Index, double a) mutable { return a * row[at++]; });
            if (product < found.product) found = {sample[k], product};
        }
        return found;
    }

    void note(Index core, double objective) {
        control_.check();
        if (solution_.rounds.empty() || core >= 2 * solution_.rounds.back().core)
            solution_.rounds.push_back({core, objective, 1});
    }

    /// With the true gap, from a look at every row.
    CoreSetSolution finish(std::span<const Index> core, std::span<const double> alpha, bool converged) {
        std::map<Index, double> sorted;
        for (std::size_t s = 0; s < core.size(); ++s) {
            if (alpha[s] > 0) sorted[core[s]] += alpha[s];
        }
        for (const auto& [row, weight] : sorted) {
            solution_.core.push_back(row);
            solution_.alpha.push_back(weight);
        }
        std::vector<double> products(unsigned_of(source_.size()));
        source_.products(solution_.core, solution_.alpha, products.data(), control_);
        for (std::size_t s = 0; s < solution_.core.size(); ++s)
            solution_.objective += solution_.alpha[s] * products[unsigned_of(solution_.core[s])];
        double lowest = solution_.objective;
        for (const auto& [group, members] : rows_of_) {
            for (const Index i : members) lowest = std::min(lowest, products[unsigned_of(i)]);
        }
        const double ratio = std::max(0.0, lowest / solution_.objective);
        solution_.gap = 1 - ratio * ratio;
        solution_.scans = 1;
        solution_.converged = converged;
        return std::move(solution_);
    }

  private:
    CoreSource& source_;
    const BallOptions& options_;
    Control& control_;
    Random random_;
    std::map<Index, std::vector<Index>> rows_of_;  // each group's
    double largest_ = 0;
    std::size_t turn_ = 0;
    CoreSetSolution solution_;
};

}  // namespace

CoreSetSolution solve_core_vectors(CoreSource& source, const BallOptions& options, Control& control) {
    BallSearch search(source, options, control);
    CoreMatrix core(source, search.first_rows(), control);
    const double beyond = (1 + options.epsilon) * (1 + options.epsilon);
    bool enclosed = false;
    for (std::int64_t step = 0; step < options.most_steps && !enclosed && core.size() < options.most_core;
         ++step) {
        core.solve(1e-3);
        const double squared_radius = search.largest() - core.objective();
        BallSearch::Found found;
        enclosed = true;
        for (int sample = 0; sample < samples_before_stop && enclosed; ++sample) {
            found = search.farthest(core.rows(), core.alpha());
            const double squared_distance = core.objective() + search.largest() - 2 * found.product;
            enclosed = squared_distance <= beyond * squared_radius || core.has(found.row);
        }
        search.note(core.size(), core.objective());
        if (!enclosed) core.add({&found.row, 1});
    }
    return search.finish(core.rows(), core.alpha(), enclosed);
}

CoreSetSolution solve_enclosing_ball(CoreSource& source, const BallOptions& options, Control& control) {
    BallSearch search(source, options, control);
    const double radius = std::sqrt(search.largest());
    // The centre is the weighted mean of the core and, along an axis of its own, `height`; it begins outside.
    std::vector<Index> core{search.first_rows().front()};
    std::vector<double> alpha{1.0};
    double squared_norm = source.diagonal()[unsigned_of(core.front())];
    double height = radius;
    bool enclosed = false;
    for (std::int64_t step = 0; step < options.most_steps && size_of(core) < options.most_core; ++step) {
        BallSearch::Found found;
        double distance = 0;
        enclosed = true;
        for (int sample = 0; sample < samples_before_stop && enclosed; ++sample) {
            found = search.farthest(core, alpha);
            distance = std::sqrt(squared_norm + search.largest() - 2 * found.product + height * height);
            enclosed = distance <= (1 + options.epsilon) * radius;
        }
        search.note(size_of(core), squared_norm);
        if (enclosed) break;
        const double kept = radius / distance;
        const double moved = 1 - kept;
        squared_norm = kept * kept * squared_norm + 2 * kept * moved * found.product +
                       moved * moved * source.diagonal()[unsigned_of(found.row)];
        for (double& a : alpha) a *= kept;
        height *= kept;
        const auto known = std::ranges::find(core, found.row) - core.begin();
        if (known == size_of(core)) {
            core.push_back(found.row);
            alpha.push_back(0);
        }
        alpha[unsigned_of(known)] += moved;
    }
    return search.finish(core, alpha, enclosed);
}

}  // namespace dk
