// SPDX-License-Identifier: Apache-2.0
//
// Boosted prototypes solve the program of the hard margin (22),
//
//     max over f, b of   min_i y_i (f(x_i) + b),   f a convex combination of functions <w, x> with |w| = 1,
//
// by steps k = 1, 2, ... of two prototypes, which are weighted means of their classes:
//
//     4.     alpha_i = 1 / n+-,   rho = 1
//     5(a)   p+- = sum of alpha_i x_i over the class
//     5(b)   w = (p+ - p-) / |p+ - p-|
//     5(c)   rho = min(rho, (gamma+ + gamma-) / 2 - epsilon),   gamma+- = sum of alpha_i y_i <w, x_i>
//     5(d)   v = 1/8 log((2 + gamma+ - rho)(2 + gamma- - rho) / ((2 - gamma+ + rho)(2 - gamma- + rho)))
//     5(e)   beta = 1/2 log(Z+ / Z-),   Z+- = sum of alpha_i exp(-v y_i <w, x_i>) over the class
//     5(f)   alpha_i = alpha_i exp(-v y_i <w, x_i>) / Z+-
//     6.     w = sum_k v w / sum_k v,   b = sum_k beta / sum_k v
//
// The rows are those of the centred kernel matrix, divided by their largest squared length, so that |x_i|
// <= 1. Where C is not 0, 1 / C is added to the diagonal (26), which allows slack. Two rules are ours,
// because the paper has none: sums over steps begin anew now and then, and learning stops when the margin is
// within a thousandth of half the distance of two points of the classes' convex hulls, which no margin
// exceeds. With averaging=paper sums never begin anew, rows are not centred, and the prototypes are averages
// as well, p+- = sum_k v p+- / sum_k v; w is no difference of theirs, since each step's w has the length 1.
//
//     letter            name
//     y, alpha          signs_, alpha_
//     p+ - p-           direction_, the coefficients alpha_i y_i of the rows
//     <w, x_i>          projections_(i)
//     rho, epsilon      rho_, epsilon_
//     gamma+-, Z+-      positive and negative, z
//     sums over k       total_ of v, average_ and average_projections_ of v w, average_offset_ of beta,
//                       average_alpha_ of v alpha
//
// A. Graf, O. Bousquet, G. Raetsch, B. Schoelkopf, Prototype classification: insights from machine learning,
// Neural Computation 21, 2009, section 5.2.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/mean/centred_gram.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace {
enum class Averaging { restart, paper };
enum class Centring { automatic, yes, no };
}  // namespace

namespace parameter {
constexpr RealKey cost{
    "C",
    1,
    {0, 1e300},
    "A larger C makes the machine fit the training rows more closely: 1 / C is added to the diagonal of the "
    "kernel matrix. A C of 0 allows no slack, and the classes must be separable."};
constexpr RealKey epsilon{
    "epsilon", 0.3, Range::share(),
    "Each step aims at a margin that is smaller by epsilon; a small epsilon takes more steps."};
constexpr IntegerKey boosting_rounds{
    "max_iterations", 30000, {1, 1e12}, "Learning stops after so many steps."};
constexpr ChoiceKey<Averaging> averaging{
    "averaging",
    {"restart", "paper"},
    "Averages over the steps begin anew after 64, 128, ... steps (restart), and the prototypes are those of "
    "the function that they make; or they have all steps in them, and the prototypes are averages too, as "
    "the paper has it."};
constexpr ChoiceKey<Centring> centre{
    "centre",
    {"auto", "yes", "no"},
    "With yes the mean of the rows is subtracted in feature space before the first step, on which the way of "
    "the steps depends; auto does so with averaging=restart."};
}  // namespace parameter

namespace {

/// Sums over the rows of each class.
struct ClassSums {
    double positive = 0;
    double negative = 0;
};

/// Takes the steps of the algorithm. Its letters stand at the top of this file.
class PrototypeBoosting {
  public:
    /// `gram` has a diagonal of at most 1, and is centred where the parameter `centre` says so.
    PrototypeBoosting(const ConstMatrixView& gram, const ConstVectorView& signs, double epsilon,
                      Averaging averaging, Control& control)
        : gram_(gram),
          signs_(signs),
          epsilon_(epsilon),
          restarts_(averaging == Averaging::restart),
          control_(control),
          projections_(signs.size()) {
        const ClassSums counts = class_sums(Vector::Ones(signs.size()));
        alpha_ = by_class(1 / counts.positive, 1 / counts.negative);
        restart_average();
    }

