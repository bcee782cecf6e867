// SPDX-License-Identifier: Apache-2.0
#include "solve/core_set.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/select.hpp"
#include "base/text.hpp"
#include "solve/core_matrix.hpp"

namespace dk {

namespace {

/// Rows whose values with the core set are kept between looks at all.
constexpr Index pool_size = 4096;
constexpr Index rows_of_a_group_at_the_start = 10;
constexpr Index least_batch = 64;
constexpr double least_share = 1e-13;
constexpr int most_refinements = 200;  // solutions of the core set's own program without a new row

/// Rows with their values for every row of the core set.
class Pool {
  public:
    Pool(CoreSource& source, Control& control) : source_(source), control_(control) {}

    const std::vector<Index>& rows() const { return rows_; }

    void replace(std::vector<Index> rows, const CoreMatrix& core) {
        rows_ = std::move(rows);
        columns_.clear();
        add(core.rows());
    }

    /// The values for rows that joined the core set.
    void add(std::span<const Index> core_rows) {
        std::vector<double> values(rows_.size() * core_rows.size());
        source_.values(core_rows, rows_, values.data(), control_);
        for (std::size_t c = 0; c < core_rows.size(); ++c) {
            const auto begin = values.begin() + static_cast<Index>(c * rows_.size());
            columns_.emplace_back(begin, begin + size_of(rows_));
        }
    }

    void keep(std::span<const Index> positions) {
        std::vector<std::vector<double>> kept;
        for (const Index c : positions) kept.push_back(std::move(columns_[unsigned_of(c)]));
        columns_ = std::move(kept);
    }

    /// K(pool, core) alpha
    std::vector<double> products(std::span<const double> alpha) const {
        std::vector<double> out(rows_.size());
        constexpr Index chunk = 1024;
        parallel_for((size_of(rows_) + chunk - 1) / chunk, control_, [&](Index k) {
            const Index end = std::min(size_of(rows_), (k + 1) * chunk);
            for (std::size_t c = 0; c < columns_.size(); ++c) {
                if (alpha[c] == 0) continue;
                const double* column = columns_[c].data();
                for (Index i = k * chunk; i < end; ++i) out[unsigned_of(i)] += alpha[c] * column[i];
            }
        });
        return out;
    }

