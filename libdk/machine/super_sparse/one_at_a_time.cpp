// SPDX-License-Identifier: Apache-2.0
// The paper's way to the least Omega of super_sparse_fit.cpp moves one prototype after the other:
//
//     for t = 1, 2, ... and each prototype j
//         G = 2 beta_j J_j' D r + 1/t |G| / |P| P,   P = sum_{k != j} d s(z_k, z_j) / d z_j
//         z_j <- z_j - eta_j G, and beta, b anew
//
// P is the direction in which z_j becomes more alike to the other prototypes. The formula of that part and
// the length eta of the paper are lost in the text at hand: here P counts as G does, less with every sweep,
// and eta_j is halved until Omega falls and doubled after it fell. A prototype without weight has no
// gradient, and starts again at the row that is missed most.
//
//     letter       name
//     z, S         points_, S_ (rows x prototypes)
//     G, P         descent, rise in step_of()
//     eta_j        lengths_[j]
//
// A. Demontis, M. Melis, B. Biggio, G. Fumera, F. Roli, Super-sparse learning in similarity spaces, IEEE
// Computational Intelligence Magazine 11, 2016, algorithm 1.
#include "machine/super_sparse/one_at_a_time.hpp"

#include <algorithm>
#include <cmath>

#include "machine/super_sparse/point_space.hpp"
#include "machine/super_sparse/similarity_weights.hpp"
#include "prototype/dense_points.hpp"

namespace dk {

namespace {

class Sweeps {
  public:
    Sweeps(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
           const SuperSparseOptions& options, const DenseMatrix& points, Control& control)
        : data_(data),
          targets_(targets),
          options_(options),
          control_(control),
          space_(kernel, data, options.gradient, options.gradient_step, control),
          points_(view(points.values.data(), points.rows, points.cols)),
          lengths_(points.rows, 0.0),
          S_(space_.similarities(points_, control)),
          now_(best_weights(S_, targets, options, {}, control)) {}

    void run(SuperSparseSolution& solution) {
        int idle = 0;
        solution.objectives = {now_.objective};
        while (solution.iterations < options_.most_iterations && !solution.converged) {
            control_.check(1.0 * solution.iterations / options_.most_iterations);
            ++solution.iterations;
            const double before = now_.objective;
            for (Index j = 0; j < points_.rows(); ++j) {
                if (now_.weights.row(j).isZero(0)) {
                    restart(j);
                } else {
                    move(j, solution.iterations);
                }
            }
            solution.objectives.push_back(now_.objective);
            idle = before - now_.objective < options_.tolerance * before ? idle + 1 : 0;
            solution.converged = idle >= 2;
        }
        solution.points = dense_points(points_);
        solution.training_ids.assign(points_.rows(), -1);
        solution.weights.assign(now_.weights.data(), now_.weights.data() + now_.weights.size());
        solution.offsets.assign(now_.offsets.data(), now_.offsets.data() + now_.offsets.size());
    }

  private:
    /// Gives G of prototype j in sweep t.
    Eigen::RowVectorXd step_of(Index j, double t) {
        const ConstVectorView u = as_vector(targets_.row_weights);
        Matrix P(1, data_.rows());
        for (Index i = 0; i < P.cols(); ++i)
            P(0, i) = 2 * u(i) * now_.residuals.row(i).dot(now_.weights.row(j));
        const Matrix point = points_.row(j);
        Eigen::RowVectorXd descent = space_.gradients(point, P, control_);
        if (!options_.repulsion) return descent;
        Matrix others = Matrix::Ones(1, points_.rows());
        others(0, j) = 0;
        const Matrix rise = space_.gradients_towards(points_, point, others, control_);
        if (rise.norm() > 0) descent += descent.norm() / (t * rise.norm()) * rise;
        return descent;
    }

    void move(Index j, std::int64_t sweep) {
        constexpr int most_halvings = 30;
        const Eigen::RowVectorXd step = step_of(j, static_cast<double>(sweep));
        double& length = lengths_[j];
        if (length == 0) {  // At first no coordinate moves by more than a tenth of its column's spread.
            const double largest = (step.array().abs() / space_.spreads().transpose().array()).maxCoeff();
            if (!(largest > 0)) return;
            length = 0.1 / largest;
        }
        for (int halving = 0; halving < most_halvings; ++halving) {
            const bool fell = take(j, space_.allowed(points_.row(j) - length * step));
            length *= fell ? 2 : 0.5;
            if (fell) return;
        }
    }

    void restart(Index j) {
        const ConstVectorView u = as_vector(targets_.row_weights);
        Index worst = 0;
        (now_.residuals.rowwise().squaredNorm().array() * u.array()).maxCoeff(&worst);
        const auto row = data_.dense().row(worst);
        lengths_[j] = 0;
        take(j, Eigen::Map<const Eigen::RowVectorXd>(row.data(), points_.cols()));
    }

    /// Moves prototype j to a point where Omega is less there, and tells whether it is.
    bool take(Index j, const Eigen::RowVectorXd& point) {
        const Matrix S = space_.similarities(point, control_);
        const Vector old = S_.col(j);
        S_.col(j) = S.col(0);
        PenalisedSolution found = best_weights(S_, targets_, options_, now_.weights, control_);
        if (!(found.objective < now_.objective)) {
            S_.col(j) = old;
            return false;
        }
        points_.row(j) = point;
        now_ = std::move(found);
        return true;
    }

    const Dataset& data_;
    const SuperSparseTargets& targets_;
    const SuperSparseOptions& options_;
    Control& control_;
    PointSpace space_;
    Matrix points_;
    std::vector<double> lengths_;  // eta of each prototype; 0 where its scale is unknown
    Matrix S_;
    PenalisedSolution now_;
};

}  // namespace

void move_one_at_a_time(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                        const SuperSparseOptions& options, SuperSparseSolution& solution, Control& control) {
    Sweeps(kernel, data, targets, options, solution.points.dense(), control).run(solution);
}

}  // namespace dk
