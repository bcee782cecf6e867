// SPDX-License-Identifier: Apache-2.0
//
// Super-sparse learning finds functions of m prototypes z_j that are free vectors,
//
//     g_c(x) = sum_j beta_jc s(x, z_j) + b_c,
//
// by the program (3), here with a weight for each row and for several functions,
//
//     min over z, beta, b of   Omega = sum_i u_i |g(x_i) - y_i|^2 + lambda |beta|^2   (or + lambda |beta|_1).
//
// For given z the best beta and b solve a least squares program exactly (4). The derivatives of Omega in z
// (5), (6) go through beta and b too, but at their best these parts cancel, and what is left is
//
//     grad_j Omega = 2 J_j' D R beta_j',   J_j = d s(x, z_j) / d z_j,   R = S beta + 1 b' - Y,   D = diag(u).
//
//     letter       name
//     x, u, Y      data_, targets_.row_weights, targets_.Y()
//     s, S         kernel_, similarities()
//     z            points_, one prototype a row
//     beta, b, R   now_.weights (prototypes x functions), now_.offsets, now_.residuals
//     Omega        now_.objective
//     m, lambda    options_.prototypes, options_.lambda
//
// Two steps are ours. The paper starts at random rows; here starting_rows.cpp chooses the rows. The paper
// moves one prototype at a time along its gradient (one_at_a_time.cpp, start=random steps=single); here all
// move at once by L-BFGS, whose steps are halved until Omega falls.
//
// A. Demontis, M. Melis, B. Biggio, G. Fumera, F. Roli, Super-sparse learning in similarity spaces, IEEE
// Computational Intelligence Magazine 11, 2016.
#include "machine/super_sparse/super_sparse_fit.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "machine/super_sparse/edited_prototypes.hpp"
#include "machine/super_sparse/one_at_a_time.hpp"
#include "machine/super_sparse/point_space.hpp"
#include "machine/super_sparse/similarity_weights.hpp"
#include "machine/super_sparse/starting_rows.hpp"
#include "prototype/dense_points.hpp"
#include "solve/smooth/lbfgs.hpp"

namespace dk {

namespace {

/// Copies the elements of a matrix or a vector, row by row.
template <typename M>
std::vector<double> elements(const M& matrix) {
    return {matrix.data(), matrix.data() + matrix.size()};
}

/// Copies the elements of a matrix, row by row, into a vector, which L-BFGS takes.
Vector as_one_vector(const Matrix& matrix) {
    return matrix.reshaped<Eigen::RowMajor>();
}

/// Moves prototypes from where they start to where Omega is least.
class MovingPrototypes {
  public:
    MovingPrototypes(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                     const SuperSparseOptions& options, const DenseMatrix& points, Control& control)
        : targets_(targets),
          options_(options),
          control_(control),
          space_(kernel, data, options.gradient, options.gradient_step, control),
          points_(view(points.values.data(), points.rows, points.cols)) {
        now_ = weights_at(points_);
    }

    void run(SuperSparseSolution& solution) {
        LimitedMemory memory(10);
        Matrix gradient = gradient_here();
        int idle = 0;
        solution.objectives.push_back(now_.objective);
        while (solution.iterations < options_.most_iterations) {
            control_.check(1.0 * solution.iterations / options_.most_iterations);
            ++solution.iterations;
            const bool repelled = options_.repulsion && solution.iterations <= repelled_steps;
            const Matrix direction =
                repelled ? away_from_each_other(gradient, solution.iterations) : descent(memory, gradient);
            const double before = now_.objective;
            const Matrix old_points = points_;
            if (!search(direction, gradient, memory.empty() || repelled)) {
                if (memory.empty()) {
                    solution.converged = true;
                    break;
                }
                memory.clear();  // The next direction is the plain gradient, which may still descend.
                continue;
            }
            const Matrix renewed = gradient_here();
            if (!repelled) memory.add(as_one_vector(points_ - old_points), as_one_vector(renewed - gradient));
            gradient = renewed;
            solution.objectives.push_back(now_.objective);
            idle = before - now_.objective < options_.tolerance * before ? idle + 1 : 0;
            if (idle >= 2) {
                solution.converged = true;
                break;
            }
        }
        solution.points = dense_points(points_);
        solution.training_ids.assign(points_.rows(), -1);
        solution.weights = elements(now_.weights);
        solution.offsets = elements(now_.offsets);
    }

    /// Computes 2 J_j' D R beta_j' for every prototype j, where the part P_j = 2 D R beta_j' does not depend
    /// on J.
    Matrix gradient_here() {
        const ConstVectorView u = as_vector(targets_.row_weights);
        Matrix P(points_.rows(), u.size());
        parallel_for_rows(P.rows(), P.cols() * now_.residuals.cols(), control_, [&](Index j) {
            for (Index i = 0; i < P.cols(); ++i)
                P(j, i) = 2 * u(i) * now_.residuals.row(i).dot(now_.weights.row(j));
        });
        return space_.gradients(points_, P, control_);
    }

  private:
    static constexpr std::int64_t repelled_steps = 10;

    PenalisedSolution weights_at(const Matrix& points) {
        const Matrix S = space_.similarities(points, control_);
        return best_weights(S, targets_, options_, now_.weights, control_);
    }

