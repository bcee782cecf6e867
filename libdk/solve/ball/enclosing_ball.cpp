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
//     eta                      largest_square()
//     |c|^2 = alpha' K alpha   core.objective(), squared_norm
//     R                        radius, or the root of squared_radius()
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

/// All points are looked at when this many samples in a row show none outside of the ball.
constexpr int samples_before_scan = 7;

using Groups = std::map<Index, std::vector<Index>>;  // the rows of each group

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

    /// Gives the farthest point of some, which is the one with the smallest (K alpha)_i.
    Found farthest(std::span<const Index> rows, std::span<const Index> core, const Vector& alpha) const {
        if (rows.empty()) return {};
        const Vector products = source_.values(rows, core, control_) * alpha;
        Index farthest = 0;
        products.minCoeff(&farthest);
        return {rows[farthest], products[farthest]};
    }

    /// Draws random rows of the next group, or takes all of them where the group is small. Groups take turns,
    /// so that no group is overlooked for its size.
    std::vector<Index> next_sample(const Groups& groups) {
        if (groups.empty()) return {};
        const Index turn = turn_++ % std::ssize(groups);
        const std::vector<Index>& members = std::next(groups.begin(), turn)->second;
        if (options_.sample >= std::ssize(members)) return members;
        std::vector<Index> sample(options_.sample);
        for (Index& row : sample) row = members[random_.below(members.size())];
        return sample;
    }

    const Groups& members() const { return members_; }

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
    TileSource& source_;
    const BallOptions& options_;
    Control& control_;
    Random random_;
    Groups members_;
    double largest_square_ = 0;
    Index turn_ = 0;
    CoreSetSolution solution_;
};

/// A CoreVectorSearch looks for points outside of the ball around the core set. The core's own rows are never
/// looked at: their program is solved until none of them lies outside.
class CoreVectorSearch {
  public:
    CoreVectorSearch(TileSource& source, const BallOptions& options, Control& control)
        : source_(source),
          options_(options),
          control_(control),
          search_(source, options, control),
          outside_(search_.members()),
          place_(source.size()),
          core_(source, search_.first_rows(), control) {
        for (const auto& [group, rows] : outside_) {
            for (Index k = 0; k < std::ssize(rows); ++k) place_[rows[k]] = k;
        }
        for (const Index row : core_.rows()) leave_outside(row);
    }

    CoreSetSolution solve() {
        bool enclosed = false;
        for (std::int64_t step = 0; step < options_.most_steps && core_.size() < options_.most_core; ++step) {
            solve_core();
            const Index row = farthest_outside();
            search_.note(core_.size(), core_.objective());
            enclosed = row < 0;
            if (enclosed) break;
            core_.add({&row, 1});
            leave_outside(row);
        }
        return search_.finish(core_.rows(), core_.alpha(), enclosed);
    }

  private:
    void leave_outside(Index row) {
        const auto group = outside_.find(options_.groups.empty() ? 0 : options_.groups[row]);
        std::vector<Index>& rows = group->second;
        place_[rows.back()] = place_[row];
        rows[place_[row]] = rows.back();
        rows.pop_back();
        if (rows.empty()) outside_.erase(group);
        std::erase(found_by_scan_, row);
    }

    double squared_radius() const { return search_.largest_square() - core_.objective(); }
    bool is_outside(double product) const {
        const double beyond = (1 + options_.epsilon) * (1 + options_.epsilon);
        return core_.objective() + search_.largest_square() - 2 * product > beyond * squared_radius();
    }

    /// Solves the core's program. With the inner tolerance t its rows lie at most at R^2 + 2 t, which must be
    /// inside of what epsilon allows, or they would hide the rows outside of the core.
    void solve_core() {
        const double epsilon = options_.epsilon;
        const double least = 1e-12 * search_.largest_square();
        double tolerance = 0.25 * (2 * epsilon + epsilon * epsilon) * squared_radius();
        do {
            core_.solve_to(std::max(tolerance, least));
            tolerance /= 2;
        } while (is_outside(core_.products().minCoeff()) && tolerance > least);
    }

    /// Finds a row outside of the ball, or gives -1 where a look at all rows shows none. What one look finds
    /// is used up before rows are sampled again.
    Index farthest_outside() {
        BallSearch::Found found = search_.farthest(found_by_scan_, core_.rows(), core_.alpha());
        if (is_outside(found.product)) return found.row;
        found_by_scan_.clear();
        for (int sample = 0; sample < samples_before_scan; ++sample) {
            found = search_.farthest(search_.next_sample(outside_), core_.rows(), core_.alpha());
            if (is_outside(found.product)) return found.row;
        }
        found_by_scan_ = farthest_of_all();
        return found_by_scan_.empty() ? -1 : found_by_scan_.front();
    }

    /// Looks at every row, and gives those outside of the ball, as many as a sample has, the farthest first.
    std::vector<Index> farthest_of_all() const {
        const Vector products = source_.products(core_.rows(), core_.alpha(), control_);
        std::vector<Index> found;
        for (const auto& [group, rows] : outside_)
            std::ranges::copy_if(rows, std::back_inserter(found),
                                 [&](Index row) { return is_outside(products[row]); });
        const auto count = std::min(options_.sample, std::ssize(found));
        std::ranges::partial_sort(found, found.begin() + count, {},
                                  [&](Index row) { return std::pair(products[row], row); });
        found.resize(count);
        return found;
    }

    TileSource& source_;
    const BallOptions& options_;
    Control& control_;
    BallSearch search_;
    Groups outside_;            // the rows that are not in the core set
    std::vector<Index> place_;  // where in its group a row stands
    std::vector<Index> found_by_scan_;
    CoreMatrix core_;
};

}  // namespace

CoreSetSolution solve_core_vectors(TileSource& source, const BallOptions& options, Control& control) {
    return CoreVectorSearch(source, options, control).solve();
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
        for (int sample = 0; sample < samples_before_scan && enclosed; ++sample) {
            found = search.farthest(search.next_sample(search.members()), core, alpha);
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
