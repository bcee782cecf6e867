// SPDX-License-Identifier: Apache-2.0
// The kernel bessel as a formula: for t = sqrt(u),
//
//     f_n(u) = n! (2 / t)^n J_n(t) = sum_k (-u / 4)^k n! / (k! (n + k)!).
//
// Up to t = max(n, 13.5) it is the series, whose terms stay below 1e5 there, so that the rounding of the sum
// stays below 1e-11. Beyond, the Bessel functions of the first kind come from Hankel's expansion of J_0 and
// J_1, whose least term is below 1e-11 there,
//
//     J_m(t) = sqrt(2 / (pi t)) (P_m cos w - Q_m sin w),   w = t - m pi / 2 - pi / 4,
//     P_m - i Q_m ~ sum_j a_j(m) (-i / t)^j,   a_j(m) = prod_{l=1..j} (4 m^2 - (2 l - 1)^2) / (8 l),
//
// and from J_{m+1} = (2 m / t) J_m - J_{m-1}, which keeps its digits while m < t.
//
// Watson, A treatise on the theory of Bessel functions, 1922, chapter VII; Abramowitz, Stegun, Handbook of
// mathematical functions, 1964, 9.1.10, 9.1.27 and 9.2.5 to 9.2.10.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "exchange/formula/kernel_formula.hpp"

namespace dk {

namespace {

constexpr double least_far = 13.5;

/// c_0 + y (c_1 + y (c_2 + ...))
Quantity polynomial(const std::vector<double>& coefficients, const Quantity& y) {
    Quantity sum = y.writer->number(coefficients.back());
    for (std::size_t k = coefficients.size() - 1; k-- > 0;) sum = y.writer->number(coefficients[k]) + y * sum;
    return sum;
}

/// f_n(u) by its series, for u <= largest.
Quantity series(const Quantity& u, int n, double largest) {
    std::vector<double> coefficients{1};
    double term = 1;
    double power = 1;
    for (int k = 1; std::abs(term) * power > 1e-17 || 0.25 * largest > 1.0 * k * (n + k); ++k) {
        term *= -0.25 / (1.0 * k * (n + k));
        power *= largest;
        coefficients.push_back(term);
    }
    return polynomial(coefficients, u);
}

/// J_m(t) for m = 0 or 1 and large t.
Quantity far_function(const Quantity& t, const Quantity& reciprocal, int m) {
    std::vector<double> even;
    std::vector<double> odd;
    double a = 1;
    // The terms at the nearest t fall until j is 2 t.
    for (int j = 0; j < 2 * static_cast<int>(least_far); ++j) {
        const double sign = j / 2 % 2 == 0 ? 1 : -1;
        (j % 2 == 0 ? even : odd).push_back(sign * a);
        a *= (4.0 * m * m - (2.0 * j + 1) * (2.0 * j + 1)) / (8.0 * (j + 1));
    }
    const Quantity square = reciprocal * reciprocal;
    const double turned = (0.5 * m + 0.25) * std::numbers::pi;
    const Quantity cosine = sine((std::numbers::pi / 2 - turned) + t);
    const Quantity both =
        polynomial(even, square) * cosine - reciprocal * polynomial(odd, square) * sine(-turned + t);
    return sqrt(2 / std::numbers::pi * reciprocal) * both;
}

}  // namespace

Quantity bessel_formula(const Quantity& u, int order) {
    const double border = std::max<double>(order, least_far);
    const double largest = border * border;
    // u up to the border for the series, and from there on for the rest.
    const Quantity near = -1.0 * at_least(-largest, -1.0 * u);
    const Quantity t = sqrt(at_least(largest, u));
    const Quantity reciprocal = u.writer->number(1) / t;
    Quantity before = far_function(t, reciprocal, 0);
    Quantity now = far_function(t, reciprocal, 1);
    if (order == 0) now = before;
    for (int m = 1; m < order; ++m) {
        const Quantity next = 2.0 * m * (reciprocal * now) - before;
        before = now;
        now = next;
    }
    for (int k = 1; k <= order; ++k) now = 2.0 * k * (reciprocal * now);
    const Quantity is_far = positive(u - u.writer->number(largest));
    return (1 - is_far) * series(near, order, largest) + is_far * now;
}

}  // namespace dk
