// SPDX-License-Identifier: Apache-2.0
// Centred alignment tells how much a kernel looks like the kernel of the targets. With H = I - 1 1' / n, the
// centred matrix K_kc = H K_k H, and the targets Y (columns of zero mean: the targets, or 1 for the rows of
// each class),
//
//     M_kl = <K_kc, K_lc>,   a_k = <K_kc, Y Y'>,   <A, B> = sum_ij A_ij B_ij.
//
// ALIGN weighs each kernel by its own alignment,
//
//     (1)  mu_k = max(a_k, 0) / |K_kc|,
//
// and ALIGNF chooses the weights whose sum of kernels is aligned most, mu = v / sum v,
//
//     (2)  v = argmin over v >= 0 of   v'M v - 2 v'a.
//
//     letter     name
//     Y          targets
//     M, a       products.topLeftCorner(m, m), products.row(m)
//     |K_kc|     lengths[k]
//
// C. Cortes, M. Mohri, A. Rostamizadeh, Algorithms for learning kernels based on centered alignment, JMLR 13,
// 2012: section 3 for (1), proposition 9 for (2).
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "matrix/product.hpp"
#include "solve/squares/nonnegative_pursuit.hpp"
#include "weights/bank_rows.hpp"
#include "weights/strategy/strategy.hpp"

