// SPDX-License-Identifier: Apache-2.0
// The steps of logistic regression (solve/smooth/logistic.cpp) in three feature spaces. Each step is a ridge
// regression with weights D of the rows,
//
//     min over w, b of   1/2 |w|^2 + 1/2 sum_i D_i (t_i - w.phi_i - b)^2,   r_i = D_i t_i.
//
// Where features Phi are computed in pieces of rows or stand in memory, w solves, after b has been left out,
//
//     (I + Phi' D Phi - s s' / d) w = Phi' r - s (1'r) / d,   s = Phi' D 1,   d = 1'D 1,
//
// by Cholesky's factors, or by conjugate gradients where features are many. By the whole matrix K of other
// kernels, w = sum_i u_i phi_i has
//
//     u = D^1/2 (I + D^1/2 K D^1/2)^-1 (D^-1/2 r - b D^1/2 1)   with b such that 1'u = 0.
//
//     letters         code
//     D, r            LogisticPoint::curvatures, LogisticPoint::right
//     w, u            w_, u_
//     Phi' D Phi, s   square, sums
#include "machine/margin/logistic_margin.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/lowrank/feature_stream.hpp"
#include "matrix/cholesky.hpp"
#include "matrix/feature_products.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {

/// A function w in features that are known.
class FeatureLogistic : public LogisticSpace {
  public:
    FeatureLogistic(Index rows, Index dimension) : w_(Vector::Zero(dimension)), proposed_w_(w_) {
        values_ = Vector::Zero(rows);
    }

    double half_length(double step) const override {
        return 0.5 * (w_ + step * (proposed_w_ - w_)).squaredNorm();
    }
    void move(double step) override {
        w_ += step * (proposed_w_ - w_);
        values_ += step * (proposed_values_ - values_);
    }
    Expansion expansion() override {
        return {.coefficients = point_.v,
                .values = values_of(dual_function_),
                .half_length = 0.5 * dual_function_.squaredNorm()};
    }
    /// Starts with this function.
    void begin_with(Vector w) {
        w_ = std::move(w);
        values_ = values_of(w_);
    }

  protected:
    virtual Vector values_of(const Vector& w) = 0;

    Vector w_;
    Vector proposed_w_;
    LogisticPoint point_;   // the one that was looked at last
    Vector dual_function_;  // its sum_i v_i phi_i
};

/// The features of a map, computed in pieces of rows. A step is taken from where w is,
///
///     w + (I + Phi' D Phi - s s' / d)^-1 (Phi' v - w),
///
/// so that its end is the optimum whatever square it has. That of raw features is cheaper, Phi' D Phi =
/// W' (Psi' D Psi) W, but W magnifies its rounding. So it serves until steps do not help any more.
class StreamedLogistic final : public FeatureLogistic {
  public:
    StreamedLogistic(const FeatureMap& map, const Dataset& data, Control& control)
        : FeatureLogistic(data.rows(), map.dimension()), map_(map), data_(data), control_(control) {}

    double look_at(const LogisticPoint& point) override {
        point_ = point;
        Matrix sums = Matrix::Zero(map_.raw_dimension(), 1);
        const auto add_some = [&](Index first, const ConstMatrixView& raw) {
            const FeatureProducts products({raw.data(), raw.rows(), raw.cols()}, control_);
            sums.col(0) += as_vector(products.transposed_times(of_rows(point_.v, first, raw.rows())));
        };
        read_raw_features(map_, data_, add_some, control_);
        dual_function_ = map_.from_raw(sums, control_).col(0);
        return dual_function_.squaredNorm();
    }

    void propose() override {
        Vector step = dual_function_ - w_;
        Matrix system = exact_ ? system_of(false) : system_of(true);
        if (!exact_ && !cholesky_factor(system, control_)) {
            exact_ = true;
            system = system_of(false);
        }
        if (exact_ && !cholesky_factor(system, control_))
            fail(Status::numerical, "loss=logistic: features of the kernel overflow; scale the data");
        cholesky_solve(system, step, control_);
        proposed_w_ = w_ + step;
        proposed_values_ = values_of(proposed_w_);
    }

    bool refine() override {
        const bool may_help = !exact_;
        exact_ = true;
        return may_help;
    }

    /// Gives sum_i v_i phi_i of the point that was looked at last.
    const Vector& dual_function() const { return dual_function_; }

  private:
    static std::span<const double> of_rows(const Vector& values, Index first, Index count) {
        return as_span(values).subspan(first, count);
    }

