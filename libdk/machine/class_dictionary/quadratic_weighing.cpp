// SPDX-License-Identifier: Apache-2.0
// The weights minimise
//
//     beta' Q beta + b' beta + rho / 2 beta' (A + kappa I) beta   over   beta >= 0, sum of beta = 1,
//
// where A has the centred alignments of kernels; the last term, which is ours, is left out unless it is asked
// for. Pairwise Frank-Wolfe steps need only those columns of Q whose kernels are weighed at some time. Many
// of them come from one product, which costs less than two of them alone, as it reads all v_l once: those of
// the kernels with the least b, which are likely to be weighed. Vectors v_l that find no room are made of
// their kernel matrices again.
#include "machine/class_dictionary/quadratic_weighing.hpp"

#include <algorithm>
#include <numeric>

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
    vectors_ = keeps ? LargeMatrix(kernels, objective.length) : LargeMatrix();
    Vector v(objective.length);
    Index place = 0;
    stream_.read(informative, [&](Index, const ConstMatrixView& kernel) {
        linear_[place] = objective.terms(kernel, v);
        if (keeps) vectors_.view().row(place) = v.transpose();
        ++place;
    });
    cheapest_.resize(kernels);
    std::iota(cheapest_.begin(), cheapest_.end(), Index{0});
    std::ranges::stable_sort(cheapest_, {}, [this](Index l) { return linear_[l]; });
}

/// Makes column l of Q, and with it those of some kernels with the least b that are not there yet.
void QuadraticWeighing::make_columns(Index l) {
    constexpr std::size_t at_once = 64;
    std::vector<Index> wanted{l};
    for (auto next = cheapest_.begin(); next != cheapest_.end() && wanted.size() < at_once; ++next) {
        if (*next != l && !columns_.contains(*next)) wanted.push_back(*next);
    }
    Matrix chosen(std::ssize(wanted), vectors_.cols());
    for (std::size_t k = 0; k < wanted.size(); ++k)
        chosen.row(static_cast<Index>(k)) = vectors_.view().row(wanted[k]);
    Matrix products(std::ssize(wanted), vectors_.rows());
    multiply_transposed(chosen, vectors_.view(), products, Into::assign, stream_.control());
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        Vector& column = columns_[wanted[k]];
        column = products.row(static_cast<Index>(k)).transpose();
        if (options_.diverse) column += 0.5 * rho_ * facts_.alignments(wanted[k]);
    }
}

/// Gives column l of Q + rho / 2 A.
const Vector& QuadraticWeighing::column(const QuadraticObjective& objective, Index l) {
    if (vectors_.rows() > 0 && !columns_.contains(l)) make_columns(l);
    const auto [found, is_new] = columns_.try_emplace(l);
    if (!is_new) return found->second;
    const auto& informative = facts_.informative();
    Vector& column = found->second;
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
    return 0.5 * rho_ * (options_.kappa * beta.squaredNorm() + facts_.alike(beta));
}

}  // namespace dk
