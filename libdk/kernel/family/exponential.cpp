// SPDX-License-Identifier: Apache-2.0
// k(x, z) = exp(-gamma |x - z|) falls with the Euclidean distance, where rbf falls with its square and
// laplacian with the sum of the columns' distances. It is the Matern kernel of smoothness 1/2, whose gamma is
// 1 / (2 length^2): here gamma is 1 / length.
//
// Genton, Classes of kernels for machine learning, JMLR 2, 2001.
#include <cmath>

#include "base/text.hpp"
#include "kernel/family/radial_kernel.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

KernelEntry exponential_kernel() {
    return {.name = "exponential",
            .doc = "k(x, z) = exp(-gamma |x - z|), the exponential kernel of the Euclidean distance.",
            .reference = "Genton, Classes of kernels for machine learning, JMLR 2, 2001",
            .facts = {.data = {DataKind::dense, DataKind::sparse},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "always",
                      .differentiable = "never"},
            .parameters = {parameter::inverse_width},
            .make =
                [](const KernelArguments& a) {
                    const double gamma = a[parameter::inverse_width];
                    return make_radial_kernel(a.columns,
                                              {.text = text("exponential(gamma=", gamma, ")"),
                                               .radial = {RadialFunction::matern12, 0.5 * gamma * gamma}});
                },
            // The rules find a typical squared distance.
            .found_by_rule =
                [](std::string_view, std::string_view rule, const DataFacts& facts, const Columns& columns) {
                    return std::sqrt(facts.width(rule, PairSum::squared, columns));
                }};
}

}  // namespace dk
