// SPDX-License-Identifier: Apache-2.0
//
// Orthogonal matching pursuit chooses the rows where prototypes start. With a weight u_i for each row and the
// similarities to candidate k as the column a_k, whose elements are sqrt(u_i) s(x_i, x_k), each turn takes
// the candidate that explains the largest part of the weighted targets Y:
//
//     max over k of   |a_k' Y|^2 / |a_k|^2,
//
// and then makes Y and all columns orthogonal to a_k, so that the next candidate explains what is left. The
// offset comes first: all are made orthogonal to the column sqrt(u), which it explains.
//
//     letter     name
//     a_k        columns_.row(k)
//     Y          rest_
//     sqrt(u)    roots_
//
// Y. C. Pati, R. Rezaiifar, P. S. Krishnaprasad, Orthogonal matching pursuit: recursive function
// approximation with applications to wavelet decomposition, Asilomar Conference on Signals, Systems and
// Computers, 1993.
#include "machine/super_sparse/starting_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "prototype/dense_points.hpp"

namespace dk {

namespace {

/// Where data have more rows than these, a random part of them are candidates and a random part judge these,
/// so that the choice takes little memory and time beside the learning.
constexpr Index candidate_limit = 500;
constexpr Index judge_limit = 5000;

/// The rows chosen before explain a candidate whose squared length is below this share of its first one: what
/// is left of it is rounding.
constexpr double rounding_share = 1e-9;

std::vector<Index> random_rows(Index rows, Index limit, Random& random) {
    std::vector<Index> all(rows);
    std::iota(all.begin(), all.end(), Index{0});
    if (rows > limit) {
        random.shuffle(std::span(all));
        all.resize(limit);
        std::ranges::sort(all);
    }
    return all;
}

class MatchingPursuit {
  public:
    MatchingPursuit(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                    std::uint64_t seed, Control& control)
        : control_(control) {
        Random random(seed);
        candidates_ = random_rows(data.rows(), candidate_limit, random);
        const std::vector<Index> judges = random_rows(data.rows(), judge_limit, random);
        roots_ = as_vector(targets.row_weights)(judges).cwiseSqrt();
        rest_ = targets.Y()(judges, Eigen::all);
        rest_.array().colwise() *= roots_.array();
        const Dataset rows = data.select(judges);
        const Dataset points = data.select(candidates_);
        columns_ = kernel_values(kernel, rows, points, control).transpose();
        columns_.array().rowwise() *= roots_.transpose().array();
        first_squares_ = squares();
        make_orthogonal_to(roots_);
    }

    std::vector<Index> choose(Index count) {
        std::vector<Index> chosen;
        while (std::ssize(chosen) < count) {
            control_.check();
            const Vector left = squares();
            Vector gains = Vector::Constant(columns_.rows(), -1.0);
            const ProgressHold hold(control_);
            parallel_for_rows(columns_.rows(), 1, control_, [&](Index k) {
                if (left(k) > rounding_share * first_squares_(k) && left(k) > 0)
                    gains(k) = explained(k) / left(k);
            });
            Index best = 0;
            if (gains.maxCoeff(&best) < 0) break;
            chosen.push_back(candidates_[best]);
            make_orthogonal_to(columns_.row(best));
        }
        return chosen;
    }

  private:
    /// Computes |a_k|^2 of every candidate.
    Vector squares() const {
        Vector out(columns_.rows());
        const ProgressHold hold(control_);
        parallel_for_rows(out.size(), columns_.cols(), control_,
                          [&](Index k) { out(k) = columns_.row(k).squaredNorm(); });
        return out;
    }

    /// Computes |a_k' Y|^2.
    double explained(Index k) const {
        Eigen::RowVectorXd product = Eigen::RowVectorXd::Zero(rest_.cols());
        for (Index i = 0; i < rest_.rows(); ++i) product += columns_(k, i) * rest_.row(i);
        return product.squaredNorm();
    }

    void make_orthogonal_to(Vector direction) {
        const double length = direction.norm();
        if (!(length > 0)) return;
        direction /= length;
        parallel_for_rows(columns_.rows(), 2 * columns_.cols(), control_, [&](Index k) {
            auto own = columns_.row(k);
            own -= own.dot(direction) * direction.transpose();
        });
        Eigen::RowVectorXd product = Eigen::RowVectorXd::Zero(rest_.cols());
        for (Index i = 0; i < rest_.rows(); ++i) product += direction(i) * rest_.row(i);
        for (Index i = 0; i < rest_.rows(); ++i) rest_.row(i) -= direction(i) * product;
    }

    Control& control_;
    std::vector<Index> candidates_;
    Vector roots_;
    Matrix columns_;  // candidates x judging rows
    Matrix rest_;     // judging rows x functions
    Vector first_squares_;
};

}  // namespace

std::vector<Index> starting_rows(const KernelPointer& kernel, const Dataset& data,
                                 const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                 Control& control) {
    return MatchingPursuit(kernel, data, targets, options.seed, control)
        .choose(std::min(options.prototypes, data.rows()));
}

namespace {

/// Divides the rows into those of each class, or into `count` ranges of targets, in a random order each.
std::vector<std::vector<Index>> strata_of(const Dataset& data, Index count, Random& random) {
    std::vector<Index> order(data.rows());
    std::iota(order.begin(), order.end(), Index{0});
    random.shuffle(std::span(order));
    std::vector<std::vector<Index>> strata(data.labels ? data.labels->classes() : count);
    if (data.labels) {
        for (const Index i : order) strata[data.labels->of_rows[i]].push_back(i);
        return strata;
    }
    std::vector<Index> ascending = order;
    if (!data.targets.empty())
        std::ranges::stable_sort(ascending, {}, [&](Index i) { return data.targets[i]; });
    for (Index place = 0; place < data.rows(); ++place)
        strata[place * count / data.rows()].push_back(ascending[place]);
    for (auto& rows : strata) random.shuffle(std::span(rows));
    return strata;
}

}  // namespace

std::vector<Index> random_starting_rows(const Dataset& data, Index count, std::uint64_t seed) {
    Random random(seed);
    count = std::min(count, data.rows());
    const auto strata = strata_of(data, count, random);
    std::vector<Index> rows;
    for (std::size_t turn = 0; std::ssize(rows) < count; ++turn) {
        for (const auto& stratum : strata) {
            if (turn < stratum.size() && std::ssize(rows) < count) rows.push_back(stratum[turn]);
        }
    }
    return rows;
}

}  // namespace dk
