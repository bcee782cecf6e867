// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse_fit.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/large_array.hpp"
#include "base/parallel.hpp"
#include "data/deviations.hpp"
#include "kernel/gram_engine.hpp"
#include "machine/starting_rows.hpp"
#include "solve/lbfgs.hpp"
#include "solve/penalised_squares.hpp"
#include "solve/vectors.hpp"

namespace dk {

namespace {

/// Similarities of rows to points, rows x points.
std::vector<double> similarities(const KernelPointer& kernel, const Dataset& data, const Dataset& points,
                                 Control& control) {
    std::vector<double> out(unsigned_of(data.rows() * points.rows()));
    const ProgressHold hold(control);
    GramEngine<double>(kernel, data, points, &control).matrices(out.data(), control);
    return out;
}

PenalisedSolution solve_weights(const std::vector<double>& features, Index count,
                                const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                std::span<const double> start, Control& control) {
    return solve_penalised_squares({.features = features,
                                    .count = count,
                                    .targets = targets.values,
                                    .columns = targets.functions,
                                    .weights = targets.row_weights,
                                    .lambda = options.lambda,
                                    .lasso = options.lasso},
                                   start, control);
}

/// Prototypes on their way.
class MovingPrototypes {
  public:
    MovingPrototypes(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                     const SuperSparseOptions& options, std::vector<double> points, Control& control)
        : kernel_(kernel),
          data_(data),
          targets_(targets),
          options_(options),
          control_(control),
          cols_(data.cols()),
          count_(size_of(points) / data.cols()),
          points_(std::move(points)) {
        spreads_ = column_deviations(data.dense(), control);
        for (double& spread : spreads_) spread = spread > 0 ? spread : 1;
        now_ = weights_at(points_);
    }

    void run(SuperSparseSolution& solution) {
        LimitedMemory memory(10);
        std::vector<double> gradient = gradient_at(points_, now_);
        int idle = 0;
        solution.objectives.push_back(now_.objective);
        while (solution.iterations < options_.most_iterations) {
            control_.check(static_cast<double>(solution.iterations) /
                           static_cast<double>(options_.most_iterations));
            ++solution.iterations;
            const bool repelled = options_.repulsion && solution.iterations <= repelled_steps;
            const std::vector<double> direction =
                repelled ? away_from_each_other(gradient, static_cast<double>(solution.iterations))
                         : memory.direction(gradient);
            const double before = now_.objective;
            const std::vector<double> old_points = points_;
            if (!search(direction, gradient, memory.empty() || repelled)) {
                if (memory.empty()) {
                    solution.converged = true;
                    break;
                }
                memory.clear();  // along the plain gradient once more
                continue;
            }
            std::vector<double> renewed = gradient_at(points_, now_);
            remember(memory, old_points, gradient, renewed, repelled);
            gradient = std::move(renewed);
            solution.objectives.push_back(now_.objective);
            idle = before - now_.objective < options_.tolerance * before ? idle + 1 : 0;
            if (idle >= 2) {
                solution.converged = true;
                break;
            }
        }
        solution.points = Dataset(DenseMatrix{count_, cols_, points_});
        solution.training_ids.assign(unsigned_of(count_), -1);
        solution.weights = now_.weights;
        solution.offsets = now_.offsets;
    }

    std::vector<double> gradient() { return gradient_at(points_, now_); }

  private:
    static constexpr std::int64_t repelled_steps = 10;

    PenalisedSolution weights_at(const std::vector<double>& points) {
        const Dataset where(DenseMatrix{count_, cols_, points});
        const auto features = similarities(kernel_, data_, where, control_);
        return solve_weights(features, count_, targets_, options_, now_.weights, control_);
    }

    /// 2 J_j' D_u R B_j' for every prototype: since the weights are optimal, all that depends on z through
    /// them cancels.
    std::vector<double> gradient_at(const std::vector<double>& points, const PenalisedSolution& at) {
        const Index n = data_.rows();
        const Index functions = targets_.functions;
        std::vector<double> pulls(unsigned_of(count_ * n));  // prototypes x rows
        parallel_for(count_, control_, [&](Index j) {
            for (Index i = 0; i < n; ++i) {
                double sum = 0;
                for (Index c = 0; c < functions; ++c)
                    sum += at.residuals[unsigned_of(i * functions + c)] *
                           at.weights[unsigned_of(j * functions + c)];
                pulls[unsigned_of(j * n + i)] = 2 * targets_.row_weights[unsigned_of(i)] * sum;
            }
        });
        std::vector<double> out(points.size());
        const Dataset where(DenseMatrix{count_, cols_, points});
        const ProgressHold hold(control_);
        if (kernel_->differentiable()) {
            GramEngine<double>(kernel_, where, data_, &control_).gradient(pulls.data(), out.data(), control_);
        } else {
            differences(points, pulls, out);
        }
        return out;
    }

    /// Central differences, all prototypes along one column at a time.
    void differences(const std::vector<double>& points, const std::vector<double>& pulls,
                     std::vector<double>& out) {
        for (Index column = 0; column < cols_; ++column) {
            const double h = 1e-5 * spreads_[unsigned_of(column)];
            for (const double side : {1.0, -1.0}) {
                std::vector<double> moved = points;
                for (Index j = 0; j < count_; ++j) moved[unsigned_of(j * cols_ + column)] += side * h;
                const auto features =
                    similarities(kernel_, data_, Dataset(DenseMatrix{count_, cols_, moved}), control_);
                for (Index j = 0; j < count_; ++j) {
                    double sum = 0;
                    for (Index i = 0; i < data_.rows(); ++i)
                        sum +=
                            pulls[unsigned_of(j * data_.rows() + i)] * features[unsigned_of(i * count_ + j)];
                    out[unsigned_of(j * cols_ + column)] += side * sum / (2 * h);
                }
            }
        }
    }

