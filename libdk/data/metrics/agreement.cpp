// SPDX-License-Identifier: Apache-2.0
// With C(t, p) rows of class t that are predicted to be of class p, of n rows, the shares a_t of true and b_p
// of predicted classes and the share c of rows that are right,
//
//     kappa = (c - sum_k a_k b_k) / (1 - sum_k a_k b_k)
//     R = (c - sum_k a_k b_k) / sqrt((1 - sum_k a_k^2) (1 - sum_k b_k^2))
//
// J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20,
// 1960; J. Gorodkin, Comparing two K-category assignments by a K-category correlation coefficient,
// Computational Biology and Chemistry 28, 2004, which for two classes is B. Matthews, Biochimica et
// Biophysica Acta 405, 1975.
#include "data/metrics/agreement.hpp"

#include <cmath>
#include <numeric>
#include <vector>

namespace dk {

namespace {

/// The shares of rows by class.
struct ClassShares {
    std::vector<double> truth;      // a
    std::vector<double> predicted;  // b
    double right = 0;               // c

    double by_chance() const { return sum_of_products(truth, predicted); }

    static double sum_of_products(const std::vector<double>& a, const std::vector<double>& b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    }
};

ClassShares shares_of(std::span<const Index> confusion, Index classes) {
    ClassShares shares{.truth = std::vector<double>(classes), .predicted = std::vector<double>(classes)};
    const auto rows = static_cast<double>(std::accumulate(confusion.begin(), confusion.end(), Index{0}));
    for (Index t = 0; t < classes; ++t) {
        for (Index p = 0; p < classes; ++p) {
            const double share = static_cast<double>(confusion[t * classes + p]) / rows;
            shares.truth[t] += share;
            shares.predicted[p] += share;
            if (t == p) shares.right += share;
        }
    }
    return shares;
}

}  // namespace

double balanced_accuracy(std::span<const Index> confusion, Index classes) {
    double sum = 0;
    double present = 0;
    for (Index t = 0; t < classes; ++t) {
        double rows = 0;
        for (Index p = 0; p < classes; ++p) rows += static_cast<double>(confusion[t * classes + p]);
        if (rows == 0) continue;
        sum += static_cast<double>(confusion[t * classes + t]) / rows;
        present += 1;
    }
    return sum / present;
}

double chance_corrected_accuracy(std::span<const Index> confusion, Index classes) {
    const ClassShares shares = shares_of(confusion, classes);
    return (shares.right - shares.by_chance()) / (1 - shares.by_chance());
}

double class_correlation(std::span<const Index> confusion, Index classes) {
    const ClassShares shares = shares_of(confusion, classes);
    constexpr double rounding = 1e-13;
    const double of_truth = 1 - ClassShares::sum_of_products(shares.truth, shares.truth);
    const double of_predicted = 1 - ClassShares::sum_of_products(shares.predicted, shares.predicted);
    if (of_truth <= rounding || of_predicted <= rounding) return 0;
    return (shares.right - shares.by_chance()) / std::sqrt(of_truth * of_predicted);
}

}  // namespace dk