    Matrix descent(const LimitedMemory& memory, const Matrix& gradient) const {
        const Vector direction = memory.direction(as_one_vector(gradient));
        return view(direction.data(), gradient.rows(), gradient.cols());
    }

    /// Gives minus the gradient, minus a vector along which the prototypes' similarities to each other rise.
    /// The length of this is that of the gradient divided by the number of the step. The paper adds such a
    /// term so that prototypes do not end beside each other, but its formula is lost in the text at hand;
    /// this one is ours.
    Matrix away_from_each_other(const Matrix& gradient, double step) {
        Matrix direction = -gradient;
        Matrix others = Matrix::Ones(points_.rows(), points_.rows());
        others.diagonal().setZero();
        const Matrix rise = space_.gradients_towards(points_, points_, others, control_);
        const double length = rise.norm();
        if (length > 0) direction -= gradient.norm() / (step * length) * rise;
        return direction;
    }

    /// Halves the step until Omega falls enough (Armijo's rule), and goes there; false where no step does.
    /// The first step of a search whose scale is unknown moves no coordinate by more than a tenth of its
    /// column's spread.
    bool search(const Matrix& direction, const Matrix& gradient, bool scale_unknown) {
        const double slope = direction.cwiseProduct(gradient).sum();
        if (!(slope < 0) && !options_.repulsion) return false;
        double length = 1;
        if (scale_unknown) {
            const double largest =
                (direction.array().abs().rowwise() / space_.spreads().transpose().array()).maxCoeff();
            if (!(largest > 0)) return false;
            length = 0.1 / largest;
        }
        for (int half = 0; half < 30; ++half) {
            Matrix tried = space_.allowed(points_ + length * direction);
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

    const SuperSparseTargets& targets_;
    const SuperSparseOptions& options_;
    Control& control_;
    PointSpace space_;
    Matrix points_;
    PenalisedSolution now_;
};

}  // namespace

namespace {

/// Tells whether prototypes are pushed apart, and throws where the user asks for that in vain: it would be no
/// kindness to leave it out silently.
bool repels(const SuperSparseOptions& options, const Kernel& kernel, bool moves) {
    if (!options.repulsion || (moves && kernel.differentiable())) return options.repulsion;
    if (options.repulsion_may_lack) return false;
    if (!moves)
        fail(Status::unsupported,
             "repulsion=yes needs prototypes that move, which are dense rows with move=yes; use "
             "repulsion=no");
    fail(Status::unsupported, "repulsion=yes needs a kernel with a gradient between prototypes; ",
         kernel.text(), " has none; use repulsion=no");
}

}  // namespace

SuperSparseSolution fit_super_sparse(const KernelPointer& kernel, const Dataset& data,
                                     const SuperSparseTargets& targets, const SuperSparseOptions& asked,
                                     Control& control, const SuperSparseSolution* start) {
    SuperSparseOptions options = asked;
    const double n = data.rows();
    const double m = start != nullptr ? start->points.rows() : options.prototypes;
    const double functions = targets.functions;
    control.memory().require(8 * (n * (2 * m + 3 * functions) + (n / 1024 + 1) * m * (m + functions)),
                             text("similarities of ", n, " rows to ", m, " prototypes"));
    SuperSparseSolution solution{.points = Dataset(DenseMatrix())};
    if (start != nullptr) {
        solution.points = start->points;
        solution.training_ids = start->training_ids;
    } else {
        solution.training_ids = options.random_start
                                    ? random_starting_rows(data, options.prototypes, options.seed)
                                    : starting_rows(kernel, data, targets, options, control);
        if (solution.training_ids.empty())
            fail(Status::numerical, "every row is as similar to all others; there are no prototypes");
        const Dataset chosen = features_only(data.select(solution.training_ids));
        // Rows of similarities are read as rows too; of others only the coordinates are.
        solution.points = data.kind() == DataKind::gram ? chosen : reference_rows(chosen);
    }
    const bool moves = options.moves && data.kind() == DataKind::dense && options.most_iterations > 0;
    options.repulsion = repels(options, *kernel, moves);
    if (moves && !options.joint) {
        move_one_at_a_time(kernel, data, targets, options, solution, control);
        return solution;
    }
    if (moves) {
        MovingPrototypes(kernel, data, targets, options, solution.points.dense(), control).run(solution);
        return solution;
    }
    if (options.moves && options.most_iterations > 0 &&
        edit_prototypes(kernel, data, targets, options, solution, control))
        return solution;
    const Matrix S = kernel_values(kernel, data, solution.points, control);
    const PenalisedSolution found = best_weights(S, targets, options, {}, control);
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
    return elements(MovingPrototypes(kernel, data, targets, options, points, control).gradient_here());
}

Matrix super_sparse_decisions(const KernelPointer& kernel, const Dataset& data,
                              const SuperSparseSolution& solution, Control& control) {
    const Matrix S = kernel_values(kernel, data, solution.points, control);
    Matrix g = S.lazyProduct(solution.beta());
    g.rowwise() += as_vector(solution.offsets).transpose();
    return g;
}

}  // namespace dk