    /// Takes one step; false when the prototypes meet, so that the classes are not separable.
    bool step() {
        direction_ = signs_.cwiseProduct(alpha_);
        project();
        const double distance = std::sqrt(std::max(0.0, direction_.dot(projections_)));
        if (!(0.5 * distance > 1e-6)) return false;
        upper_ = std::min(upper_, 0.5 * distance);
        projections_ /= distance;
        // Early steps are far from the solution, so that averages leave them out after 64, 128, ... steps.
        if (restarts_ && steps_ >= 64 && (steps_ & (steps_ - 1)) == 0) restart_average();
        update(distance);
        ++steps_;
        return true;
    }

    std::int64_t steps() const { return steps_; }
    /// Gives half of the least distance of two points of the hulls that was seen. No margin is larger.
    double upper() const { return upper_; }

    /// Computes the margin of the present average. It is negative where classes overlap, and then at least
    /// that of two opposite unit vectors, also where the average vanishes.
    double margin() const {
        const double square = average_.dot(average_projections_);
        if (!(square > 0)) return -1.0;
        const double lowest = (signs_.array() > 0).select(average_projections_, infinity).minCoeff();
        const double highest = (signs_.array() > 0).select(-infinity, average_projections_).maxCoeff();
        return std::max(0.5 * (lowest - highest) / std::sqrt(square), -1.0);
    }

    /// Takes step 6, which gives the coefficients and the offset of the average.
    BinarySolution solution() const {
        const Vector gamma = average_ / total_;
        BinarySolution solution{
            .gamma = {gamma.begin(), gamma.end()}, .offset = average_offset_ / total_, .report = {}};
        if (!restarts_) {
            const Vector prototypes = average_alpha_ / total_;
            solution.prototypes.assign(prototypes.begin(), prototypes.end());
        }
        return solution;
    }

  private:
    ClassSums class_sums(const Vector& values) const {
        ClassSums sums;
        for (Index i = 0; i < values.size(); ++i)
            (signs_(i) > 0 ? sums.positive : sums.negative) += values(i);
        return sums;
    }

    Vector by_class(double positive, double negative) const {
        return (signs_.array() > 0).select(Vector::Constant(signs_.size(), positive), negative);
    }

    /// Computes <p+ - p-, x_i> of every row i, which is step 5(a), and 5(b) before w is divided by its
    /// length.
    void project() {
        constexpr Index rows_at_once = 64;
        const ProgressHold hold(control_);
        const Index n = gram_.rows();
        parallel_for((n + rows_at_once - 1) / rows_at_once, 1.0 * gram_.size(), control_, [&](Index piece) {
            const Index first = piece * rows_at_once;
            const Index count = std::min(rows_at_once, n - first);
            multiply_vector(gram_.middleRows(first, count), direction_, projections_.segment(first, count));
        });
    }

    /// Takes steps 5(c) to 5(f). The half sum of both gammas is half the distance of the prototypes.
    void update(double distance) {
        const auto [positive, negative] = class_sums(alpha_.cwiseProduct(signs_).cwiseProduct(projections_));
        rho_ = std::min(rho_, 0.5 * distance - epsilon_);
        const double v = 0.125 * std::log((2 + positive - rho_) * (2 + negative - rho_) /
                                          ((2 - positive + rho_) * (2 - negative + rho_)));
        const Vector weights = alpha_.array() * (-v * signs_.array() * projections_.array()).exp();
        const ClassSums z = class_sums(weights);
        total_ += v;
        average_alpha_ += v * alpha_;
        average_offset_ += 0.5 * std::log(z.positive / z.negative);
        average_ += v * direction_ / distance;
        average_projections_ += v * projections_;
        alpha_ = weights.cwiseQuotient(by_class(z.positive, z.negative));
    }

    void restart_average() {
        total_ = 0;
        average_offset_ = 0;
        average_alpha_ = Vector::Zero(signs_.size());
        average_ = Vector::Zero(signs_.size());
        average_projections_ = Vector::Zero(signs_.size());
    }