    /// Computes I + Phi' D Phi - s s' / d, where the square is that of raw features or not.
    Matrix system_of(bool raw) {
        const Index size = raw ? map_.raw_dimension() : map_.dimension();
        Matrix square = Matrix::Zero(size, size);
        Matrix sums = Matrix::Zero(size, 1);
        const auto add_some = [&](Index first, const ConstMatrixView& of_raw) {
            const Matrix combined = raw ? Matrix() : map_.combined(of_raw, control_);
            const double* features = raw ? of_raw.data() : combined.data();
            const FeatureProducts products({features, of_raw.rows(), size}, control_);
            const auto curvatures = of_rows(point_.curvatures, first, of_raw.rows());
            square += view(products.weighted_square(curvatures).data(), size, size);
            sums.col(0) += as_vector(products.transposed_times(curvatures));
        };
        read_raw_features(map_, data_, add_some, control_);
        if (raw) {
            const Matrix half = map_.from_raw(square, control_).transpose();
            square = map_.from_raw(half, control_);
            sums = map_.from_raw(sums, control_);
        }
        const double weights = point_.curvatures.sum();
        if (weights > 0) square.noalias() -= sums * (sums / weights).transpose();
        square.diagonal().array() += 1;
        return square;
    }

    Vector values_of(const Vector& w) override {
        Vector values(data_.rows());
        const auto write_some = [&](Index first, std::span<const double> some) {
            std::ranges::copy(some, values.data() + first);
        };
        multiply_raw_features(map_, data_, map_.to_raw(w, control_), write_some, control_);
        return values;
    }

    const FeatureMap& map_;
    const Dataset& data_;
    Control& control_;
    bool exact_ = false;  // whether squares are those of the features themselves
};

/// Features that stand in memory, dense or sparse.
class StoredLogistic final : public FeatureLogistic {
  public:
    StoredLogistic(const FeatureRows& features, Control& control)
        : FeatureLogistic(features.rows, features.dimension),
          direct_(!features.sparse() && features.dimension <= most_direct),
          products_(features, control),
          control_(control) {}

    double look_at(const LogisticPoint& point) override {
        point_ = point;
        dual_function_ = as_vector(products_.transposed_times(as_span(point.v)));
        return dual_function_.squaredNorm();
    }

    void propose() override {
        const double weights = point_.curvatures.sum();
        const Vector sums = as_vector(products_.transposed_times(as_span(point_.curvatures)));
        Vector right = as_vector(products_.transposed_times(as_span(point_.right)));
        right -= point_.right.sum() / weights * sums;
        if (direct_) {
            proposed_w_ = direct_solution(sums, right, weights);
        } else {
            proposed_w_ = conjugate_gradients(sums, right, weights);
        }
        proposed_values_ = values_of(proposed_w_);
    }

    bool direct() const { return direct_; }
    /// Gives the memory of a step that is solved directly: squares, and features of some rows.
    double bytes_of_a_step() const {
        const double d = products_.dimension();
        constexpr double squares = 5;
        constexpr double rows_at_once = 3 * 8192;
        return 8 * (squares * d * d + std::min<double>(rows_at_once, products_.rows()) * d);
    }

  private:
    static constexpr Index most_direct = 1000;

    Vector values_of(const Vector& w) override { return as_vector(products_.times(as_span(w))); }

    Vector direct_solution(const Vector& sums, Vector right, double weights) {
        const std::vector<double> values = products_.weighted_square(as_span(point_.curvatures));
        Matrix square = view(values.data(), sums.size(), sums.size());
        square.noalias() -= sums * (sums / weights).transpose();
        square.diagonal().array() += 1;
        if (!cholesky_factor(square, control_))
            fail(Status::numerical, "loss=logistic: features of the kernel overflow; scale the data");
        cholesky_solve(square, right, control_);
        return right;
    }

    /// Solves the step's system roughly, from the present w on: a hundredth of its residual is a hundredth of
    /// the slope of P, and of the gap less than a thousandth.
    Vector conjugate_gradients(const Vector& sums, const Vector& right, double weights) {
        constexpr double enough = 1e-2;
        constexpr int most_steps = 500;
        const auto apply = [&](const Vector& w) {
            const Vector image = as_vector(products_.times(as_span(w))).cwiseProduct(point_.curvatures);
            return Vector(w + as_vector(products_.transposed_times(as_span(image))) -
                          sums.dot(w) / weights * sums);
        };
        Vector w = w_;
        Vector residual = right - apply(w);
        Vector direction = residual;
        double square = residual.squaredNorm();
        const double last = enough * enough * square;
        for (int step = 0; step < most_steps && square > last; ++step) {
            control_.check();
            const Vector image = apply(direction);
            const double length = square / direction.dot(image);
            w += length * direction;
            residual -= length * image;
            const double renewed = residual.squaredNorm();
            direction = residual + renewed / square * direction;
            square = renewed;
        }
        return w;
    }

    bool direct_;
    FeatureProducts products_;
    Control& control_;
};

/// The function w = sum_i u_i phi_i in the space of a kernel matrix.
class GramLogistic final : public LogisticSpace {
  public:
    GramLogistic(const ConstMatrixView& gram, Control& control)
        : gram_(gram), control_(control), u_(Vector::Zero(gram.rows())), proposed_u_(u_) {
        values_ = Vector::Zero(gram.rows());
    }

    double look_at(const LogisticPoint& point) override {
        point_ = point;
        return point.v.dot(product(point.v));
    }

