// SPDX-License-Identifier: Apache-2.0
// Randomly pivoted Cholesky finds landmarks. It approximates the kernel matrix A by F F', and draws the rows,
// called pivots, by which F grows. A block of pivots takes four steps:
//   1. Draw different pivots S, each with a likelihood proportional to its element of the residuals d.
//   2. Compute G = A(S, :) - F(S, :) F', the part of their rows that F leaves.
//   3. Factorise R R' = G(:, S) by Cholesky, without the pivots of which the others leave too little.
//   4. Append the columns (R^-1 G)' to F, and subtract the squares of their elements from d.
//
//   paper    code            what it is
//   A        engine_         the kernel matrix, of which only the rows of pivots are computed
//   F        factor_         a matrix of rows x pivots
//   d        residuals_      the diagonal of A - F F', whose elements are at least 0
//   S        candidates      the pivots of the block
//   G        residual_rows   a matrix of pivots x rows
//   R        triangle        a lower triangular matrix, with a row for each accepted pivot
//
// Chen, Epperly, Tropp, Webber, Randomly pivoted Cholesky: practical approximation of a kernel matrix with
// few entry evaluations, Communications on Pure and Applied Mathematics, 2024.
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

    /// Draws a block of pivots and lets F grow by them. The answer is false when F leaves nothing to draw.
    bool grow(Index block_size, Random& random) {
        const auto candidates = draw_block(block_size, random);
        if (candidates.empty()) return false;
        Matrix residual_rows(std::ssize(candidates), rows_);
        engine_.rows_of(candidates, residual_rows.data(), control_);
        subtract_explained(candidates, residual_rows);
        return append(candidates, residual_rows) > 0;
    }

  private:
    /// Takes step 1. A drawn pivot gets the weight 0, so that no later draw of the block finds it.
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

    /// Calls body(first, count) for blocks of columns of the kernel matrix, on the threads of the call.
    template <typename Body>
    void for_columns(Body body) {
        const ProgressHold hold(control_);
        parallel_for((rows_ + columns_at_once - 1) / columns_at_once, control_, [&](Index chunk) {
            const Index first = chunk * columns_at_once;
            body(first, std::min(columns_at_once, rows_ - first));
        });
    }

    /// Takes step 2, where `residual_rows` is A(S, :) before and G after it.
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

    /// An accepted pivot of the block and its row of R.
    struct Accepted {
        Index candidate;
        std::vector<double> triangle;
    };

    /// Takes step 3. A pivot is left out when the accepted ones leave nothing but rounding of it.
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

    /// Takes the steps 3 and 4, and returns the number of accepted pivots.
    Index append(const std::vector<Index>& candidates, const Matrix& residual_rows) {
        const auto accepted = factorise(candidates, residual_rows);
        const Index rank = std::ssize(pivots_);
        for_columns([&](Index first, Index count) {
            for (Index j = first; j < first + count; ++j) {
                double* column = &factor_(j, rank);  // a column of R^-1 G, by forward substitution
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
    double floor_ = 0;  // residuals that are not larger are rounding
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
