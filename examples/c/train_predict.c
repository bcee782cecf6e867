/* SPDX-License-Identifier: Apache-2.0
 *
 * Trains a support vector machine with a bank of kernels on two thirds of a CSV file and predicts
 * the last third.
 *
 *   train_predict ../data/sonar.csv
 */
#include <dk/dk.h>
#include <stdio.h>
#include <stdlib.h>

/* The rows of one fold, or all the others. */
static dk_status select_rows(dk_data** out, const dk_data* data, const int64_t* folds, int64_t fold,
                             int inside) {
    const int64_t rows = dk_data_rows(data);
    int64_t* chosen = malloc((size_t)rows * sizeof *chosen);
    int64_t count = 0;
    dk_status status;
    int64_t i;
    if (!chosen) return DK_ERR_OUT_OF_MEMORY;
    for (i = 0; i < rows; ++i) {
        if ((folds[i] == fold) == inside) chosen[count++] = i;
    }
    status = dk_data_select(out, data, chosen, count);
    free(chosen);
    return status;
}

/* Splits the data into a training and a test set with equal shares of each class. */
static dk_status split(dk_data** train, dk_data** test, const dk_data* data) {
    const int64_t rows = dk_data_rows(data);
    int64_t* folds = malloc((size_t)rows * sizeof *folds);
    dk_status status;
    if (!folds) return DK_ERR_OUT_OF_MEMORY;
    status = dk_data_folds(folds, rows, data, 3, 1);
    if (status == DK_OK) status = select_rows(train, data, folds, 0, 0);
    if (status == DK_OK) status = select_rows(test, data, folds, 0, 1);
    free(folds);
    return status;
}

/* Predicts every row and counts the right answers. */
static dk_status count_right(int64_t* right, const dk_model* model, const dk_data* data) {
    const int64_t rows = dk_data_rows(data);
    double* predicted = malloc((size_t)rows * sizeof *predicted);
    int64_t* known = malloc((size_t)rows * sizeof *known);
    dk_status status = predicted && known ? DK_OK : DK_ERR_OUT_OF_MEMORY;
    int64_t i;
    *right = 0;
    if (status == DK_OK) status = dk_predict(predicted, rows, model, data, NULL);
    if (status == DK_OK) status = dk_data_labels(known, rows, data);
    for (i = 0; status == DK_OK && i < rows; ++i) *right += (int64_t)predicted[i] == known[i];
    free(known);
    free(predicted);
    return status;
}

int main(int argc, char** argv) {
    dk_data *data = NULL, *train = NULL, *test = NULL;
    dk_params* params = NULL;
    dk_model* model = NULL;
    int64_t right = 0;
    dk_status status;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE.csv\n", argv[0]);
        return 2;
    }

    /* Each step runs only when all steps before it have worked. */
    status = dk_data_from_file(&data, argv[1], NULL, NULL);
    if (status == DK_OK) status = split(&train, &test, data);
    if (status == DK_OK) status = dk_params_create(&params, "svm");
    if (status == DK_OK) {
        status = dk_params_parse(params,
                                 "C=10 scale=standard weights=dimkl1 "
                                 "kernel=[grid(rbf, gamma=0.1/d:1/d:10/d), arccos(0,1,2)]");
    }
    if (status == DK_OK) status = dk_train(&model, train, params, NULL);
    if (status == DK_OK) status = count_right(&right, model, test);

    if (status == DK_OK) {
        const int64_t rows = dk_data_rows(test);
        printf("trained on %lld rows with %lld kernels\n", (long long)dk_model_training_rows(model),
               (long long)dk_model_kernel_count(model));
        printf("accuracy on %lld other rows: %.3f\n", (long long)rows, (double)right / (double)rows);
    } else {
        fprintf(stderr, "%s: %s\n", dk_status_name(status), dk_last_error());
    }

    /* Freeing NULL does nothing, so that the end is the same for success and failure. */
    dk_model_free(model);
    dk_params_free(params);
    dk_data_free(test);
    dk_data_free(train);
    dk_data_free(data);
    return status == DK_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
