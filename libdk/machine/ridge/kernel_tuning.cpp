// SPDX-License-Identifier: Apache-2.0
// The numbers of a kernel, and C, are tuned by gradient on what a ridge machine says of itself. With
//
//     A = K + I / C,   alpha = A^-1 t,   e_i = alpha_i / (A^-1)_ii
//
// e_i is what the prediction of row i by all other rows lacks of its target t_i. The goals are the mean of
// e_i^2, and the negative logarithm of the evidence of a Gaussian process with the covariance s A, whose
// scale s has its best value t'alpha / n,
//
//     1/2 log(2 pi s) + 1/2 + log|A| / (2 n).
//
// Several columns of targets share A and s. A change dA of A changes sum e_i^2 and these by sum_ij M_ij
// dA_ij:
//
//     leave one out   M = -(A^-1 u) alpha' + A^-1 diag(w) A^-1,   u_i = 2 e_i / (A^-1)_ii,  w_i = u_i e_i
//     evidence        M = -alpha alpha' / (2 n s) + A^-1 / (2 n)
//
// The derivatives of K by the logarithms of its numbers are central differences, whose error is beside that
// of rounding: no kernel has to know them. The method of limited memory goes down from the numbers as they
// are written, and from kernels that are some times as wide and as narrow.
//
//     letters       code
//     t             targets_
//     alpha, e      alpha, errors
//     A^-1, M       inverse, slopes
//
// C. Rasmussen, C. Williams, Gaussian processes for machine learning, 2006, sections 5.4.1 and 5.4.2.
#include "machine/ridge/kernel_tuning.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/language/adjustable_text.hpp"
#include "kernel/language/bank.hpp"
#include "machine/ridge/ridge_fit.hpp"
#include "machine/single_function.hpp"
#include "matrix/cholesky.hpp"
#include "solve/smooth/lbfgs.hpp"

