// SPDX-License-Identifier: Apache-2.0
#include "solve/local_smo.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "solve/smo_steps.hpp"

namespace dk {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Variables first .. first + count, among which pairs are chosen.
struct Group {
    Index first;
    Index count;
};

template <typename T>
class LocalSmo {
  public:
    LocalSmo(LocalProgram<T>& program, Control& control)
        : program_(program), control_(control), steps_(smo_steps<T>()) {
        const auto padded = unsigned_of((program.size + smo_padding - 1) / smo_padding * smo_padding);
        program.descent.resize(padded, 0.0);
        program.curvature.resize(padded, 1.0);
        // one array of each kind for each group, with nothing to choose outside it
        const bool two_groups = program.first_group < program.size;
        for (std::size_t g = 0; g < (two_groups ? 2U : 1U); ++g) {
            rise_[g].assign(padded, -infinity);
            fall_[g].assign(padded, infinity);
        }
        groups_ = two_groups ? 2 : 1;
        for (Index t = 0; t < program.size; ++t) note_bounds(t);
    }

    LocalOutcome solve(double tolerance, std::int64_t most_iterations) {
        LocalOutcome outcome;
        auto found = extremes();
        while (true) {
            const std::size_t g = widest(found);
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

    std::size_t widest(const OfGroups& found) const {
        return groups_ == 2 && gap(found[1]) > gap(found[0]) ? 1 : 0;
    }

    Index padded() const { return size_of(program_.descent); }
    std::size_t group_of(Index t) const { return t < program_.first_group || groups_ == 1 ? 0 : 1; }

    void note_bounds(Index t) {
        const std::size_t g = group_of(t);
        const auto at = unsigned_of(t);
        rise_[g][at] = program_.beta[at] < program_.upper[at] ? 0 : -infinity;
        fall_[g][at] = program_.beta[at] > program_.lower[at] ? 0 : infinity;
    }

    OfGroups extremes() const {
        OfGroups found{};
        for (std::size_t g = 0; g < groups_; ++g)
            found[g] = steps_.extremes(program_.descent.data(), rise_[g].data(), fall_[g].data(), padded());
        return found;
    }

    Index partner(Index i, std::size_t g, double highest) const {
        return steps_.partner(program_.matrix.row(i), program_.curvature[unsigned_of(i)],
                              program_.curvature.data(), program_.descent.data(), fall_[g].data(), highest,
                              padded());
    }

    /// Moves b_i up and b_j down by the best step, cut at the bounds.
    OfGroups move(Index i, Index j) {
        const auto at_i = unsigned_of(i);
        const auto at_j = unsigned_of(j);
        auto& beta = program_.beta;
        const double curvature = std::max(program_.curvature[at_i] + program_.curvature[at_j] -
                                              2 * static_cast<double>(program_.matrix.row(i)[j]),
                                          smallest_curvature);
        const double room_i = program_.upper[at_i] - beta[at_i];
        const double room_j = beta[at_j] - program_.lower[at_j];
        const double length =
            std::min({(program_.descent[at_i] - program_.descent[at_j]) / curvature, room_i, room_j});
        beta[at_i] =
            length == room_i ? program_.upper[at_i] : std::min(beta[at_i] + length, program_.upper[at_i]);
        beta[at_j] =
            length == room_j ? program_.lower[at_j] : std::max(beta[at_j] - length, program_.lower[at_j]);
        if (!program_.ridge.empty()) {
            program_.descent[at_i] -= program_.ridge[at_i] * length;
            program_.descent[at_j] += program_.ridge[at_j] * length;
        }
        note_bounds(i);
        note_bounds(j);
        OfGroups found{};
        found[0] = steps_.step(program_.matrix.row(i), program_.matrix.row(j), length,
                               program_.descent.data(), rise_[0].data(), fall_[0].data(), padded());
        if (groups_ == 2) found = extremes();
        return found;
    }

    void poll() {
        work_ += padded();
        if (work_ < 1000000) return;
        work_ = 0;
        control_.check();
    }

    LocalProgram<T>& program_;
    Control& control_;
    const SmoSteps<T>& steps_;
    std::size_t groups_ = 1;
    std::array<std::vector<double>, 2> rise_;
    std::array<std::vector<double>, 2> fall_;
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
