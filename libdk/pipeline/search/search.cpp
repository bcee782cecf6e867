// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "pipeline/search/comparison.hpp"
#include "pipeline/search/score_candidates.hpp"
#include "pipeline/search/search_space.hpp"
#include "pipeline/search/surrogate.hpp"

namespace dk {

namespace {

using Point = std::vector<double>;

/// So many combinations are tried before the surrogate is asked for more, four at a time: a number that does
/// not depend on the threads, and for which the folds of several share their work.
Index first_trials(Index dimensions, Index trials) {
    return std::min<Index>(trials, 4 + 3 * dimensions);
}
constexpr Index trials_at_once = 4;
/// A round looks for the best of so many points that are spread evenly, and of so many around the best one.
constexpr Index spread_points = 1000;
constexpr Index near_points = 200;
/// So many points may be passed over because they were tried already, before there are no new ones.
constexpr Index most_passed_over = 1000;

/// Points that fill the unit cube evenly, however many of them are taken: multiples of the powers of 1 / g,
/// where g is the root of g^(d+1) = g + 1 (Roberts, The unreasonable effectiveness of quasirandom sequences,
/// 2018). For d = 1, g is the golden ratio.
class EvenPoints {
  public:
    EvenPoints(Index dimensions, std::uint64_t seed) : dimensions_(dimensions) {
        for (int i = 0; i < 50; ++i) root_ = std::pow(1 + root_, 1.0 / static_cast<double>(dimensions + 1));
        Random random(seed);
        for (Index k = 0; k < dimensions; ++k) start_.push_back(random.uniform());
    }
    Point next() {
        ++count_;
        Point point;
        for (Index k = 0; k < dimensions_; ++k)
            point.push_back(
                std::fmod(start_[k] + count_ * std::pow(root_, -static_cast<double>(k + 1)), 1.0));
        return point;
    }

  private:
    Index dimensions_;
    double root_ = 2;
    double count_ = 0;
    Point start_;
};

/// A search that has tried some points.
class Search {
  public:
    Search(const Dataset& data, const MachineSpecification& specification, const std::vector<Fold>& folds,
           const std::string& metric, Control& control)
        : data_(data),
          specification_(specification),
          folds_(folds),
          metric_(metric),
          control_(control),
          space_(search_space(specification, data.kind())),
          even_(std::ssize(space_), specification.parameters[parameter::seed]),
          random_(specification.parameters[parameter::seed]) {}

    Compared run() {
        const Index trials = specification_.parameters[parameter::trials];
        const bool adaptive = specification_.parameters[parameter::search] == "adaptive";
        Index next = adaptive ? first_trials(std::ssize(space_), trials) : trials;
        for (Index tried = 0; tried < trials; next = std::min(trials_at_once, trials - tried)) {
            const auto points = tried == 0 || !adaptive ? even_points(next) : promising_points(next);
            if (points.empty()) break;
            const double all = static_cast<double>(trials);
            const ProgressScope scope(control_, static_cast<double>(tried) / all,
                                      static_cast<double>(tried + std::ssize(points)) / all);
            try_points(points);
            tried += next;
        }
        if (found_.candidates.empty()) fail(failed_with_, "no combination could be trained; ", reason_);
        found_.how = report();
        return std::move(found_);
    }

  private:
    std::string text_of(const Point& point) const {
        return grid_of_point(space_, point, specification_, data_.kind());
    }

    std::vector<Point> even_points(Index count) {
        std::vector<Point> points;
        for (Index passed = 0; std::ssize(points) < count && passed < most_passed_over; ++passed) {
            Point point = even_.next();
            if (seen_.insert(text_of(point)).second) points.push_back(std::move(point));
        }
        return points;
    }

    /// Lists points that nobody has tried: some that lie evenly, and some around the best.
    std::vector<Point> untried_points() {
        std::vector<Point> points;
        for (Index k = 0; k < spread_points; ++k) points.push_back(even_.next());
        const auto best = std::ranges::max_element(scores_) - scores_.begin();
        for (Index k = 0; k < near_points && !points_.empty(); ++k) {
            constexpr double nearness = 0.08;
            Point point = points_[best];
            for (double& place : point) place = std::clamp(place + nearness * random_.normal(), 0.0, 1.0);
            points.push_back(std::move(point));
        }
        std::erase_if(points, [&](const Point& point) { return seen_.contains(text_of(point)); });
        return points;
    }

