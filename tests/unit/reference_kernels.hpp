// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"

namespace dk::test {

using Point = std::span<const double>;

/// A ReferenceKernel computes a kernel by its definition, one pair at a time in extended precision.
using ReferenceKernel = std::function<long double(Point x, Point z)>;

ReferenceKernel reference_linear();
ReferenceKernel reference_poly(int degree, long double gamma, long double coef0);
ReferenceKernel reference_rbf(long double gamma);
ReferenceKernel reference_laplacian(long double gamma);
ReferenceKernel reference_anova(long double gamma, int degree);
ReferenceKernel reference_bessel(long double gamma, int order);
ReferenceKernel reference_cauchy(long double gamma);
ReferenceKernel reference_exponential(long double gamma);
ReferenceKernel reference_rational_quadratic(long double gamma, long double alpha);
/// This Matern kernel has the length sqrt(1 / (2 gamma)), for nu = 0.5, 1.5 and 2.5.
ReferenceKernel reference_matern(long double gamma, double nu);
ReferenceKernel reference_circular(long double gamma);
ReferenceKernel reference_spline();
ReferenceKernel reference_spherical(long double gamma);
ReferenceKernel reference_chi_square(long double gamma);
ReferenceKernel reference_additive_chi_square();
ReferenceKernel reference_intersection();
ReferenceKernel reference_sigmoid(long double gamma, long double coef0);
ReferenceKernel reference_arccos(std::vector<int> degrees);
ReferenceKernel reference_normalised(ReferenceKernel kernel);
/// Gives the cosine after all layers, without the lengths.
ReferenceKernel reference_normalised_arccos(std::vector<int> degrees);
ReferenceKernel reference_on(std::vector<Index> columns, ReferenceKernel kernel);

/// Gives 1 - J_n(theta) / J_n(0) without cancellation, by quadrature of -J_n' = n^2 sin(theta) J_(n-1), whose
/// integrand is positive.
long double arc_cosine_gap(int degree, long double theta);

}  // namespace dk::test
