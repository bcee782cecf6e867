// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solve/box/smo.hpp"

namespace dk {

/// An ActiveProgram is the program of some variables, called active, while the others stay where they are.
/// Its matrix has the active rows and columns alone, so that it is cheaper to work with. This is shrinking
/// (Joachims, Making large-scale SVM learning practical, 1999, section 11.4; Fan, Chen, Lin, JMLR 6, 2005).
class ActiveProgram {
  public:
    /// Makes the program of these variables, which ascend, from the whole program at `beta`. `products` is K
    /// beta with an element for each row. Gives nothing where a smaller matrix would be no cheaper.
    static std::optional<ActiveProgram> make(const BoxProgram& whole, std::vector<Index> variables,
                                             const std::vector<double>& beta,
                                             std::span<const double> products, Control& control);

    const BoxProgram& program() const { return program_; }

    /// Takes the solution over into the variables of the whole program, and brings K beta up to date at all
    /// rows. Gives the sum of the lengths by which variables moved.
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
