// SPDX-License-Identifier: Apache-2.0
#include "margin_problem.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace dk_reference {
namespace {

long double squared_norm(const Matrix& kernel, const std::vector<long double>& coefficients) {
    long double sum = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        if (coefficients[i] == 0) continue;
        long double product = 0;
        for (std::size_t j = 0; j < coefficients.size(); ++j) product += kernel(i, j) * coefficients[j];
        sum += coefficients[i] * product;
    }
    return sum;
}

}  // namespace

std::string name_of(MarginMachine machine) {
    switch (machine) {
        case MarginMachine::nu_svm:
            return "nu_svm";
        case MarginMachine::svr:
            return "svr";
        case MarginMachine::nu_svr:
            return "nu_svr";
        case MarginMachine::one_class_svm:
            return "one_class_svm";
    }
    throw std::logic_error("unknown machine");
}

double MarginProblem::weight_sum() const {
    double sum = 0;
    for (std::size_t i = 0; i < input.rows(); ++i) sum += weight(i);
    return sum;
}

MarginProblem repeated(const MarginProblem& problem) {
    MarginProblem result = problem;
    result.weights.clear();
    result.targets.clear();
    result.input.labels.clear();
    result.input.values.clear();
    for (std::size_t i = 0; i < problem.input.rows(); ++i) {
        for (double left = problem.weight(i); left > 0; left -= 1) {
            const double* row = problem.input.row(i);
            result.input.values.insert(result.input.values.end(), row, row + problem.input.cols);
            result.input.labels.push_back(problem.input.labels[i]);
            if (problem.regression()) result.targets.push_back(problem.targets[i]);
        }
    }
    return result;
}

void make_target(MarginProblem& problem, std::size_t column) {
    std::vector<double> kept;
    problem.targets.clear();
    for (std::size_t i = 0; i < problem.input.rows(); ++i) {
        for (std::size_t j = 0; j < problem.input.cols; ++j) {
            (j == column ? problem.targets : kept).push_back(problem.input.row(i)[j]);
        }
    }
    problem.input.values = kept;
    --problem.input.cols;
}

void make_smooth_targets(MarginProblem& problem, unsigned seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    problem.targets.clear();
    for (std::size_t i = 0; i < problem.input.rows(); ++i) {
        const double first = problem.input.row(i)[0];
        const double last = problem.input.row(i)[problem.input.cols - 1];
        problem.targets.push_back(std::sin(2 * first) + 0.5 * last * first - 0.3 * last +
                                  0.2 * normal(generator));
    }
}

long double dual_objective(const MarginProblem& problem, const Matrix& kernel,
                           const std::vector<long double>& coefficients) {
    long double value = squared_norm(kernel, coefficients) / 2;
    if (!problem.regression()) return value;
    const long double epsilon = problem.machine == MarginMachine::svr ? problem.epsilon : 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        value += epsilon * std::abs(coefficients[i]) - problem.targets[i] * coefficients[i];
    }
    return value;
}

long double primal_objective(const MarginProblem& problem, const Matrix& kernel,
                             const std::vector<long double>& coefficients,
                             const std::vector<double>& decisions, const Found& found) {
    const long double share = static_cast<long double>(problem.nu) * problem.weight_sum();
    const long double tube = problem.machine == MarginMachine::svr ? problem.epsilon : found.epsilon;
    long double losses = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        const long double decision = decisions[i];
        long double excess = 0;
        if (problem.regression()) {
            excess = std::abs(problem.targets[i] - decision) - tube;
        } else if (problem.machine == MarginMachine::one_class_svm) {
            excess = -decision;
        } else {
            excess = 1 - static_cast<long double>(problem.input.labels[i]) * decision;
        }
        losses += problem.weight(i) * std::max<long double>(0, excess);
    }
    const long double half_norm = squared_norm(kernel, coefficients) / 2;
    switch (problem.machine) {
        case MarginMachine::nu_svm:
            return half_norm + (losses - share) / found.rho;
        case MarginMachine::svr:
            return half_norm + problem.input.cost * losses;
        case MarginMachine::nu_svr:
            return half_norm + problem.input.cost * (share * tube + losses);
        case MarginMachine::one_class_svm:
            return half_norm + share * found.offset + losses;
    }
    throw std::logic_error("unknown machine");
}

}  // namespace dk_reference
