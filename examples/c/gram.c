/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernel matrices of arrays: one kernel of a set with itself, and a bank of kernels of one set with
 * another.
 */
#include <dk/dk.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEFT = 4, RIGHT = 3, COLS = 2, KERNELS = 3 };

static void print_matrix(const char* title, const double* matrix, int rows, int cols) {
    int i, j;
    printf("%s\n", title);
    for (i = 0; i < rows; ++i) {
        for (j = 0; j < cols; ++j) printf(" %10.6f", matrix[i * cols + j]);
        printf("\n");
    }
}

int main(void) {
    const double left_values[LEFT * COLS] = {0, 0, 1, 0, 0, 1, 1, 1};
    const double right_values[RIGHT * COLS] = {0.5, 0.5, 1, 2, 2, 0};
    const char* const one = "rbf(gamma=0.5)";
    const char* const names[KERNELS] = {"linear", "0.5*poly(degree=2, gamma=1, coef0=1) + 1",
                                        "normalize(arccos(1,0))"};
    const char* const bank = "[linear, 0.5*poly(degree=2, gamma=1, coef0=1) + 1, normalize(arccos(1,0))]";
    double square[LEFT * LEFT];
    double matrices[KERNELS * LEFT * RIGHT];
    dk_data *left = NULL, *right = NULL;
    int64_t kernels = 0;
    dk_status status;
    int k;

    status = dk_data_from_dense(&left, left_values, LEFT, COLS, COLS, DK_ROW_MAJOR);
    if (status == DK_OK) status = dk_data_from_dense(&right, right_values, RIGHT, COLS, COLS, DK_ROW_MAJOR);

    /* A set with itself: exactly symmetric. */
    if (status == DK_OK) status = dk_gram(square, LEFT * LEFT, left, NULL, one, NULL);
    if (status == DK_OK) print_matrix(one, square, LEFT, LEFT);

    /* A bank gives one matrix after the other. */
    if (status == DK_OK) status = dk_kernel_count(&kernels, left, bank);
    if (status == DK_OK && kernels != KERNELS) status = DK_ERR_INTERNAL;
    if (status == DK_OK) status = dk_gram(matrices, KERNELS * LEFT * RIGHT, left, right, bank, NULL);
    for (k = 0; status == DK_OK && k < KERNELS; ++k) {
        print_matrix(names[k], matrices + k * LEFT * RIGHT, LEFT, RIGHT);
    }

    if (status != DK_OK) fprintf(stderr, "%s: %s\n", dk_status_name(status), dk_last_error());
    dk_data_free(right);
    dk_data_free(left);
    return status == DK_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
