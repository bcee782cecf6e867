// SPDX-License-Identifier: Apache-2.0
// The batched core vector machine solves
//
//     min alpha' K alpha   subject to   alpha >= 0,   sum_i alpha_i = 1,
//
// for a matrix K that is too large to store. With nu = alpha' K alpha at the optimum, alpha / nu solves the
// dual of a support vector machine with squared hinge loss. Each round solves the program on a core set of
// rows alone. Rows with (K alpha)_i < (1 - share) alpha' K alpha violate optimality, and the worst of them
// join the core set, many at a time. Looking at all rows is dear, so most rounds look for violators in a pool
// only, which holds the worst rows of the last look at all. Single precision suffices to find rows that seem
// to violate, which the pool's exact values confirm. The look that finds none left is an exact one.
//
// The result is certain for this reason. In the space where K_ij are inner products, let c = sum_i alpha_i
// phi_i be the centre found and c* the best centre of weights on the simplex. By Cauchy and Schwarz
//
//     |c| |c*| >= c'c* >= min_i (K alpha)_i,   so that   |c*|^2 >= (min_i (K alpha)_i)^2 / |c|^2.
//
// Where no row falls short of |c|^2 by more than the share, |c*|^2 >= (1 - share)^2 |c|^2, which leaves a
// relative gap of 1 - (1 - share)^2 at most.
//
//     paper                    code
//     S (core set), alpha      core_
//     |c|^2 = alpha' K alpha   core_.objective()
//     1 - (1 - share_)^2       options.gap
//
// Reference: Tsang, Kwok, Cheung, Core vector machines, JMLR 6, 2005.
#include "solve/ball/core_set.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "solve/ball/core_matrix.hpp"

namespace dk {

namespace {

/// The pool keeps this many rows, with their values for all rows of the core set, between looks at all rows.
constexpr Index pool_size = 4096;
constexpr Index rows_of_a_group_at_the_start = 10;
constexpr Index least_batch = 64;
constexpr double least_share = 1e-13;
/// Single precision errs in products by some roundings of the largest value. A shortfall has to be more than
/// so many of them, or violators are not looked for in single precision.
constexpr double roundings_of_products = 16;
/// The core set's own program is solved to a tighter tolerance at most so many times, when only its own rows
/// violate.
constexpr int most_refinements = 200;

/// A Pool holds some rows with their kernel values for every row of the core set, so that their (K alpha)_i
/// cost no kernel values in later rounds.
class Pool {
  public:
    Pool(TileSource& source, Control& control) : source_(source), control_(control) {}

    const std::vector<Index>& rows() const { return rows_; }

    void replace(std::vector<Index> rows, const CoreMatrix& core) {
        rows_ = std::move(rows);
        columns_.clear();
        add(core.rows());
    }

    /// Computes the pool's values for rows that have joined the core set, some rows at a time.
    void add(std::span<const Index> core_rows) {
        constexpr std::size_t at_once = 256;
        const double rows = std::ssize(rows_);
        const double core = std::ssize(columns_) + std::ssize(core_rows);
        control_.memory().require(8 * (rows + core) * core, text("a core set of ", core, " rows"));
        while (!core_rows.empty()) {
            const auto some = core_rows.first(std::min(at_once, core_rows.size()));
            const Matrix values = source_.values(some, rows_, control_);
            for (Index c = 0; c < values.rows(); ++c) columns_.push_back(values.row(c).transpose());
            core_rows = core_rows.subspan(some.size());
        }
    }

    void keep(std::span<const Index> positions) {
        std::vector<Vector> kept;
        for (const Index c : positions) kept.push_back(std::move(columns_[c]));
        columns_ = std::move(kept);
    }

    /// Gives K(pool, core) alpha.
    Vector products(const Vector& alpha) const {
        constexpr Index chunk = 1024;
        const Index size = std::ssize(rows_);
        Vector out = Vector::Zero(size);
        const double values = 1.0 * size * std::ssize(columns_);
        parallel_for((size + chunk - 1) / chunk, values, control_, [&](Index part) {
            const Index begin = part * chunk;
            const Index count = std::min(size - begin, chunk);
            for (Index c = 0; c < std::ssize(columns_); ++c) {
                if (alpha[c] != 0) out.segment(begin, count) += alpha[c] * columns_[c].segment(begin, count);
            }
        });
        return out;
    }