  private:
    CoreSource& source_;
    Control& control_;
    std::vector<Index> rows_;
    std::vector<std::vector<double>> columns_;  // one a row of the core set
};

/// A row and its (Ka)_i; those with the smallest violate optimality most.
using Violator = std::pair<double, Index>;

class CoreSetSearch {
  public:
    CoreSetSearch(CoreSource& source, const CoreSetOptions& options, Control& control)
        : source_(source),
          options_(options),
          control_(control),
          random_(options.seed),
          core_(source, options.start.empty() ? first_rows() : options.start, control),
          pool_(source, control),
          began_(std::chrono::steady_clock::now()),
          share_(1 - std::sqrt(1 - options.gap)) {}

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
                    // what violates is in the core set already: its own program must be solved better
                    inner_share = std::max(0.5 * inner_share, least_share);
                    const double before = core_.objective();
                    core_.solve(inner_share);
                    const bool gained = core_.objective() < before * (1 - 1e-13);
                    if (++refinements == most_refinements || (!gained && inner_share == least_share)) break;
                    continue;
                }
            }
            if (out_of_rounds() || core_.size() >= options_.most_core) {
                if (!scanned_) scan();
                break;
            }
            grow(violators);
            core_.solve(inner_share);
            if (size_of(solution_.rounds) % 10 == 0) pool_keep(core_.drop(1.1));
        }
        finish();
        return std::move(solution_);
    }

  private:
    std::vector<Index> allowed_rows() const {
        std::vector<Index> rows;
        for (Index i = 0; i < source_.size(); ++i) {
            if (options_.excluded.empty() || options_.excluded[unsigned_of(i)] == 0) rows.push_back(i);
        }
        return rows;
    }

    std::vector<Index> first_rows() {
        std::vector<Index> order = allowed_rows();
        random_.shuffle(std::span(order));
        std::vector<Index> counts;
        std::vector<Index> chosen;
        for (const Index i : order) {
            const Index group = options_.groups.empty() ? 0 : options_.groups[unsigned_of(i)];
            if (group >= size_of(counts)) counts.resize(unsigned_of(group + 1));
            if (++counts[unsigned_of(group)] <= rows_of_a_group_at_the_start) chosen.push_back(i);
        }
        chosen.resize(std::min(chosen.size(), unsigned_of(options_.most_core)));
        std::ranges::sort(chosen);
        return chosen;
    }

    std::vector<Index> random_pool() {
        std::vector<Index> order = allowed_rows();
        everything_ = size_of(order) <= pool_size;
        if (everything_) return order;
        for (Index k = 0; k < pool_size; ++k)
            std::swap(order[unsigned_of(k)],
                      order[unsigned_of(k) + random_.below(order.size() - unsigned_of(k))]);
        order.resize(unsigned_of(pool_size));
        std::ranges::sort(order);
        return order;
    }

    /// Rows outside the core set that fall short of the objective by more than the share.
    std::vector<Violator> violators_among(std::span<const Index> rows, std::span<const double> products) {
        std::vector<Violator> found;
        double lowest = core_.objective();
        for (std::size_t k = 0; k < rows.size(); ++k) {
            lowest = std::min(lowest, products[k]);
            if (products[k] < (1 - share_) * core_.objective() && !core_.has(rows[k]))
                found.emplace_back(products[k], rows[k]);
        }
        widest_ = 1 - lowest / core_.objective();
        scanned_ = everything_;
        return found;
    }

    /// A look at every row; the worst become the pool.
    std::vector<Violator> scan() {
        if (everything_) return {};
        ++solution_.scans;
        const ProgressHold hold(control_);
        const std::vector<Index> rows = allowed_rows();
        std::vector<double> all(unsigned_of(source_.size()));
        source_.products(core_.rows(), core_.alpha(), all.data(), control_);
        auto found = violators_among(rows, select_values(all, rows));
        scanned_ = true;
        const auto count = std::min(pool_size, size_of(found));
        std::ranges::partial_sort(found, found.begin() + count);
        found.resize(unsigned_of(count));
        std::vector<Index> worst;
        worst.reserve(found.size());
        for (const auto& [product, row] : found) worst.push_back(row);
        std::ranges::sort(worst);
        if (!worst.empty()) pool_.replace(std::move(worst), core_);
        return found;
    }

    void grow(std::vector<Violator>& violators) {
        const Index batch = std::min(
            {std::max(least_batch, core_.size() / 8), size_of(violators), options_.most_core - core_.size()});
        std::ranges::partial_sort(violators, violators.begin() + batch);
        std::vector<Index> rows;
        for (Index k = 0; k < batch; ++k) rows.push_back(violators[unsigned_of(k)].second);
        std::ranges::sort(rows);
        core_.add(rows);
        pool_.add(rows);
    }

    void pool_keep(const std::vector<Index>& positions) {
        if (!positions.empty()) pool_.keep(positions);
    }

    bool out_of_rounds() const {
        return options_.most_rounds > 0 && size_of(solution_.rounds) >= options_.most_rounds;
    }

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
            if (core_.alpha()[unsigned_of(i)] > 0)
                support.emplace_back(core_.rows()[unsigned_of(i)], core_.alpha()[unsigned_of(i)]);
        }
        std::ranges::sort(support);
        for (const auto& [row, weight] : support) {
            solution_.core.push_back(row);
            solution_.alpha.push_back(weight);
        }
        solution_.objective = core_.objective();
    }

    CoreSource& source_;
    const CoreSetOptions& options_;
    Control& control_;
    Random random_;
    CoreMatrix core_;
    Pool pool_;
    std::chrono::steady_clock::time_point began_;
    double share_;             // how far a row may fall short of the objective
    double widest_ = 1;        // how far one does, of those looked at
    bool everything_ = false;  // whether the pool holds every row
    bool scanned_ = false;     // whether every row was looked at since the last change
    CoreSetSolution solution_;
};

}  // namespace

CoreSetSolution solve_core_set(CoreSource& source, const CoreSetOptions& options, Control& control) {
    return CoreSetSearch(source, options, control).solve();
}

}  // namespace dk
