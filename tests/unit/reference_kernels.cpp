// SPDX-License-Identifier: Apache-2.0
#include "reference_kernels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace dk::test {

namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

long double dot(Point x, Point z) {
    long double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += static_cast<long double>(x[j]) * z[j];
    return sum;
}

long double power(long double base, int exponent) {
    long double result = 1;
    for (int e = 0; e < exponent; ++e) result *= base;
    return result;
}

long double squared_distance(Point x, Point z) {
    long double distance = 0;
    for (std::size_t j = 0; j < x.size(); ++j) distance += power(static_cast<long double>(x[j]) - z[j], 2);
    return distance;
}

/// Gives the nodes and weights of Gauss and Legendre on [-1, 1], by Newton's method on the recurrence.
struct Quadrature {
    static constexpr int size = 20;
    std::array<long double, size> nodes;
    std::array<long double, size> weights;

    Quadrature() {
        for (std::size_t i = 0; i < size; ++i) {
            long double x = std::cos(pi * (static_cast<long double>(i) + 0.75L) / (size + 0.5L));
            long double slope = 0;
            for (int step = 0; step < 30; ++step) {
                long double previous = 1;
                long double value = x;
                for (int k = 2; k <= size; ++k) {
                    const long double next = ((2 * k - 1) * x * value - (k - 1) * previous) / k;
                    previous = value;
                    value = next;
                }
                slope = size * (x * value - previous) / (x * x - 1);
                x -= value / slope;
            }
            nodes[i] = x;
            weights[i] = 2 / ((1 - x * x) * slope * slope);
        }
    }
};

/// Gives J_n of Cho and Saul for degrees 0 to 2.
long double angular(int degree, long double theta) {
    const long double s = std::sin(theta);
    const long double c = std::cos(theta);
    if (degree == 0) return pi - theta;
    if (degree == 1) return s + (pi - theta) * c;
    return 3 * s * c + (pi - theta) * (1 + 2 * c * c);
}

/// Gives the angle of two vectors, accurate at both ends; by convention a zero vector is a direction of its
/// own.
long double angle(Point x, Point z) {
    const long double x_norm = std::sqrt(dot(x, x));
    const long double z_norm = std::sqrt(dot(z, z));
    if (x_norm == 0 || z_norm == 0) return x_norm == z_norm ? 0 : pi / 2;
    long double difference = 0;
    long double sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
        const long double u = x[j] / x_norm;
        const long double v = z[j] / z_norm;
        difference += (u - v) * (u - v);
        sum += (u + v) * (u + v);
    }
    return 2 * std::atan2(std::sqrt(difference), std::sqrt(sum));
}

long double double_factorial(int degree) {  // J_n(0) / pi = (2 n - 1)!!
    long double product = 1;
    for (int k = 2 * degree - 1; k > 1; k -= 2) product *= k;
    return product;
}

long double deep_cosine(const std::vector<int>& degrees, Point x, Point z) {
    long double theta = angle(x, z);
    long double gap = 0;
    for (const int degree : degrees) {
        gap = arc_cosine_gap(degree, theta);
        theta = 2 * std::asin(std::sqrt(gap / 2));
    }
    return 1 - gap;
}

}  // namespace

long double arc_cosine_gap(int degree, long double theta) {
    static const Quadrature quadrature;
    if (degree == 0) return theta / pi;
    long double integral = 0;
    for (std::size_t i = 0; i < Quadrature::size; ++i) {
        const long double at = theta / 2 * (1 + quadrature.nodes[i]);
        integral += theta / 2 * quadrature.weights[i] * std::sin(at) * angular(degree - 1, at);
    }
    return degree * degree * integral / (pi * double_factorial(degree));
}

ReferenceKernel reference_linear() {
    return dot;
}

ReferenceKernel reference_poly(int degree, long double gamma, long double coef0) {
    return [=](Point x, Point z) { return power(gamma * dot(x, z) + coef0, degree); };
}

ReferenceKernel reference_rbf(long double gamma) {
    return [=](Point x, Point z) { return std::exp(-gamma * squared_distance(x, z)); };
}

ReferenceKernel reference_cauchy(long double gamma) {
    return [=](Point x, Point z) { return 1 / (1 + gamma * squared_distance(x, z)); };
}

ReferenceKernel reference_rational_quadratic(long double gamma, long double alpha) {
    return [=](Point x, Point z) { return std::pow(1 + gamma * squared_distance(x, z) / alpha, -alpha); };
}

ReferenceKernel reference_matern(long double gamma, double nu) {
    return [=](Point x, Point z) {
        // This is r sqrt(2 nu) / length.
        const long double t =
            std::sqrt(2 * static_cast<long double>(nu) * squared_distance(x, z) * 2 * gamma);
        const long double factor = nu == 0.5 ? 1 : nu == 1.5 ? 1 + t : 1 + t + t * t / 3;
        return factor * std::exp(-t);
    };
}

ReferenceKernel reference_circular(long double gamma) {
    return [=](Point x, Point z) -> long double {
        const long double u = std::sqrt(gamma * squared_distance(x, z));
        if (u >= 1) return 0;
        return 2 / pi * (std::acos(u) - u * std::sqrt((1 - u) * (1 + u)));
    };
}

