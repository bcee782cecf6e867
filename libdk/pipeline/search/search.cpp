// SPDX-License-Identifier: Apache-2.0
#include "pipeline/search/search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>

#include "base/error.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "pipeline/search/kernel_texts.hpp"
#include "pipeline/search/score_candidates.hpp"
#include "pipeline/search/search_space.hpp"
#include "pipeline/search/surrogate.hpp"

namespace dk {

namespace {

using Places = std::vector<double>;

/// So many combinations are tried before the surrogate is asked for more, eight at a time: numbers that do
/// not depend on the threads.
Index first_trials(Index dimensions, Index trials) {
    return std::min<Index>(trials, 4 + 3 * dimensions);
}
constexpr Index trials_at_once = 8;
/// A round looks for the best of so many points that are spread evenly, and of so many around the best one.
constexpr Index spread_points = 1000;
constexpr Index near_points = 200;
/// After so many points in a row that were tried already, there are no new ones.
constexpr Index most_passed_over = 1000;
/// The surrogate learns from so many points, the best half of them and the newest: its work grows with their
/// cube.
constexpr Index most_learned = 300;

/// A point of the space, with the candidate there.
struct Point {
    Places places;
    Candidate candidate;
    std::string text = {};     // of the candidate, by which points are told apart
    double score = -infinity;  // larger is better; -infinity where the training failed
};

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
    Places next() {
        ++count_;
        Places places;
        for (Index k = 0; k < dimensions_; ++k)
            places.push_back(
                std::fmod(start_[k] + count_ * std::pow(root_, -static_cast<double>(k + 1)), 1.0));
        return places;
    }

  private:
    Index dimensions_;
    double root_ = 2;
    double count_ = 0;
    Places start_;
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
          texts_(data, control),
          even_(std::ssize(space_), specification.parameters[parameter::seed]),
          random_(specification.parameters[parameter::seed]) {}

    Compared run() {
        const Index trials = specification_.parameters[parameter::trials];
        const bool adaptive = specification_.parameters[parameter::search] == "adaptive";
        Index next = first_trials(std::ssize(space_), trials);
        for (Index tried = 0; tried < trials; next = std::min(trials_at_once, trials - tried)) {
            auto points = adaptive && knows_scores() ? promising_points(next) : even_points(next);
            if (points.empty()) break;
            const double all = static_cast<double>(trials);
            const ProgressScope scope(control_, static_cast<double>(tried) / all,
                                      static_cast<double>(tried + std::ssize(points)) / all);
            tried += std::ssize(points);
            try_points(points);
            if (found_.candidates.empty())
                fail(failed_with_, "none of ", tried,
                     " combinations could be trained; the last one: ", reason_);
        }
        found_.how = report();
        return std::move(found_);
    }

  private:
    Point point_at(Places places) const {
        Point point{.places = std::move(places), .candidate = {}};
        point.candidate = candidate_at(space_, point.places, specification_, data_.kind());
        for (const auto& [key, value] : point.candidate.parameters())
            point.text += text(point.text.empty() ? "" : " ", key, "=", value);
        return point;
    }

    std::vector<Point> even_points(Index count) {
        std::vector<Point> points;
        for (Index passed = 0; std::ssize(points) < count && passed < most_passed_over; ++passed) {
            control_.check();
            Point point = point_at(even_.next());
            if (!seen_.insert(point.text).second) continue;
            points.push_back(std::move(point));
            passed = 0;
        }
        return points;
    }

    /// Tells whether there is something to learn from: no fold may define the metric.
    bool knows_scores() const {
        return std::ranges::any_of(tried_, [](const Point& point) { return std::isfinite(point.score); });
    }

    /// Lists points that nobody has tried: some that lie evenly, and some around the best.
    std::vector<Point> untried_points() {
        std::vector<Places> places;
        for (Index k = 0; k < spread_points; ++k) places.push_back(even_.next());
        const auto best = std::ranges::max_element(tried_, {}, &Point::score);
        for (Index k = 0; k < near_points; ++k) {
            constexpr double nearness = 0.08;
            Places& near = places.emplace_back(best->places);
            for (double& place : near) place = std::clamp(place + nearness * random_.normal(), 0.0, 1.0);
        }
        std::vector<Point> points;
        std::set<std::string> listed;
        for (Places& one : places) {
            Point point = point_at(std::move(one));
            if (!seen_.contains(point.text) && listed.insert(point.text).second)
                points.push_back(std::move(point));
        }
        return points;
    }

    /// Gives the points that the surrogate learns from. Where training failed, a point is as bad as the worst
    /// that did not.
    std::vector<Point> learned_points() const {
        std::vector<Point> points = tried_;
        double worst = infinity;
        for (const Point& point : points) {
            if (std::isfinite(point.score)) worst = std::min(worst, point.score);
        }
        for (Point& point : points) point.score = std::max(point.score, worst);
        if (std::ssize(points) <= most_learned) return points;
        constexpr Index newest = most_learned / 2;
        const auto begin = points.end() - newest;
        std::stable_sort(points.begin(), begin,
                         [](const Point& a, const Point& b) { return a.score > b.score; });
        points.erase(points.begin() + (most_learned - newest), begin);
        return points;
    }

