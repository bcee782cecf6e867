// SPDX-License-Identifier: Apache-2.0
#include "kernel/landmarks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/large_array.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "kernel/gram_engine.hpp"
#include "kernel/product.hpp"

namespace dk {

namespace {

constexpr Index rows_at_once = 256;

/// A position drawn with the likelihood of its weight; weights >= 0, not all zero.
Index draw(std::span<const double> weights, double sum, Random& random) {
    double rest = random.uniform() * sum;
    Index last = 0;
    for (Index i = 0; i < size_of(weights); ++i) {
        const double weight = weights[unsigned_of(i)];
        if (weight <= 0) continue;
        last = i;
        rest -= weight;
        if (rest < 0) break;
    }
    return last;
}

/// The partial Cholesky factor of a kernel matrix, grown by blocks of pivots.
class PivotedCholesky {
  public:
    PivotedCholesky(const KernelPointer& kernel, const Dataset& data, Index most, Control& control)
        : engine_(kernel, data, data, &control), control_(control), most_(most), rows_(data.rows()) {
        control.memory().require(8.0 * static_cast<double>(rows_) * static_cast<double>(most),
                                 text("the factor of ", rows_, " rows and ", most, " landmarks"));
        factor_ = LargeArray<double>(rows_ * most);
        residuals_ = engine_.self(Side::left);
        for (double& r : residuals_) r = std::max(r, 0.0);
        floor_ =
            1e-12 * std::accumulate(residuals_.begin(), residuals_.end(), 0.0) / static_cast<double>(rows_);
    }

    const std::vector<Index>& pivots() const { return pivots_; }

    /// Draws a block of pivots and takes what they explain off the residuals; false when nothing is left.
    bool grow(Index block_size, Random& random) {
        const auto candidates = draw_block(block_size, random);
        if (candidates.empty()) return false;
        std::vector<double> rows(candidates.size() * unsigned_of(rows_));
        engine_.rows_of(candidates, rows.data(), control_);
        subtract_explained(candidates, rows);
        return append(candidates, rows) > 0;
    }

  private:
    std::vector<Index> draw_block(Index block_size, Random& random) const {
        std::vector<double> weights = residuals_;
        std::vector<Index> drawn;
        double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        while (size_of(drawn) < block_size && sum > floor_ * static_cast<double>(rows_)) {
            const Index i = draw(weights, sum, random);
            sum -= weights[unsigned_of(i)];
            weights[unsigned_of(i)] = 0;
            drawn.push_back(i);
        }
        return drawn;
    }

    template <typename Body>
    void for_columns(Body body) {
        const ProgressHold hold(control_);
        parallel_for((rows_ + rows_at_once - 1) / rows_at_once, control_, [&](Index chunk) {
            const Index first = chunk * rows_at_once;
            body(first, std::min(rows_, first + rows_at_once));
        });
    }

    /// rows -= F(candidates) F'
    void subtract_explained(std::span<const Index> candidates, std::vector<double>& rows) {
        const Index rank = size_of(pivots_);
        if (rank == 0) return;
        std::vector<double> chosen;
        for (const Index i : candidates)
            chosen.insert(chosen.end(), factor_.data() + i * most_, factor_.data() + i * most_ + rank);
        for_columns([&](Index first, Index last) {
            std::vector<double> explained(candidates.size() * unsigned_of(last - first));
            dense_product(chosen.data(), rank, size_of(candidates), factor_.data() + first * most_, most_,
                          last - first, rank, explained.data(), last - first);
            for (Index r = 0; r < size_of(candidates); ++r) {
                for (Index j = first; j < last; ++j)
                    rows[unsigned_of(r * rows_ + j)] -=
                        explained[unsigned_of(r * (last - first) + j - first)];
            }
        });
    }

