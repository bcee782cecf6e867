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
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "solve/box/smo_steps.hpp"

namespace dk {

namespace {

/// T is the type of kernel values, and V that of the descent.
template <typename T, typename V>
class LocalSmo {
  public:
    LocalSmo(LocalProgram<T>& program, const LocalPoll& poll)
        : program_(program), poll_(poll), steps_(smo_steps<T, V>()), diagonal_(padded(program.curvature)) {
        groups_ = program.first_group < program.size ? 2 : 1;
        for (Index g = 0; g < groups_; ++g) {
            rising_[g] = Values::Constant(diagonal_.size(), -unbounded);
            falling_[g] = Values::Constant(diagonal_.size(), unbounded);
        }
        for (Index t = 0; t < program.size; ++t) place(t, program.descent[t]);
    }

    LocalOutcome solve(double tolerance, std::int64_t most_iterations) {
        const LocalOutcome outcome = search(tolerance, most_iterations);
        for (Index t = 0; t < program_.size; ++t) {
            if (program_.lower[t] < program_.upper[t]) program_.descent[t] = descent(t);
        }
        return outcome;
    }

  private:
    using OfGroups = std::array<Extremes, 2>;
    using Values = Eigen::Matrix<V, Eigen::Dynamic, 1>;
    static constexpr V unbounded = std::numeric_limits<V>::infinity();

    LocalOutcome search(double tolerance, std::int64_t most_iterations) {
        LocalOutcome outcome;
        auto found = extremes();
        while (true) {
            const Index g = widest(found);
            outcome.gap = gap(found[g]);
            if (outcome.gap <= tolerance || outcome.iterations == most_iterations) return outcome;
            const Index i = found[g].highest_at;
            require_row(i, found[g]);
            const Index j = partner(i, g, found[g].highest);
            if (j < 0) return outcome;
            require_row(j, found[g]);
            found = move(i, j);
            ++outcome.iterations;
            poll(outcome.gap);
        }
    }

    static double gap(const Extremes& found) {
        return found.highest_at >= 0 && found.lowest < infinity ? found.highest - found.lowest : 0;
    }

    Index widest(const OfGroups& found) const {
        return groups_ == 2 && gap(found[1]) > gap(found[0]) ? 1 : 0;
    }

    static Values padded(const Vector& values) {
        const Index size = (values.size() + smo_padding<V> - 1) / smo_padding<V> * smo_padding<V>;
        Values longer = Values::Ones(size);
        longer.head(values.size()) = values.template cast<V>();
        return longer;
    }

    Index group_of(Index t) const { return t < program_.first_group || groups_ == 1 ? 0 : 1; }

    /// Gives v_t of a variable that can move.
    double descent(Index t) const {
        const Index g = group_of(t);
        return program_.beta[t] < program_.upper[t] ? rising_[g][t] : falling_[g][t];
    }

    /// Puts v_t where the directions in which the variable can move from where it is ask for it.
    void place(Index t, double v) {
        const Index g = group_of(t);
        rising_[g][t] = program_.beta[t] < program_.upper[t] ? static_cast<V>(v) : -unbounded;
        falling_[g][t] = program_.beta[t] > program_.lower[t] ? static_cast<V>(v) : unbounded;
    }

    OfGroups extremes() const {
        OfGroups found{};
        for (Index g = 0; g < groups_; ++g)
            found[g] = steps_.extremes(rising_[g].data(), falling_[g].data(), program_.size);
        return found;
    }

    Index partner(Index i, Index g, double highest) const {
        return steps_.partner(program_.rows[i], program_.curvature[i], diagonal_.data(), falling_[g].data(),
                              highest, program_.size);
    }

    /// Moves b_i up and b_j down by (v_i - v_j) / a_ij, or as far as the bounds allow, and gives the extremes
    /// of the new descent.
    OfGroups move(Index i, Index j) {
        const Vector& upper = program_.upper;
        const Vector& lower = program_.lower;
        Vector& b = program_.beta;
        double v_i = descent(i);
        double v_j = descent(j);
        const double k_ij = program_.rows[i][j];
        const double a_ij =
            std::max(program_.curvature[i] + program_.curvature[j] - 2 * k_ij, smallest_curvature);
        const double room_i = upper[i] - b[i];
        const double room_j = b[j] - lower[j];
        const double length = std::min({(v_i - v_j) / a_ij, room_i, room_j});
        // A variable that reaches its bound is put on it to the last bit, and rounding takes none beyond.
        b[i] = length == room_i ? upper[i] : std::min(b[i] + length, upper[i]);
        b[j] = length == room_j ? lower[j] : std::max(b[j] - length, lower[j]);
        if (program_.ridge.size() > 0) {
            v_i -= program_.ridge[i] * length;
            v_j += program_.ridge[j] * length;
        }
        place(i, v_i);
        place(j, v_j);
        OfGroups found{};
        for (Index g = 0; g < groups_; ++g)
            found[g] = steps_.step(program_.rows[i], program_.rows[j], length, rising_[g].data(),
                                   falling_[g].data(), program_.size);
        return found;
    }

