// SPDX-License-Identifier: Apache-2.0
#include "machine/core_vector.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/gram_engine.hpp"
#include "solve/enclosing_ball.hpp"

namespace dk {

namespace {

/// Of a ball whose core set begins another: what it finds later that one finds sooner.
constexpr std::int64_t first_ball_steps = 50;

}  // namespace

ClassVectors::ClassVectors(Index classes) : classes_(classes), dimension_(classes == 2 ? 1 : classes) {}

double ClassVectors::component(Index of_class, Index t) const {
    if (dimension_ == 1) return of_class == 1 ? 1 : -1;
    const auto count = static_cast<double>(classes_);
    return of_class == t ? std::sqrt((count - 1) / count) : -1 / std::sqrt(count * (count - 1));
}

double ClassVectors::inner_product(Index a, Index b) const {
    return a == b ? 1 : -1 / static_cast<double>(classes_ - 1);
}

CoreVectorSource::CoreVectorSource(const TrainingProblem& problem, const Dataset& data,
                                   std::vector<Index> classes, const ClassVectors& vectors,
                                   std::span<const double> costs)
    : problem_(problem),
      data_(data),
      classes_(std::move(classes)),
      vectors_(vectors),
      constant_(problem.parameters.flag("offset") ? 1 : 0) {
    if (!problem.kernel->positive_semidefinite()) {
        fail(Status::unsupported, "core vector machines need a positive semidefinite kernel, which ",
             problem.kernel->text(), " is not for sure; make it one by spectrum=clip or corrected(...)");
    }
    const GramEngine<double> engine(problem.kernel, data, data, &problem.control);
    diagonal_ = engine.self(Side::left);
    const double largest = std::ranges::max(diagonal_) + constant_;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        // a ridge below rounding would leave equal rows of different classes without a solution
        ridge_.push_back(std::max(costs[i] > 0 ? 1 / costs[i] : 0.0, 1e-10 * largest));
        diagonal_[i] += constant_ + ridge_[i];
    }
}

template <typename T>
void CoreVectorSource::values_in(std::span<const Index> left, std::span<const Index> right, double* out,
                                 Control& control) {
    std::vector<Index> twins;
    if (problem_.kernel->knows_rows() || data_.kind() == DataKind::gram) {
        std::map<Index, Index> position;
        for (Index i = 0; i < size_of(left); ++i) position[left[unsigned_of(i)]] = i;
        for (const Index j : right) twins.push_back(position.contains(j) ? position[j] : -1);
    }
    const Dataset rows = data_.select(left);
    const Dataset columns = data_.select(right);
    const GramEngine<T> engine(problem_.kernel, rows, columns, &control, twins);
    std::vector<T> values(left.size() * right.size());
    engine.matrices(values.data(), control);
    for (std::size_t i = 0; i < left.size(); ++i) {
        const Index own = classes_[unsigned_of(left[i])];
        for (std::size_t j = 0; j < right.size(); ++j) {
            const double k = static_cast<double>(values[i * right.size() + j]);
            out[i * right.size() + j] =
                left[i] == right[j]
                    ? diagonal_[unsigned_of(left[i])]
                    : vectors_.inner_product(own, classes_[unsigned_of(right[j])]) * (k + constant_);
        }
    }
}

void CoreVectorSource::values(std::span<const Index> left, std::span<const Index> right, double* out,
                              Control& control) {
    const ProgressHold hold(control);
    if (problem_.precision == Precision::real32) return values_in<float>(left, right, out, control);
    values_in<double>(left, right, out, control);
}

template <typename T>
void CoreVectorSource::products_in(std::span<const Index> core, std::span<const double> weights, double* out,
                                   Control& control) {
    const Dataset columns = data_.select(core);
    const GramEngine<T> engine(problem_.kernel, data_, columns, &control, core);
    engine.product(weights.data(), vectors_.dimension(), out, control);
}

