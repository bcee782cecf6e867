// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "machine/margin/binary_reduction.hpp"
#include "machine/mean/centred_gram.hpp"
#include "matrix/product.hpp"

namespace dk {

namespace parameter {
constexpr RealKey cost{
    "C",
    1,
    {0, 1e300},
    "The cost of squared slack: 1 / C is added to the diagonal of the kernel matrix. With 0 no "
    "slack is allowed, and the classes must be separable."};
constexpr RealKey epsilon{"epsilon", 0.3, Range::share(),
                          "How much of the margin a step aims below; a small epsilon takes more steps."};
constexpr IntegerKey max_iterations{"max_iterations", 30000, {1, 1e12}, "The limit of steps."};
}  // namespace parameter

namespace {

/// Boosting over the directions between two prototypes, whose weights of rows become those of the nearest
/// points of both classes' hulls: a hard margin by multiplicative updates (Graf et al. 2008, section 3.5).
class PrototypeBoosting {
  public:
    PrototypeBoosting(const double* gram, std::span<const double> signs, double epsilon, Control& control)
        : gram_(gram), signs_(signs), epsilon_(epsilon), control_(control), n_(signs.size()) {
        const double positives = std::ranges::count(signs, 1.0);
        for (const double sign : signs) alpha_.push_back(1 / (sign > 0 ? positives : n_ - positives));
        direction_.resize(n_);
        projections_.resize(n_);
        restart_average();
    }

    /// One step; false when the prototypes meet, so that the classes are not separable.
    bool step() {
        for (std::size_t i = 0; i < n_; ++i) direction_[i] = signs_[i] * alpha_[i];
        project();
        const double distance = std::sqrt(std::max(
            0.0, std::inner_product(direction_.begin(), direction_.end(), projections_.begin(), 0.0)));
        if (!(0.5 * distance > 1e-6)) return false;
        upper_ = std::min(upper_, 0.5 * distance);
        for (double& f : projections_) f /= distance;
        // early steps shall not dominate
        if (steps_ >= 64 && (steps_ & (steps_ - 1)) == 0) restart_average();
        update(distance);
        ++steps_;
        return true;
    }

    std::int64_t steps() const { return steps_; }
    /// No margin is larger: half of the least distance of two points of the hulls that was seen.
    double upper() const { return upper_; }

    /// The margin of the present average.
    double margin() const {
        double lowest = std::numeric_limits<double>::infinity();
        double highest = -lowest;
        double squares = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            if (signs_[i] > 0) {
                lowest = std::min(lowest, average_projections_[i]);
            } else {
                highest = std::max(highest, average_projections_[i]);
            }
            squares += average_[i] * average_projections_[i];
        }
        // where classes overlap the average may vanish; no margin is below that of two opposite unit vectors
        return squares > 0 ? std::max(0.5 * (lowest - highest) / std::sqrt(squares), -1.0) : -1.0;
    }

    /// Coefficients and offset of the average.
    BinarySolution solution() const {
        BinarySolution found{average_, average_offset_ / total_, {}};
        for (double& g : found.gamma) g /= total_;
        return found;
    }

  private:
    void project() {
        constexpr Index rows_at_once = 64;
        const ProgressHold hold(control_);
        const Index n = n_;
        parallel_for((n + rows_at_once - 1) / rows_at_once, control_, [&](Index piece) {
            const Index first = piece * rows_at_once;
            const Index count = std::min(rows_at_once, n - first);
            multiply_vector(view(gram_ + first * n, count, n), as_vector(direction_),
                            as_vector(projections_).segment(first, count));
        });
    }

