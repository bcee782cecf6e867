// SPDX-License-Identifier: Apache-2.0
// The integer program of prototype_cover.cpp separates into one for each class l. Each is solved with a_j and
// xi_i in [0, 1], and rounded: every a_j and xi_i is drawn 2 log n_l times, as 1 with its value as the
// probability, and is 1 where some draw was.
//
// J. Bien, R. Tibshirani, Prototype selection for interpretable classification, Annals of Applied Statistics
// 5, 2011, section 3.1.
#include "solve/cover/cover_relaxation.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace dk {

namespace {

std::vector<Index> rows_of_class(const CoverProgram& program, Index c) {
    std::vector<Index> rows;
    for (Index i = 0; i < program.rows(); ++i) {
        if (program.class_of[i] == c) rows.push_back(i);
    }
    return rows;
}

/// Draws each value `times` times, and gives those that were 1 in some draw.
std::vector<char> drawn(const Vector& values, Index times, Random& random) {
    std::vector<char> some(values.size(), 0);
    for (Index t = 0; t < times; ++t) {
        for (Index j = 0; j < values.size(); ++j) {
            if (random.uniform() < values[j]) some[j] = 1;
        }
    }
    return some;
}

struct Rounding {
    std::vector<Index> prototypes;
    double cost = 0;
    bool covers = true;  // whether the class's rows that no prototype covers are those that were drawn
};

Rounding round_once(const CoverProgram& program, Index c, const std::vector<Index>& own,
                    const CoverRelaxation& relaxed, Index times, Random& random) {
    Rounding rounding;
    const auto chosen = drawn(relaxed.prototypes, times, random);
    const auto uncovered = drawn(relaxed.uncovered, times, random);
    std::vector<char> covered(program.rows(), 0);
    for (Index j = 0; j < program.rows(); ++j) {
        if (chosen[j] == 0) continue;
        rounding.prototypes.push_back(j);
        rounding.cost += program.cost_of(j, c);
        for (const Index i : program.balls[j]) covered[i] = 1;
    }
    for (std::size_t k = 0; k < own.size(); ++k) {
        rounding.cost += uncovered[k];
        rounding.covers = rounding.covers && (covered[own[k]] != 0 || uncovered[k] != 0);
    }
    return rounding;
}

}  // namespace

CoverChoice rounded_cover(const CoverProgram& program, std::uint64_t seed, Control& control) {
    constexpr Index most_draws = 200;
    CoverChoice choice;
    const CoverChoice greedy = greedy_cover(program, control);
    Random random(seed);
    for (Index c = 0; c < program.classes; ++c) {
        const std::vector<Index> own = rows_of_class(program, c);
        const CoverRelaxation relaxed = relaxed_cover(program, c, control);
        const double factor = 2 * std::log(std::max(2.0, 1.0 * std::ssize(own)));
        const auto times = static_cast<Index>(std::ceil(factor));
        bool accepted = false;
        for (Index draw = 0; draw < most_draws && !accepted; ++draw) {
            control.check();
            const Rounding rounding = round_once(program, c, own, relaxed, times, random);
            accepted = rounding.covers && rounding.cost <= factor * relaxed.cost;
            if (!accepted) continue;
            choice.rows.insert(choice.rows.end(), rounding.prototypes.begin(), rounding.prototypes.end());
            choice.classes.resize(choice.rows.size(), c);
        }
        for (std::size_t k = 0; k < greedy.rows.size() && !accepted; ++k) {
            if (greedy.classes[k] != c) continue;
            choice.rows.push_back(greedy.rows[k]);
            choice.classes.push_back(c);
        }
    }
    return choice;
}

}  // namespace dk
