// SPDX-License-Identifier: Apache-2.0
// The mutual information of a column x of n rows and their classes c is
//
//     I = sum over bins b and classes c of   p(b, c) ln [p(b, c) / (p(b) p(c))],
//
// where the bin of x_i is floor(Q r_i / n) with the number r_i of rows that have less than x_i: Q bins of
// about equally many rows, in which equal values are together. So I does not change under increasing maps of
// x.
//
// Chance alone gives about (bins - 1)(T - 1) / (2 n), which `correct` subtracts; without ties it is the same
// for all columns.
//
//     letter   name
//     Q        options.bins
//     n p      table, of_bins, of_classes
//
// T. M. Cover, J. A. Thomas, Elements of Information Theory, 1991; G. A. Miller, Note on the bias of
// information estimates, 1955, for the correction.
#include "pipeline/layers/mutual_information.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "matrix/matrix.hpp"

namespace dk {

namespace {

/// Finds the bin of each row.
std::vector<Index> bins_of(const Vector& x, Index bins) {
    std::vector<Index> order(x.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::sort(order, {}, [&](Index i) { return std::pair(x[i], i); });
    std::vector<Index> bin(x.size());
    Index less = 0;
    for (Index place = 0; place < x.size(); ++place) {
        if (place > 0 && x[order[place]] > x[order[place - 1]]) less = place;
        bin[order[place]] = bins * less / x.size();
    }
    return bin;
}

double information_of(const Vector& x, const Labels& labels, const MutualInformationOptions& options) {
    const std::vector<Index> bin = bins_of(x, options.bins);
    Matrix table = Matrix::Zero(options.bins, labels.classes());
    for (Index i = 0; i < x.size(); ++i) table(bin[i], labels.of_rows[i]) += 1;
    const Vector of_bins = table.rowwise().sum();
    const Vector of_classes = table.colwise().sum();
    const double n = x.size();
    double information = 0;
    for (Index b = 0; b < table.rows(); ++b) {
        for (Index c = 0; c < table.cols(); ++c) {
            if (table(b, c) == 0) continue;
            information += table(b, c) / n * std::log(table(b, c) * n / (of_bins[b] * of_classes[c]));
        }
    }
    if (options.correct) {
        const auto full = static_cast<double>((of_bins.array() > 0).count());
        const auto present = static_cast<double>((of_classes.array() > 0).count());
        information -= (full - 1) * (present - 1) / (2 * n);
    }
    return std::max(information, 0.0);
}

}  // namespace

std::vector<double> mutual_information(const Dataset& data, const MutualInformationOptions& options,
                                       Control& control) {
    const DenseMatrix& matrix = data.dense();
    const ConstMatrixView X = view(matrix.values.data(), matrix.rows, matrix.cols);
    std::vector<double> scores(matrix.cols);
    const ProgressHold hold(control);
    parallel_for(matrix.cols, control,
                 [&](Index j) { scores[j] = information_of(X.col(j), *data.labels, options); });
    return scores;
}

}  // namespace dk
