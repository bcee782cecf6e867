// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "matrix/matrix.hpp"

namespace dk {

/// A TileSource computes any part of a positive definite matrix K that is too large to have all at once.
class TileSource {
  public:
    TileSource() = default;
    virtual ~TileSource() = default;
    TileSource(const TileSource&) = delete;
    TileSource& operator=(const TileSource&) = delete;

    virtual std::span<const double> diagonal() const = 0;
    Index size() const { return std::ssize(diagonal()); }

    /// Gives K(left, right).
    virtual Matrix values(std::span<const Index> left, std::span<const Index> right, Control& control) = 0;
    /// Gives K(:, core) alpha without storing that part of K.
    virtual Vector products(std::span<const Index> core, const ConstVectorRef& alpha, Control& control) = 0;

    /// Tells whether products may be had in single precision, at a fraction of their cost.
    virtual bool has_rough_products() const { return false; }
    /// Gives products() in single precision. Numbers that it does not hold may come out as NaN.
    virtual Vector rough_products(std::span<const Index> core, const ConstVectorRef& alpha,
                                  Control& control) {
        return products(core, alpha, control);
    }
};

struct CoreSetOptions {
    /// The method stops when the objective alpha' K alpha is certain to be within this share of the least.
    double gap = 0.05;
    std::int64_t most_rounds = 0;  // 0: no limit
    Index most_core = 50000;
    std::uint64_t seed = 1;
    std::vector<Index> groups = {};   // the group of each row; rows of every group begin the core set
    std::vector<char> excluded = {};  // whether a row must stay out of the core set; empty: none must
    std::vector<Index> start = {};    // the first core set, ascending; empty: random rows of every group
};

/// A CoreSetRound is the state after a round, as a report shows it.
struct CoreSetRound {
    Index core;
    double objective;
    double gap;  // the bound that the rows looked at in this round prove
};

struct CoreSetSolution {
    std::vector<Index> core;    // ascending
    std::vector<double> alpha;  // the weights of the core set, positive, with the sum 1
    double objective = 0;       // alpha' K alpha
    /// The gap is 1 - (smallest (K alpha)_i / objective)^2 over all rows, or 1 where some (K alpha)_i is
    /// negative. It proves that the least objective is at least (1 - gap) times this one.
    double gap = 0;
    std::int64_t scans = 0;        // how often every row was looked at
    std::int64_t rough_scans = 0;  // how often of these in single precision
    std::vector<CoreSetRound> rounds;
    bool converged = false;
};

/// Minimises alpha' K alpha over the simplex {alpha >= 0, sum alpha = 1} on a core set, by the batched form
/// of the core vector machine. Memory holds only the core set's matrix and a pool of rows.
CoreSetSolution solve_core_set(TileSource& source, const CoreSetOptions& options, Control& control);

}  // namespace dk
