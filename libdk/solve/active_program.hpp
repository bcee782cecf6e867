// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solve/smo.hpp"

namespace dk {

/// The program of some variables while the others stay where they are, with rows that are as short as there
/// are active rows: shrinking (Joachims 1999, section 11.4; Fan, Chen, Lin, JMLR 6, 2005).
class ActiveProgram {
  public:
    /// `variables`, ascending, of the whole program at `beta`, where `products` is K beta, one a row. None
    /// where a smaller matrix would be no cheaper.
    static std::optional<ActiveProgram> make(const BoxProgram& whole, std::vector<Index> variables,
                                             const std::vector<double>& beta,
                                             std::span<const double> products, Control& control);

    const BoxProgram& program() const { return program_; }

    /// Brings what the variables have become to the whole program, and K beta up to date at all rows; how
    /// far the variables moved, in sum.
    double take_over(const SmoSolution& solution, std::span<double> beta, std::span<double> products,
                     Control& control) const;

  private:
    ActiveProgram(const BoxProgram& whole, std::vector<Index> variables, std::vector<Index> rows,
                  std::unique_ptr<GramSource> gram);
    void start_at(const std::vector<double>& beta, std::span<const double> products, Control& control);

    const BoxProgram& whole_;
    std::vector<Index> variables_;  // of the whole program
    std::vector<Index> rows_;       // of the whole matrix, ascending
    std::unique_ptr<GramSource> gram_;
    BoxProgram program_;
};

}  // namespace dk
