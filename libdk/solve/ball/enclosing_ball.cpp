// SPDX-License-Identifier: Apache-2.0
// This file finds two kinds of ball around points phi(x_i) whose inner products are K_ij = phi(x_i)'
// phi(x_j).
//
// The core vector machine finds the minimum enclosing ball,
//
//     min R^2   subject to   |c - phi(x_i)|^2 <= R^2   for all i,
//
// where all points have the same squared length eta: points that are shorter are moved out along an axis of
// their own, which changes no inner product of two points. With c = sum_i alpha_i phi(x_i) the dual is
// min alpha' K alpha over the simplex, R^2 = eta - |c|^2 and |c - phi(x_i)|^2 = |c|^2 + eta - 2 (K alpha)_i.
// The ball vector machine fixes R^2 = eta instead and moves the centre, which starts at the height R on an
// axis of its own, until the ball encloses all points.
//
//     paper                    code
//     S, alpha                 core, alpha
//     eta                      search.largest_square()
//     |c|^2 = alpha' K alpha   core.objective(), squared_norm
//     R                        radius
//     epsilon                  options.epsilon
//     s                        height, the length of the fixed ball's centre along its own axis
//
// References: Tsang, Kwok, Cheung, Core vector machines, JMLR 6, 2005; Tsang, Kocsor, Kwok, Simpler core
// vector machines with enclosing balls, ICML 2007.
#include "solve/ball/enclosing_ball.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/random.hpp"
#include "solve/ball/core_matrix.hpp"

namespace dk {

namespace {

/// A ball counts as enclosing all points when this many samples in a row show none outside of it.
constexpr int samples_before_stop = 7;

/// A BallSearch does what both methods need: it samples rows group after group, and writes the report.
class BallSearch {
  public:
    BallSearch(TileSource& source, const BallOptions& options, Control& control)
        : source_(source), options_(options), control_(control), random_(options.seed) {
        for (Index i = 0; i < source.size(); ++i) {
            if (!options.excluded.empty() && options.excluded[i] != 0) continue;
            members_[options.groups.empty() ? 0 : options.groups[i]].push_back(i);
            largest_square_ = std::max(largest_square_, source.diagonal()[i]);
        }
    }

    /// Gives the largest squared length of a point, to which all points are moved out.
    double largest_square() const { return largest_square_; }

    /// Chooses one random row of every group.
    std::vector<Index> first_rows() {
        std::vector<Index> rows;
        for (const auto& [group, members] : members_) rows.push_back(members[random_.below(members.size())]);
        return rows;
    }

    struct Found {
        Index row = -1;
        double product = infinity;  // (K alpha)_row
    };

    /// Gives the farthest point of a sample, which is the one with the smallest (K alpha)_i. Groups take
    /// turns, so that no group is overlooked for its size.
    Found farthest(std::span<const Index> core, const Vector& alpha) {
        const std::vector<Index> sample = next_sample();
        const Vector products = source_.values(sample, core, control_) * alpha;
        Index farthest = 0;
        products.minCoeff(&farthest);
        return {sample[farthest], products[farthest]};
    }

    void note(Index core, double objective) {
        control_.check();
        if (solution_.rounds.empty() || core >= 2 * solution_.rounds.back().core)
            solution_.rounds.push_back({core, objective, 1});
    }

    /// Gives the solution with its true gap. This looks at every row once, while the search has seen samples
    /// only.
    CoreSetSolution finish(std::span<const Index> core, const Vector& alpha, bool converged) {
        std::map<Index, double> sorted;
        for (Index s = 0; s < std::ssize(core); ++s) {
            if (alpha[s] > 0) sorted[core[s]] += alpha[s];
        }
        for (const auto& [row, weight] : sorted) {
            solution_.core.push_back(row);
            solution_.alpha.push_back(weight);
        }
        const ConstVectorView weights = as_vector(std::as_const(solution_.alpha));
        const Vector products = source_.products(solution_.core, weights, control_);
        solution_.objective = weights.dot(products(solution_.core));
        double lowest = solution_.objective;
        for (const auto& [group, members] : members_) lowest = std::min(lowest, products(members).minCoeff());
        const double ratio = std::max(0.0, lowest / solution_.objective);
        solution_.gap = 1 - ratio * ratio;
        solution_.scans = 1;
        solution_.converged = converged;
        return std::move(solution_);
    }