    ConstMatrixView gram_;
    ConstVectorView signs_;
    double epsilon_;
    bool restarts_;
    Control& control_;
    Vector alpha_;
    Vector direction_;
    Vector projections_;
    double rho_ = 1;
    double upper_ = infinity;
    std::int64_t steps_ = 0;
    // These are sums over the steps since the last restart.
    double total_ = 0;
    double average_offset_ = 0;
    Vector average_alpha_;
    Vector average_;
    Vector average_projections_;
};

/// Takes steps 1 and 2: adds 1 / C to the diagonal of the centred matrix, divides the matrix by its largest
/// diagonal element s^2, and returns that.
double scale_to_one(MatrixView matrix, double ridge, Control& control) {
    matrix.diagonal().array() += ridge;
    const double largest = matrix.diagonal().maxCoeff();
    if (!(largest > 0)) fail(Status::numerical, "all rows are the same point in this kernel's feature space");
    parallel_for_rows(matrix.rows(), matrix.cols(), control, [&](Index i) { matrix.row(i) /= largest; });
    return largest;
}

bool centres_rows(const Parameters& parameters) {
    const Centring centring = parameters[parameter::centre];
    if (centring != Centring::automatic) return centring == Centring::yes;
    return parameters[parameter::averaging] == Averaging::restart;
}

/// Gives the kernel matrix that the steps see, and the means of its rows, which are 0 where it is not
/// centred.
CentredGram rows_of_steps(const ConstMatrixRef& gram, bool centres, Control& control) {
    if (centres) return centred_gram(gram, control);
    CentredGram plain{.values = LargeMatrix(gram.rows(), gram.cols()), .means = Vector::Zero(gram.rows())};
    parallel_for_rows(gram.rows(), gram.cols(), control,
                      [&](Index i) { plain.values.view().row(i) = gram.row(i); });
    return plain;
}

BinarySolution train_boosted(const BinaryProblem& binary, TrainingGram& gram) {
    const Parameters& parameters = binary.problem.parameters;
    Control& control = binary.problem.control;
    const Index n = binary.rows();
    const Averaging averaging = parameters[parameter::averaging];
    const bool centres = centres_rows(parameters);
    CentredGram centred = rows_of_steps(view(gram.whole(1, control), n, n), centres, control);
    const double cost = parameters[parameter::cost];
    const double scale = scale_to_one(centred.values.view(), cost > 0 ? 1 / cost : 0, control);
    PrototypeBoosting boosting(std::as_const(centred.values).view(), as_vector(binary.signs),
                               parameters[parameter::epsilon], averaging, control);
    const std::int64_t step_limit = parameters[parameter::boosting_rounds];
    constexpr std::int64_t steps_between_looks = 100;
    constexpr double certificate = 1e-3;
    bool converged = false;
    while (!converged && boosting.steps() < step_limit) {
        if (!boosting.step()) {
            fail(Status::numerical,
                 "the classes are not separable in this kernel's feature space; set C (it is ", cost,
                 ") to allow slack");
        }
        if (boosting.steps() % steps_between_looks != 0) continue;
        control.check(1.0 * boosting.steps() / step_limit);
        converged = boosting.margin() >= (1 - certificate) * boosting.upper();
    }
    BinarySolution solution = boosting.solution();
    as_vector(solution.gamma) /= scale;
    if (centres) uncentre(solution.gamma, solution.offset, centred.means);
    const double unit = std::sqrt(scale);
    if (averaging == Averaging::paper) {
        // The function is in the units of the rows, so that |w| is at most 1.
        as_vector(solution.gamma) *= unit;
        solution.offset *= unit;
    }
    solution.report.add("margin", unit * boosting.margin())
        .add("margin_bound", unit * boosting.upper())
        .add("gap", 1 - boosting.margin() / boosting.upper())
        .add("iterations", boosting.steps())
        .add("converged", converged);
    return solution;
}

}  // namespace

Machine boosted_machine() {
    return {
        .name = "boosted",
        .doc =
            "Boosting moves two prototypes by multiplicative updates towards the nearest points of both "
            "classes' convex hulls, and certifies the margin that it finds.",
        .reference =
            "Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, Neural Computation 21, 2009",
        .prototypes =
            "Each decision function has two prototypes, p+ and p-, which are convex combinations of training "
            "rows. With averaging=paper they are averages and no parts of the function: explanations are "
            "what the rows of the two classes add to it, and sum with the offset to the decision.",
        .task = Task::classification,
        .uses_sample_weights = false,
        .parameters = {parameter::cost, parameter::epsilon, parameter::boosting_rounds, parameter::averaging,
                       parameter::centre, parameter::multiclass},
        .train =
            [](const TrainingProblem& problem) { return train_by_binary_reduction(problem, train_boosted); },
        .several_labels = true};
}

}  // namespace dk