    void propose() override {
        const Index n = gram_.rows();
        const Vector roots = point_.curvatures.cwiseSqrt();
        LargeMatrix factor(n, n);
        parallel_for_rows(n, n, control_, [&](Index i) {
            factor.view().row(i) = roots[i] * gram_.row(i).cwiseProduct(roots.transpose());
            factor(i, i) += 1;
        });
        if (!cholesky_factor(factor.view(), control_))
            fail(Status::numerical,
                 "loss=logistic: the kernel matrix is not positive semidefinite; use spectrum=clip");
        Matrix solved(n, 2);
        solved.col(0) = (roots.array() > 0).select(point_.right.array() / roots.array(), 0.0);
        solved.col(1) = roots;
        cholesky_solve_all(factor.view(), solved, control_);
        const double weight = roots.dot(solved.col(1));
        const double offset = weight > 0 ? roots.dot(solved.col(0)) / weight : 0;
        proposed_u_ = roots.cwiseProduct(solved.col(0) - offset * solved.col(1));
        proposed_values_ = product(proposed_u_);
    }

    double half_length(double step) const override {
        const double rest = 1 - step;
        const double mixed = step == 0 ? 0 : rest * step * u_.dot(proposed_values_);
        const double own = step == 0 ? 0 : 0.5 * step * step * proposed_u_.dot(proposed_values_);
        return 0.5 * rest * rest * u_.dot(values_) + mixed + own;
    }
    void move(double step) override {
        u_ += step * (proposed_u_ - u_);
        values_ += step * (proposed_values_ - values_);
    }

    Expansion expansion() override {
        return {.coefficients = u_, .values = values_, .half_length = half_length(0)};
    }

  private:
    Vector product(const Vector& v) const {
        Vector out(gram_.rows());
        constexpr Index rows_a_task = 64;
        const ProgressHold hold(control_);
        const Index tasks = (gram_.rows() + rows_a_task - 1) / rows_a_task;
        parallel_for(tasks, 1.0 * gram_.size(), control_, [&](Index t) {
            const Index first = t * rows_a_task;
            const Index count = std::min(rows_a_task, gram_.rows() - first);
            multiply_vector(gram_.middleRows(first, count), v, out.segment(first, count));
        });
        return out;
    }

    ConstMatrixView gram_;
    Control& control_;
    LogisticPoint point_;
    Vector u_;
    Vector proposed_u_;
};

/// Learns first from every so many of many rows, whose costs are so much larger, and gives their function.
Vector function_of_few(const FeatureMap& map, const Dataset& data, const LogisticRows& rows, Index every,
                       const LogisticOptions& options, Control& control) {
    const std::vector<Index> chosen = one_row_of_each_piece(data.rows(), every);
    LogisticRows few;
    for (const Index i : chosen) {
        few.signs.push_back(rows.signs[i]);
        few.costs.push_back(static_cast<double>(every) * rows.costs[i]);
    }
    const Dataset some = data.select(chosen);
    StreamedLogistic space(map, some, control);
    const LogisticOptions roughly{.gap = std::max(10 * options.gap, 1e-4), .most_steps = options.most_steps};
    solve_logistic(space, few, roughly, control);
    return space.dual_function();
}

}  // namespace

LogisticSolution solve_logistic_in_features(const KernelPointer& kernel, const Dataset& data,
                                            const LogisticRows& rows, const LogisticOptions& options,
                                            const MemoryBudget& budget, Control& control) {
    const FeatureMap& map = *kernel->feature_map();
    const double d = map.dimension();
    const double raw = map.raw_dimension();
    constexpr double values_of_a_row = 12;
    constexpr double copies = 4;  // of the features of some rows
    const double at_once = std::min(data.rows(), feature_rows_at_once);
    budget.require(8.0 * (values_of_a_row * data.rows() + copies * at_once * (d + raw) + 4.0 * raw * raw),
                   text("a function of ", data.rows(), " rows in ", map.dimension(), " features"));
    StreamedLogistic space(map, data, control);
    constexpr Index few_rows = 50000;
    const Index every = data.rows() / few_rows;
    if (every >= 4) {
        const ProgressScope scope(control, 0, 0.1);
        space.begin_with(function_of_few(map, data, rows, every, options, control));
    }
    const ProgressScope scope(control, every >= 4 ? 0.1 : 0, 1);
    return solve_logistic(space, rows, options, control);
}

LogisticSolution solve_logistic_by_gram(TrainingGram& gram, const LogisticRows& rows,
                                        const LogisticOptions& options, const MemoryBudget& budget,
                                        Control& control) {
    const FeatureRows features = gram.features();
    if (features.dimension > 0 && (features.sparse() || features.dimension < features.rows)) {
        StoredLogistic space(features, control);
        if (space.direct())
            budget.require(space.bytes_of_a_step(), text("a step in ", features.dimension, " features"));
        return solve_logistic(space, rows, options, control);
    }
    const Index n = gram.size();
    GramLogistic space(view(gram.whole(1, control), n, n), control);
    return solve_logistic(space, rows, options, control);
}

}  // namespace dk
