/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the cases that every language runs, through the C interface:
 *
 *   conformance CASES DATA_FOLDER OUT_FOLDER
 *
 * A line of CASES is name, file with options, machine and key=value pairs, separated by tabs. Of each case
 * OUT_FOLDER gets a file with predictions, decisions, explanations, kernel weights and prototype coefficients
 * as doubles, and the model.
 */
#include <dk/dk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(dk_status status) {
    if (status == DK_OK) return;
    fprintf(stderr, "%s: %s\n", dk_status_name(status), dk_last_error());
    exit(1);
}

static void* allocate(size_t bytes) {
    void* memory = malloc(bytes > 0 ? bytes : 1);
    if (memory == NULL) exit(1);
    return memory;
}

static void put(FILE* file, const void* bytes, size_t size) {
    if (fwrite(bytes, 1, size, file) != size) exit(1);
}

static void write_answers(FILE* file, const dk_model* model, const dk_data* data) {
    const int64_t rows = dk_data_rows(data);
    const int64_t lengths[6] = {rows,
                                rows * dk_model_decision_count(model),
                                rows * dk_model_prototype_count(model),
                                dk_model_kernel_count(model),
                                dk_model_prototype_count(model) * dk_model_training_rows(model),
                                rows * dk_model_transform_count(model)};
    int64_t needed = 0;
    int kind = 0;
    void* bytes = NULL;
    for (kind = 0; kind < 6; ++kind) {
        const int64_t length = lengths[kind];
        double* values = allocate((size_t)length * sizeof *values);
        switch (kind) {
            case 0:
                check(dk_predict(values, length, model, data, NULL));
                break;
            case 1:
                check(dk_decision(values, length, model, data, NULL));
                break;
            case 2:
                check(dk_explain(values, length, model, data, NULL));
                break;
            case 3:
                check(dk_model_kernel_weights(values, length, model));
                break;
            case 4:
                check(dk_model_prototype_coefficients(values, length, model));
                break;
            default:
                if (length > 0) check(dk_transform(values, length, model, data, NULL));
                break;
        }
        put(file, values, (size_t)length * sizeof *values);
        free(values);
    }
    check(dk_model_write(NULL, 0, &needed, model));
    bytes = allocate((size_t)needed);
    check(dk_model_write(bytes, needed, &needed, model));
    put(file, bytes, (size_t)needed);
    free(bytes);
}

static void run_case(char* line, const char* data_folder, const char* out_folder) {
    char path[4096];
    const char* name = strtok(line, "\t\n");
    char* file_name = strtok(NULL, "\t\n");
    const char* machine = strtok(NULL, "\t\n");
    char* pair = NULL;
    char* options = NULL;
    dk_data* data = NULL;
    dk_params* params = NULL;
    dk_model* model = NULL;
    FILE* file = NULL;
    if (name == NULL || file_name == NULL || machine == NULL) exit(1);
    options = strchr(file_name, ' ');
    if (options != NULL) *options++ = '\0';
    snprintf(path, sizeof path, "%s/%s", data_folder, file_name);
    check(dk_data_from_file(&data, path, options, NULL));
    check(dk_params_create(&params, machine));
    while ((pair = strtok(NULL, "\t\n")) != NULL) {
        char* equals = strchr(pair, '=');
        if (equals == NULL) exit(1);
        *equals = '\0';
        check(dk_params_set(params, pair, equals + 1));
    }
    check(dk_train(&model, data, params, NULL));
    snprintf(path, sizeof path, "%s/%s", out_folder, name);
    file = fopen(path, "wb");
    if (file == NULL) exit(1);
    write_answers(file, model, data);
    if (fclose(file) != 0) exit(1);
    dk_model_free(model);
    dk_params_free(params);
    dk_data_free(data);
}

int main(int argc, char** argv) {
    char line[4096];
    FILE* cases = argc == 4 ? fopen(argv[1], "r") : NULL;
    if (cases == NULL) {
        fprintf(stderr, "usage: conformance CASES DATA_FOLDER OUT_FOLDER\n");
        return 2;
    }
    while (fgets(line, sizeof line, cases) != NULL) run_case(line, argv[2], argv[3]);
    fclose(cases);
    return 0;
}