    /// Minus the gradient and a part, falling with the steps, that lowers the prototypes' similarities.
    std::vector<double> away_from_each_other(const std::vector<double>& gradient, double step) {
        std::vector<double> others(unsigned_of(count_ * count_), 1.0);
        for (Index j = 0; j < count_; ++j) others[unsigned_of(j * count_ + j)] = 0;
        std::vector<double> push(points_.size());
        if (kernel_->differentiable()) {
            const Dataset where(DenseMatrix{count_, cols_, points_});
            const ProgressHold hold(control_);
            GramEngine<double>(kernel_, where, where, &control_)
                .gradient(others.data(), push.data(), control_);
        }
        const double length = std::sqrt(dot(gradient, gradient));
        const double pushed = std::sqrt(dot(push, push));
        std::vector<double> direction(gradient.size());
        for (std::size_t e = 0; e < direction.size(); ++e)
            direction[e] = -gradient[e] - (pushed > 0 ? length / (step * pushed) * push[e] : 0);
        return direction;
    }

    /// Backtracking; a first step is a tenth of a column's spread at most.
    bool search(const std::vector<double>& direction, const std::vector<double>& gradient, bool first) {
        const double slope = dot(direction, gradient);
        if (!(slope < 0) && !options_.repulsion) return false;
        double length = 1;
        if (first) {
            double most = 0;
            for (std::size_t e = 0; e < direction.size(); ++e)
                most = std::max(most, std::abs(direction[e]) / spreads_[e % spreads_.size()]);
            if (!(most > 0)) return false;
            length = 0.1 / most;
        }
        for (int half = 0; half < 30; ++half) {
            std::vector<double> tried = points_;
            for (std::size_t e = 0; e < tried.size(); ++e) tried[e] += length * direction[e];
            PenalisedSolution found = weights_at(tried);
            const double promised = 1e-4 * length * std::min(slope, 0.0);
            length *= 0.5;
            if (!(found.objective < now_.objective + promised)) continue;
            if (!(found.objective < now_.objective)) continue;
            points_ = std::move(tried);
            now_ = std::move(found);
            return true;
        }
        return false;
    }

    void remember(LimitedMemory& memory, const std::vector<double>& old_points,
                  const std::vector<double>& before, const std::vector<double>& after, bool repelled) const {
        if (repelled) return;
        std::vector<double> step(points_.size());
        std::vector<double> change(points_.size());
        for (std::size_t e = 0; e < step.size(); ++e) {
            step[e] = points_[e] - old_points[e];
            change[e] = after[e] - before[e];
        }
        memory.add(std::move(step), std::move(change));
    }

    const KernelPointer& kernel_;
    const Dataset& data_;
    const SuperSparseTargets& targets_;
    const SuperSparseOptions& options_;
    Control& control_;
    Index cols_;
    Index count_;
    std::vector<double> points_;
    std::vector<double> spreads_;
    PenalisedSolution now_;
};

}  // namespace

SuperSparseSolution fit_super_sparse(const KernelPointer& kernel, const Dataset& data,
                                     const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                     Control& control, const Dataset* start) {
    const auto n = static_cast<double>(data.rows());
    const auto m = static_cast<double>(start != nullptr ? start->rows() : options.prototypes);
    const auto functions = static_cast<double>(targets.functions);
    control.memory().require(8 * (n * (2 * m + 3 * functions) + (n / 1024 + 1) * m * (m + functions)),
                             text("similarities of ", n, " rows to ", m, " prototypes"));
    SuperSparseSolution solution{.points = Dataset(DenseMatrix())};
    if (start != nullptr) {
        solution.points = *start;
        solution.training_ids.assign(unsigned_of(start->rows()), -1);
    } else {
        solution.training_ids = starting_rows(kernel, data, targets, options, control);
        if (solution.training_ids.empty())
            fail(Status::numerical, "every row is as similar to all others; there are no prototypes");
        solution.points = features_only(data.select(solution.training_ids));
    }
    const bool moves = options.moves && data.kind() == DataKind::dense && options.most_iterations > 0;
    if (moves) {
        MovingPrototypes(kernel, data, targets, options, solution.points.dense().values, control)
            .run(solution);
        return solution;
    }
    const auto features = similarities(kernel, data, solution.points, control);
    PenalisedSolution found = solve_weights(features, solution.points.rows(), targets, options, {}, control);
    solution.weights = std::move(found.weights);
    solution.offsets = std::move(found.offsets);
    solution.objectives = {found.objective};
    solution.converged = true;
    return solution;
}

std::vector<double> super_sparse_gradient(const KernelPointer& kernel, const Dataset& data,
                                          const SuperSparseTargets& targets,
                                          const SuperSparseOptions& options, const DenseMatrix& points,
                                          Control& control) {
    return MovingPrototypes(kernel, data, targets, options, points.values, control).gradient();
}

double super_sparse_error(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                          const SuperSparseSolution& solution, Control& control) {
    const auto features = similarities(kernel, data, solution.points, control);
    const Index count = solution.points.rows();
    double sum = 0;
    for (Index i = 0; i < data.rows(); ++i) {
        for (Index c = 0; c < targets.functions; ++c) {
            double r =
                solution.offsets[unsigned_of(c)] - targets.values[unsigned_of(i * targets.functions + c)];
            for (Index j = 0; j < count; ++j)
                r += features[unsigned_of(i * count + j)] *
                     solution.weights[unsigned_of(j * targets.functions + c)];
            sum += targets.row_weights[unsigned_of(i)] * r * r;
        }
    }
    return sum;
}

}  // namespace dk