  private:
    TileSource& source_;
    Control& control_;
    std::vector<Index> rows_;
    std::vector<Vector> columns_;  // K(pool, row) for every row of the core set
};

/// A Violator is the (K alpha)_i of a row, and the row. Rows with the smallest products violate optimality
/// most, so that violators sort from the worst on.
using Violator = std::pair<double, Index>;

class CoreSetSearch {
  public:
    CoreSetSearch(TileSource& source, const CoreSetOptions& options, Control& control)
        : source_(source),
          options_(options),
          control_(control),
          random_(options.seed),
          core_(source, options.start.empty() ? first_rows() : options.start, control),
          pool_(source, control),
          began_(std::chrono::steady_clock::now()),
          share_(1 - std::sqrt(1 - options.gap)),
          has_rough_products_(source.has_rough_products()) {
        constexpr double single_rounding = std::numeric_limits<float>::epsilon();
        rounding_ = roundings_of_products * single_rounding * std::ranges::max(source.diagonal());
    }

    CoreSetSolution solve() {
        double inner_share = 0.3 * share_;
        int refinements = 0;
        core_.solve(inner_share);
        pool_.replace(random_pool(), core_);
        while (true) {
            auto violators = violators_among(pool_.rows(), pool_.products(core_.alpha()));
            note_round();
            if (violators.empty()) {
                violators = scan();
                if (violators.empty()) {
                    if (widest_ <= share_) break;
                    // Only rows of the core set violate, so their own program must be solved to a tighter
                    // tolerance.
                    inner_share = std::max(0.5 * inner_share, least_share);
                    const double before = core_.objective();
                    core_.solve(inner_share);
                    const bool gained = core_.objective() < before * (1 - 1e-13);
                    if (++refinements == most_refinements || (!gained && inner_share == least_share)) break;
                    continue;
                }
            }
            if (out_of_rounds() || core_.size() >= options_.most_core) {
                if (!scanned_) scan_exactly();
                break;
            }
            grow(violators);
            core_.solve(inner_share);
            if (std::ssize(solution_.rounds) % 10 == 0) pool_keep(core_.drop(1.1));
        }
        finish();
        return std::move(solution_);
    }

  private:
    std::vector<Index> allowed_rows() const {
        std::vector<Index> rows;
        for (Index i = 0; i < source_.size(); ++i) {
            if (options_.excluded.empty() || options_.excluded[i] == 0) rows.push_back(i);
        }
        return rows;
    }

    /// Chooses random rows, equally many of every group where the groups are large enough.
    std::vector<Index> first_rows() {
        std::vector<Index> order = allowed_rows();
        random_.shuffle(std::span(order));
        std::vector<Index> counts;
        std::vector<Index> chosen;
        for (const Index i : order) {
            const Index group = options_.groups.empty() ? 0 : options_.groups[i];
            if (group >= std::ssize(counts)) counts.resize(group + 1);
            if (++counts[group] <= rows_of_a_group_at_the_start) chosen.push_back(i);
        }
        chosen.resize(std::min(std::ssize(chosen), options_.most_core));
        std::ranges::sort(chosen);
        return chosen;
    }

    /// Chooses the pool's first rows at random, and takes all rows where they are few.
    std::vector<Index> random_pool() {
        std::vector<Index> order = allowed_rows();
        everything_ = std::ssize(order) <= pool_size;
        if (everything_) return order;
        for (Index k = 0; k < pool_size; ++k) std::swap(order[k], order[k + random_.below(order.size() - k)]);
        order.resize(pool_size);
        std::ranges::sort(order);
        return order;
    }

    /// Gives the rows outside the core set whose (K alpha)_i is below the objective by more than the share,
    /// and notes the widest shortfall of any row, core rows included.
    std::vector<Violator> violators_among(std::span<const Index> rows, const Vector& products) {
        std::vector<Violator> found;
        double lowest = core_.objective();
        for (Index k = 0; k < std::ssize(rows); ++k) {
            lowest = std::min(lowest, products[k]);
            if (products[k] < (1 - share_) * core_.objective() && !core_.has(rows[k]))
                found.emplace_back(products[k], rows[k]);
        }
        widest_ = 1 - lowest / core_.objective();
        scanned_ = everything_;
        return found;
    }

    /// Looks at every row, makes the worst violators the pool, and gives them. Where it gives none, it has
    /// looked by the exact products.
    std::vector<Violator> scan() {
        if (everything_) return {};
        if (has_rough_products_ && !few_were_left_ && share_ * core_.objective() > rounding_) {
            auto found = confirmed(worst_of_all(&TileSource::rough_products));
            if (!found.empty()) return found;
        }
        return scan_exactly();
    }

    std::vector<Violator> scan_exactly() {
        if (everything_) return {};
        auto found = worst_of_all(&TileSource::products);
        scanned_ = true;
        return found;
    }