    /// Finds the points of the largest expected improvement, one after the other: each is believed to score
    /// what is expected of it while the next is looked for (Ginsbourger, Le Riche, Carraro, Kriging is
    /// well-suited to parallelize optimization, 2010).
    std::vector<Point> promising_points(Index count) {
        std::vector<Point> untried = untried_points();
        std::vector<Point> learned = learned_points();
        const auto n = static_cast<double>(learned.size() + static_cast<std::size_t>(count));
        control_.memory().require(8.0 * 4 * n * n, text("the scores of ", learned.size(), " combinations"));
        Smoothness smoothness = likely_smoothness(places_of(learned), scores_of(learned), control_);
        std::vector<Point> chosen;
        while (std::ssize(chosen) < count && !untried.empty()) {
            const Surrogate surrogate(places_of(learned), scores_of(learned), smoothness, control_);
            std::vector<double> improvements;
            for (const Point& point : untried) {
                control_.check();
                improvements.push_back(
                    expected_improvement(surrogate.at(point.places), surrogate.best_mean()));
            }
            const auto best = std::ranges::max_element(improvements) - improvements.begin();
            Point point = std::move(untried[best]);
            untried.erase(untried.begin() + best);
            seen_.insert(point.text);
            learned.push_back(point);
            learned.back().score = surrogate.at(point.places).mean;
            chosen.push_back(std::move(point));
        }
        return chosen;
    }

    Matrix places_of(const std::vector<Point>& points) const {
        Matrix matrix(std::ssize(points), std::ssize(space_));
        for (Index i = 0; i < matrix.rows(); ++i)
            matrix.row(i) = Eigen::Map<const Eigen::RowVectorXd>(points[i].places.data(), matrix.cols());
        return matrix;
    }
    static Vector scores_of(const std::vector<Point>& points) {
        Vector scores(std::ssize(points));
        for (Index i = 0; i < scores.size(); ++i) scores(i) = points[i].score;
        return scores;
    }

    /// Scores the points together, so that those of one kernel share its values, or one by one where one of
    /// them fails.
    void try_points(std::vector<Point>& points) {
        for (Point& point : points) {
            if (point.candidate.kernel.empty()) continue;
            const auto own = with_candidate(specification_, {.chosen = point.candidate.chosen});
            point.candidate.kernel = texts_.of(own, point.candidate.kernel).front();
        }
        std::ranges::stable_sort(points, {}, [](const Point& point) { return point.candidate.kernel; });
        if (!try_together(points)) {
            for (std::size_t k = 0; k < points.size(); ++k) {
                const double all = static_cast<double>(points.size());
                const ProgressScope scope(control_, static_cast<double>(k) / all,
                                          static_cast<double>(k + 1) / all);
                if (!try_together(std::span(points).subspan(k, 1))) note_failure(points[k]);
            }
        }
        std::ranges::move(points, std::back_inserter(tried_));
    }

    /// Scores points, or gives false where a training fails in a way that another combination may not.
    bool try_together(std::span<Point> points) {
        std::vector<Candidate> candidates;
        for (const Point& point : points) candidates.push_back(point.candidate);
        try {
            auto scores = score_candidates(data_, specification_, candidates, folds_, control_);
            for (std::size_t k = 0; k < points.size(); ++k) {
                const double rank = scores[k].rank(metric_);
                if (std::isfinite(rank)) points[k].score = rank;
                found_.candidates.push_back(std::move(candidates[k]));
                found_.scores.push_back(std::move(scores[k]));
            }
            return true;
        } catch (const Error& error) {
            const auto others_may_train = {Status::invalid_parameter, Status::invalid_kernel,
                                           Status::invalid_data,      Status::memory_budget,
                                           Status::unsupported,       Status::numerical};
            if (std::ranges::find(others_may_train, error.status()) == others_may_train.end()) throw;
            failed_with_ = error.status();
            reason_ = error.what();
            return false;
        }
    }

    void note_failure(const Point& point) {
        Report failure;
        failure.add("parameters", point.text).add("reason", reason_);
        failures_.push_back(std::move(failure));
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
        how.add("tried", Index(std::ssize(tried_)));
        if (!failures_.empty()) how.add("failures", std::move(failures_));
        return how;
    }

    const Dataset& data_;
    const MachineSpecification& specification_;
    const std::vector<Fold>& folds_;
    const std::string& metric_;
    Control& control_;
    std::vector<SearchedParameter> space_;
    KernelTexts texts_;
    EvenPoints even_;
    Random random_;
    std::set<std::string> seen_;  // the texts of the points that were tried or chosen
    std::vector<Point> tried_;
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
