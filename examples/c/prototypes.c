/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows what a model has learned: its prototypes, the training rows nearest to each of them, and
 * how the prototypes explain the decision for one row.
 *
 *   prototypes ../data/breast_cancer.csv
 */
#include <dk/dk.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_SIZE = 256 };

/* How many training rows a prototype is made of. */
static int64_t count_positive(const double* coefficients, int64_t length) {
    int64_t count = 0, i;
    for (i = 0; i < length; ++i) count += coefficients[i] > 0;
    return count;
}

/* "of class NAME", or "of all other classes" in one-vs-rest models. */
static dk_status print_class(const dk_model* model, int64_t position) {
    char name[TEXT_SIZE];
    int64_t needed;
    dk_status status;
    if (position < 0) {
        printf("of all other classes");
        return DK_OK;
    }
    status = dk_model_class_name(name, sizeof name, &needed, model, position);
    if (status == DK_OK) printf("of class %s", name);
    return status;
}

static dk_status print_prototypes(const dk_model* model) {
    const int64_t count = dk_model_prototype_count(model);
    const int64_t rows = dk_model_training_rows(model);
    const int64_t neighbours = dk_model_prototype_neighbours(model);
    int64_t* classes = malloc((size_t)count * sizeof *classes);
    double* coefficients = malloc((size_t)(count * rows) * sizeof *coefficients);
    int64_t* nearest = malloc((size_t)(count * neighbours) * sizeof *nearest);
    double* distances = malloc((size_t)(count * neighbours) * sizeof *distances);
    dk_status status = classes && coefficients && nearest && distances ? DK_OK : DK_ERR_OUT_OF_MEMORY;
    int64_t p, k;

    if (status == DK_OK) status = dk_model_prototype_classes(classes, count, model);
    if (status == DK_OK) status = dk_model_prototype_coefficients(coefficients, count * rows, model);
    if (status == DK_OK) status = dk_model_prototype_nearest(nearest, distances, count * neighbours, model);
    for (p = 0; status == DK_OK && p < count; ++p) {
        printf("prototype %lld ", (long long)p);
        status = print_class(model, classes[p]);
        printf(", made of %lld of %lld training rows; nearest:\n",
               (long long)count_positive(coefficients + p * rows, rows), (long long)rows);
        for (k = 0; k < neighbours; ++k) {
            printf("    row %4lld at distance %.4f\n", (long long)nearest[p * neighbours + k],
                   distances[p * neighbours + k]);
        }
    }
    free(distances);
    free(nearest);
    free(coefficients);
    free(classes);
    return status;
}

/* The decision of a two-class model for one row, as the sum of what each prototype says of it. */
static dk_status explain_row(const dk_model* model, const dk_data* data, int64_t row) {
    dk_data* one = NULL;
    double said[2], offset = 0, decision = 0;
    dk_status status = dk_data_select(&one, data, &row, 1);
    if (status == DK_OK) status = dk_explain(said, 2, model, one, NULL);
    if (status == DK_OK) status = dk_model_prototype_offsets(NULL, &offset, 1, model);
    if (status == DK_OK) status = dk_decision(&decision, 1, model, one, NULL);
    if (status == DK_OK) {
        printf("row %lld: decision %.6f = %.6f (distance to p+) + %.6f (distance to p-) + %.6f (offset)\n",
               (long long)row, decision, said[0], said[1], offset);
    }
    dk_data_free(one);
    return status;
}

int main(int argc, char** argv) {
    dk_data* data = NULL;
    dk_params* params = NULL;
    dk_model* model = NULL;
    dk_status status;

    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE.csv\n", argv[0]);
        return 2;
    }

    status = dk_data_from_file(&data, argv[1], NULL, NULL);
    if (status == DK_OK) status = dk_params_create(&params, "svm");
    if (status == DK_OK)
        status = dk_params_parse(params, "scale=standard kernel=rbf(gamma=auto) neighbours=3");
    if (status == DK_OK) status = dk_train(&model, data, params, NULL);
    if (status == DK_OK) status = print_prototypes(model);
    if (status == DK_OK && dk_model_decision_count(model) == 1) status = explain_row(model, data, 0);
    if (status != DK_OK) fprintf(stderr, "%s: %s\n", dk_status_name(status), dk_last_error());

    dk_model_free(model);
    dk_params_free(params);
    dk_data_free(data);
    return status == DK_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
