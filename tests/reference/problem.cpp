// SPDX-License-Identifier: Apache-2.0
#include "problem.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>

namespace dk_reference {
namespace {

// The fewest digits that read back to the same double, so that both sides get the same parameters.
std::string text_of(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    return fields;
}

void standardise(Problem& problem) {
    const auto rows = static_cast<double>(problem.rows());
    for (std::size_t j = 0; j < problem.cols; ++j) {
        double mean = 0;
        double square = 0;
        for (std::size_t i = 0; i < problem.rows(); ++i) mean += problem.row(i)[j] / rows;
        for (std::size_t i = 0; i < problem.rows(); ++i)
            square += std::pow(problem.row(i)[j] - mean, 2) / rows;
        const double deviation = square > 0 ? std::sqrt(square) : 1;
        for (std::size_t i = 0; i < problem.rows(); ++i) {
            double& value = problem.values[i * problem.cols + j];
            value = (value - mean) / deviation;
        }
    }
}

double uniform(std::mt19937_64& generator, double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator);
}

Kernel random_kernel(unsigned number, std::size_t cols, std::mt19937_64& generator) {
    Kernel kernel;
    kernel.kind = static_cast<KernelKind>(number % 3);
    kernel.gamma = std::exp(uniform(generator, std::log(0.2), std::log(5.0))) / static_cast<double>(cols);
    kernel.degree = 2 + static_cast<int>(number / 3 % 2);
    kernel.coef0 = number % 2 == 0 ? 1 : 0;
    return kernel;
}

}  // namespace

long double Kernel::operator()(const double* x, const double* z, std::size_t cols) const {
    long double product = 0;
    long double distance = 0;
    for (std::size_t j = 0; j < cols; ++j) {
        const long double difference = static_cast<long double>(x[j]) - z[j];
        product += static_cast<long double>(x[j]) * z[j];
        distance += difference * difference;
    }
    switch (kind) {
        case KernelKind::linear:
            return product;
        case KernelKind::rbf:
            return std::exp(-static_cast<long double>(gamma) * distance);
        case KernelKind::poly: {
            const long double base =
                static_cast<long double>(gamma) * product + static_cast<long double>(coef0);
            long double power = 1;
            for (int k = 0; k < degree; ++k) power *= base;
            return power;
        }
    }
    throw std::logic_error("unknown kernel");
}

std::string Kernel::specification() const {
    switch (kind) {
        case KernelKind::linear:
            return "linear";
        case KernelKind::rbf:
            return "rbf(gamma=" + text_of(gamma) + ")";
        case KernelKind::poly:
            return "poly(degree=" + std::to_string(degree) + ",gamma=" + text_of(gamma) +
                   ",coef0=" + text_of(coef0) + ")";
    }
    throw std::logic_error("unknown kernel");
}

Matrix kernel_matrix(const Problem& problem) {
    Matrix matrix(problem.rows());
    for (std::size_t i = 0; i < problem.rows(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            matrix(i, j) = matrix(j, i) = problem.kernel(problem.row(i), problem.row(j), problem.cols);
        }
    }
    return matrix;
}

Problem read_problem(const std::string& file, bool standardised) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file);
    Problem problem;
    problem.name = file;
    std::vector<std::string> classes;
    std::string line;
    std::getline(in, line);  // names
    while (std::getline(in, line)) {
        const std::vector<std::string> fields = split(line);
        problem.cols = fields.size() - 1;
        for (std::size_t j = 0; j < problem.cols; ++j) problem.values.push_back(std::stod(fields[j]));
        classes.push_back(fields.back());
    }
    const std::string first = *std::min_element(classes.begin(), classes.end());
    for (const std::string& name : classes) problem.labels.push_back(name == first ? -1 : 1);
    if (standardised) standardise(problem);
    return problem;
}

Problem random_problem(unsigned number) {
    std::mt19937_64 generator(1000 + number);
    std::normal_distribution<double> normal;
    Problem problem;
    const std::size_t rows = 20 + static_cast<std::size_t>(uniform(generator, 0, 280));
    problem.cols = 1 + static_cast<std::size_t>(uniform(generator, 0, 30));
    problem.kernel = random_kernel(number, problem.cols, generator);
    problem.cost = std::exp(uniform(generator, std::log(0.1), std::log(100.0)));
    const double share = uniform(generator, 0.2, 0.8);
    const double distance = uniform(generator, 0.3, 2.0);
    for (std::size_t i = 0; i < rows; ++i) {
        // The first two rows make sure that both classes are there; either class may come first.
        const bool positive = i < 2 ? (i + number) % 2 == 0 : uniform(generator, 0, 1) < share;
        problem.labels.push_back(positive ? 1 : -1);
        for (std::size_t j = 0; j < problem.cols; ++j) {
            const double value = normal(generator) + (j == 0 && positive ? distance : 0);
            // Every fifth problem has values on a coarse grid: equal rows and ties among the violators.
            problem.values.push_back(number % 5 == 4 ? std::round(2 * value) / 2 : value);
        }
    }
    if (number % 3 == 1) {
        problem.negative_weight = std::round(100 * uniform(generator, 0.2, 1)) / 100;
        problem.positive_weight = std::round(100 * uniform(generator, 1, 5)) / 100;
    }
    problem.name = "random" + std::to_string(number);
    return problem;
}

Problem random_classes(unsigned seed, std::size_t classes, std::size_t rows, std::size_t cols,
                       double spread) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal;
    std::vector<double> centres(classes * cols);
    for (double& value : centres) value = 2 * normal(generator);
    Problem problem;
    problem.name = "classes" + std::to_string(classes);
    problem.cols = cols;
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t label = i % classes;
        problem.labels.push_back(static_cast<std::int64_t>(label));
        for (std::size_t j = 0; j < cols; ++j) {
            problem.values.push_back(centres[label * cols + j] + spread * normal(generator));
        }
    }
    return problem;
}

}  // namespace dk_reference
