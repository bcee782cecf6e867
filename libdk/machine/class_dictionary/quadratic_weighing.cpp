// SPDX-License-Identifier: Apache-2.0
// The weights minimise
//
//     beta' Q beta + b' beta + rho / 2 beta' (A + kappa I) beta   over   beta >= 0, sum of beta = 1,
//
// where A has the centred alignments of kernels; the last term, which is ours, is left out unless it is asked
// for. Pairwise Frank-Wolfe steps need only those columns of Q whose kernels are weighed at some time, and
// vectors v_l that find no room are made of their kernel matrices again.
#include "machine/class_dictionary/quadratic_weighing.hpp"

#include <algorithm>

#include "matrix/product.hpp"
#include "solve/smooth/diverse_simplex.hpp"

namespace dk {

namespace {

double spread_of(const Vector& costs) {
    std::vector<double> ascending(costs.begin(), costs.end());
    std::ranges::sort(ascending);
    const double median = 0.5 * (ascending[(ascending.size() - 1) / 2] + ascending[ascending.size() / 2]);
    return median - ascending.front();
}

}  // namespace

void QuadraticWeighing::read_all(const QuadraticObjective& objective) {
    const auto& informative = facts_.informative();
    const Index kernels = std::ssize(informative);
    const bool keeps = budget_.allows(2 * 8.0 * kernels * objective.length);
    linear_.resize(kernels);
    vectors_.resize(keeps ? kernels : 0, objective.length);
    Vector v(objective.length);
    Index place = 0;
    stream_.read(informative, [&](Index, const ConstMatrixView& kernel) {
        linear_[place] = objective.terms(kernel, v);
        if (keeps) vectors_.row(place) = v.transpose();
        ++place;
    });
}

/// Gives column l of Q + rho / 2 A.
const Vector& QuadraticWeighing::column(const QuadraticObjective& objective, Index l) {
    const auto [found, is_new] = columns_.try_emplace(l);
    if (!is_new) return found->second;
    const auto& informative = facts_.informative();
    Vector& column = found->second;
    if (vectors_.rows() > 0) {
        column.resize(vectors_.rows());
        multiply_vector(vectors_, vectors_.row(l).transpose(), column);
    } else {
        column.resize(std::ssize(informative));
        Vector own(objective.length);
        stream_.read({informative[l]},
                     [&](Index, const ConstMatrixView& kernel) { objective.terms(kernel, own); });
        Vector v(objective.length);
        Index place = 0;
        stream_.read(informative, [&](Index, const ConstMatrixView& kernel) {
            objective.terms(kernel, v);
            column[place++] = v.dot(own);
        });
    }
    if (options_.diverse) column += 0.5 * rho_ * facts_.alignments(l);
    return column;
}

Vector QuadraticWeighing::minimise(const QuadraticObjective& objective) {
    read_all(objective);
    columns_.clear();
    const double spread = spread_of(linear_);
    if (rho_ < 0) rho_ = options_.diverse ? options_.rho * spread : 0;
    Vector start = Vector::Zero(linear_.size());
    Index cheapest = 0;
    linear_.minCoeff(&cheapest);
    start[cheapest] = 1;
    const DiverseProgram program{.e = linear_,
                                 .column = [&](Index l) -> const Vector& { return column(objective, l); },
                                 .rho = 2,
                                 .kappa = 0.5 * rho_ * options_.kappa};
    const double scale = std::max(spread, 1e-12 * linear_.cwiseAbs().maxCoeff());
    const DiverseSolution found = solve_diverse(program, std::move(start), 1e-6 * scale);
    gap_ = scale > 0 ? found.gap / scale : 0;
    Vector weights = Vector::Zero(facts_.kernels());
    weights(facts_.informative()) = found.x;
    return weights;
}

double QuadraticWeighing::penalty(const Vector& weights) const {
    if (!options_.diverse || rho_ < 0) return 0;
    const Vector beta = weights(facts_.informative());
    double sum = options_.kappa * beta.squaredNorm();
    for (Index l = 0; l < beta.size(); ++l) {
        if (beta[l] > 0) sum += beta[l] * facts_.alignments(l).dot(beta);
    }
    return 0.5 * rho_ * sum;
}

}  // namespace dk
