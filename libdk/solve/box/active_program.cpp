// SPDX-License-Identifier: Apache-2.0
#include "solve/box/active_program.hpp"

#include <algorithm>
#include <cmath>

#include "base/select.hpp"

namespace dk {

std::optional<ActiveProgram> ActiveProgram::make(const BoxProgram& whole, std::vector<Index> variables,
                                                 const std::vector<double>& beta,
                                                 std::span<const double> products, Control& control) {
    std::vector<Index> rows;
    rows.reserve(variables.size());
    for (const Index t : variables) rows.push_back(whole.row(t));
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    auto gram = whole.gram.principal_submatrix(rows, control);
    if (!gram) return std::nullopt;
    ActiveProgram active(whole, std::move(variables), std::move(rows), std::move(gram));
    active.start_at(beta, products, control);
    return active;
}

ActiveProgram::ActiveProgram(const BoxProgram& whole, std::vector<Index> variables, std::vector<Index> rows,
                             std::unique_ptr<GramMatrix> gram)
    : whole_(whole),
      variables_(std::move(variables)),
      rows_(std::move(rows)),
      gram_(std::move(gram)),
      program_{.gram = *gram_,
               .rows = {},
               .linear = select_values(whole.linear, variables_),
               .lower = select_values(whole.lower, variables_),
               .upper = select_values(whole.upper, variables_),
               .ridge = select_values(whole.ridge, variables_),
               .start = {},
               .in_second = select_values(whole.in_second, variables_)} {
    if (whole.rows.empty()) return;
    for (const Index t : variables_)
        program_.rows.push_back(std::ranges::lower_bound(rows_, whole.row(t)) - rows_.begin());
}

/// The variables t that stay where they are add K_at b_t to the gradient at the active rows a. That is a
/// constant for the active program, so it becomes a part of the linear term.
void ActiveProgram::start_at(const std::vector<double>& beta, std::span<const double> products,
                             Control& control) {
    program_.start = select_values(beta, variables_);
    program_.start_product = gram_product(program_, program_.start, control);
    for (Index t = 0; t < program_.size(); ++t) {
        const Index row = program_.row(t);
        program_.linear[t] += products[rows_[row]] - program_.start_product[row];
    }
}

double ActiveProgram::take_over(const SmoSolution& solution, std::span<double> beta,
                                std::span<double> products, Control& control) const {
    std::vector<Index> moved;
    std::vector<double> moves;
    double length = 0;
    for (Index t = 0; t < program_.size(); ++t) {
        const Index own = variables_[t];  // the variable of the whole program
        const Index row = whole_.row(own);
        const double b = solution.beta[t];
        const double ridge = program_.ridge.empty() ? 0 : program_.ridge[t];
        // K b at the active rows follows from descent = -(K b + ridge b + c).
        products[row] = -solution.descent[t] - ridge * b - whole_.linear[own];
        const double move = b - beta[own];
        if (move == 0) continue;
        moved.push_back(row);
        moves.push_back(move);
        length += std::abs(move);
        beta[own] = b;
    }
    std::vector<Index> others;
    for (Index i = 0, r = 0; i < whole_.gram.size(); ++i) {
        if (r < std::ssize(rows_) && rows_[r] == i) {
            ++r;
        } else {
            others.push_back(i);
        }
    }
    if (!moved.empty() && !others.empty())
        whole_.gram.add_product_at(others, moved, moves, products, control);
    return length;
}

}  // namespace dk
