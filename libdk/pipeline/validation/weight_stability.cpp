// SPDX-License-Identifier: Apache-2.0
// Weights that explain should not depend on which rows happened to be there. They are learned on random
// halves of the rows, each class divided evenly, and compared: the shares mu_k / sum mu by their mean and
// deviation, the sets of kernels with a share above 1e-3 by the mean Jaccard index |A and B| / |A or B| of
// two halves. Halves do without repeated rows, which would make kernel matrices singular as in the bootstrap.
//
// N. Meinshausen, P. Buehlmann, Stability selection, Journal of the Royal Statistical Society B 72, 2010, for
// halves.
#include "pipeline/validation/weight_stability.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/report.hpp"
#include "data/split.hpp"
#include "matrix/matrix.hpp"
#include "pipeline/train.hpp"

namespace dk {

namespace {

constexpr double counts_from = 1e-3;  // of all weights

double mean_jaccard(const Matrix& shares) {
    const Index halves = shares.rows();
    double sum = 0;
    double pairs = 0;
    for (Index a = 0; a < halves; ++a) {
        for (Index b = 0; b < a; ++b) {
            const auto in_a = shares.row(a).array() > counts_from;
            const auto in_b = shares.row(b).array() > counts_from;
            const auto both = static_cast<double>((in_a && in_b).count());
            const auto either = static_cast<double>((in_a || in_b).count());
            sum += either > 0 ? both / either : 1;
            pairs += 1;
        }
    }
    return pairs > 0 ? sum / pairs : 1;
}

}  // namespace

Report weights_over_halves(const Dataset& data, const MachineSpecification& specification, Index halves,
                           Control& control) {
    const std::uint64_t seed = specification.parameters[parameter::seed];
    Matrix shares;
    std::vector<std::string> kernels;
    for (Index half = 0; half < halves; ++half) {
        const ProgressScope scope(control, 1.0 * half / halves, (half + 1.0) / halves, "weights of halves");
        // Each half is the first of two folds, drawn by a seed of its own.
        const auto fold_of = stratified_folds(data, 2, seed + 1 + static_cast<std::uint64_t>(half));
        const Model model =
            train_uncalibrated(data.select(rows_of_fold(fold_of, 0, true)), specification, control);
        const ConstVectorView weights = as_vector(model.kernel_weights);
        if (half == 0) {
            kernels = model.kernels;
            shares = Matrix::Zero(halves, weights.size());
        }
        if (weights.size() != shares.cols())
            fail(Status::unsupported, "halves=", halves, " compares the weights of one bank; there are ",
                 shares.cols(), " kernels in one half of the rows and ", weights.size(),
                 " in another; give every kernel by name");
        if (const double sum = weights.sum(); sum > 0) shares.row(half) = weights.transpose() / sum;
    }
    std::vector<Report> list;
    for (Index k = 0; k < shares.cols(); ++k) {
        const double mean = shares.col(k).mean();
        const double squares = (shares.col(k).array() - mean).square().sum();
        const double chosen = static_cast<double>((shares.col(k).array() > counts_from).count());
        list.emplace_back()
            .add("kernel", kernels[k])
            .add("mean", mean)
            .add("deviation", halves > 1 ? std::sqrt(squares / static_cast<double>(halves - 1)) : 0.0)
            .add("chosen", chosen / static_cast<double>(halves));
    }
    Report report;
    report.add("halves", halves).add("jaccard", mean_jaccard(shares)).add("kernels", std::move(list));
    return report;
}

}  // namespace dk
