// SPDX-License-Identifier: Apache-2.0
#include "machine/super_sparse/super_sparse_fit.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/large_array.hpp"
#include "base/parallel.hpp"
#include "data/deviations.hpp"
#include "kernel/engine/gram_engine.hpp"
#include "machine/super_sparse/starting_rows.hpp"
#include "matrix/vectors.hpp"
#include "solve/smooth/lbfgs.hpp"
#include "solve/squares/penalised_squares.hpp"

namespace dk {

namespace {

/// Similarities of rows to points, rows x points.
std::vector<double> similarities(const KernelPointer& kernel, const Dataset& data, const Dataset& points,
                                 Control& control) {
    std::vector<double> out(data.rows() * points.rows());
    const ProgressHold hold(control);
    GramEngine<double>(kernel, data, points, &control).matrices(out.data(), control);
    return out;
}

/// The elements of a matrix in the order of its rows.
template <typename M>
std::vector<double> elements(const M& matrix) {
    return {matrix.data(), matrix.data() + matrix.size()};
}

PenalisedSolution solve_weights(const std::vector<double>& features, Index count,
                                const SuperSparseTargets& targets, const SuperSparseOptions& options,
                                const Matrix& start, Control& control) {
    const Index rows = std::ssize(targets.row_weights);
    return solve_penalised_squares({.features = view(features.data(), rows, count),
                                    .targets = view(targets.values.data(), rows, targets.functions),
                                    .weights = as_vector(targets.row_weights),
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
          count_(std::ssize(points) / data.cols()),
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
            control_.check(1.0 * solution.iterations / options_.most_iterations);
            ++solution.iterations;
            const bool repelled = options_.repulsion && solution.iterations <= repelled_steps;
            const std::vector<double> direction = repelled
                                                      ? away_from_each_other(gradient, solution.iterations)
                                                      : elements(memory.direction(as_vector(gradient)));
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
        solution.training_ids.assign(count_, -1);
        solution.weights = elements(now_.weights);
        solution.offsets = elements(now_.offsets);
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
        std::vector<double> pulls(count_ * n);  // prototypes x rows
        parallel_for(count_, control_, [&](Index j) {
            for (Index i = 0; i < n; ++i) {
                pulls[j * n + i] = 2 * targets_.row_weights[i] * at.residuals.row(i).dot(at.weights.row(j));
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
            const double h = 1e-5 * spreads_[column];
            for (const double side : {1.0, -1.0}) {
                std::vector<double> moved = points;
                for (Index j = 0; j < count_; ++j) moved[j * cols_ + column] += side * h;
                const auto features =
                    similarities(kernel_, data_, Dataset(DenseMatrix{count_, cols_, moved}), control_);
                for (Index j = 0; j < count_; ++j) {
                    double sum = 0;
                    for (Index i = 0; i < data_.rows(); ++i)
                        sum += pulls[j * data_.rows() + i] * features[i * count_ + j];
                    out[j * cols_ + column] += side * sum / (2 * h);
                }
            }
        }
    }

    /// Minus the gradient and a part, falling with the steps, that lowers the prototypes' similarities.
    std::vector<double> away_from_each_other(const std::vector<double>& gradient, double step) {
        std::vector<double> others(count_ * count_, 1.0);
        for (Index j = 0; j < count_; ++j) others[j * count_ + j] = 0;
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
        memory.add(as_vector(points_) - as_vector(old_points), as_vector(after) - as_vector(before));
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
    const double n = data.rows();
    const double m = start != nullptr ? start->rows() : options.prototypes;
    const double functions = targets.functions;
    control.memory().require(8 * (n * (2 * m + 3 * functions) + (n / 1024 + 1) * m * (m + functions)),
                             text("similarities of ", n, " rows to ", m, " prototypes"));
    SuperSparseSolution solution{.points = Dataset(DenseMatrix())};
    if (start != nullptr) {
        solution.points = *start;
        solution.training_ids.assign(start->rows(), -1);
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
    const PenalisedSolution found =
        solve_weights(features, solution.points.rows(), targets, options, {}, control);
    solution.weights = elements(found.weights);
    solution.offsets = elements(found.offsets);
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
            double r = solution.offsets[c] - targets.values[i * targets.functions + c];
            for (Index j = 0; j < count; ++j)
                r += features[i * count + j] * solution.weights[j * targets.functions + c];
            sum += targets.row_weights[i] * r * r;
        }
    }
    return sum;
}

}  // namespace dk
