// SPDX-License-Identifier: Apache-2.0
#include "machine/ridge/left_out_error.hpp"

#include <algorithm>
#include <cmath>

#include "model/decision/decision_rule.hpp"

namespace dk {

void add_left_out(LeftOutError& error, const ConstMatrixRef& found, const ConstMatrixRef& targets,
                  const Vector& roots, const RidgeTargets& kind) {
    const auto is_right = [&](Index i, const Vector& own, const Vector& target) {
        if (kind.numbers > 0) {
            const double found_number = std::clamp<double>(own[0] / roots[i], 1, kind.numbers);
            return std::abs(found_number - target[0] / roots[i]) <= 0.5;
        }
        if (own.size() == 1) return (own[0] > 0) == (target[0] > 0);
        return first_largest(as_span(own)) == first_largest(as_span(target));
    };
    for (Index i = 0; i < found.rows(); ++i) {
        const Vector own = found.row(i);
        const Vector target = targets.row(i);
        error.squares += (own - target).squaredNorm();
        if (kind.classes && !is_right(i, own, target)) error.wrong += roots[i] * roots[i];
    }
}

std::vector<double> costs_to_choose_from() {
    std::vector<double> costs;
    for (int power = -10; power <= 20; power += 2) costs.push_back(std::ldexp(1.0, power));
    return costs;
}

}  // namespace dk
