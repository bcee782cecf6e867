// SPDX-License-Identifier: Apache-2.0
// Sequential minimal optimisation solves
//
//     min 1/2 b'Kb + 1/2 sum_t ridge_t b_t^2 + c'b   subject to   lower <= b <= upper, the sum of b fixed.
//
// Each step moves two variables of a group, b_i up and b_j down by the same length, so that the sum stays.
// With the descent v = -(K b + ridge b + c), a point is optimal when v_i <= v_j for every i that can rise and
// every j that can fall. So i is the variable with the largest v of those that can rise. Of those that can
// fall, j is the one for which the step without bounds gains most, which is the paper's second-order choice,
// WSS 2. The gain is
//
//     (v_i - v_j)^2 / (2 a_ij)   with   a_ij = Q_ii + Q_jj - 2 Q_ij   and   Q = K + diag(ridge).
//
//     paper                       code
//     alpha_t y_t                 program.beta[t]
//     Q_tt                        program.curvature[t]
//     -y_t grad f(alpha)_t        program.descent[t]
//     I_up, I_low                 the variables that can rise, that can fall
//     m(alpha), M(alpha)          Extremes::highest, Extremes::lowest
//     tau                         smallest_curvature
//
// Reference: Fan, Chen, Lin, Working set selection using second order information for training support
// vector machines, JMLR 6, 2005.
#include "solve/box/local_smo.hpp"

#include <algorithm>
#include <array>

#include "solve/box/smo_steps.hpp"

namespace dk {

namespace {

template <typename T>
class LocalSmo {
  public:
    LocalSmo(LocalProgram<T>& program, Control& control)
        : program_(program), control_(control), steps_(smo_steps<T>()) {
        const Index padded = (program.size + smo_padding - 1) / smo_padding * smo_padding;
        pad(program.descent, padded, 0);
        pad(program.curvature, padded, 1);
        groups_ = program.first_group < program.size ? 2 : 1;
        for (Index g = 0; g < groups_; ++g) {
            rise_[g] = Vector::Constant(padded, -infinity);
            fall_[g] = Vector::Constant(padded, infinity);
        }
        for (Index t = 0; t < program.size; ++t) note_bounds(t);
    }

    LocalOutcome solve(double tolerance, std::int64_t most_iterations) {
        LocalOutcome outcome;
        auto found = extremes();
        while (true) {
            const Index g = widest(found);
            outcome.gap = gap(found[g]);
            if (outcome.gap <= tolerance || outcome.iterations == most_iterations) return outcome;
            const Index i = found[g].highest_at;
            const Index j = partner(i, g, found[g].highest);
            if (j < 0) return outcome;
            found = move(i, j);
            ++outcome.iterations;
            poll();
        }
    }

  private:
    using OfGroups = std::array<Extremes, 2>;

    static double gap(const Extremes& found) {
        return found.highest_at >= 0 && found.lowest < infinity ? found.highest - found.lowest : 0;
    }

    Index widest(const OfGroups& found) const {
        return groups_ == 2 && gap(found[1]) > gap(found[0]) ? 1 : 0;
    }

    static void pad(Vector& values, Index size, double value) {
        const Index old = values.size();
        values.conservativeResize(size);
        values.tail(size - old).setConstant(value);
    }

    Index padded() const { return program_.descent.size(); }
    Index group_of(Index t) const { return t < program_.first_group || groups_ == 1 ? 0 : 1; }

    /// Notes in which directions a variable can move from where it is.
    void note_bounds(Index t) {
        const Index g = group_of(t);
        rise_[g][t] = program_.beta[t] < program_.upper[t] ? 0 : -infinity;
        fall_[g][t] = program_.beta[t] > program_.lower[t] ? 0 : infinity;
    }

    OfGroups extremes() const {
        OfGroups found{};
        for (Index g = 0; g < groups_; ++g)
            found[g] = steps_.extremes(program_.descent.data(), rise_[g].data(), fall_[g].data(), padded());
        return found;
    }

    Index partner(Index i, Index g, double highest) const {
        return steps_.partner(program_.matrix.row(i), program_.curvature[i], program_.curvature.data(),
                              program_.descent.data(), fall_[g].data(), highest, padded());
    }

    /// Moves b_i up and b_j down by (v_i - v_j) / a_ij, or as far as the bounds allow, and gives the extremes
    /// of the new descent.
    OfGroups move(Index i, Index j) {
        const Vector& upper = program_.upper;
        const Vector& lower = program_.lower;
        Vector& b = program_.beta;
        Vector& v = program_.descent;
        const double k_ij = program_.matrix.row(i)[j];
        const double a_ij =
            std::max(program_.curvature[i] + program_.curvature[j] - 2 * k_ij, smallest_curvature);
        const double room_i = upper[i] - b[i];
        const double room_j = b[j] - lower[j];
        const double length = std::min({(v[i] - v[j]) / a_ij, room_i, room_j});
        // A variable that reaches its bound is put on it to the last bit, and rounding takes none beyond.
        b[i] = length == room_i ? upper[i] : std::min(b[i] + length, upper[i]);
        b[j] = length == room_j ? lower[j] : std::max(b[j] - length, lower[j]);
        if (program_.ridge.size() > 0) {
            v[i] -= program_.ridge[i] * length;
            v[j] += program_.ridge[j] * length;
        }
        note_bounds(i);
        note_bounds(j);
        OfGroups found{};
        found[0] = steps_.step(program_.matrix.row(i), program_.matrix.row(j), length,
                               program_.descent.data(), rise_[0].data(), fall_[0].data(), padded());
        if (groups_ == 2) found = extremes();
        return found;
    }

    /// Answers a cancel now and then, because a single step is too short to ask in each.
    void poll() {
        work_ += padded();
        if (work_ < 1000000) return;
        work_ = 0;
        control_.check();
    }

    LocalProgram<T>& program_;
    Control& control_;
    const SmoSteps<T>& steps_;
    Index groups_ = 1;
    // Each group has arrays for all variables, in which those of the other group cannot move.
    std::array<Vector, 2> rise_;  // 0 where a variable can rise, -infinity elsewhere
    std::array<Vector, 2> fall_;  // 0 where a variable can fall, infinity elsewhere
    Index work_ = 0;
};

}  // namespace

template <typename T>
LocalOutcome solve_local(LocalProgram<T>& program, double tolerance, std::int64_t most_iterations,
                         Control& control) {
    return LocalSmo<T>(program, control).solve(tolerance, most_iterations);
}

template LocalOutcome solve_local(LocalProgram<double>&, double, std::int64_t, Control&);
template LocalOutcome solve_local(LocalProgram<float>&, double, std::int64_t, Control&);

}  // namespace dk
