// SPDX-License-Identifier: Apache-2.0
//
// LIBSVM's machines with libdk's conventions: for two classes the decision is positive for the larger label,
// for more there is one decision for each pair (a, b), a < b, positive for a.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "margin_problem.hpp"
#include "problem.hpp"

namespace dk_reference {

class LibsvmMachine {
  public:
    // Both sides get the same kernel parameters, costs, class weights and tolerance.
    LibsvmMachine(const Problem& problem, double tolerance);
    LibsvmMachine(const MarginProblem& problem, double tolerance);  // without weights: LIBSVM has none
    ~LibsvmMachine();
    LibsvmMachine(const LibsvmMachine&) = delete;
    LibsvmMachine& operator=(const LibsvmMachine&) = delete;

    // Two classes: the multiplier of each training row, not negative.
    std::vector<long double> multipliers() const;
    // One decision function: the coefficient of each training row.
    std::vector<long double> coefficients() const;
    std::vector<double> decisions(const double* row) const;
    std::int64_t predict(const double* row) const;

    // A number that LIBSVM prints while it trains and keeps nowhere, to six digits after the point: "obj",
    // "epsilon".
    double printed(const std::string& name) const;

  private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace dk_reference
