// SPDX-License-Identifier: Apache-2.0
//
// The support vector machine with nu in place of C solves, for rows x_i of two classes with signs y_i,
//
//     min over a   1/2 sum_ij a_i a_j y_i y_j k(x_i, x_j)
//     subject to   0 <= a_i <= u_i,   sum_i y_i a_i = 0,   sum_i a_i = nu W,   W = sum_i u_i.
//
// With b_i = y_i a_i each class has the sum nu W / 2 of |b_i|. At the solution rows with 0 < a_i < u_i lie at
// f = rho and -rho, where f is sum_i b_i k(x_i, x) and an offset. Dividing all by rho brings them to 1 and
// -1.
//
//     letter   name
//     b        BoxProgram's variables, SmoSolution::beta
//     u        BinaryProblem::sample_weights
//     nu       parameter::nu
//     rho      MarginSolution::rho()
//
// B. Schoelkopf, A. J. Smola, R. C. Williamson, P. L. Bartlett, New support vector algorithms, Neural
// Computation 12, 2000.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/margin/margin_report.hpp"

namespace dk {

namespace parameter {
constexpr RealKey nu{"nu", 0.5, Range::share(), "At most this share of rows may be margin errors."};
}  // namespace parameter

namespace {

constexpr double largest_gap = 0.1;  // of rho
constexpr double tightest = 1e-6;    // of the tolerance
constexpr double rounding = 1e-15;   // of a sum's terms

/// This is a solution, with what f is at the free rows of each class, but for its offset.
struct MarginSolution {
    SmoSolution solved;
    double at_positive = 0;
    double at_negative = 0;

    double rho() const { return 0.5 * (at_negative - at_positive); }
};

/// Gives the size of the terms of f, a sum of coefficients times kernel values, in whose rounding a smaller
/// rho is lost.
double size_of_terms(const BoxProgram& program) {
    double length = 0;
    for (const double beta : program.start) length += std::abs(beta);
    return length * std::ranges::max(program.gram.diagonal());
}

/// Solves the program until the violation that is left is a small part of rho, which every number is divided
/// by. Classes that nearly meet in feature space have a small rho, which takes a smaller tolerance to find.
MarginSolution solve_with_margin(BoxProgram& program, const Parameters& parameters, Control& control) {
    SmoOptions options = smo_options(parameters);
    const std::int64_t most_steps = options.max_iterations;
    const double smallest = tightest * options.tolerance;
    const double least = rounding * size_of_terms(program);
    std::int64_t steps = 0;
    bool rough_search = false;
    while (true) {
        MarginSolution found{.solved = solve_smo(program, options, control)};
        found.solved.rough_search = rough_search = rough_search || found.solved.rough_search;
        options.rough_search = false;  // What follows is beyond single precision.
        steps += found.solved.iterations;
        found.solved.iterations = steps;
        found.at_positive = smo_offset(program, found.solved, 0);
        found.at_negative = smo_offset(program, found.solved, 1);
        const double rho = found.rho();
        const bool ends = !found.solved.converged || (most_steps > 0 && steps >= most_steps);
        if (rho > least && found.solved.gap <= (ends ? 1.0 : largest_gap) * rho) return found;
        // Where the classes' means in feature space meet, rho is zero, and what the solver finds of it is
        // noise.
        if (ends || options.tolerance <= smallest)
            fail(Status::numerical, "nu_svm found no margin: rho is ", rho, " beside a violation of ",
                 found.solved.gap, " and a rounding of ", least, "; nu (it is ", parameters[parameter::nu],
                 ") is too small for classes that overlap so, rows are far from the origin beside their "
                 "distances, or max_iterations is too small");
        options.tolerance *= 0.1;
        if (most_steps > 0) options.max_iterations = most_steps - steps;
        program.start = std::move(found.solved.beta);
    }
}

/// Trains on two classes.
BinarySolution train_nu_svm(const BinaryProblem& binary, TrainingGram& gram) {
    const auto& parameters = binary.problem.parameters;
    const double nu = parameters[parameter::nu];
    const std::size_t n = binary.signs.size();
    BoxProgram program = zero_program(gram, binary.rows());
    program.in_second.assign(n, 0);
    std::vector<Index> positives;
    std::vector<Index> negatives;
    double positive_weight = 0;
    double negative_weight = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double weight = binary.sample_weights[i];
        const bool positive = binary.signs[i] > 0;
        (positive ? program.upper[i] : program.lower[i]) = binary.signs[i] * weight;
        program.in_second[i] = positive ? 0 : 1;
        (positive ? positives : negatives).push_back(i);
        (positive ? positive_weight : negative_weight) += weight;
    }
    const double total = positive_weight + negative_weight;
    const double largest = 2 * std::min(positive_weight, negative_weight) / total;
    if (nu > largest) {
        fail(Status::invalid_parameter, "nu is ", nu, "; with ", positives.size(), " rows of class ",
             binary.positive_class, " and ", negatives.size(), " of ",
             binary.negative_class.empty() ? "the others" : binary.negative_class, " it can be at most ",
             largest);
    }
    fill_start(program.start, positives, program.upper, 0.5 * nu * total);
    fill_start(program.start, negatives, program.lower, -0.5 * nu * total);
    MarginSolution found = solve_with_margin(program, parameters, binary.problem.control);
    const double rho = found.rho();
    BinarySolution solution;
    for (const double beta : found.solved.beta) solution.gamma.push_back(beta / rho);
    solution.offset = 0.5 * (found.at_positive + found.at_negative) / rho;
    solution.length = found.solved.length / rho;
    found.solved.objective /= rho * rho;
    found.solved.gap /= rho;
    report_solution(solution.report, program, found.solved);
    solution.report.add("rho", rho);
    return solution;
}

}  // namespace

Machine nu_svm_machine() {
    return {
        .name = "nu_svm",
        .doc = "This support vector machine has nu, a bound on the share of margin errors, in place of C.",
        .reference =
            "Schoelkopf, Smola, Williamson, Bartlett, New support vector algorithms, Neural "
            "Computation 12, 2000",
        .task = Task::classification,
        .parameters = {parameter::nu, parameter::tolerance, parameter::max_iterations, parameter::multiclass},
        .train =
            [](const TrainingProblem& problem) { return train_by_binary_reduction(problem, train_nu_svm); },
        .several_labels = true};
}

}  // namespace dk
