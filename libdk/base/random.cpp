// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"

#include <cmath>
#include <numbers>

// The C libraries of systems round logarithms and angles differently in the last digit. So these are computed
// here, from the operations that every processor rounds alike.

namespace dk {

namespace {

/// Computes the natural logarithm of x, which is normal and positive, from x = 2^e m with m near 1 and the
/// series log m = 2 (s + s^3 / 3 + s^5 / 5 + ...), where s = (m - 1) / (m + 1).
double logarithm(double x) {
    constexpr double ln2_high = 0x1.62e42fefa38p-1;  // e times this is exact
    constexpr double ln2_low = 0x1.ef35793c7673p-45;
    int e = 0;
    double m = std::frexp(x, &e);
    if (m < std::numbers::sqrt2 / 2) {
        m *= 2;
        --e;
    }
    const double s = (m - 1) / (m + 1);
    const double square = s * s;
    double sum = 0;
    for (int k = 21; k >= 3; k -= 2) sum = (sum + 1.0 / k) * square;
    return e * ln2_high + (2 * s + (2 * s * sum + e * ln2_low));
}

/// Computes cos(2 pi u) for u in [0, 1]: what is left of u beside the nearest quarter is exact, and short
/// enough for the series of the sine and the cosine.
double cosine_of_turn(double u) {
    const int quarter = static_cast<int>(std::lround(4 * u));
    const double angle = 2 * std::numbers::pi * (u - 0.25 * quarter);
    const double square = angle * angle;
    const bool odd = quarter % 2 == 1;
    double sum = 1;
    for (int k = odd ? 17 : 16; k >= 2; k -= 2) sum = 1 - sum * square / (k * (k - 1));
    const double value = odd ? -angle * sum : sum;
    return quarter == 2 || quarter == 3 ? -value : value;
}

}  // namespace

double Random::normal() {
    const double radius = std::sqrt(-2 * logarithm(1 - uniform()));
    return radius * cosine_of_turn(uniform());
}

}  // namespace dk