namespace dk {

namespace {

/// Numbers move by at most this factor, both ways.
constexpr double farthest = 1e6;
/// The step of differences in a logarithm.
constexpr double difference_step = 1e-5;

LargeMatrix kernel_matrix(const KernelPointer& kernel, const Dataset& data, Control& control) {
    LargeMatrix K(data.rows(), data.rows());
    GramEngine<double>(kernel, data, data, &control).matrices(K.data(), control);
    return K;
}

/// Adds up the products of the elements of two matrices, in an order that no number of threads changes.
double inner_product(const LargeMatrix& a, const LargeMatrix& b, Control& control) {
    Vector rows(a.rows());
    parallel_for_rows(a.rows(), a.cols(), control,
                      [&](Index i) { rows[i] = a.view().row(i).dot(b.view().row(i)); });
    return rows.sum();
}

}  // namespace

struct RidgeTuning::Numbers {
    std::string text;
    std::vector<AdjustableNumber> of_kernel;
};

RidgeTuning::RidgeTuning(const TrainingProblem& problem, Matrix targets, TuningGoal goal)
    : problem_(problem), targets_(std::move(targets)), goal_(goal) {
    const std::string text = problem.kernel->text();
    std::vector<const KernelState*> states;
    problem.kernel->collect_states(states);
    if (!states.empty() || problem.kernel->asks_caller())
        fail(Status::unsupported, "tune_kernel needs a kernel that its text tells whole, and ", text,
             " learns from rows or is the caller's");
    numbers_ = std::make_shared<const Numbers>(Numbers{text, adjustable_numbers(text)});
    const double n = problem.data.rows();
    constexpr double matrices = 6;
    problem.budget.require(8 * matrices * n * n, "tune_kernel: matrices of all rows");
}

Vector RidgeTuning::start() const {
    Vector logarithms(std::ssize(numbers_->of_kernel) + 1);
    for (Index k = 0; k + 1 < logarithms.size(); ++k) logarithms[k] = std::log(numbers_->of_kernel[k].value);
    logarithms[logarithms.size() - 1] = -std::log(problem_.parameters[parameter::cost]);
    return logarithms;
}

Vector RidgeTuning::lowest() const {
    Vector bounds = start().array() - std::log(farthest);
    for (Index k = 0; k + 1 < bounds.size(); ++k) {
        const double lowest = numbers_->of_kernel[k].lowest;
        if (lowest > 0) bounds[k] = std::max(bounds[k], std::log(lowest));
    }
    return bounds;
}

Vector RidgeTuning::highest() const {
    Vector bounds = start().array() + std::log(farthest);
    for (Index k = 0; k + 1 < bounds.size(); ++k) {
        const double highest = numbers_->of_kernel[k].highest;
        // Numbers that must stay below a bound stay so by what differences need.
        if (std::isfinite(highest)) bounds[k] = std::min(bounds[k], std::log(highest) - 2 * difference_step);
    }
    return bounds;
}

KernelPointer RidgeTuning::kernel(const Vector& logarithms) const {
    const Vector values = logarithms.array().exp();
    const auto of_kernel = as_span(values).first(numbers_->of_kernel.size());
    return make_kernel(with_values(numbers_->text, numbers_->of_kernel, of_kernel), problem_.data,
                       &problem_.control);
}

TuningValue RidgeTuning::evaluate(const Vector& logarithms) const {
    Control& control = problem_.control;
    const ProgressHold hold(control);
    const Index n = targets_.rows();
    const double cells = targets_.size();
    const double ridge = std::exp(logarithms[logarithms.size() - 1]);
    LargeMatrix A = kernel_matrix(kernel(logarithms), problem_.data, control);
    A.view().diagonal().array() += ridge;
    if (!cholesky_factor(A.view(), control)) return {};
    const double log_determinant = 2 * A.view().diagonal().array().log().sum();
    LargeMatrix inverse(n, n);
    inverse.view().setIdentity();
    cholesky_solve_all(A.view(), inverse.view(), control);
    Matrix alpha(n, targets_.cols());
    multiply(inverse.view(), targets_, alpha, Into::assign, control);

    TuningValue result;
    LargeMatrix& slopes = A;  // Its factor is not needed any more.
    if (goal_ == TuningGoal::leave_one_out) {
        const Vector diagonal = inverse.view().diagonal();
        const Matrix errors = diagonal.cwiseInverse().asDiagonal() * alpha;
        const Matrix u = 2 * diagonal.cwiseInverse().asDiagonal() * errors;
        const Vector w = u.cwiseProduct(errors).rowwise().sum();
        result.value = errors.squaredNorm() / cells;
        LargeMatrix scaled(n, n);
        parallel_for_rows(n, n, control, [&](Index i) {
            scaled.view().row(i) = inverse.view().row(i).cwiseProduct(w.cwiseSqrt().transpose());
        });
        outer_product(scaled.view(), slopes.view(), control);
        Matrix back(n, targets_.cols());
        multiply(inverse.view(), u, back, Into::assign, control);
        multiply_transposed(back, alpha, slopes.view(), Into::subtract, control);
        parallel_for_rows(n, n, control, [&](Index i) { slopes.view().row(i) /= cells; });
    } else {
        const double scale = targets_.cwiseProduct(alpha).sum() / cells;
        if (!(scale > 0)) return {};
        result.value = 0.5 * std::log(2 * std::numbers::pi * scale) + 0.5 +
                       0.5 * log_determinant / static_cast<double>(n);
        const Matrix scaled = alpha / (-2 * cells * scale);
        parallel_for_rows(n, n, control, [&](Index i) {
            slopes.view().row(i) = inverse.view().row(i) / (2 * static_cast<double>(n));
        });
        multiply_transposed(scaled, alpha, slopes.view(), Into::add, control);
    }
    if (!std::isfinite(result.value)) return {};
    result.gradient.resize(logarithms.size());
    for (Index k = 0; k + 1 < logarithms.size(); ++k) {
        const auto slope_of = [&](double step) {
            Vector moved = logarithms;
            moved[k] += step;
            const LargeMatrix K = kernel_matrix(kernel(moved), problem_.data, control);
            return inner_product(slopes, K, control);
        };
        result.gradient[k] = (slope_of(difference_step) - slope_of(-difference_step)) / (2 * difference_step);
    }
    result.gradient[logarithms.size() - 1] = ridge * slopes.view().diagonal().sum();
    return result;
}

namespace {

/// Where one descent ended.
struct Descent {
    Vector at;
    TuningValue value;
    std::int64_t steps = 0;
};

/// Goes down from a point within the bounds, by steps of the method of limited memory that are halved until
/// they go down enough.
Descent descend(const RidgeTuning& tuning, const Vector& start, Control& control) {
    constexpr std::int64_t most_steps = 60;
    constexpr Index pairs = 8;
    constexpr double longest_step = 2;  // of a logarithm
    constexpr double enough = 1e-8;     // relative change
    constexpr int most_halvings = 26;
    const Vector lowest = tuning.lowest();
    const Vector highest = tuning.highest();
    Descent now{.at = start, .value = tuning.evaluate(start)};
    if (!std::isfinite(now.value.value)) return now;
    LimitedMemory memory(pairs);
    while (now.steps < most_steps) {
        control.check();
        Vector direction = memory.direction(now.value.gradient);
        if (!(direction.dot(now.value.gradient) < 0)) direction = -now.value.gradient;
        const double length = direction.cwiseAbs().maxCoeff();
        if (!(length > 0)) return now;
        direction *= std::min(1.0, longest_step / length);
        bool moved = false;
        for (int halvings = 0; halvings < most_halvings && !moved; ++halvings) {
            const double step = std::ldexp(1.0, -halvings);
            const Vector next = (now.at + step * direction).cwiseMax(lowest).cwiseMin(highest);
            const double expected = now.value.gradient.dot(next - now.at);
            if (!(expected < 0)) break;
            TuningValue value = tuning.evaluate(next);
            if (!(value.value <= now.value.value + 1e-4 * expected)) continue;
            memory.add(next - now.at, value.gradient - now.value.gradient);
            const double change = now.value.value - value.value;
            now.at = next;
            now.value = std::move(value);
            ++now.steps;
            moved = true;
            if (change <= enough * (1 + std::abs(now.value.value))) return now;
        }
        if (!moved) return now;
    }
    return now;
}

Matrix columns_of_targets(const Dataset& data) {
    if (!data.targets.empty()) return view(data.targets.data(), data.rows(), data.target_count);
    const Targets signs = sign_targets(data);
    return view(signs.values.data(), data.rows(), signs.count);
}

/// The best of the descents from the kernel as it is, and as wide and narrow ones.
Descent best_descent(const RidgeTuning& tuning, Control& control) {
    const double wider = std::log(10.0);
    Descent best;
    double done = 0;
    for (const double shift : {0.0, wider, -wider}) {
        const ProgressScope scope(control, done / 3, (done + 1) / 3, "tuning");
        Vector start = tuning.start();
        start.head(start.size() - 1).array() += shift;
        start = start.cwiseMax(tuning.lowest()).cwiseMin(tuning.highest());
        Descent found = descend(tuning, start, control);
        const std::int64_t steps = best.steps + found.steps;
        if (done == 0 || found.value.value < best.value.value) best = std::move(found);
        best.steps = steps;
        done += 1;
    }
    return best;
}

}  // namespace

std::vector<ParameterSpec> with_tuning(std::vector<ParameterSpec> parameters) {
    parameters.push_back(parameter::tune_kernel);
    return parameters;
}

TrainedMachine train_tuned(const TrainingProblem& problem, const RidgeTrainer& trainer) {
    const Parameters& parameters = problem.parameters;
    const TuningGoal goal = parameters[parameter::tune_kernel];
    if (goal == TuningGoal::none) return trainer(problem);
    if (parameters[parameter::select_cost] || parameters[parameter::offset] ||
        parameters[parameter::solver] == RidgeSolver::falkon)
        fail(Status::unsupported, "tune_kernel finds C, and goes with select_C=no, offset=no and no falkon");
    if (!problem.data.sample_weights.empty())
        fail(Status::unsupported, "tune_kernel counts every row the same; leave out the sample weights");
    if (problem.earlier != nullptr)
        fail(
            Status::unsupported,
            "tune_kernel finds another kernel and C for other rows, which no update does; give those that it "
            "found as kernel= and C= with updatable=yes");
    if (problem.bank.size() > 1)
        fail(Status::unsupported, "tune_kernel tunes one kernel, and there are ", problem.bank.size(),
             "; write their sum in place of the list");
    const RidgeTuning tuning(problem, columns_of_targets(problem.data), goal);
    Descent found;
    {
        const ProgressScope scope(problem.control, 0, 0.8);
        found = best_descent(tuning, problem.control);
    }
    if (!std::isfinite(found.value.value))
        fail(Status::numerical, "tune_kernel: the kernel matrix plus I / C has no Cholesky factor; lower C");
    const KernelPointer kernel = tuning.kernel(found.at);
    Parameters settings = parameters;
    settings.set(parameter::cost.name, format_number(std::exp(-found.at[found.at.size() - 1])));
    const Bank bank{kernel};
    const ProgressScope scope(problem.control, 0.8, 1);
    TrainedMachine trained =
        trainer({problem.data, kernel, bank, settings, problem.precision, problem.budget, problem.control});
    trained.kernel = kernel;
    Report report;
    report.add("goal", found.value.value).add("steps", found.steps).add("kernel", kernel->text());
    trained.report.add("tuning", std::vector<Report>{std::move(report)});
    return trained;
}

}  // namespace dk
