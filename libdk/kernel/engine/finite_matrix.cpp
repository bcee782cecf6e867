// SPDX-License-Identifier: Apache-2.0
#include "kernel/engine/finite_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace dk {

void require_finite_matrix(const Kernel& kernel, const double* matrix, Index n, Control& control) {
    const ProgressHold hold(control);
    std::vector<Index> bad(n, -1);
    parallel_for_rows(n, n, control, [&](Index i) {
        const double* row = matrix + i * n;
        double sum = 0;  // It becomes NaN by 0 times any value that is not finite.
#pragma omp simd reduction(+ : sum)
        for (Index j = 0; j < n; ++j) sum += 0 * row[j];
        if (sum == 0) return;
        bad[i] = std::find_if_not(row, row + n, [](double v) { return std::isfinite(v); }) - row;
    });
    for (Index i = 0; i < n; ++i) {
        if (bad[i] >= 0)
            fail(Status::numerical, "kernel ", kernel.text(), " overflows between rows ", i, " and ", bad[i]);
    }
}

}  // namespace dk
