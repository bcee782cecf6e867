/* SPDX-License-Identifier: Apache-2.0
 *
 * This program measures what a prediction of 100,000 x 50 costs through the C interface. Every language has
 * the same program:
 *
 *   overhead REPEATS
 *
 * It prints the medians of the seconds of: predict, rows that are a dataset already; array, from an array of
 * numbers to an array of predictions; gram, a kernel matrix of 10,000 x 10,000 in fresh memory; and the
 * microseconds of row, one row from its numbers to its prediction, as a service asks. Memory is freed within
 * the time, as collectors do.
 */
#include <dk/dk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROWS = 100000, COLS = 50, TRAINING_ROWS = 1000, GRAM_ROWS = 10000, SINGLE_ROWS = 10000 };

static void check(dk_status status) {
    if (status == DK_OK) return;
    fprintf(stderr, "%s: %s\n", dk_status_name(status), dk_last_error());
    exit(1);
}

static void* allocate(size_t count, size_t size) {
    void* memory = malloc(count * size);
    if (memory == NULL) exit(1);
    return memory;
}

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double median(double* values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

/* The minimal standard generator of Park and Miller, which all languages have in their own numbers. */
static void fill(double* x) {
    int64_t state = 1;
    int64_t i = 0;
    for (i = 0; i < (int64_t)ROWS * COLS; ++i) {
        state = state * 16807 % 2147483647;
        x[i] = (double)state / 2147483647.0;
    }
}

static dk_model* train(const double* x) {
    int64_t labels[TRAINING_ROWS];
    dk_data* data = NULL;
    dk_params* params = NULL;
    dk_model* model = NULL;
    int i = 0, j = 0;
    for (i = 0; i < TRAINING_ROWS; ++i) {
        double sum = 0;
        for (j = 0; j < COLS; ++j) sum += x[i * COLS + j];
        labels[i] = sum > COLS / 2.0;
    }
    check(dk_data_from_dense(&data, x, TRAINING_ROWS, COLS, COLS, DK_ROW_MAJOR));
    check(dk_data_set_labels(data, labels, TRAINING_ROWS));
    check(dk_params_create(&params, "svm"));
    check(dk_params_set(params, "kernel", "rbf(gamma=0.1)"));
    check(dk_train(&model, data, params, NULL));
    dk_params_free(params);
    dk_data_free(data);
    return model;
}

static void predict_row(const dk_model* model, const double* x) {
    dk_data* data = NULL;
    double out = 0;
    check(dk_data_from_dense(&data, x, 1, COLS, COLS, DK_ROW_MAJOR));
    check(dk_predict(&out, 1, model, data, NULL));
    dk_data_free(data);
}

int main(int count, char** arguments) {
    const int repeats = count > 1 ? atoi(arguments[1]) : 11;
    double* x = allocate((size_t)ROWS * COLS, sizeof *x);
    double* seconds = allocate((size_t)repeats * 4, sizeof *seconds);
    double *predict = seconds, *array = seconds + repeats, *gram = array + repeats, *row = gram + repeats;
    dk_model* model = NULL;
    int r = 0;
    fill(x);
    model = train(x);
    for (r = 0; r < repeats; ++r) {
        dk_data* data = NULL;
        const double began = now();
        double* out = allocate(ROWS, sizeof *out);
        double built = 0;
        check(dk_data_from_dense(&data, x, ROWS, COLS, COLS, DK_ROW_MAJOR));
        built = now();
        check(dk_predict(out, ROWS, model, data, NULL));
        predict[r] = now() - built;
        free(out);
        dk_data_free(data);
        array[r] = now() - began;
    }
    for (r = 0; r < repeats; ++r) {
        const double began = now();
        int i = 0;
        for (i = 0; i < SINGLE_ROWS; ++i) predict_row(model, x + (size_t)i * COLS);
        row[r] = 1e6 * (now() - began) / SINGLE_ROWS;
    }
    for (r = 0; r < repeats; ++r) {
        dk_data* data = NULL;
        const double began = now();
        double* out = allocate((size_t)GRAM_ROWS * GRAM_ROWS, sizeof *out);
        check(dk_data_from_dense(&data, x, GRAM_ROWS, COLS, COLS, DK_ROW_MAJOR));
        check(dk_gram(out, (int64_t)GRAM_ROWS * GRAM_ROWS, data, NULL, "rbf(gamma=0.1)", NULL));
        free(out);
        dk_data_free(data);
        gram[r] = now() - began;
    }
    printf("predict %.4f array %.4f gram %.4f row %.2f\n", median(predict, repeats), median(array, repeats),
           median(gram, repeats), median(row, repeats));
    dk_model_free(model);
    free(x);
    free(seconds);
    return 0;
}
