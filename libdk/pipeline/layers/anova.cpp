// SPDX-License-Identifier: Apache-2.0
// The F statistic of one-way analysis of variance for a column x of n rows in T classes is
//
//     F = [sum_c n_c (mean_c - mean)^2 / (T - 1)] / [sum_i (x_i - mean_c(i))^2 / (n - T)].
//
//     letter       name
//     x            x, the column less its mean
//     n_c, mean_c  counts, means
//
// The column is centred first, so that it does not matter where its origin is. A constant column has F = 0,
// and a column that differs between classes alone has an infinite one.
//
// R. A. Fisher, Statistical Methods for Research Workers, 1925.
#include "pipeline/layers/anova.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

double f_of(const Vector& column, const Labels& labels) {
    const Vector x = column.array() - column.mean();
    Vector means = Vector::Zero(labels.classes());
    Vector counts = Vector::Zero(labels.classes());
    for (Index i = 0; i < x.size(); ++i) {
        means[labels.of_rows[i]] += x[i];
        counts[labels.of_rows[i]] += 1;
    }
    means.array() /= counts.array().max(1);  // A class may be absent, and counts for nothing.
    const auto T = static_cast<double>((counts.array() > 0).count());
    const double mean = x.mean();  // what rounding left of it
    const double between = (counts.array() * (means.array() - mean).square()).sum();
    double within = 0;
    for (Index i = 0; i < x.size(); ++i) {
        const double difference = x[i] - means[labels.of_rows[i]];
        within += difference * difference;
    }
    // A difference that rounding may have made is none.
    const double rounding = 1e-15 * column.cwiseAbs().maxCoeff();
    const double n = x.size();
    const double nothing = n * rounding * rounding;
    if (T < 2 || between <= nothing) return 0;
    if (within <= nothing) return infinity;
    return (between / (T - 1)) / (within / (n - T));
}

}  // namespace

std::vector<double> anova_f(const Dataset& data, Control& control) {
    const Labels& labels = *data.labels;
    const DenseMatrix& matrix = data.dense();
    if (matrix.rows <= labels.classes())
        fail(Status::invalid_data, "anova_f needs more rows than classes; there are ", matrix.rows,
             " rows and ", labels.classes(), " classes");
    const ConstMatrixView X = view(matrix.values.data(), matrix.rows, matrix.cols);
    std::vector<double> scores(matrix.cols);
    const ProgressHold hold(control);
    parallel_for_rows(matrix.cols, matrix.rows, control,
                      [&](Index j) { scores[j] = f_of(X.col(j), labels); });
    return scores;
}

}  // namespace dk