    /// Fetches a row, unless it is there, together with rows that are likely to be needed soon: of some of
    /// the variables that violate optimality most beside the other end of the descent.
    void require_row(Index wanted, const Extremes& found) {
        if (program_.rows[wanted] != nullptr) return;
        if (waiting_.size() == 0) {
            waiting_ = Values::Constant(diagonal_.size(), -unbounded);
            waiting_.head(program_.size).setZero();
        }
        waiting_[wanted] = -unbounded;
        const Index g = group_of(wanted);
        std::array<V, smo_padding<V>> violation;
        std::array<Index, smo_padding<V>> violators;
        steps_.violators(rising_[g].data(), falling_[g].data(), waiting_.data(), found, program_.size,
                         violation.data(), violators.data());
        std::array<Index, smo_padding<V>> order;
        std::iota(order.begin(), order.end(), Index{0});
        const Index at_once = 2 * rows_fetched_ < program_.size ? few_at_once : many_at_once;
        std::ranges::partial_sort(order, order.begin() + (at_once - 1), [&](Index l, Index other) {
            return violation[l] != violation[other] ? violation[l] > violation[other] : l < other;
        });
        std::vector<Index> fetched{wanted};
        for (const Index l : order) {
            if (violators[l] < 0 || std::ssize(fetched) == at_once) break;
            fetched.push_back(violators[l]);
        }
        rows_fetched_ += std::ssize(fetched);
        std::vector<const T*> rows(fetched.size());
        program_.fetch(fetched, rows);
        for (std::size_t f = 0; f < fetched.size(); ++f) {
            program_.rows[fetched[f]] = rows[f];
            waiting_[fetched[f]] = -unbounded;
        }
    }

    /// Answers a cancel now and then, because a single step is too short to ask in each.
    void poll(double gap) {
        work_ += program_.size;
        if (work_ < 1000000) return;
        work_ = 0;
        poll_(gap);
    }

    /// A row alone costs more than one of many, but most of many would not be needed: of Letter's pairs,
    /// whose support rows are a third, 8 at once fetch 530 of 1150 rows where 420 are needed, and 16 fetch
    /// 680. Once a round has asked for half of all, most of the others are likely to be needed too.
    static constexpr Index few_at_once = 8;
    static constexpr Index many_at_once = 16;
    static_assert(many_at_once <= smo_padding<V>);
    LocalProgram<T>& program_;
    const LocalPoll& poll_;
    const SmoSteps<T, V>& steps_;
    Index groups_ = 1;
    Values diagonal_;  // the curvature, padded
    // Each group has arrays for all variables, in which those of the other group cannot move.
    std::array<Values, 2> rising_;   // v where a variable can rise, -infinity elsewhere
    std::array<Values, 2> falling_;  // v where a variable can fall, infinity elsewhere
    Values waiting_;                 // 0 of a variable whose row is not there, -infinity of others; padded
    Index rows_fetched_ = 0;         // how many rows this round asked for
    Index work_ = 0;
};

}  // namespace

template <typename T>
LocalOutcome solve_local(LocalProgram<T>& program, double tolerance, std::int64_t most_iterations,
                         const LocalPoll& poll) {
    if constexpr (std::is_same_v<T, float>) {
        if (program.rough_descent)
            return LocalSmo<float, float>(program, poll).solve(tolerance, most_iterations);
    }
    return LocalSmo<T, double>(program, poll).solve(tolerance, most_iterations);
}

template LocalOutcome solve_local(LocalProgram<double>&, double, std::int64_t, const LocalPoll&);
template LocalOutcome solve_local(LocalProgram<float>&, double, std::int64_t, const LocalPoll&);

}  // namespace dk
