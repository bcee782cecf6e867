// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/large_array.hpp"
#include "base/random.hpp"
#include "kernel/gram_engine.hpp"
#include "weights/quadrants.hpp"
#include "weights/strategy.hpp"

namespace dk {

namespace {

// DiMKL: a kernel is worth how far apart its values lie within a class and between classes. For
// classes 1 and 2 the kernel matrix has quadrants q1 = K11, q2 = K12, q4 = K22 (q3 = q2').

constexpr double smallest_deviation = 1e-6;

/// Rows a class: a million entries a quadrant settle its statistics; more are sampled.
constexpr Index most_rows_of_class = 1000;
constexpr Index sample_from_rows = 20000;

struct Quadrants {
    QuadrantStatistics first;    // q1
    QuadrantStatistics between;  // q2
    QuadrantStatistics second;   // q4
};

double floored(double deviation) {
    return std::max(deviation, smallest_deviation);
}

double square(double x) {
    return x * x;
}

/// The index of Gaussian fits to two quadrants, Bhattacharyya's distance.
double bhattacharyya(const QuadrantStatistics& p, const QuadrantStatistics& q) {
    const double vp = square(floored(p.deviation));
    const double vq = square(floored(q.deviation));
    const double distance =
        square(p.mean - q.mean) / (4 * (vp + vq)) + 0.5 * std::log((vp + vq) / (2 * std::sqrt(vp * vq)));
    return std::max(distance, 0.0);
}

double divergence_index(int number, const Quadrants& q) {
    const double between_spread = number == 1 ? q.between.interquartile_range : q.between.deviation;
    switch (number) {
        case 1:
        case 2:
            // Constant kernels and near-identity ones tell nothing, whatever the formula says.
            if (q.first.deviation == 0 || q.first.mean < 1e-6) return 0;
            return std::exp(-square(q.between.mean - between_spread) / (2 * floored(q.first.deviation)));
        case 3:
            return std::abs((q.first.mean - q.first.interquartile_range) -
                            (q.between.mean - q.between.interquartile_range));
        case 4: {
            const double spread = q.first.interquartile_range + q.between.interquartile_range;
            return std::abs(q.first.mean - q.between.mean) / std::sqrt(std::max(spread, 1e-12));
        }
        default: {
            const double apart = bhattacharyya(q.first, q.between) + bhattacharyya(q.second, q.between);
            return apart / (apart + floored(q.first.deviation) + 2 * floored(q.between.deviation));
        }
    }
}

Quadrants swapped(const Quadrants& q) {
    return {q.second, q.between, q.first};
}

/// Rows by class, a seeded sample of each class where there are very many rows.
std::vector<std::vector<Index>> rows_by_class(const WeightProblem& problem) {
    if (!problem.data.labels)
        fail(Status::unsupported, "weights=dimkl compares classes; this machine learns from none");
    const Labels& labels = *problem.data.labels;
    std::vector<std::vector<Index>> rows(unsigned_of(labels.classes()));
    for (Index i = 0; i < problem.data.rows(); ++i)
        rows[unsigned_of(labels.of_rows[unsigned_of(i)])].push_back(i);
    Random random(problem.seed);
    for (std::size_t c = 0; c < rows.size(); ++c) {
        if (rows[c].size() < 2) {
            fail(Status::invalid_data, "weights=dimkl: class ", labels.class_name(static_cast<Index>(c)),
                 " has ", rows[c].size(), " rows; at least 2 are needed");
        }
        if (problem.data.rows() <= sample_from_rows || size_of(rows[c]) <= most_rows_of_class) continue;
        random.shuffle(std::span(rows[c]));
        rows[c].resize(unsigned_of(most_rows_of_class));
        std::ranges::sort(rows[c]);
    }
    return rows;
}

/// Quadrants of a matrix whose rows [a, a + n_a) and [b, b + n_b) are two classes.
struct ClassRange {
    Index begin;
    Index count;
};

/// The strict upper triangle of a class's own quadrant.
QuadrantStatistics within_class(const double* matrix, Index n, ClassRange range, Control& control) {
    QuadrantRows rows;
    for (Index i = range.begin; i + 1 < range.begin + range.count; ++i) {
        rows.emplace_back(matrix + i * n + i + 1, matrix + i * n + range.begin + range.count);
    }
    return quadrant_statistics(rows, 2, control);
}

QuadrantStatistics between_classes(const double* matrix, Index n, ClassRange a, ClassRange b,
                                   Control& control) {
    QuadrantRows rows;
    for (Index i = a.begin; i < a.begin + a.count; ++i) {
        rows.emplace_back(matrix + i * n + b.begin, matrix + i * n + b.begin + b.count);
    }
    return quadrant_statistics(rows, 1, control);
}

/// The index of one kernel. Two classes: class 1 of the paper is the positive one, the second here.
/// More: the mean over pairs of classes in both orders, weighted by their numbers of pairs.
double kernel_index(int number, const double* matrix, Index n, std::span<const ClassRange> classes,
                    Control& control) {
    std::vector<QuadrantStatistics> within;
    for (const auto& range : classes) within.push_back(within_class(matrix, n, range, control));
    double sum = 0;
    double pairs = 0;
    for (std::size_t a = 0; a < classes.size(); ++a) {
        for (std::size_t b = a + 1; b < classes.size(); ++b) {
            const auto between = between_classes(matrix, n, classes[a], classes[b], control);
            const Quadrants q{within[b], between, within[a]};
            if (classes.size() == 2) return divergence_index(number, q);
            const auto weight = static_cast<double>(classes[a].count * classes[b].count);
            sum += weight * 0.5 * (divergence_index(number, q) + divergence_index(number, swapped(q)));
            pairs += weight;
        }
    }
    return sum / pairs;
}

KernelWeights weigh_by_divergence(int number, const WeightProblem& problem) {
    const auto rows = rows_by_class(problem);
    std::vector<Index> order;
    std::vector<ClassRange> classes;
    for (const auto& of_class : rows) {
        classes.push_back({size_of(order), size_of(of_class)});
        order.insert(order.end(), of_class.begin(), of_class.end());
    }
    const Dataset sorted = problem.data.select(order);
    const Index n = sorted.rows();
    const double matrix_bytes = 8.0 * static_cast<double>(n) * static_cast<double>(n);
    problem.budget.require(matrix_bytes, text("weights=dimkl", number, " on ", n, " rows"));
    // Kernels of one engine share inner products, so some go together where they are small.
    constexpr double together = 256.0 * 1024 * 1024;
    const double fit = std::clamp(std::min(problem.budget.bytes(), together) / matrix_bytes, 1.0, 8.0);
    const auto group = static_cast<std::size_t>(fit);
    std::vector<double> indices;
    for (std::size_t begin = 0; begin < problem.bank.size(); begin += group) {
        const auto share = [&](std::size_t k) {
            return static_cast<double>(k) / static_cast<double>(problem.bank.size());
        };
        const ProgressScope scope(problem.control, share(begin),
                                  share(std::min(begin + group, problem.bank.size())));
        const auto first = problem.bank.begin() + static_cast<std::ptrdiff_t>(begin);
        const Bank some(first,
                        first + static_cast<std::ptrdiff_t>(std::min(group, problem.bank.size() - begin)));
        LargeArray<double> matrices(size_of(some) * n * n);
        GramEngine<double>(some, sorted, sorted, &problem.control).matrices(matrices.data(), problem.control);
        for (std::size_t k = 0; k < some.size(); ++k) {
            problem.control.check();
            const double* matrix = matrices.data() + k * unsigned_of(n * n);
            indices.push_back(kernel_index(number, matrix, n, classes, problem.control));
        }
    }
    KernelWeights result;
    result.report.add("index", indices);
    const double sum = std::accumulate(indices.begin(), indices.end(), 0.0);
    if (!std::isfinite(sum) || sum <= 0) {  // nothing tells the kernels apart
        result.report.add("fallback", std::string("uniform: no kernel separates the classes"));
        result.weights.assign(indices.size(), 1 / static_cast<double>(indices.size()));
        return result;
    }
    for (const double index : indices) result.weights.push_back(index / sum);
    return result;
}

}  // namespace

std::vector<WeightStrategy> dimkl_strategies() {
    const std::array<std::string, 5> docs{
        "DiMKL1: exp(-(mean - IQR between classes)^2 / (2 deviation within))",
        "DiMKL2: exp(-(mean - deviation between classes)^2 / (2 deviation within))",
        "DiMKL3: |(mean - IQR within) - (mean - IQR between)|",
        "DiMKL4: |mean within - mean between| / sqrt(IQR within + IQR between)",
        "DiMKL5: Bhattacharyya distances of the quadrants' values against their deviations",
    };
    std::vector<WeightStrategy> strategies;
    for (int number = 1; number <= 5; ++number) {
        strategies.push_back({.name = text("dimkl", number),
                              .doc = docs[static_cast<std::size_t>(number - 1)],
                              .reference = "Divergence measures for multiple kernel learning (DiMKL)",
                              .arguments = "",
                              .normalises = true,
                              .check = nullptr,
                              .weigh = [number](const WeightProblem& problem) {
                                  return weigh_by_divergence(number, problem);
                              }});
    }
    return strategies;
}

}  // namespace dk
