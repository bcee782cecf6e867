/* SPDX-License-Identifier: Apache-2.0
 *
 * dk.h is C99: every handle type and a tiny run from data to predictions, without a warning of a
 * pedantic compiler. Returns 0 when all is well.
 */
#include "dk/dk.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 6, COLS = 2 };

static int32_t on_progress(double fraction, const char* stage, void* user) {
    (void)stage;
    *(double*)user = fraction;
    return 0;
}

static int failed(const char* step) {
    fprintf(stderr, "%s: %s\n", step, dk_last_error());
    return 1;
}

/* Trains on the data and predicts the rows it was trained on. */
static int train_and_predict(const dk_data* data, const dk_params* params, dk_control* control,
                             const int64_t* labels) {
    dk_model* model = NULL;
    double predicted[ROWS];
    int64_t row;
    dk_status status = dk_train(&model, data, params, control);
    if (status != DK_OK) return failed(dk_status_name(status));
    status = dk_predict(predicted, ROWS, model, data, NULL);
    dk_model_free(model);
    if (status != DK_OK) return failed("dk_predict");
    for (row = 0; row < ROWS; ++row) {
        if (predicted[row] < (double)labels[row] || predicted[row] > (double)labels[row]) {
            fprintf(stderr, "row %d is predicted as %g\n", (int)row, predicted[row]);
            return 1;
        }
    }
    return 0;
}

int main(void) {
    const double x[ROWS * COLS] = {0, 0, 0, 1, 1, 0, 5, 5, 5, 6, 6, 5};
    const int64_t labels[ROWS] = {-1, -1, -1, 1, 1, 1};
    dk_data* data = NULL;
    dk_params* params = NULL;
    dk_control* control = NULL;
    double fraction = 0.0;
    int result = 1;

    if (strlen(dk_version_string()) == 0 || dk_version_number() < DK_VERSION_MAJOR * 10000) {
        fprintf(stderr, "no version\n");
    } else if (dk_data_from_dense(&data, x, ROWS, COLS, COLS, DK_ROW_MAJOR) != DK_OK ||
               dk_data_set_labels(data, labels, ROWS) != DK_OK) {
        failed("data");
    } else if (dk_params_create(&params, "svm") != DK_OK ||
               dk_params_parse(params, "C=10 kernel=rbf(gamma=0.5)") != DK_OK) {
        failed("parameters");
    } else if (dk_control_create(&control) != DK_OK || dk_control_set_threads(control, 1) != DK_OK ||
               dk_control_set_progress(control, on_progress, &fraction) != DK_OK) {
        failed("control");
    } else {
        result = train_and_predict(data, params, control, labels);
    }
    dk_control_free(control);
    dk_params_free(params);
    dk_data_free(data);
    return result;
}
