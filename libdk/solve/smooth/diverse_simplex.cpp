// SPDX-License-Identifier: Apache-2.0
// This file solves
//
//     min over x >= 0, sum x = 1   f(x) = e'x + rho / 2 x'(A + kappa I) x
//
// by pairwise Frank-Wolfe: each step moves weight from the element j of the support whose derivative is
// largest to the element i whose derivative is least, as far as f falls along the way. g_j - g_i bounds f(x)
// - min f.
//
//     g        gradient, e + rho (A + kappa I) x
//     s        step
//     q        curvature, the second derivative of f along the way
//
// Reference: Lacoste-Julien, Jaggi, On the global linear convergence of Frank-Wolfe optimization variants,
// NIPS 2015.
#include "solve/smooth/diverse_simplex.hpp"

#include <algorithm>

namespace dk {

namespace {

/// Computes (A + kappa I) x.
Vector product(const DiverseProgram& program, const ConstVectorRef& x) {
    Vector sum = program.kappa * x;
    for (Index j = 0; j < x.size(); ++j) {
        if (x[j] > 0) sum += x[j] * program.column(j);
    }
    return sum;
}

Vector gradient_at(const DiverseProgram& program, const ConstVectorRef& x) {
    return program.e + program.rho * product(program, x);
}

Index steepest_of_support(const Vector& gradient, const Vector& x) {
    Index steepest = -1;
    for (Index j = 0; j < x.size(); ++j) {
        if (x[j] > 0 && (steepest < 0 || gradient[j] > gradient[steepest])) steepest = j;
    }
    return steepest;
}

}  // namespace

DiverseSolution solve_diverse(const DiverseProgram& program, Vector start, double tolerance) {
    constexpr Index most_steps = 20000;
    constexpr Index steps_between_exact_gradients = 1000;
    DiverseSolution solution{.x = std::move(start)};
    Vector& x = solution.x;
    Vector gradient = gradient_at(program, x);
    while (true) {
        Index i = 0;
        gradient.minCoeff(&i);
        const Index j = steepest_of_support(gradient, x);
        solution.gap = gradient[j] - gradient[i];
        solution.converged = solution.gap <= tolerance;
        if (solution.converged || solution.steps == most_steps) return solution;

        const Vector& to = program.column(i);
        const Vector& from = program.column(j);
        const double curvature = program.rho * (to[i] + from[j] - 2 * to[j] + 2 * program.kappa);
        const double step = curvature > 0 ? std::min(x[j], solution.gap / curvature) : x[j];
        x[i] += step;
        x[j] -= step;  // This is 0 where all of it moves.
        gradient += step * program.rho * (to - from);
        gradient[i] += step * program.rho * program.kappa;
        gradient[j] -= step * program.rho * program.kappa;
        if (++solution.steps % steps_between_exact_gradients == 0) gradient = gradient_at(program, x);
    }
}

double diverse_objective(const DiverseProgram& program, const ConstVectorRef& x) {
    return program.e.dot(x) + 0.5 * program.rho * x.dot(product(program, x));
}

}  // namespace dk
