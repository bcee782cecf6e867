// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/control.hpp"
#include "base/types.hpp"

namespace dk {

/// A positive definite matrix of which any part can be had, but never all at once.
class CoreSource {
  public:
    CoreSource() = default;
    virtual ~CoreSource() = default;
    CoreSource(const CoreSource&) = delete;
    CoreSource& operator=(const CoreSource&) = delete;

    virtual std::span<const double> diagonal() const = 0;
    Index size() const { return size_of(diagonal()); }

    /// out = K(left, right), row-major without gaps.
    virtual void values(std::span<const Index> left, std::span<const Index> right, double* out,
                        Control& control) = 0;
    /// out = K(:, core) alpha, without storing it.
    virtual void products(std::span<const Index> core, std::span<const double> alpha, double* out,
                          Control& control) = 0;
};

struct CoreSetOptions {
    /// Stops when the objective a'Ka is certain to be within this share of the least.
    double gap = 0.05;
    std::int64_t most_rounds = 0;  // 0: no limit
    Index most_core = 50000;
    std::uint64_t seed = 1;
    std::vector<Index> groups = {};   // of each row; rows of every group begin the core set
    std::vector<char> excluded = {};  // rows that must stay out; empty: none
    std::vector<Index> start = {};    // the first core set, ascending; empty: random rows of every group
};

/// What a round left: for the curve of a report.
struct CoreSetRound {
    Index core;
    double objective;
    double gap;  // among the rows looked at
};

struct CoreSetSolution {
    std::vector<Index> core;    // ascending
    std::vector<double> alpha;  // of the core, positive, sum 1
    double objective = 0;       // a'Ka
    /// 1 - (smallest (Ka)_i / a'Ka)^2 over all rows, 1 where one is negative: the least objective is at least
    /// (1 - gap) a'Ka.
    double gap = 0;
    std::int64_t scans = 0;  // looks at every row
    std::vector<CoreSetRound> rounds;
    bool converged = false;
};

/// min a'Ka over the simplex, a >= 0 with sum 1, by a core set that grows by the rows of smallest (Ka)_i,
/// many at a time: the batched form of the core vector machine (Tsang, Kwok, Cheung, JMLR 6, 2005). Between
/// looks at all rows it works on a pool of those that were worst. Needs space for the core set's matrix and
/// the pool's rows.
CoreSetSolution solve_core_set(CoreSource& source, const CoreSetOptions& options, Control& control);

}  // namespace dk
