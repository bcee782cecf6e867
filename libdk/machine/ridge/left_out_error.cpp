// SPDX-License-Identifier: Apache-2.0
#include "machine/ridge/left_out_error.hpp"

#include <cmath>

namespace dk {

void add_left_out(LeftOutError& error, const ConstMatrixRef& found, const ConstMatrixRef& targets,
                  const Vector& roots, bool classes) {
    for (Index i = 0; i < found.rows(); ++i) {
        const Vector own = found.row(i);
        const Vector target = targets.row(i);
        error.squares += (own - target).squaredNorm();
        if (!classes) continue;
        const bool right = own.size() == 1 ? (own[0] > 0) == (target[0] > 0)
                                           : first_largest(as_span(own)) == first_largest(as_span(target));
        error.wrong += right ? 0 : roots[i] * roots[i];
    }
}

std::vector<double> costs_to_choose_from() {
    std::vector<double> costs;
    for (int power = -10; power <= 20; power += 2) costs.push_back(std::ldexp(1.0, power));
    return costs;
}

}  // namespace dk
