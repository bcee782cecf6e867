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

/// Reads all values once with the widest loads of this machine and gives a number that depends on each.
double read_all(const double* values, long count);
float read_all(const float* values, long count);

}  // namespace dk_bench
