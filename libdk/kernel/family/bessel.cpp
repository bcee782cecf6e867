// SPDX-License-Identifier: Apache-2.0
// k(x, z) = n! (2 / t)^n J_n(t), where t = sqrt(gamma) |x - z| and J_n is the Bessel function of the first
// kind, is 1 for equal rows and swings about 0 as it falls. It is the mean of cos(w.(x - z)) over all w of
// length sqrt(gamma) in 2 n + 2 dimensions, so that it is positive semidefinite on so many columns and fewer.
//
//   kernlab     here
//   sigma       sqrt(gamma)
//   order       order, n above
//   degree      a power, (bessel(...))^degree
//
// Schoenberg, Metric spaces and completely monotone functions, Annals of Mathematics 39, 1938; Karatzoglou,
// Smola, Hornik, Zeileis, kernlab - An S4 package for kernel methods in R, Journal of Statistical Software
// 11, 2004.
#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr IntegerKey order{"order",
                           1,
                           {0, 50},
                           "The larger the order n is, the less the kernel swings below 0; it is positive "
                           "semidefinite up to 2 n + 2 columns."};
}

KernelEntry bessel_kernel() {
    return {
        .name = "bessel",
        .doc =
            "k(x, z) = n! (2 / t)^n J_n(t) for t = sqrt(gamma) |x - z|, the Bessel kernel of order n, which "
            "swings about 0 as it falls.",
        .reference =
            "Schoenberg, Metric spaces and completely monotone functions, Annals of Mathematics 39, 1938",
        .facts = {.data = {DataKind::dense, DataKind::sparse},
                  .positive_semidefinite = "up to 2 order + 2 columns",
                  .constant_diagonal = "always",
                  .differentiable = "always"},
        .parameters = {parameter::inverse_width, parameter::order},
        .make = [](const KernelArguments& a) {
            const int order = a[parameter::order];
            return make_radial_kernel(
                a.columns,
                {.text = text("bessel(gamma=", a[parameter::inverse_width], ", order=", order, ")"),
                 .radial = {RadialFunction::bessel, a[parameter::inverse_width], static_cast<double>(order)},
                 .positive_semidefinite = a.column_count <= 2 * order + 2});
        }};
}

}  // namespace dk
