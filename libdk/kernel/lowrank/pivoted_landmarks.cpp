// SPDX-License-Identifier: Apache-2.0
// Landmarks by randomly pivoted Cholesky, in blocks. The kernel matrix A is approximated by F F', where F
// grows by the columns of drawn pivots:
//   1. draw pivots S with the likelihood of the residual diagonal d
//   2. G = A(S, :) - F(S, :) F', what F leaves of their rows
//   3. R R' = G(:, S), a Cholesky factorisation that skips pivots which others of the block explain
//   4. F gets the columns (R^-1 G)', and d loses the squares of their rows
//
//   paper    code            what it is
//   A        engine_         the kernel matrix, of which only drawn rows are computed
//   F        factor_         rows x pivots
//   d        residuals_      the diagonal of A - F F', at least 0
//   S        candidates      the block's pivots
//   G        residual_rows   pivots x rows
//   R        triangle        lower triangular, a row for each accepted pivot
//
// Chen, Epperly, Tropp, Webber, Randomly pivoted Cholesky: practical approximation of a kernel matrix with
// few entry evaluations, CPAM 2024, section 2.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "kernel/lowrank/landmarks.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

constexpr Index columns_at_once = 256;

class PivotedCholesky {
  public:
    PivotedCholesky(const KernelPointer& kernel, const Dataset& data, Index limit, Control& control)
        : engine_(kernel, data, data, &control), control_(control), limit_(limit), rows_(data.rows()) {
        control.memory().require(8.0 * rows_ * limit,
                                 text("the factor of ", rows_, " rows and ", limit, " landmarks"));
        factor_ = LargeMatrix(rows_, limit);
        const auto diagonal = engine_.self(Side::left);
        residuals_ = as_vector(diagonal).cwiseMax(0.0);
        floor_ = 1e-12 * residuals_.sum() / rows_;
    }

    const std::vector<Index>& pivots() const { return pivots_; }

    /// Draws a block of pivots and takes what they explain off the residuals; false when nothing is left.
    bool grow(Index block_size, Random& random) {
        const auto candidates = draw_block(block_size, random);
        if (candidates.empty()) return false;
        Matrix residual_rows(std::ssize(candidates), rows_);
        engine_.rows_of(candidates, residual_rows.data(), control_);
        subtract_explained(candidates, residual_rows);
        return append(candidates, residual_rows) > 0;
    }

  private:
    /// Step 1: different pivots, each drawn from what the draws before leave.
    std::vector<Index> draw_block(Index block_size, Random& random) const {
        Vector weights = residuals_;
        std::vector<Index> drawn;
        double sum = weights.sum();
        while (std::ssize(drawn) < block_size && sum > floor_ * rows_) {
            const Index i = draw_by_weight(weights, sum, random);
            sum -= weights(i);
            weights(i) = 0;
            drawn.push_back(i);
        }
        return drawn;
    }

    /// Runs body(first, count) for blocks of the kernel matrix's columns.
    template <typename Body>
    void for_columns(Body body) {
        const ProgressHold hold(control_);
        parallel_for((rows_ + columns_at_once - 1) / columns_at_once, control_, [&](Index chunk) {
            const Index first = chunk * columns_at_once;
            body(first, std::min(columns_at_once, rows_ - first));
        });
    }

    /// Step 2: G = A(S, :) - F(S, :) F'.
    void subtract_explained(const std::vector<Index>& candidates, Matrix& residual_rows) {
        const Index rank = std::ssize(pivots_);
        if (rank == 0) return;
        const auto F = factor_.view();
        const Matrix chosen = F(candidates, Eigen::seqN(0, rank));
        for_columns([&](Index first, Index count) {
            multiply_transposed(chosen, F.block(first, 0, count, rank),
                                residual_rows.middleCols(first, count), Into::subtract);
        });
    }

    /// A pivot of the block and its row of R.
    struct Accepted {
        Index candidate;
        std::vector<double> triangle;
    };

    /// Step 3: the Cholesky factorisation of G(:, S), without the pivots that others explain.
    std::vector<Accepted> factorise(const std::vector<Index>& candidates, const Matrix& residual_rows) const {
        std::vector<Accepted> accepted;
        const Index room = limit_ - std::ssize(pivots_);
        for (Index r = 0; r < std::ssize(candidates) && std::ssize(accepted) < room; ++r) {
            std::vector<double> triangle;
            double pivot = residual_rows(r, candidates[r]);
            for (const auto& [earlier, other] : accepted) {
                double sum = residual_rows(r, candidates[earlier]);
                for (std::size_t k = 0; k + 1 < other.size(); ++k) sum -= triangle[k] * other[k];
                triangle.push_back(sum / other.back());
                pivot -= triangle.back() * triangle.back();
            }
            if (!(pivot > std::max(floor_, 1e-8 * residuals_(candidates[r])))) continue;
            triangle.push_back(std::sqrt(pivot));
            accepted.push_back({r, std::move(triangle)});
        }
        return accepted;
    }

    /// Steps 3 and 4; gives the number of pivots that came.
    Index append(const std::vector<Index>& candidates, const Matrix& residual_rows) {
        const auto accepted = factorise(candidates, residual_rows);
        const Index rank = std::ssize(pivots_);
        for_columns([&](Index first, Index count) {
            for (Index j = first; j < first + count; ++j) {
                double* column = &factor_(j, rank);  // of R^-1 G, by forward substitution
                double& residual = residuals_(j);
                for (std::size_t a = 0; a < accepted.size(); ++a) {
                    const auto& triangle = accepted[a].triangle;
                    double sum = residual_rows(accepted[a].candidate, j);
                    for (std::size_t k = 0; k < a; ++k) sum -= triangle[k] * column[k];
                    column[a] = sum / triangle.back();
                    residual = std::max(0.0, residual - column[a] * column[a]);
                }
            }
        });
        for (const auto& one : accepted) {
            pivots_.push_back(candidates[one.candidate]);
            residuals_(pivots_.back()) = 0;
        }
        return std::ssize(accepted);
    }

    GramEngine<double> engine_;
    Control& control_;
    Index limit_;
    Index rows_;
    LargeMatrix factor_;
    Vector residuals_;
    std::vector<Index> pivots_;
    double floor_ = 0;  // residuals that are rounding
};

}  // namespace

std::vector<Index> pivoted_landmarks(const KernelPointer& kernel, const Dataset& data, Index count,
                                     std::uint64_t seed, Control& control) {
    const Index limit = std::min(count, data.rows());
    const Index block = std::clamp<Index>(limit / 10, 1, 64);
    PivotedCholesky cholesky(kernel, data, limit, control);
    Random random(seed);
    while (std::ssize(cholesky.pivots()) < limit && cholesky.grow(block, random)) {
    }
    if (cholesky.pivots().empty()) {
        fail(Status::numerical, "kernel ", kernel->text(),
             " has no row with k(x, x) > 0 to be a landmark of a low-rank approximation");
    }
    return cholesky.pivots();
}

}  // namespace dk
