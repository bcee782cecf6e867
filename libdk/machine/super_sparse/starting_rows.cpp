// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/starting_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "kernel/engine/gram_engine.hpp"

namespace dk {

namespace {

constexpr Index most_candidates = 500;  // rows that prototypes may start at
constexpr Index most_judges = 5000;     // rows by which starts are chosen

std::vector<Index> random_rows(Index rows, Index most, Random& random) {
    std::vector<Index> all(rows);
    std::iota(all.begin(), all.end(), Index{0});
    if (rows > most) {
        random.shuffle(std::span(all));
        all.resize(most);
        std::ranges::sort(all);
    }
    return all;
}

/// Orthogonal matching pursuit: each turn the candidate that explains most of what is left, which is then
/// taken off the targets and off the other candidates.
class StartingRows {
  public:
    StartingRows(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                 std::uint64_t seed, Control& control)
        : control_(control), functions_(targets.functions) {
        Random random(seed);
        candidates_ = random_rows(data.rows(), most_candidates, random);
        const std::vector<Index> judges = random_rows(data.rows(), most_judges, random);
        rows_ = std::ssize(judges);
        for (const Index i : judges) {
            const double root = std::sqrt(targets.row_weights[i]);
            roots_.push_back(root);
            for (Index c = 0; c < functions_; ++c) rest_.push_back(root * targets.values[i * functions_ + c]);
        }
        // column k: sqrt(u) s(x, candidate k)
        columns_.resize(candidates_.size() * judges.size());
        const Dataset some = data.select(judges);
        const Dataset points = data.select(candidates_);
        const ProgressHold hold(control);
        GramEngine<double>(kernel, points, some, &control).matrices(columns_.data(), control);
        for (std::size_t e = 0; e < columns_.size(); ++e) columns_[e] *= roots_[e % roots_.size()];
        first_squares_ = squares();
        take_off(roots_);  // the offset explains what is constant
    }

    std::vector<Index> choose(Index count) {
        std::vector<Index> chosen;
        while (std::ssize(chosen) < count) {
            control_.check();
            const std::vector<double> left = squares();
            std::vector<double> gains(candidates_.size(), -1.0);
            const ProgressHold hold(control_);
            parallel_for(std::ssize(candidates_), control_, [&](Index k) {
                // what others explain already is rounding
                const double own = left[k];
                if (own > 1e-9 * first_squares_[k] && own > 0) gains[k] = explained(k) / own;
            });
            const auto most = std::ranges::max_element(gains);
            const Index best = *most < 0 ? -1 : most - gains.begin();
            if (best < 0) break;
            chosen.push_back(candidates_[best]);
            const auto column = std::span(columns_).subspan(best * rows_, rows_);
            take_off({column.begin(), column.end()});
        }
        return chosen;
    }

  private:
    const double* column(Index k) const { return columns_.data() + k * rows_; }

    std::vector<double> squares() const {
        std::vector<double> out(candidates_.size());
        const ProgressHold hold(control_);
        parallel_for(std::ssize(candidates_), control_, [&](Index k) {
            out[k] = std::inner_product(column(k), column(k) + rows_, column(k), 0.0);
        });
        return out;
    }

    double explained(Index k) const {
        std::vector<double> products(functions_);
        for (Index i = 0; i < rows_; ++i) {
            const double* rest = rest_.data() + i * functions_;
            for (Index c = 0; c < functions_; ++c) products[c] += column(k)[i] * rest[c];
        }
        return std::inner_product(products.begin(), products.end(), products.begin(), 0.0);
    }

    void take_off(std::vector<double> direction) {
        const double length =
            std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
        if (!(length > 0)) return;
        for (double& v : direction) v /= length;
        parallel_for(std::ssize(candidates_), control_, [&](Index k) {
            double* own = columns_.data() + k * rows_;
            const double part = std::inner_product(own, own + rows_, direction.begin(), 0.0);
            for (Index i = 0; i < rows_; ++i) own[i] -= part * direction[i];
        });
        std::vector<double> parts(functions_);
        for (Index i = 0; i < rows_; ++i) {
            for (Index c = 0; c < functions_; ++c) parts[c] += direction[i] * rest_[i * functions_ + c];
        }
        for (Index i = 0; i < rows_; ++i) {
            for (Index c = 0; c < functions_; ++c) rest_[i * functions_ + c] -= parts[c] * direction[i];
        }
    }

    Control& control_;
    Index functions_;
    Index rows_ = 0;
    std::vector<Index> candidates_;
    std::vector<double> roots_;    // sqrt(u)
    std::vector<double> columns_;  // candidates x rows
    std::vector<double> rest_;     // rows x functions
    std::vector<double> first_squares_;
};

}  // namespace

std::vector<Index> starting_rows(const KernelPointer& kernel, const Dataset& data,
                                 const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                 Control& control) {
    return StartingRows(kernel, data, targets, options.seed, control)
        .choose(std::min(options.prototypes, data.rows()));
}

}  // namespace dk
