// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solve/box/smo.hpp"

namespace dk {

/// The program of some variables, called active, while the others stay where they are. Its matrix has the
/// active rows and columns alone, so that it is cheaper to work with: this is shrinking (Joachims, Making
/// large-scale SVM learning practical, 1999, section 11.4; Fan, Chen, Lin, JMLR 6, 2005).
class ActiveProgram {
  public:
    /// The program of these variables, ascending, of the whole program at `beta`, where `products` is K beta
    /// with an element for each row. Nothing where a smaller matrix would be no cheaper.
    static std::optional<ActiveProgram> make(const BoxProgram& whole, std::vector<Index> variables,
                                             const std::vector<double>& beta,
                                             std::span<const double> products, Control& control);

    const BoxProgram& program() const { return program_; }

    /// Brings the solution to the variables of the whole program, and K beta up to date at all rows. Gives
    /// how far the variables moved, in sum.
    double take_over(const SmoSolution& solution, std::span<double> beta, std::span<double> products,
                     Control& control) const;

  private:
    ActiveProgram(const BoxProgram& whole, std::vector<Index> variables, std::vector<Index> rows,
                  std::unique_ptr<GramMatrix> gram);
    void start_at(const std::vector<double>& beta, std::span<const double> products, Control& control);

    const BoxProgram& whole_;
    std::vector<Index> variables_;  // the active variables of the whole program
    std::vector<Index> rows_;       // their rows of the whole matrix, ascending
    std::unique_ptr<GramMatrix> gram_;
    BoxProgram program_;
};

}  // namespace dk