    /// Gives those violators that exact products confirm, which the pool has of its rows. Where few of them
    /// are, no more is looked for in single precision.
    std::vector<Violator> confirmed(const std::vector<Violator>& found) {
        ++solution_.rough_scans;
        if (found.empty()) return {};
        auto sure = violators_among(pool_.rows(), pool_.products(core_.alpha()));
        if (2 * sure.size() < found.size()) has_rough_products_ = false;
        return sure;
    }

    template <typename Products>
    std::vector<Violator> worst_of_all(Products products_of) {
        ++solution_.scans;
        const ProgressHold hold(control_);
        const std::vector<Index> rows = allowed_rows();
        const auto [support, weights] = support_of_core();
        const Vector products = (source_.*products_of)(support, weights, control_);
        auto found = violators_among(rows, products(rows));
        few_were_left_ = std::ssize(found) < least_batch;
        const auto count = std::min(pool_size, std::ssize(found));
        std::ranges::partial_sort(found, found.begin() + count);
        found.resize(count);
        std::vector<Index> worst;
        worst.reserve(found.size());
        for (const auto& [product, row] : found) worst.push_back(row);
        std::ranges::sort(worst);
        if (!worst.empty()) pool_.replace(std::move(worst), core_);
        return found;
    }

    /// Gives the rows of the core set with weights that are not 0, and these weights.
    std::pair<std::vector<Index>, Vector> support_of_core() const {
        std::vector<Index> positions;
        std::vector<Index> rows;
        for (Index c = 0; c < core_.size(); ++c) {
            if (core_.alpha()[c] == 0) continue;
            positions.push_back(c);
            rows.push_back(core_.rows()[c]);
        }
        return {std::move(rows), core_.alpha()(positions)};
    }

    /// Adds the worst violators to the core set. Batches grow with the core set, so that large ones take few
    /// rounds.
    void grow(std::vector<Violator>& violators) {
        const Index batch = std::min({std::max(least_batch, core_.size() / 8), std::ssize(violators),
                                      options_.most_core - core_.size()});
        std::ranges::partial_sort(violators, violators.begin() + batch);
        std::vector<Index> rows;
        for (Index k = 0; k < batch; ++k) rows.push_back(violators[k].second);
        std::ranges::sort(rows);
        core_.add(rows);
        pool_.add(rows);
    }

    void pool_keep(const std::vector<Index>& positions) {
        if (!positions.empty()) pool_.keep(positions);
    }

    bool out_of_rounds() const {
        return options_.most_rounds > 0 && std::ssize(solution_.rounds) >= options_.most_rounds;
    }

    /// Gives the bound on the relative gap of the objective that the rows looked at prove, as the head of
    /// this file derives it.
    double gap() const { return widest_ < 1 ? 1 - (1 - widest_) * (1 - widest_) : 1; }

    void note_round() {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
        solution_.rounds.push_back({core_.size(), core_.objective(), gap()});
        control_.check(std::clamp(std::log(std::max(widest_, share_)) / std::log(share_), 0.0, 1.0),
                       text("core set of ", core_.size(), ", gap ", gap(), " after ", passed.count(), " s"));
    }

    void finish() {
        solution_.gap = gap();
        solution_.converged = scanned_ && widest_ <= share_ * (1 + 1e-12);
        std::vector<std::pair<Index, double>> support;
        for (Index i = 0; i < core_.size(); ++i) {
            if (core_.alpha()[i] > 0) support.emplace_back(core_.rows()[i], core_.alpha()[i]);
        }
        std::ranges::sort(support);
        for (const auto& [row, weight] : support) {
            solution_.core.push_back(row);
            solution_.alpha.push_back(weight);
        }
        solution_.objective = core_.objective();
    }

    TileSource& source_;
    const CoreSetOptions& options_;
    Control& control_;
    Random random_;
    CoreMatrix core_;
    Pool pool_;
    std::chrono::steady_clock::time_point began_;
    double share_;             // the share of the objective by which a (K alpha)_i may fall short of it
    double widest_ = 1;        // the largest such share of the rows looked at
    bool everything_ = false;  // whether the pool holds every row
    bool scanned_ = false;     // whether every row was looked at exactly since the core set changed
    bool has_rough_products_;
    double rounding_ = 0;         // by how much rough products may err
    bool few_were_left_ = false;  // whether the last look at all rows found few violators
    CoreSetSolution solution_;
};

}  // namespace

CoreSetSolution solve_core_set(TileSource& source, const CoreSetOptions& options, Control& control) {
    return CoreSetSearch(source, options, control).solve();
}

}  // namespace dk
