// SPDX-License-Identifier: Apache-2.0
// Prototypes without coordinates move by edits. Each in turn becomes the edited point with which Omega of
// super_sparse_fit.cpp, with the best weights, is least, where that is less than before; sweeps end when no
// prototype moves any more.
//
// Which edit that is follows without solving for the weights of each. With the similarities s of a point to
// the rows as the column a, and those of the other prototypes as columns A, all multiplied by sqrt(u) and
// made orthogonal to the column sqrt(u) of the offset,
//
//     Omega(a) = Omega without prototype j - |a' M Y|^2 / (a' M a + lambda),
//     M = I - A (A'A + lambda I)^-1 A'.
//
//     letter     name
//     a          candidates.col(c)
//     A          others
//     M Y        rest
//     u, Y       targets_.row_weights, targets_.Y()
//
// With a penalty of absolute values this ranks the edits only. The new weights tell whether Omega falls.
#include "machine/super_sparse/edited_prototypes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>

#include "machine/super_sparse/prototype_edits.hpp"
#include "machine/super_sparse/similarity_weights.hpp"
#include "matrix/product.hpp"
#include "prototype/dense_points.hpp"

namespace dk {

namespace {

class EditedPrototypes {
  public:
    EditedPrototypes(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                     const SuperSparseOptions& options, const PrototypeEdits& edits,
                     SuperSparseSolution& solution, Control& control)
        : kernel_(kernel),
          data_(data),
          targets_(targets),
          options_(options),
          edits_(edits),
          solution_(solution),
          control_(control),
          roots_(as_vector(targets.row_weights).cwiseSqrt()),
          S_(kernel_values(kernel, data, solution.points, control)),
          now_(best_weights(S_, targets, options, {}, control)) {}

    void run() {
        solution_.objectives = {now_.objective};
        while (solution_.iterations < options_.most_iterations && !solution_.converged) {
            control_.check(1.0 * solution_.iterations / options_.most_iterations);
            ++solution_.iterations;
            bool moved = false;
            for (Index j = 0; j < S_.cols(); ++j) {
                control_.check();
                moved = edit(j) || moved;
            }
            if (moved) solution_.objectives.push_back(now_.objective);
            solution_.converged = !moved;
        }
        solution_.weights.assign(now_.weights.data(), now_.weights.data() + now_.weights.size());
        solution_.offsets.assign(now_.offsets.data(), now_.offsets.data() + now_.offsets.size());
    }

  private:
    /// Multiplies columns by sqrt(u) and makes them orthogonal to sqrt(u).
    Matrix weighted(Matrix columns) const {
        columns.array().colwise() *= roots_.array();
        const Vector unit = roots_.normalized();
        const Eigen::RowVectorXd along = unit.transpose().lazyProduct(columns);
        columns.noalias() -= unit.lazyProduct(along);
        return columns;
    }

    Matrix columns_beside(Index j) const {
        Matrix others(S_.rows(), S_.cols() - 1);
        others.leftCols(j) = S_.leftCols(j);
        others.rightCols(S_.cols() - 1 - j) = S_.rightCols(S_.cols() - 1 - j);
        return weighted(std::move(others));
    }

    /// Computes how much each candidate lowers Omega beside the other prototypes.
    Vector gains(Index j, const Matrix& candidates) const {
        const Matrix others = columns_beside(j);
        const Index m = others.cols();
        Matrix system = Matrix::Zero(m, m);
        transposed_multiply(others, others, system);
        system.diagonal().array() += std::max(options_.lambda, 1e-300);
        const Matrix Y = weighted(targets_.Y());
        Matrix AY(m, Y.cols());
        transposed_multiply(others, Y, AY);
        Matrix AC(m, candidates.cols());
        transposed_multiply(others, candidates, AC);
        const Eigen::LDLT<Eigen::MatrixXd> factor(system);
        const Matrix solved = factor.solve(Eigen::MatrixXd(AC));
        const Matrix rest = Y - others * Matrix(factor.solve(Eigen::MatrixXd(AY)));
        Matrix products(candidates.cols(), Y.cols());
        transposed_multiply(candidates, rest, products);
        Vector gains(candidates.cols());
        for (Index c = 0; c < candidates.cols(); ++c) {
            const double explained = m > 0 ? AC.col(c).dot(solved.col(c)) : 0;
            const double left = candidates.col(c).squaredNorm() - explained;
            const double curvature = std::max(left, 0.0) + options_.lambda;
            gains[c] = curvature > 0 ? products.row(c).squaredNorm() / curvature : 0;
        }
        return gains;
    }

    /// The edit that lowers Omega most, and the similarities of its point to the rows.
    struct Best {
        Index edit = -1;
        double gain = 0;
        Vector similarities = {};
    };

    /// Looks at some edits at a time, which bounds the memory.
    Best best_of(Index j, const EditedPoints& edited) {
        constexpr Index edits_at_once = 256;
        Best best;
        const Index count = edited.points.rows();
        for (Index first = 0; first < count; first += edits_at_once) {
            std::vector<Index> some(std::min(edits_at_once, count - first));
            std::iota(some.begin(), some.end(), first);
            const Matrix raw = kernel_values(kernel_, data_, edited.points.select(some), control_);
            Index c = 0;
            const double gain = gains(j, weighted(raw)).maxCoeff(&c);
            if (gain > best.gain) best = {first + c, gain, raw.col(c)};
        }
        return best;
    }

    bool edit(Index j) {
        const EditedPoints edited = edits_.edits_of(solution_.points, j);
        const Best best = best_of(j, edited);
        if (best.edit < 0) return false;
        const Vector old = S_.col(j);
        S_.col(j) = best.similarities;
        PenalisedSolution found = best_weights(S_, targets_, options_, now_.weights, control_);
        // What rounding gives is no fall: two points could take turns for ever.
        if (!(found.objective < now_.objective * (1 - 1e-9))) {
            S_.col(j) = old;
            return false;
        }
        solution_.points = edits_.replaced(solution_.points, solution_.training_ids, j, edited, best.edit);
        solution_.training_ids[j] = edited.training_ids[best.edit];
        now_ = std::move(found);
        return true;
    }

    const KernelPointer& kernel_;
    const Dataset& data_;
    const SuperSparseTargets& targets_;
    const SuperSparseOptions& options_;
    const PrototypeEdits& edits_;
    SuperSparseSolution& solution_;
    Control& control_;
    Vector roots_;
    Matrix S_;
    PenalisedSolution now_;
};

}  // namespace

bool edit_prototypes(const KernelPointer& kernel, const Dataset& data, const SuperSparseTargets& targets,
                     const SuperSparseOptions& options, SuperSparseSolution& solution, Control& control) {
    const auto edits = prototype_edits(data, options.seed);
    if (!edits) return false;
    EditedPrototypes(kernel, data, targets, options, *edits, solution, control).run();
    return true;
}

}  // namespace dk
