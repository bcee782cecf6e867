// SPDX-License-Identifier: Apache-2.0
// k(x, z) = value for all x and z. In a bank it lets a strategy weigh how much all rows have in common, and a
// machine without an offset gets one. It is the number by itself, as in "rbf + 1".
#include "base/error.hpp"
#include "kernel/algebra/algebra.hpp"
#include "kernel/language/registry.hpp"

namespace dk {

namespace parameter {
constexpr RealKey constant_value{"value", 1, Range::positive(), "value is what all pairs of rows have."};
}

KernelEntry constant_kernel() {
    return {.name = "constant",
            .doc = "k(x, z) = value is the same for all rows of any kind; a number alone is this kernel too.",
            .facts = {.data = {DataKind::dense, DataKind::sparse, DataKind::gram, DataKind::series,
                               DataKind::strings, DataKind::graphs},
                      .positive_semidefinite = "always",
                      .constant_diagonal = "always",
                      .differentiable = "always"},
            .parameters = {parameter::constant_value},
            .make = [](const KernelArguments& a) {
                if (!a.columns.empty())
                    fail(Status::invalid_kernel,
                         "constant looks at no columns, so that on() has none to give");
                return linear_combination({}, a[parameter::constant_value]);
            }};
}

}  // namespace dk