  private:
    /// Draws random rows of the next group, or takes all of them where the group is small.
    std::vector<Index> next_sample() {
        const Index turn = turn_++ % std::ssize(members_);
        const std::vector<Index>& members = std::next(members_.begin(), turn)->second;
        if (options_.sample >= std::ssize(members)) return members;
        std::vector<Index> sample(options_.sample);
        for (Index& row : sample) row = members[random_.below(members.size())];
        return sample;
    }

    TileSource& source_;
    const BallOptions& options_;
    Control& control_;
    Random random_;
    std::map<Index, std::vector<Index>> members_;  // the rows of each group
    double largest_square_ = 0;
    Index turn_ = 0;
    CoreSetSolution solution_;
};

}  // namespace

CoreSetSolution solve_core_vectors(TileSource& source, const BallOptions& options, Control& control) {
    BallSearch search(source, options, control);
    CoreMatrix core(source, search.first_rows(), control);
    const double eta = search.largest_square();
    const double beyond = (1 + options.epsilon) * (1 + options.epsilon);
    bool enclosed = false;
    for (std::int64_t step = 0; step < options.most_steps && !enclosed && core.size() < options.most_core;
         ++step) {
        core.solve(1e-3);
        const double squared_radius = eta - core.objective();
        BallSearch::Found found;
        enclosed = true;
        for (int sample = 0; sample < samples_before_stop && enclosed; ++sample) {
            found = search.farthest(core.rows(), core.alpha());
            const double squared_distance = core.objective() + eta - 2 * found.product;
            enclosed = squared_distance <= beyond * squared_radius || core.has(found.row);
        }
        search.note(core.size(), core.objective());
        if (!enclosed) core.add({&found.row, 1});
    }
    return search.finish(core.rows(), core.alpha(), enclosed);
}

CoreSetSolution solve_enclosing_ball(TileSource& source, const BallOptions& options, Control& control) {
    BallSearch search(source, options, control);
    const double radius = std::sqrt(search.largest_square());
    std::vector<Index> core{search.first_rows().front()};
    Vector alpha = Vector::Ones(1);
    double squared_norm = source.diagonal()[core.front()];
    double height = radius;  // The centre begins on its own axis, outside of what the points span.
    bool enclosed = false;
    for (std::int64_t step = 0; step < options.most_steps && std::ssize(core) < options.most_core; ++step) {
        BallSearch::Found found;
        double distance = 0;
        enclosed = true;
        for (int sample = 0; sample < samples_before_stop && enclosed; ++sample) {
            found = search.farthest(core, alpha);
            distance =
                std::sqrt(squared_norm + search.largest_square() - 2 * found.product + height * height);
            enclosed = distance <= (1 + options.epsilon) * radius;
        }
        search.note(std::ssize(core), squared_norm);
        if (enclosed) break;
        // The centre moves towards the point until the ball just touches it: c becomes kept c + moved phi.
        const double kept = radius / distance;
        const double moved = 1 - kept;
        squared_norm = kept * kept * squared_norm + 2 * kept * moved * found.product +
                       moved * moved * source.diagonal()[found.row];
        alpha *= kept;
        height *= kept;
        const Index known = std::ranges::find(core, found.row) - core.begin();
        if (known == std::ssize(core)) {
            core.push_back(found.row);
            alpha.conservativeResizeLike(Vector::Zero(std::ssize(core)));
        }
        alpha[known] += moved;
    }
    return search.finish(core, alpha, enclosed);
}

}  // namespace dk