    /// Cholesky of the candidates' own block, those left out that others explain; then the new columns.
    Index append(std::span<const Index> candidates, const std::vector<double>& rows) {
        struct Accepted {
            Index candidate;
            std::vector<double> lower;  // its row of the triangular factor
        };
        std::vector<Accepted> accepted;
        const Index room = most_ - size_of(pivots_);
        for (Index r = 0; r < size_of(candidates) && size_of(accepted) < room; ++r) {
            std::vector<double> lower;
            const auto value = [&](Index c) {
                return rows[unsigned_of(r * rows_ + candidates[unsigned_of(c)])];
            };
            double pivot = value(r);
            for (const auto& [earlier, other] : accepted) {
                double sum = value(earlier);
                for (std::size_t k = 0; k + 1 < other.size(); ++k) sum -= lower[k] * other[k];
                lower.push_back(sum / other.back());
                pivot -= lower.back() * lower.back();
            }
            if (!(pivot > std::max(floor_, 1e-8 * residuals_[unsigned_of(candidates[unsigned_of(r)])])))
                continue;
            lower.push_back(std::sqrt(pivot));
            accepted.push_back({r, std::move(lower)});
        }
        const Index rank = size_of(pivots_);
        for_columns([&](Index first, Index last) {
            for (Index j = first; j < last; ++j) {
                double* out = factor_.data() + j * most_ + rank;
                double& residual = residuals_[unsigned_of(j)];
                for (std::size_t a = 0; a < accepted.size(); ++a) {
                    const auto& lower = accepted[a].lower;
                    double sum = rows[unsigned_of(accepted[a].candidate * rows_ + j)];
                    for (std::size_t k = 0; k < a; ++k) sum -= lower[k] * out[k];
                    out[a] = sum / lower.back();
                    residual = std::max(0.0, residual - out[a] * out[a]);
                }
            }
        });
        for (const auto& one : accepted) {
            pivots_.push_back(candidates[unsigned_of(one.candidate)]);
            residuals_[unsigned_of(pivots_.back())] = 0;
        }
        return size_of(accepted);
    }

    GramEngine<double> engine_;
    Control& control_;
    Index most_;
    Index rows_;
    LargeArray<double> factor_;  // rows x most
    std::vector<double> residuals_;
    std::vector<Index> pivots_;
    double floor_ = 0;
};

/// The nearest centre of each row, by one product.
class NearestCentre {
  public:
    NearestCentre(const DenseMatrix& rows, Control& control) : rows_(rows), control_(control) {}

    /// Fills `nearest`; gives the sum of the squared distances less that of the squared norms of the rows.
    double assign(const std::vector<double>& centres, Index count, std::vector<Index>& nearest) const {
        std::vector<double> norms(unsigned_of(count));
        for (Index c = 0; c < count; ++c) {
            for (Index j = 0; j < rows_.cols; ++j) {
                const double v = centres[unsigned_of(c * rows_.cols + j)];
                norms[unsigned_of(c)] += v * v;
            }
        }
        std::vector<double> distances(unsigned_of(rows_.rows));
        const ProgressHold hold(control_);
        parallel_for((rows_.rows + rows_at_once - 1) / rows_at_once, control_, [&](Index chunk) {
            const Index first = chunk * rows_at_once;
            const Index height = std::min(rows_at_once, rows_.rows - first);
            std::vector<double> products(unsigned_of(height * count));
            dense_product(rows_.values.data() + first * rows_.cols, rows_.cols, height, centres.data(),
                          rows_.cols, count, rows_.cols, products.data(), count);
            for (Index i = 0; i < height; ++i) {
                double best = std::numeric_limits<double>::infinity();
                for (Index c = 0; c < count; ++c) {
                    const double distance = norms[unsigned_of(c)] - 2 * products[unsigned_of(i * count + c)];
                    if (!(distance < best)) continue;
                    best = distance;
                    nearest[unsigned_of(first + i)] = c;
                }
                distances[unsigned_of(first + i)] = best;
            }
        });
        return std::accumulate(distances.begin(), distances.end(), 0.0);
    }