    /// Finds the points of the largest expected improvement, one after the other: each is believed to score
    /// what is expected of it while the next is looked for (Ginsbourger, Le Riche, Carraro, Kriging is
    /// well-suited to parallelize optimization, 2010).
    std::vector<Point> promising_points(Index count) {
        if (points_.empty()) return even_points(count);
        const std::vector<Point> untried = untried_points();
        std::vector<Point> learned = points_;
        std::vector<double> scores = scores_;
        std::vector<Point> chosen;
        while (std::ssize(chosen) < count) {
            control_.check();
            const Surrogate surrogate(matrix_of(learned),
                                      Eigen::Map<const Vector>(scores.data(), std::ssize(scores)), control_);
            double most = -infinity;
            const Point* best = nullptr;
            for (const Point& point : untried) {
                if (seen_.contains(text_of(point))) continue;
                const double improvement = expected_improvement(surrogate.at(point), surrogate.best_mean());
                if (improvement <= most) continue;
                most = improvement;
                best = &point;
            }
            if (best == nullptr) break;
            seen_.insert(text_of(*best));
            learned.push_back(*best);
            scores.push_back(surrogate.at(*best).mean);
            chosen.push_back(*best);
        }
        return chosen;
    }

    Matrix matrix_of(const std::vector<Point>& points) const {
        Matrix matrix(std::ssize(points), std::ssize(space_));
        for (Index i = 0; i < matrix.rows(); ++i)
            matrix.row(i) = Eigen::Map<const Eigen::RowVectorXd>(points[i].data(), matrix.cols());
        return matrix;
    }

    void try_points(const std::vector<Point>& points) {
        for (std::size_t k = 0; k < points.size(); ++k) {
            const double all = static_cast<double>(points.size());
            const ProgressScope scope(control_, static_cast<double>(k) / all,
                                      static_cast<double>(k + 1) / all);
            try_point(points[k]);
        }
    }

    void try_point(const Point& point) {
        MachineSpecification one = specification_;
        set_parameter(one, parameter::grid.name, text_of(point));
        try {
            const auto candidates = grid_candidates(one, data_, control_);
            auto scores = score_candidates(data_, specification_, candidates, folds_, control_);
            const double rank = scores.front().rank(metric_);
            found_.candidates.push_back(candidates.front());
            found_.scores.push_back(std::move(scores.front()));
            if (!std::isfinite(rank)) return;
            points_.push_back(point);
            scores_.push_back(rank);
        } catch (const Error& error) {
            if (error.status() == Status::cancelled || error.status() == Status::out_of_memory) throw;
            failed_with_ = error.status();
            reason_ = error.what();
            Report failure;
            failure.add("parameters", text_of(point)).add("reason", reason_);
            failures_.push_back(std::move(failure));
        }
    }

    Report report() {
        std::vector<Report> parameters;
        for (const SearchedParameter& searched : space_) {
            Report& one = parameters.emplace_back();
            one.add("key", searched.key)
                .add("least", searched.value_at(0))
                .add("most", searched.value_at(1))
                .add("logarithmic", searched.logarithmic);
        }
        Report how;
        how.add("search", specification_.parameters[parameter::search])
            .add("parameters", std::move(parameters));
        if (!failures_.empty()) how.add("failures", std::move(failures_));
        return how;
    }

    const Dataset& data_;
    const MachineSpecification& specification_;
    const std::vector<Fold>& folds_;
    const std::string& metric_;
    Control& control_;
    std::vector<SearchedParameter> space_;
    EvenPoints even_;
    Random random_;
    std::set<std::string> seen_;  // the grids of the points that were tried or chosen
    std::vector<Point> points_;   // those that have scores
    std::vector<double> scores_;
    Compared found_;
    std::vector<Report> failures_;
    Status failed_with_ = Status::internal;
    std::string reason_;
};

}  // namespace

Compared compare_candidates(const Dataset& data, const MachineSpecification& specification,
                            const std::vector<Fold>& folds, const std::string& metric, Control& control) {
    const Parameters& parameters = specification.parameters;
    if (parameters[parameter::tune].empty()) {
        Compared compared{.candidates = grid_candidates(specification, data, control)};
        compared.scores = score_candidates(data, specification, compared.candidates, folds, control);
        return compared;
    }
    if (!parameters[parameter::grid].empty())
        fail(Status::invalid_parameter,
             "grid and tune exclude each other: grid compares values that are "
             "given, tune searches for some");
    return Search(data, specification, folds, metric, control).run();
}

}  // namespace dk
