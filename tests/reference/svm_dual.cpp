// SPDX-License-Identifier: Apache-2.0
#include "svm_dual.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace dk_reference {
namespace {

using Vector = std::vector<long double>;

constexpr long double kInfinity = std::numeric_limits<long double>::infinity();

Dual make_dual(const Problem& problem) {
    Dual dual{kernel_matrix(problem), {}, {}, Vector(problem.rows(), 0)};
    for (const std::int64_t label : problem.labels) dual.signs.push_back(label > 0 ? 1 : -1);
    return dual;
}

long double q_value(const Dual& dual, std::size_t i, std::size_t j) {
    const long double ridge = i == j ? dual.ridge[i] : 0;
    return static_cast<long double>(dual.signs[i] * dual.signs[j]) * (dual.kernel(i, j) + ridge);
}

Vector gradient(const Dual& dual, const Vector& alpha) {
    const std::size_t count = alpha.size();
    Vector result(count, -1);
    for (std::size_t j = 0; j < count; ++j) {
        if (alpha[j] == 0) continue;
        for (std::size_t i = 0; i < count; ++i) result[i] += q_value(dual, i, j) * alpha[j];
    }
    return result;
}

// The point of {a >= 0, sum(y a) = 0} nearest to `point`: max(point - y t, 0) with t by bisection.
Vector project(const Dual& dual, const Vector& point) {
    const auto shifted = [&](long double shift) {
        Vector result(point.size());
        for (std::size_t i = 0; i < point.size(); ++i) {
            result[i] = std::max<long double>(point[i] - static_cast<long double>(dual.signs[i]) * shift, 0);
        }
        return result;
    };
    const auto balance = [&](const Vector& alpha) {
        long double sum = 0;
        for (std::size_t i = 0; i < alpha.size(); ++i)
            sum += static_cast<long double>(dual.signs[i]) * alpha[i];
        return sum;
    };
    long double low = -1;
    long double high = 1;
    while (balance(shifted(low)) < 0) low *= 2;
    while (balance(shifted(high)) > 0) high *= 2;
    for (int step = 0; step < 100; ++step) {
        const long double middle = (low + high) / 2;
        (balance(shifted(middle)) > 0 ? low : high) = middle;
    }
    return shifted((low + high) / 2);
}

// Gaussian elimination with row exchanges; `system` is square with the right side appended.
Vector solve_linear(std::vector<Vector> system) {
    const std::size_t size = system.size();
    for (std::size_t column = 0; column < size; ++column) {
        const auto pivot = std::max_element(
            system.begin() + static_cast<std::ptrdiff_t>(column), system.end(),
            [&](const Vector& a, const Vector& b) { return std::abs(a[column]) < std::abs(b[column]); });
        std::swap(*pivot, system[column]);
        for (std::size_t row = 0; row < size; ++row) {
            if (row == column) continue;
            const long double factor = system[row][column] / system[column][column];
            for (std::size_t k = column; k <= size; ++k) system[row][k] -= factor * system[column][k];
        }
    }
    Vector solution(size);
    for (std::size_t i = 0; i < size; ++i) solution[i] = system[i][size] / system[i][i];
    return solution;
}

// The stationary point when exactly `support` is free: Q a + y b = 1 there, sum(y a) = 0.
Vector solve_on_support(const Dual& dual, const std::vector<std::size_t>& support) {
    const std::size_t size = support.size();
    std::vector<Vector> system(size + 1, Vector(size + 2, 0));
    for (std::size_t i = 0; i < size; ++i) {
        for (std::size_t j = 0; j < size; ++j) system[i][j] = q_value(dual, support[i], support[j]);
        system[i][size] = system[size][i] = static_cast<long double>(dual.signs[support[i]]);
        system[i][size + 1] = 1;
    }
    const Vector solution = solve_linear(std::move(system));
    Vector alpha(dual.signs.size(), 0);
    for (std::size_t i = 0; i < size; ++i) alpha[support[i]] = solution[i];
    return alpha;
}

}  // namespace

Dual hinge_dual(const Problem& problem) {
    Dual dual = make_dual(problem);
    for (std::size_t i = 0; i < problem.rows(); ++i) dual.bounds.push_back(problem.cost_of(i));
    return dual;
}

Dual squared_hinge_dual(const Problem& problem) {
    Dual dual = make_dual(problem);
    dual.bounds.assign(problem.rows(), kInfinity);
    for (std::size_t i = 0; i < problem.rows(); ++i)
        dual.ridge[i] = 1 / static_cast<long double>(problem.cost_of(i));
    return dual;
}

Dual hard_dual(const Problem& problem) {
    Dual dual = make_dual(problem);
    dual.bounds.assign(problem.rows(), kInfinity);
    return dual;
}

long double objective(const Dual& dual, const Vector& alpha) {
    const Vector slope = gradient(dual, alpha);
    long double value = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i) value += alpha[i] * (slope[i] - 1) / 2;
    return value;
}

long double optimality_gap(const Dual& dual, const Vector& alpha, long double slack) {
    const Vector slope = gradient(dual, alpha);
    const long double largest = *std::max_element(alpha.begin(), alpha.end());
    long double highest_up = -kInfinity;
    long double lowest_down = kInfinity;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        const long double margin = slack * std::min(dual.bounds[i], largest);
        const bool grows = alpha[i] < dual.bounds[i] - margin;
        const bool shrinks = alpha[i] > margin;
        const long double value = -static_cast<long double>(dual.signs[i]) * slope[i];
        if (dual.signs[i] > 0 ? grows : shrinks) highest_up = std::max(highest_up, value);
        if (dual.signs[i] > 0 ? shrinks : grows) lowest_down = std::min(lowest_down, value);
    }
    return highest_up - lowest_down;
}

Vector solve_unbounded(const Dual& dual) {
    constexpr int kSteps = 50000;
    // The largest row sum bounds the largest eigenvalue, hence the step.
    long double lipschitz = 0;
    for (std::size_t i = 0; i < dual.signs.size(); ++i) {
        long double sum = 0;
        for (std::size_t j = 0; j < dual.signs.size(); ++j) sum += std::abs(q_value(dual, i, j));
        lipschitz = std::max(lipschitz, sum);
    }
    Vector alpha(dual.signs.size(), 0);
    for (int step = 0; step < kSteps; ++step) {
        const Vector slope = gradient(dual, alpha);
        Vector point = alpha;
        for (std::size_t i = 0; i < alpha.size(); ++i) point[i] -= slope[i] / lipschitz;
        alpha = project(dual, point);
    }
    std::vector<std::size_t> support;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        if (alpha[i] > 0) support.push_back(i);
    }
    alpha = solve_on_support(dual, support);
    const bool feasible = *std::min_element(alpha.begin(), alpha.end()) >= 0;
    if (!feasible || optimality_gap(dual, alpha, 1e-15L) > 1e-12L) {
        throw std::runtime_error("the reference solution is not optimal; choose another problem");
    }
    return alpha;
}

long double offset_over_support(const Dual& dual, const Vector& alpha) {
    long double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
        if (alpha[i] <= 0) continue;
        sum += static_cast<long double>(dual.signs[i]) * (1 - dual.ridge[i] * alpha[i]) -
               decision(dual, alpha, 0, i);
        ++count;
    }
    return sum / count;
}

long double decision(const Dual& dual, const Vector& alpha, long double offset, std::size_t i) {
    long double value = offset;
    for (std::size_t j = 0; j < alpha.size(); ++j) {
        value += static_cast<long double>(dual.signs[j]) * alpha[j] * dual.kernel(i, j);
    }
    return value;
}

}  // namespace dk_reference
