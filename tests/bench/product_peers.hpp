// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dk_bench {

/// Computes C = A B' for A (rows x depth) and B (cols x depth).
struct Shape {
    int rows;
    int cols;
    int depth;
};

void multiply_by_eigen(const double* a, const double* b, double* c, Shape shape);
void multiply_by_eigen(const float* a, const float* b, float* c, Shape shape);

}  // namespace dk_bench