ReferenceKernel reference_spherical(long double gamma) {
    return [=](Point x, Point z) -> long double {
        const long double u = std::sqrt(gamma * squared_distance(x, z));
        return u >= 1 ? 0 : 1 - 1.5L * u + 0.5L * u * u * u;
    };
}

ReferenceKernel reference_exponential(long double gamma) {
    return [=](Point x, Point z) { return std::exp(-gamma * std::sqrt(squared_distance(x, z))); };
}

/// n! (2 / t)^n J_n(t), which is 1 for t = 0.
ReferenceKernel reference_bessel(long double gamma, int order) {
    return [=](Point x, Point z) {
        const long double t = std::sqrt(gamma * squared_distance(x, z));
        if (t == 0) return 1.0L;
        long double factor = 1;
        for (int k = 1; k <= order; ++k) factor *= 2 * k / t;
        return factor * std::cyl_bessel_j(static_cast<long double>(order), t);
    };
}

/// The integral over the knots u of (|x| - u)+ (|z| - u)+ is done by Gauss's rule of two points, which is
/// exact for its cubics.
ReferenceKernel reference_spline() {
    return [](Point x, Point z) {
        long double product = 1;
        for (std::size_t j = 0; j < x.size(); ++j) {
            const long double a = std::abs(static_cast<long double>(x[j]));
            const long double b = std::abs(static_cast<long double>(z[j]));
            const long double half = std::min(a, b) / 2;
            long double integral = 0;
            for (const long double sign : {-1.0L, 1.0L}) {
                const long double u = half * (1 + sign / std::sqrt(3.0L));
                integral += half * (a - u) * (b - u);
            }
            const long double straight = static_cast<long double>(x[j]) * z[j];
            product *= 1 + straight + (straight > 0 ? integral : 0);
        }
        return product;
    };
}

ReferenceKernel reference_chi_square(long double gamma) {
    return [=](Point x, Point z) {
        long double distance = 0;
        for (std::size_t j = 0; j < x.size(); ++j) {
            const long double total = static_cast<long double>(x[j]) + z[j];
            if (total > 0) distance += power(static_cast<long double>(x[j]) - z[j], 2) / total;
        }
        return std::exp(-gamma * distance);
    };
}

ReferenceKernel reference_additive_chi_square() {
    return [](Point x, Point z) {
        long double sum = 0;
        for (std::size_t j = 0; j < x.size(); ++j) {
            const long double total = static_cast<long double>(x[j]) + z[j];
            if (total > 0) sum += 2 * static_cast<long double>(x[j]) * z[j] / total;
        }
        return sum;
    };
}

ReferenceKernel reference_intersection() {
    return [](Point x, Point z) {
        long double sum = 0;
        for (std::size_t j = 0; j < x.size(); ++j) sum += std::min(x[j], z[j]);
        return sum;
    };
}

ReferenceKernel reference_laplacian(long double gamma) {
    return [=](Point x, Point z) {
        long double distance = 0;
        for (std::size_t j = 0; j < x.size(); ++j)
            distance += std::abs(static_cast<long double>(x[j]) - z[j]);
        return std::exp(-gamma * distance);
    };
}

ReferenceKernel reference_anova(long double gamma, int degree) {
    return [=](Point x, Point z) {
        long double sum = 0;
        for (std::size_t j = 0; j < x.size(); ++j) {
            const long double difference = static_cast<long double>(x[j]) - z[j];
            sum += std::exp(-gamma * difference * difference);
        }
        return power(sum / static_cast<long double>(x.size()), degree);
    };
}

ReferenceKernel reference_sigmoid(long double gamma, long double coef0) {
    return [=](Point x, Point z) { return std::tanh(gamma * dot(x, z) + coef0); };
}

ReferenceKernel reference_arccos(std::vector<int> degrees) {
    return [degrees = std::move(degrees)](Point x, Point z) {
        long double product = dot(x, x) * dot(z, z);  // the product of both self-similarities
        for (const int degree : degrees)
            product = power(double_factorial(degree), 2) * power(product, degree);
        return deep_cosine(degrees, x, z) * std::sqrt(product);
    };
}

ReferenceKernel reference_normalised(ReferenceKernel kernel) {
    return [kernel = std::move(kernel)](Point x, Point z) {
        return kernel(x, z) / std::sqrt(kernel(x, x) * kernel(z, z));
    };
}

ReferenceKernel reference_normalised_arccos(std::vector<int> degrees) {
    return [degrees = std::move(degrees)](Point x, Point z) { return deep_cosine(degrees, x, z); };
}

ReferenceKernel reference_on(std::vector<Index> columns, ReferenceKernel kernel) {
    return [columns = std::move(columns), kernel = std::move(kernel)](Point x, Point z) {
        std::vector<double> left;
        std::vector<double> right;
        for (const Index j : columns) {
            left.push_back(x[j]);
            right.push_back(z[j]);
        }
        return kernel(left, right);
    };
}

}  // namespace dk::test