  private:
    const DenseMatrix& rows_;
    Control& control_;
};

/// Subtracts the column means, which an offset of the data would make products cancel by; returns them.
std::vector<double> move_to_origin(DenseMatrix& rows) {
    std::vector<double> means(unsigned_of(rows.cols));
    for (Index e = 0; e < size_of(rows.values); ++e)
        means[unsigned_of(e % rows.cols)] += rows.values[unsigned_of(e)] / static_cast<double>(rows.rows);
    for (Index e = 0; e < size_of(rows.values); ++e)
        rows.values[unsigned_of(e)] -= means[unsigned_of(e % rows.cols)];
    return means;
}

/// k-means++ (Arthur and Vassilvitskii 2007): each centre is a row drawn with the likelihood of its squared
/// distance to the centres before.
std::vector<double> first_centres(const DenseMatrix& rows, Index count, Random& random, Control& control) {
    std::vector<double> centres;
    std::vector<double> distances(unsigned_of(rows.rows), 1.0);
    double sum = static_cast<double>(rows.rows);
    for (Index c = 0; c < count; ++c) {
        if (control.stopping()) control.check();
        const auto centre = rows.row(draw(distances, sum, random));
        centres.insert(centres.end(), centre.begin(), centre.end());
        sum = 0;
        for (Index i = 0; i < rows.rows; ++i) {
            double distance = 0;
            const auto row = rows.row(i);
            for (std::size_t j = 0; j < row.size(); ++j)
                distance += (row[j] - centre[j]) * (row[j] - centre[j]);
            double& least = distances[unsigned_of(i)];
            least = c == 0 ? distance : std::min(least, distance);
            sum += least;
        }
        if (sum == 0) break;  // every row is a centre
    }
    return centres;
}

}  // namespace

std::vector<Index> uniform_landmarks(Index rows, Index count, std::uint64_t seed) {
    std::vector<Index> all(unsigned_of(rows));
    std::iota(all.begin(), all.end(), Index{0});
    Random(seed).shuffle(std::span(all));
    all.resize(unsigned_of(std::min(rows, count)));
    std::ranges::sort(all);
    return all;
}

std::vector<Index> pivoted_landmarks(const KernelPointer& kernel, const Dataset& data, Index count,
                                     std::uint64_t seed, Control& control) {
    const Index most = std::min(count, data.rows());
    const Index block = std::clamp<Index>(most / 10, 1, 64);
    PivotedCholesky cholesky(kernel, data, most, control);
    Random random(seed);
    while (size_of(cholesky.pivots()) < most && cholesky.grow(block, random)) {
    }
    if (cholesky.pivots().empty()) {
        fail(Status::numerical, "kernel ", kernel->text(),
             " has no row with k(x, x) > 0 to be a landmark of a low-rank approximation");
    }
    return cholesky.pivots();
}

Dataset centre_landmarks(const Dataset& data, Index count, std::uint64_t seed, Control& control) {
    constexpr Index most_rows = 20000;
    constexpr int most_steps = 20;
    const Dataset sample = data.select(uniform_landmarks(data.rows(), most_rows, seed));
    DenseMatrix rows = sample.dense();
    const auto means = move_to_origin(rows);
    Random random(seed);
    auto centres = first_centres(rows, std::min(count, rows.rows), random, control);
    const Index found = size_of(centres) / rows.cols;
    const NearestCentre nearest_centre(rows, control);
    std::vector<Index> nearest(unsigned_of(rows.rows));
    double before = std::numeric_limits<double>::infinity();
    const double squares =
        std::inner_product(rows.values.begin(), rows.values.end(), rows.values.begin(), 0.0);
    for (int step = 0; step < most_steps; ++step) {
        const double sum = squares + nearest_centre.assign(centres, found, nearest);
        if (!(sum < before * (1 - 1e-6)) && step > 0) break;
        before = sum;
        std::vector<double> sums(centres.size());
        std::vector<double> members(unsigned_of(found));
        for (Index i = 0; i < rows.rows; ++i) {
            const Index c = nearest[unsigned_of(i)];
            ++members[unsigned_of(c)];
            for (Index j = 0; j < rows.cols; ++j)
                sums[unsigned_of(c * rows.cols + j)] += rows.row(i)[unsigned_of(j)];
        }
        for (Index e = 0; e < size_of(centres); ++e) {
            const double count_here = members[unsigned_of(e / rows.cols)];
            if (count_here > 0) centres[unsigned_of(e)] = sums[unsigned_of(e)] / count_here;
        }
    }
    for (Index e = 0; e < size_of(centres); ++e) centres[unsigned_of(e)] += means[unsigned_of(e % rows.cols)];
    return Dataset(DenseMatrix{found, rows.cols, std::move(centres)});
}

}  // namespace dk