    void update(double distance) {
        double positive = 0;
        double negative = 0;
        for (std::size_t i = 0; i < n_; ++i)
            (signs_[i] > 0 ? positive : negative) += alpha_[i] * signs_[i] * projections_[i];
        target_ = std::min(target_, 0.5 * distance - epsilon_);
        const double length = 0.125 * std::log((2 + positive - target_) * (2 + negative - target_) /
                                               ((2 - positive + target_) * (2 - negative + target_)));
        std::vector<double> weights(n_);
        double positive_sum = 0;
        double negative_sum = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            weights[i] = alpha_[i] * std::exp(-length * signs_[i] * projections_[i]);
            (signs_[i] > 0 ? positive_sum : negative_sum) += weights[i];
        }
        total_ += length;
        average_offset_ += 0.5 * std::log(positive_sum / negative_sum);
        for (std::size_t i = 0; i < n_; ++i) {
            average_[i] += length * direction_[i] / distance;
            average_projections_[i] += length * projections_[i];
            alpha_[i] = weights[i] / (signs_[i] > 0 ? positive_sum : negative_sum);
        }
    }

    void restart_average() {
        total_ = 0;
        average_offset_ = 0;
        average_.assign(n_, 0.0);
        average_projections_.assign(n_, 0.0);
    }

    const double* gram_;  // centred, with diagonal at most 1
    std::span<const double> signs_;
    double epsilon_;
    Control& control_;
    std::size_t n_;
    std::vector<double> alpha_;  // weights of the rows, with sum 1 in each class
    std::vector<double> direction_;
    std::vector<double> projections_;
    double target_ = 1;  // rho
    double upper_ = std::numeric_limits<double>::infinity();
    std::int64_t steps_ = 0;
    // sums over steps since the last restart
    double total_ = 0;
    double average_offset_ = 0;
    std::vector<double> average_;
    std::vector<double> average_projections_;
};

/// The centred matrix, with 1/C on its diagonal, divided by its largest diagonal element, which is returned.
double scale_to_one(MatrixView matrix, double ridge, Control& control) {
    matrix.diagonal().array() += ridge;
    const double largest = matrix.diagonal().maxCoeff();
    if (!(largest > 0)) fail(Status::numerical, "all rows are the same point in this kernel's feature space");
    parallel_for(matrix.rows(), control, [&](Index i) { matrix.row(i) /= largest; });
    return largest;
}

BinarySolution train_boosted(const BinaryProblem& binary, TrainingGram& gram) {
    if (binary.weighted)
        fail(Status::unsupported, "machine boosted does not use sample weights; remove them");
    const Parameters& parameters = binary.problem.parameters;
    Control& control = binary.problem.control;
    const Index n = binary.rows();
    CentredGram centred = centred_gram(view(gram.whole(1, control), n, n), control);
    const double cost = parameters[parameter::cost];
    const double scale = scale_to_one(centred.values.view(), cost > 0 ? 1 / cost : 0, control);
    PrototypeBoosting boosting(centred.values.data(), binary.signs, parameters[parameter::epsilon], control);
    const std::int64_t most = parameters[parameter::max_iterations];
    constexpr std::int64_t steps_between_looks = 100;
    constexpr double certificate = 1e-3;
    bool converged = false;
    while (!converged && boosting.steps() < most) {
        if (!boosting.step()) {
            fail(Status::numerical,
                 "the classes are not separable in this kernel's feature space; set C (it is ", cost,
                 ") to allow slack");
        }
        if (boosting.steps() % steps_between_looks != 0) continue;
        control.check(1.0 * boosting.steps() / most);
        converged = boosting.margin() >= (1 - certificate) * boosting.upper();
    }
    BinarySolution solution = boosting.solution();
    for (double& g : solution.gamma) g /= scale;
    uncentre(solution.gamma, solution.offset, centred.means);
    const double unit = std::sqrt(scale);
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
            "Boosted prototypes: multiplicative updates move two prototypes towards the nearest points of "
            "both classes' hulls, with a certificate of the margin.",
        .reference = "Graf, Bousquet, Raetsch, Schoelkopf, Prototype classification, 2008",
        .task = Task::classification,
        .parameters = {parameter::cost, parameter::epsilon, parameter::max_iterations, parameter::multiclass},
        .train = [](const TrainingProblem& problem) {
            return train_by_binary_reduction(problem, train_boosted);
        }};
}

}  // namespace dk
