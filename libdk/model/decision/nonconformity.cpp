// SPDX-License-Identifier: Apache-2.0
#include "model/decision/nonconformity.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dk {

double nonconformity_of_value(double answer, std::span<const double> values) {
    return std::max(values.front() - answer, answer - values.back());
}

void nonconformity_of_classes(std::span<const double> class_scores, std::span<double> out) {
    const auto best = std::ranges::max_element(class_scores) - class_scores.begin();
    double second = -infinity;
    for (std::size_t c = 0; c < class_scores.size(); ++c) {
        out[c] = class_scores[best] - class_scores[c];
        if (static_cast<std::ptrdiff_t>(c) != best) second = std::max(second, class_scores[c]);
    }
    out[best] = second - class_scores[best];
}

double score_bound(std::span<const double> scores, double confidence) {
    const auto n = static_cast<double>(scores.size());
    // Rounding shall not take ten times 0.9 for more than nine.
    constexpr double rounding = 1e-9;
    const double place = std::max(std::ceil((n + 1) * confidence - rounding), 1.0);
    if (place > n) {
        fail(Status::unsupported, "confidence is ", confidence, "; ", scores.size(),
             " rows that training had not seen allow ", n / (n + 1), " at most");
    }
    return scores[static_cast<std::size_t>(place) - 1];
}

}  // namespace dk
