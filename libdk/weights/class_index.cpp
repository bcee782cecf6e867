// SPDX-License-Identifier: Apache-2.0
#include "weights/class_index.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/random.hpp"
#include "kernel/engine/finite_matrix.hpp"
#include "kernel/engine/gram_engine.hpp"

namespace dk {

namespace {

/// A sample of a class has this many rows, so that a quadrant has a million values.
constexpr Index most_rows_of_class = 1000;
/// Data with more rows are sampled.
constexpr Index sample_from_rows = 20000;

/// Gives the rows of each class, or a seeded sample of them where the data have very many rows.
std::vector<std::vector<Index>> rows_by_class(const WeightProblem& problem, const std::string& name) {
    if (!problem.data.labels)
        fail(Status::unsupported, "weights=", name,
             " compares classes; here rows have none, or several labels each");
    const Labels& labels = *problem.data.labels;
    std::vector<std::vector<Index>> rows(labels.classes());
    for (Index i = 0; i < problem.data.rows(); ++i) rows[labels.of_rows[i]].push_back(i);
    Random random(problem.seed);
    for (Index c = 0; c < std::ssize(rows); ++c) {
        if (rows[c].size() < 2) {
            fail(Status::invalid_data, "weights=", name, ": class ", labels.class_name(c), " has ",
                 rows[c].size(), " rows; at least 2 are needed");
        }
        if (problem.data.rows() <= sample_from_rows || std::ssize(rows[c]) <= most_rows_of_class) continue;
        random.shuffle(std::span(rows[c]));
        rows[c].resize(most_rows_of_class);
        std::ranges::sort(rows[c]);
    }
    return rows;
}

/// Says how many kernels are computed together. Kernels of one engine share inner products, which saves time
/// as long as their matrices are small.
std::size_t kernels_at_once(const WeightProblem& problem, double matrix_bytes) {
    constexpr double together = 256.0 * 1024 * 1024;
    const double fit = std::min(problem.budget.bytes(), together) / matrix_bytes;
    return static_cast<std::size_t>(std::clamp(fit, 1.0, 8.0));
}

/// Turns indices into weights that sum to 1; they are equal where the indices say nothing.
KernelWeights shares_of(std::vector<double> indices) {
    KernelWeights result;
    const double sum = std::accumulate(indices.begin(), indices.end(), 0.0);
    result.report.add("index", indices);
    if (!std::isfinite(sum) || sum <= 0) {
        result.report.add("fallback", std::string("uniform: no kernel separates the classes"));
        result.weights.assign(indices.size(), 1.0 / indices.size());
        return result;
    }
    for (double& index : indices) index /= sum;
    result.weights = std::move(indices);
    return result;
}

}  // namespace

KernelWeights weigh_by_index(const WeightProblem& problem, const std::string& name,
                             const KernelIndex& index) {
    std::vector<Index> order;
    std::vector<ClassRange> classes;
    for (const auto& of_class : rows_by_class(problem, name)) {
        classes.push_back({std::ssize(order), std::ssize(of_class)});
        order.insert(order.end(), of_class.begin(), of_class.end());
    }
    const Dataset sorted = problem.data.select(order);
    const Index n = sorted.rows();
    const double matrix_bytes = 8.0 * n * n;
    problem.budget.require(matrix_bytes, text("weights=", name, " on ", n, " rows"));
    const std::size_t group = kernels_at_once(problem, matrix_bytes);
    const double kernels = problem.bank.size();
    std::vector<double> indices;
    LargeMatrix matrices;  // A group's matrices stand below each other; all groups take the same memory.
    for (std::size_t begin = 0; begin < problem.bank.size(); begin += group) {
        const std::size_t end = std::min(begin + group, problem.bank.size());
        const ProgressScope scope(problem.control, begin / kernels, end / kernels);
        const auto first = problem.bank.begin();
        const Bank some(first + begin, first + end);
        if (matrices.empty()) matrices = LargeMatrix(std::ssize(some) * n, n);
        GramEngine<double>(some, sorted, sorted, &problem.control).matrices(matrices.data(), problem.control);
        for (std::size_t k = 0; k < some.size(); ++k) {
            problem.control.check();
            const double* K = matrices.row(k * n);
            require_finite_matrix(*some[k], K, n, problem.control);
            indices.push_back(index({view(K, n, n), classes}, problem.control));
        }
    }
    return shares_of(std::move(indices));
}

double mean_over_pairs(std::span<const ClassRange> classes, bool both_orders,
                       const std::function<double(Index, Index)>& index) {
    if (classes.size() == 2 && !both_orders) return index(1, 0);
    double sum = 0;
    double pairs = 0;
    for (Index a = 0; a < std::ssize(classes); ++a) {
        for (Index b = a + 1; b < std::ssize(classes); ++b) {
            const double weight = 1.0 * classes[a].size * classes[b].size;
            sum += weight * 0.5 * (index(b, a) + index(a, b));
            pairs += weight;
        }
    }
    return sum / pairs;
}

}  // namespace dk