namespace dk {

namespace {

/// Gives Y: the targets less their means, or a column for each class or label.
Matrix centred_targets(const Dataset& data, const MemoryBudget& memory) {
    const Index n = data.rows();
    Matrix Y;
    if (data.labels) {
        Y = Matrix::Zero(n, data.labels->classes());
        for (Index i = 0; i < n; ++i) Y(i, data.labels->of_rows[i]) = 1;
    } else if (data.label_sets) {
        memory.require(24.0 * static_cast<double>(n * data.label_sets->labels()),
                       text(data.label_sets->labels(), " labels of ", n, " rows as numbers"));
        const std::vector<double> indicators = data.label_sets->indicators(0, 1);
        Y = view(indicators.data(), n, data.label_sets->labels());
    } else {
        if (data.targets.empty())
            fail(Status::unsupported,
                 "weights=align and alignf compare kernels with labels or targets; this machine learns from "
                 "none");
        Y = view(data.targets.data(), n, data.target_count);
    }
    return Y.rowwise() - Y.colwise().mean();
}

/// Gives the mean of each row of each kernel's matrix, kernels x rows.
Matrix row_means(const Bank& bank, const Dataset& data, Control& control) {
    const Index n = data.rows();
    Matrix means(std::ssize(bank), n);
    const Vector share = Vector::Constant(n, 1.0 / static_cast<double>(n));
    for (Index k = 0; k < means.rows(); ++k) {
        const ProgressScope scope(control, 1.0 * k / means.rows(), (k + 1.0) / means.rows());
        GramEngine<double>(bank[k], data, data, &control)
            .product(share.data(), 1, means.row(k).data(), control);
    }
    return means;
}

/// Computes the products <A, B> of the centred matrices of all kernels and, as the last one, Y Y'.
Matrix centred_products(const WeightProblem& problem, const Dataset& data, const Matrix& targets) {
    Control& control = problem.control;
    const Index n = data.rows();
    const Index m = std::ssize(problem.bank);
    problem.budget.require(16.0 * m * (m + n), text("alignments of ", m, " kernels"));
    Matrix means;
    {
        const ProgressScope scope(control, 0, 0.5);
        means = row_means(problem.bank, data, control);
    }
    const Vector grand = means.rowwise().mean();
    Matrix products = Matrix::Zero(m + 1, m + 1);
    Matrix of_targets;
    const ProgressScope scope(control, 0.5, 1);
    read_bank_rows(problem.bank, data, problem.budget, control, [&](BankRows& rows) {
        const Index length = rows.count * n;
        parallel_for_rows(m * rows.count, rows.values.cols(), control, [&](Index r) {
            const Index k = r / rows.count;
            rows.values.row(r) -= means.row(k);
            rows.values.row(r).array() += grand[k] - means(k, rows.first + r % rows.count);
        });
        of_targets = targets.middleRows(rows.first, rows.count).lazyProduct(targets.transpose());
        const ConstMatrixView kernels = view(std::as_const(rows.values).data(), m, length);
        const ConstMatrixView target = view(std::as_const(of_targets).data(), 1, length);
        multiply_transposed(kernels, kernels, products.topLeftCorner(m, m), Into::add, control);
        multiply_transposed(target, kernels, products.bottomLeftCorner(1, m), Into::add, control);
        products(m, m) += target.squaredNorm();
    });
    return products;
}

/// Divides weights by their sum. Where no kernel is aligned at all, every kernel counts the same.
Vector shares_of(const Vector& weights) {
    const double sum = weights.sum();
    if (sum > 0 && std::isfinite(sum)) return weights / sum;
    return Vector::Constant(weights.size(), 1.0 / static_cast<double>(weights.size()));
}

KernelWeights weigh_by_alignment(const WeightProblem& problem, bool together) {
    const Dataset data = sampled_rows(problem.data, problem.seed);
    const Matrix targets = centred_targets(data, problem.budget);
    const Matrix products = centred_products(problem, data, targets);
    const Index m = std::ssize(problem.bank);
    const Vector lengths = products.diagonal().cwiseSqrt();
    // Of a flat kernel nothing is left but rounding when it is centred, which looks like no kernel.
    const double n = data.rows();
    const Vector inverse = (lengths.array() > 1e-12 * n).select(lengths.cwiseInverse(), 0.0);
    const Vector alignments = products.row(m).transpose().head(m).cwiseProduct(inverse.head(m)) * inverse[m];
    Vector weights = alignments.cwiseMax(0);
    if (together) {
        const Matrix cosines =
            inverse.head(m).asDiagonal() * products.topLeftCorner(m, m) * inverse.head(m).asDiagonal();
        const PursuitSolution found = nonnegative_pursuit(cosines, -alignments, m);
        weights.setZero();
        for (std::size_t s = 0; s < found.support.size(); ++s)
            weights[found.support[s]] = found.values[s] * inverse[found.support[s]];
    }
    weights = shares_of(weights);
    const double length = std::sqrt(weights.dot(products.topLeftCorner(m, m) * weights));
    KernelWeights out;
    out.weights.assign(weights.begin(), weights.end());
    out.report.add("alignments", std::vector<double>(alignments.begin(), alignments.end()))
        .add("alignment", length > 0 ? products.row(m).head(m).dot(weights) * inverse[m] / length : 0.0)
        .add("rows", static_cast<std::int64_t>(data.rows()));
    return out;
}

WeightStrategy alignment_strategy(const std::string& name, const std::string& doc, bool together) {
    return {
        .name = name,
        .doc = doc,
        .reference =
            "Cortes, Mohri, Rostamizadeh, Algorithms for learning kernels based on centered "
            "alignment, JMLR 13, 2012",
        .arguments = "",
        .parameters = {},
        .normalises = true,
        .needs = Knowledge::targets,
        .check = nullptr,
        .weigh = [together](const WeightProblem& problem) { return weigh_by_alignment(problem, together); }};
}

}  // namespace

WeightStrategy align_strategy() {
    return alignment_strategy("align",
                              "ALIGN weighs each kernel by its centred alignment with the labels or targets, "
                              "which is the cosine between both matrices.",
                              false);
}

WeightStrategy alignf_strategy() {
    return alignment_strategy("alignf",
                              "ALIGNF finds the weights with which the sum of all kernels has the largest "
                              "centred alignment with the labels or targets, so that alike kernels share one "
                              "weight.",
                              true);
}

}  // namespace dk