void CoreVectorSource::products(std::span<const Index> core, std::span<const double> alpha, double* out,
                                Control& control) {
    const ProgressHold hold(control);
    const Index dimension = vectors_.dimension();
    std::vector<double> weights;
    std::vector<double> sums(unsigned_of(dimension));
    for (std::size_t s = 0; s < core.size(); ++s) {
        for (Index t = 0; t < dimension; ++t) {
            weights.push_back(alpha[s] * vectors_.component(classes_[unsigned_of(core[s])], t));
            sums[unsigned_of(t)] += weights.back();
        }
    }
    std::vector<double> projections(unsigned_of(size() * dimension));
    if (problem_.precision == Precision::real32) {
        products_in<float>(core, weights, projections.data(), control);
    } else {
        products_in<double>(core, weights, projections.data(), control);
    }
    parallel_for((size() + 4095) / 4096, control, [&](Index chunk) {
        for (Index i = chunk * 4096; i < std::min(size(), (chunk + 1) * 4096); ++i) {
            out[i] = 0;
            for (Index t = 0; t < dimension; ++t)
                out[i] += vectors_.component(classes_[unsigned_of(i)], t) *
                          (projections[unsigned_of(i * dimension + t)] + constant_ * sums[unsigned_of(t)]);
        }
    });
    for (std::size_t s = 0; s < core.size(); ++s) out[core[s]] += ridge_[unsigned_of(core[s])] * alpha[s];
}

CoreSetSolution solve_core_vector_program(CoreVectorSource& source, const TrainingProblem& problem,
                                          std::span<const Index> classes, std::span<const double> costs,
                                          bool ball) {
    const auto& parameters = problem.parameters;
    std::vector<char> excluded;
    for (const double cost : costs) excluded.push_back(cost > 0 ? 0 : 1);
    BallOptions papers{.epsilon = parameters.real("epsilon"),
                       .sample = static_cast<Index>(parameters.integer("sample")),
                       .most_core = static_cast<Index>(parameters.integer("max_core")),
                       .most_steps = parameters.integer("max_steps"),
                       .seed = static_cast<std::uint64_t>(parameters.integer("seed")),
                       .groups = {classes.begin(), classes.end()},
                       .excluded = std::move(excluded)};
    if (papers.epsilon == 0) {  // the rule of the authors' LibCVM
        const double largest = std::ranges::max(source.diagonal());
        papers.epsilon = (4e-6 / largest + 2 / (15000 * parameters.real("C"))) / (2 * largest);
    }
    if (parameters.text("stop") == "epsilon") {
        return ball ? solve_enclosing_ball(source, papers, problem.control)
                    : solve_core_vectors(source, papers, problem.control);
    }
    CoreSetOptions options{.gap = parameters.real("gap"),
                           .most_rounds = parameters.integer("max_rounds"),
                           .most_core = papers.most_core,
                           .seed = papers.seed,
                           .groups = papers.groups,
                           .excluded = papers.excluded};
    if (ball) {
        const ProgressScope scope(problem.control, 0, 0.5);
        papers.most_steps = std::min(papers.most_steps, first_ball_steps);
        options.start = solve_enclosing_ball(source, papers, problem.control).core;
    }
    const ProgressScope scope(problem.control, ball ? 0.5 : 0, 1);
    return solve_core_set(source, options, problem.control);
}

void report_core_set(Report& report, const CoreSetSolution& solution) {
    // of the program in beta = alpha / a'Ka: 1/2 b'Kb - sum b
    report.add("objective", -0.5 / solution.objective)
        .add("gap", solution.gap)
        .add("converged", solution.converged)
        .add("core_set", static_cast<std::int64_t>(solution.core.size()))
        .add("scans", solution.scans);
    std::vector<double> sizes;
    std::vector<double> objectives;
    std::vector<double> gaps;
    for (const CoreSetRound& round : solution.rounds) {
        sizes.push_back(static_cast<double>(round.core));
        objectives.push_back(-0.5 / round.objective);
        gaps.push_back(round.gap);
    }
    report.add("round_core_set", sizes).add("round_objective", objectives).add("round_gap", gaps);
}

}  // namespace dk
