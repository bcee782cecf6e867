/* SPDX-License-Identifier: Apache-2.0
 *
 * libdk: deep kernels, multiple kernels and prototypes behind one stable C ABI.
 *
 * This header is the whole public interface: C99, self-contained, usable from C++. An example stands first,
 * then what it needs, then all the rest; what is experimental stands at the end, behind a fence.
 *
 * Conventions
 *   - Handles (dk_data, dk_params, dk_model, dk_control) are opaque. dk_*_free(NULL) does nothing.
 *   - A function that can fail returns dk_status. Its outputs come first; on failure `*out` of a
 *     handle is NULL and buffers are unspecified. dk_last_error() says what was wrong, with which
 *     value, and what is allowed.
 *   - Inputs are copied or fully used before return. Outputs go to buffers that the caller
 *     allocates; `length` is the number of elements the caller provides and must be exactly the
 *     number documented. Nothing libdk returns is ever passed to free().
 *   - Text outputs take (char *out, int64_t capacity, int64_t *needed). `*needed` is set to the
 *     bytes required, the terminating zero included. out = NULL with capacity = 0 only asks; a
 *     capacity that is too small fails with DK_ERR_BUFFER_TOO_SMALL and writes nothing.
 *   - Strings are UTF-8, zero terminated. Sizes and indices are int64_t, indices start at 0.
 *   - Matrices are (x, rows, cols, ld, layout). DK_ROW_MAJOR: element (i, j) is x[i * ld + j],
 *     ld >= cols. DK_COL_MAJOR: x[j * ld + i], ld >= rows. ld counts elements.
 *   - Matrices that libdk writes are row-major and dense.
 *   - Thread safety: different handles are independent. A const handle may be used by any number
 *     of threads at once (predicting waits for no other call and writes no cache). A non-const handle is
 *     used by one thread at a time, except where dk_control says otherwise.
 *   - A dk_control argument may always be NULL: the usual threads (dk_control_set_threads says which), no
 *     progress, no cancel.
 *   - The same input, parameters and seed give the same bits for any number of threads.
 *   - No function prints, exits, raises a signal, changes the locale or lets an exception out.
 *   - Machines, kernels, weights and parameters are named by strings. dk_describe tells all of them, and of
 *     each machine what its prototypes are.
 *
 * Example
 *
 *     int learn(void) {
 *         dk_data* data = NULL;
 *         dk_params* params = NULL;
 *         dk_model* model = NULL;
 *         double predicted[208], weights[2];
 *         int64_t nearest[2];
 *         dk_status failed = dk_data_from_file(&data, "sonar.csv", NULL, NULL);
 *         if (!failed) failed = dk_params_create(&params, "svm");
 *         if (!failed) failed = dk_params_parse(params, "C=10 scale=standard neighbours=1 weights=dimkl1 "
 *                                                       "kernel=[rbf(gamma=1/d), arccos(1,0)]");
 *         if (!failed) failed = dk_train(&model, data, params, NULL);
 *         if (!failed) failed = dk_predict(predicted, 208, model, data, NULL);
 *         if (!failed) failed = dk_model_kernel_weights(weights, 2, model);
 *         if (!failed) failed = dk_model_prototype_nearest(nearest, NULL, 2, model);
 *         if (!failed) failed = dk_model_save(model, "sonar.dk");
 *         if (failed) fprintf(stderr, "%s\n", dk_last_error());
 *         dk_model_free(model);
 *         dk_params_free(params);
 *         dk_data_free(data);
 *         return failed;
 *     }
 *
 * Then predicted has a class for each of the 208 rows of the file, weights says how much each of the two
 * kernels counts, and nearest names the row that is most like each of the two prototypes.
 */
#ifndef DK_DK_H
#define DK_DK_H

#include <stdint.h>

#if defined(_WIN32) && defined(DK_BUILDING_LIBRARY)
#define DK_API __declspec(dllexport)
#elif defined(_WIN32)
#define DK_API __declspec(dllimport)
#elif defined(__GNUC__)
#define DK_API __attribute__((visibility("default")))
#else
#define DK_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define DK_VERSION_MAJOR 0
#define DK_VERSION_MINOR 1
#define DK_VERSION_PATCH 0

/* ------------------------------------------------------------------------------------------- */
/* Status and errors                                                                            */
/* ------------------------------------------------------------------------------------------- */

/* Result of a call. Values are only ever appended. */
typedef int32_t dk_status;
enum {
    DK_OK = 0,
    DK_ERR_INVALID_ARGUMENT = 1,  /* null pointer, negative size, unknown enum value, wrong buffer length */
    DK_ERR_INVALID_PARAMETER = 2, /* unknown key, wrong type, value out of range */
    DK_ERR_INVALID_KERNEL = 3,    /* kernel or weight specification that does not parse or make sense */
    DK_ERR_INVALID_DATA = 4,      /* NaN, infinity, one class only, unreadable file content, ... */
    DK_ERR_DIMENSION = 5,         /* datasets, models or kernels whose shapes do not fit together */
    DK_ERR_OUT_OF_MEMORY = 6,     /* the system refused an allocation */
    DK_ERR_MEMORY_BUDGET = 7,     /* the work needs more than `memory_mb`; the message says how much */
    DK_ERR_CANCELLED = 8,         /* dk_control_cancel, or a progress callback that returned non-zero */
    DK_ERR_UNSUPPORTED = 9,       /* a combination that libdk does not have (yet) */
    DK_ERR_IO = 10,               /* a file could not be opened, read or written */
    DK_ERR_MODEL_FORMAT = 11,     /* no libdk model, damaged, or of a newer major version */
    DK_ERR_NUMERICAL = 12, /* no solution in floating point: not separable, not positive definite, ... */
    DK_ERR_BUFFER_TOO_SMALL = 13, /* text or bytes do not fit; `*needed` says the size */
    DK_ERR_INTERNAL = 14,         /* a defect in libdk; please report the message */
    DK_ERR_CALLBACK = 15          /* a callback of the caller reported failure */
};

/* The calling thread's message for its last call that failed; "" when there was none. Valid until
 * that thread's next failing call. Never NULL. Since 0.1. */
DK_API const char* dk_last_error(void);

/* The name of a status, such as "DK_ERR_CANCELLED"; "DK_ERR_UNKNOWN" for a value libdk does not
 * have. Static text, never NULL. Since 0.1. */
DK_API const char* dk_status_name(dk_status status);

/* ------------------------------------------------------------------------------------------- */
/* Data                                                                                         */
/* ------------------------------------------------------------------------------------------- */

typedef struct dk_data dk_data;
typedef struct dk_params dk_params;
typedef struct dk_model dk_model;
typedef struct dk_control dk_control; /* NULL does; see "Control" */

typedef int32_t dk_layout;
enum { DK_ROW_MAJOR = 0, DK_COL_MAJOR = 1 };

/* Reads a file, gzip compressed or not. `options` is NULL or key=value pairs separated by spaces:
 *   format=auto|csv|arff|libsvm|precomputed|series|ts|ucr|strings
 *                             auto: series, arff and ts by how they begin, ucr by a name as _TRAIN.tsv
 *                             above numbers; else by name (.csv, .tsv, .arff, .svm, .libsvm, .ts, with or
 *                             without .gz), then by content. ts and ucr are series of these archives, a line
 *                             for each; precomputed is LIBSVM's 0:number 1:value ..., which auto knows too
 *   header=auto|yes|no        csv: auto takes the first line for names when it has text where the second line
 *                             has a number, a name that label=, text= or groups= asks for or that is usual,
 *                             or in a file of texts alone, texts that do not stand again in their columns
 *   delimiter=auto|,|;|tab|space, or a bar
 *   label=NAME|INDEX,...|none|guess
 *                             csv: the column with labels (index from 0, -1 is the last); default: the
 *                             column named label, class, target or y, whatever its case; in a file without
 *                             names the last one, where it has texts that repeat or few integers and the
 *                             first looks less like classes; else none. guess takes the last column of any
 *                             file. arff: else what MEKA's -C says, else the last nominal attribute. Names or
 *                             indices with commas between them are several targets of each row
 *                             (dk_data_set_targets); where all are 0 or 1, or true and false, they say which
 *                             labels a row has, too (dk_data_set_label_sets)
 *   label_delimiter=none|,|;|space, or a bar
 *                             csv, arff: rows may have several labels, or none, with this between them in the
 *                             column of labels; libsvm: labels with commas, 3,1 1:0.5, are several without it
 *   text=NAME|INDEX           strings: the column with the strings; default: the one named text, string or
 *                             sequence, else the first that is not the label
 *   ignore=NAME|INDEX,...     csv: columns that are left out, beside those that only say which row this is
 *                             (unnamed or named as identifiers are, with another integer in every row); none
 *                             keeps these
 *   groups=NAME|INDEX|none    csv, series, strings: the column with the group of each row, such as a patient;
 *                             integers or any texts, see dk_data_set_groups; default: none. libsvm: queries
 *                             (qid:) that differ are groups, and none ignores them
 *   missing=refuse|keep|WORD,...
 *                             csv: whether empty fields, ?, NA, N/A, NaN, NULL and None (a dash or a point
 *                             among numbers) are errors or missing values; words are further markers, and
 *                             only makes them the only ones
 *   decimal=auto|.|,          csv: the decimal mark
 *   thousands=auto|none|,|.|' csv: the mark between groups of three digits; auto finds both marks, per cent,
 *                             currencies and exponents with D where whole columns agree
 *   dates=refuse|days|yearday|weekday|text
 *                             csv: what becomes of columns of dates
 *   encoding=utf8|latin1      how the file is written
 *   unlabelled=refuse|skip    csv: what becomes of rows whose label is missing
 *   id=NAME|INDEX|none        csv: the column with the names of the rows (dk_data_set_row_names), which is no
 *                             feature; default: none
 *   index_base=auto|0|1       libsvm: indices count from this; auto takes 0 where an index 0 stands anywhere
 *   cols=N                    libsvm: number of columns at least (test files may lack the last ones)
 * Label columns of integers become labels, of text or with leading zeros label names; numeric ones become
 * targets too. A model keeps what was understood, and reads files alike.
 * CSV gives dense data, LIBSVM sparse data, and ARFF what its rows are; weights of ARFF's rows are sample
 * weights. Comments (#) above a table, the line sep= and delimiters at the ends of lines are passed over. A
 * CSV column without any number becomes indicators, one for each of its texts, named "column=text"; one with
 * another text in each of more than 20 rows is refused. A file of series has one line a step: a column
 * `series` that names what the step belongs to, perhaps a label, a group and a column t, time or step (none
 * of them read as channels), and the channels. Errors name line and field, and all columns of a table that
 * cannot be read, with the options that help. Reading takes at most 64 times the size of the file,
 * decompressed, and 8 bytes for each value of the data, and asks the control's memory for both. Since 0.1. */
DK_API dk_status dk_data_from_file(dk_data** out, const char* path, const char* options, dk_control* control);

/* A dataset of `rows` samples with `cols` features, copied. rows, cols >= 1. NaN and infinity are
 * refused with their row and column (DK_ERR_INVALID_DATA). Since 0.1. */
DK_API dk_status dk_data_from_dense(dk_data** out, const double* x, int64_t rows, int64_t cols, int64_t ld,
                                    dk_layout layout);

/* Integer class labels of any values, one for each row. Replaces earlier labels. length = rows. Since 0.1. */
DK_API dk_status dk_data_set_labels(dk_data* data, const int64_t* labels, int64_t length);

/* Class labels by name, one non-empty string a row, of at most 65,536 bytes as all names. Classes are
 * numbered in the order of strcmp. Since 0.1. */
DK_API dk_status dk_data_set_label_names(dk_data* data, const char* const* labels, int64_t length);

/* Several labels a row, or none, as compressed rows: the labels of row i are at the positions
 * labels[row_offsets[i]] to labels[row_offsets[i + 1] - 1] of `names`, in any order. row_offsets has
 * offsets = rows + 1 elements, from 0 to `length`; `labels` has `length` (NULL for 0), and `names` has
 * `count` different texts, like label names, of which rows need not have each. A classifier that learns them
 * ("several_labels" in dk_describe) makes one model with a function for each label, of task
 * DK_TASK_MULTILABEL. Replaces earlier labels, as these replace sets. Since 0.1. */
DK_API dk_status dk_data_set_label_sets(dk_data* data, const int64_t* row_offsets, int64_t offsets,
                                        const int64_t* labels, int64_t length, const char* const* names,
                                        int64_t count);

/* Regression targets, finite. length = rows, or rows x targets, row by row, for several targets of each row,
 * which some machines learn at once ("several_targets" in dk_describe); of a regression that learns one they
 * are DK_ERR_UNSUPPORTED in training. Since 0.1. */
DK_API dk_status dk_data_set_targets(dk_data* data, const double* targets, int64_t length);

/* Number of rows or columns, or the kind; -1 for NULL. Since 0.1. */
DK_API int64_t dk_data_rows(const dk_data* data);
DK_API int64_t dk_data_cols(const dk_data* data);
DK_API int32_t dk_data_kind(const dk_data* data);

/* Frees a dataset; no call may be using it. NULL is allowed. Since 0.1. */
DK_API void dk_data_free(dk_data* data);

/* ------------------------------------------------------------------------------------------- */
/* Parameters                                                                                   */
/* ------------------------------------------------------------------------------------------- */

/* Parameters of a machine, which dk_describe lists, at their defaults. An unknown name fails with the nearest
 * one. The name "auto" stands for a choice: training compares scales, kernels, widths and costs on the rows
 * that it is given, and trains the machine that did best, for the task that the rows have. What is set is not
 * chosen. Since 0.1. */
DK_API dk_status dk_params_create(dk_params** out, const char* machine);

/* Sets several parameters, as in "C=10 kernel=rbf(gamma=0.5)". Pairs are separated by white space; white
 * space inside brackets belongs to the value. Either all are set or none. Since 0.1. */
DK_API dk_status dk_params_parse(dk_params* params, const char* text);

/* Frees parameters; no call may be using them. NULL is allowed. Since 0.1. */
DK_API void dk_params_free(dk_params* params);

/* ------------------------------------------------------------------------------------------- */
/* Train and predict                                                                            */
/* ------------------------------------------------------------------------------------------- */

/* Trains: scales the data, weighs the bank of kernels, runs the machine. A classifier needs labels, a
 * regression targets (or integer labels, taken as such), a novelty detector or a clustering neither. All
 * numbers that a model file holds are finite: where one would not be, such as the length of a function of
 * huge values, the call fails with DK_ERR_NUMERICAL. Columns on other scales are brought to one (the
 * parameter scale); "training" in dk_model_info has "scaled" then, which says why. With parameters of "auto",
 * "choice" there has what was tried in each round, with means and standard errors, and "cross_validation" the
 * last round. A number that is to be found, as with C=auto, gamma=auto, kernel=rbf(gamma=auto:cv) or
 * tune=..., is searched first, as dk_cross_validate does it. Since 0.1. */
DK_API dk_status dk_train(dk_model** out, const dk_data* data, const dk_params* params, dk_control* control);

/* One prediction a row: the class label (its position in dk_model_classes where classes have names), or the
 * value of a regression, of several levels that of the middle one, and of several targets each of them. The
 * class is the one its decisions elect: by sign, by the largest signed distance (ovr), by the largest
 * decision (where a machine learns all classes by one program), or by votes, where classes with most votes
 * are told apart by the signed distances of the pairs among them (ovo). Ties go to the first class.
 * Probabilities change nothing of that, unless the model was trained with probability=yes and
 * elect=probability, which predicts the most probable class. A novelty detector predicts 1 for rows like the
 * training rows, else -1; a clustering the number of the row's cluster, counted from 0. A model of several
 * labels a row writes for each label, in the order of dk_model_classes, 1 where its decision is above 0 (with
 * elect=probability its probability above 1/2), else 0. length = rows, or rows x targets where the model has
 * several targets or labels (dk_model_target_count). Since 0.1. */
DK_API dk_status dk_predict(double* out, int64_t length, const dk_model* model, const dk_data* data,
                            dk_control* control);

/* Predictions, decisions (dk_decision) and probabilities (dk_probability) of rows in one pass over the
 * kernel, without a dataset: the short way for a service. x is rows x cols, row by row, with the columns of
 * the training data; values may be NaN where the model fills them. An output that is not asked for is NULL
 * with length 0; others have the lengths of dk_predict, dk_decision and dk_probability. Nothing is written
 * where the call fails. Since 0.1. */
DK_API dk_status dk_predict_rows(double* predictions, int64_t prediction_length, double* decisions,
                                 int64_t decision_length, double* probabilities, int64_t probability_length,
                                 const dk_model* model, const double* x, int64_t rows, int64_t cols,
                                 dk_control* control);

/* A measure of the model's predictions for labelled data: accuracy, precision, recall, f1 (macro averages;
 * for two classes those of the second), balanced_accuracy, kappa, mcc, auc, nauc (the mean of the ROC curve
 * up to the false acceptance rate 0.1; nauc(0.05) up to 0.05; nauc(2, area=4) up to 2 false alarms for each
 * unit of an area of 4), far, frr, eer, mae; of a model with probabilities log_loss and brier; for a
 * regression mae, rmse, r2 of data with targets, of several targets the mean over these; of several labels a
 * row accuracy (all of a row's labels are right), hamming_loss, jaccard, label_ranking, micro_f1, and
 * precision, recall, f1 and auc, which are means over the labels. Another task's metric is
 * DK_ERR_UNSUPPORTED. Since 0.1. */
DK_API dk_status dk_score(double* out, const dk_model* model, const dk_data* data, const char* metric,
                          dk_control* control);

/* ------------------------------------------------------------------------------------------- */
/* Weights                                                                                      */
/* ------------------------------------------------------------------------------------------- */

/* The number of kernels in the bank; -1 for NULL. Since 0.1. */
DK_API int64_t dk_model_kernel_count(const dk_model* model);

/* The weight of each kernel of the bank, and its specification with all parameters as numbers.
 * length = kernel count. Since 0.1. */
DK_API dk_status dk_model_kernel_weights(double* out, int64_t length, const dk_model* model);
DK_API dk_status dk_model_kernel_name(char* out, int64_t capacity, int64_t* needed, const dk_model* model,
                                      int64_t kernel);

/* ------------------------------------------------------------------------------------------- */
/* Prototypes                                                                                   */
/* ------------------------------------------------------------------------------------------- */

/* The numbers of prototypes and of training rows, the rows of the dataset that the model was trained on; -1
 * for NULL. Since 0.1. */
DK_API int64_t dk_model_prototype_count(const dk_model* model);
DK_API int64_t dk_model_training_rows(const dk_model* model);

/* The class each prototype stands for, as a position in dk_model_classes; -1 for "all the others"
 * (one-vs-rest). Where dk_model_prototype_pairs is 1, function f has prototypes 2 f (p+) and 2 f + 1 (p-).
 * length = prototype count.
 * Since 0.1. */
DK_API dk_status dk_model_prototype_classes(int64_t* out, int64_t length, const dk_model* model);

/* 1 where decision function f has the prototypes 2 f (p+) and 2 f + 1 (p-); 0 where the model learned
 * prototypes of its own, which belong to no function, or has one for each class (multiclass=nearest); -1 for
 * NULL. dk_describe has in "prototypes" of each machine what they are. Since 0.1. */
DK_API int32_t dk_model_prototype_pairs(const dk_model* model);

/* Each prototype as a convex combination of training rows: prototypes x training rows, rows non-negative with
 * sum 1. Some machines have others, as dk_describe tells: of unit length, with negative coefficients, or free
 * vectors (dk_model_prototype_coordinates), whose coefficients are all zero unless they are training rows.
 * length = prototypes * training rows. Since 0.1. */
DK_API dk_status dk_model_prototype_coefficients(double* out, int64_t length, const dk_model* model);

/* The training rows nearest to each prototype in feature space, nearest first, and their distances
 * (out_distances may be NULL): prototypes x neighbours, neighbours as the model was trained with (parameter
 * neighbours, dk_model_prototype_neighbours). length = prototypes * neighbours. Since 0.1. */
DK_API dk_status dk_model_prototype_nearest(int64_t* out_rows, double* out_distances, int64_t length,
                                            const dk_model* model);
DK_API int64_t dk_model_prototype_neighbours(const dk_model* model);

/* Each prototype as a point among the features, in the units of the training data: prototypes x features.
 * Exists when the kernel is linear, and for machines whose prototypes have coordinates as dk_describe tells;
 * otherwise DK_ERR_UNSUPPORTED. With scale_rows they are points among the scaled rows. With layers that rank
 * columns, the columns that these leave out are NaN; after layers of components prototypes are points among
 * the components, which is DK_ERR_UNSUPPORTED. Since 0.1. */
DK_API dk_status dk_model_prototype_coordinates(double* out, int64_t length, const dk_model* model);

/* ------------------------------------------------------------------------------------------- */
/* Save and load                                                                                */
/* ------------------------------------------------------------------------------------------- */

/* Writes the model to a file: to a temporary file beside it, synced, then renamed, so that a crash
 * leaves the old one. Since 0.1. */
DK_API dk_status dk_model_save(const dk_model* model, const char* path);

/* Reads a model file. Damaged, truncated or foreign files are DK_ERR_MODEL_FORMAT. A model takes at most 160
 * times the size of its file, and a usual one 4 times, for which the control's memory is asked. Since 0.1. */
DK_API dk_status dk_model_load(dk_model** out, const char* path, dk_control* control);

/* Frees a model; no call may be using it. NULL is allowed. Since 0.1. */
DK_API void dk_model_free(dk_model* model);

/* ------------------------------------------------------------------------------------------- */
/* About the library                                                                            */
/* ------------------------------------------------------------------------------------------- */

/* Everything that can be named in a string, as JSON: machines, kernels, weights, layers, common
 * parameters and metrics, each with its parameters' types, defaults, ranges and one line of
 * documentation. Bindings and the command line are generated from it. Text output. Since 0.1. */
DK_API dk_status dk_describe(char* out, int64_t capacity, int64_t* needed);

/* "major.minor.patch" of the library that is loaded. Static text. Since 0.1. */
DK_API const char* dk_version_string(void);

/* major * 10000 + minor * 100 + patch. Since 0.1. */
DK_API int32_t dk_version_number(void);

/* One line about this build: version, compiler, the vector instructions in use, and what runs parallel loops
 * (OpenMP, or own threads). Static text, never NULL.
 * Since 0.1. */
DK_API const char* dk_build_info(void);

/* ------------------------------------------------------------------------------------------- */
/* Control: what belongs to one call (threads, progress, cancel)                                */
/* ------------------------------------------------------------------------------------------- */

/* Called on the thread that called libdk, never on another, at most about 20 times a second.
 * `fraction` is in [0, 1] and never falls during one call; `stage` names the work in progress and
 * is valid during the callback only. A non-zero return cancels the call. It must not unwind
 * (throw, longjmp) through libdk. */
typedef int32_t (*dk_progress_callback)(double fraction, const char* stage, void* user);

/* One call at a time has a control: while it runs, also in its callbacks, dk_control_cancel and
 * dk_control_progress are allowed, and all else with this control is DK_ERR_INVALID_ARGUMENT. This makes one
 * with the usual threads, no callback, not cancelled. Since 0.1. */
DK_API dk_status dk_control_create(dk_control** out);

/* Number of threads for calls that use this control: 1 to 1024, or 0 for the usual number, which is what
 * OpenMP is told (OMP_NUM_THREADS, OMP_THREAD_LIMIT, the program's omp_set_num_threads), and all processors
 * where nobody tells it; a build without OpenMP takes all processors. Changes nothing for the rest of the
 * process. Long loops run on OpenMP's threads, which the calling thread keeps until it ends, short ones on
 * threads that the control keeps until it is freed. Own threads do all in a child of fork, in a parallel
 * region of the program, and where the system refuses threads, with the same results; fewer do it where there
 * are no more. What libdk can't prevent is that GCC's OpenMP ends the process when the system refuses memory
 * or a thread to it in the moment after libdk was given as much; one thread a call, or a build with
 * DK_OPENMP=OFF, is the way around. Since 0.1. */
DK_API dk_status dk_control_set_threads(dk_control* control, int32_t threads);

/* What the large objects of a call with this control may take together, in MB of 2^20 bytes: 1 to 2^40, or 0,
 * the default, for half of the machine's memory. Whatever a call makes of its input, be it a file, a model or
 * data, asks this before it is allocated; what does not fit is DK_ERR_MEMORY_BUDGET with the figure needed.
 * The parameter memory_mb can only lower it. Since 0.1. */
DK_API dk_status dk_control_set_memory(dk_control* control, int64_t megabytes);

/* Installs a callback (NULL removes it). Since 0.1. */
DK_API dk_status dk_control_set_progress(dk_control* control, dk_progress_callback callback, void* user);

/* Asks the running call, or the next one, to stop. Safe from any thread at any time, and from a
 * signal handler. The call answers within 0.2 s with DK_ERR_CANCELLED; the request stays until
 * dk_control_reset. Since 0.1. */
DK_API dk_status dk_control_cancel(dk_control* control);

/* Forgets a cancel and the progress so that the control can be used again. Since 0.1. */
DK_API dk_status dk_control_reset(dk_control* control);

/* Progress of the running or last call in [0, 1]. Safe from any thread. -1 for NULL. Since 0.1. */
DK_API double dk_control_progress(const dk_control* control);

/* Frees a control; no call may be using it. NULL is allowed. Since 0.1. */
DK_API void dk_control_free(dk_control* control);

/* ------------------------------------------------------------------------------------------- */
/* More data                                                                                    */
/* ------------------------------------------------------------------------------------------- */

/* What a dataset holds; see dk_data_kind. Values are only ever appended. */
enum {
    DK_KIND_DENSE = 0,
    DK_KIND_SPARSE = 1,
    DK_KIND_GRAM = 2, /* similarities: dk_data_from_gram, dk_data_from_similarity */
    DK_KIND_SERIES = 3,
    DK_KIND_STRINGS = 4,
    DK_KIND_GRAPHS = 5
};

/* Makes a dataset as dk_data_from_dense does, from values of single precision, which are widened exactly.
 * Since 0.1. */
DK_API dk_status dk_data_from_dense_f32(dk_data** out, const float* x, int64_t rows, int64_t cols, int64_t ld,
                                        dk_layout layout);

/* Makes a dataset as dk_data_from_dense does, where NaN stands for a missing value. Training refuses missing
 * values, with row and column, unless the parameter impute says what fills them; the model then fills them in
 * predicting too. Since 0.1. */
DK_API dk_status dk_data_from_dense_missing(dk_data** out, const double* x, int64_t rows, int64_t cols,
                                            int64_t ld, dk_layout layout);

/* Compressed sparse rows: row i has entries row_offsets[i] .. row_offsets[i + 1] - 1, with strictly
 * increasing columns in [0, cols). row_offsets has rows + 1 elements, from 0 to `entries`; columns
 * and values have `entries` elements (both may be NULL when entries = 0). Since 0.1. */
DK_API dk_status dk_data_from_csr(dk_data** out, const int64_t* row_offsets, const int64_t* columns,
                                  const double* values, int64_t rows, int64_t cols, int64_t entries);

/* Time series of any length >= 1: series i has lengths[i] steps of `channels` values, all one after the other
 * (step by step, series by series). rows, channels >= 1. Kernels: gak, dtw. Since 0.1. */
DK_API dk_status dk_data_from_series(dk_data** out, const double* values, const int64_t* lengths,
                                     int64_t rows, int64_t channels);

/* Strings in UTF-8, which may be empty. Kernels: spectrum, mismatch, subsequence, edit. Since 0.1. */
DK_API dk_status dk_data_from_strings(dk_data** out, const char* const* strings, int64_t rows);

/* Undirected graphs: graph i has node_counts[i] >= 1 nodes with integer labels (node_labels, all graphs one
 * after the other; NULL: all 0) and edge_counts[i] >= 0 edges (edges, two nodes each, counted from 0 within
 * the graph; may be NULL when there are none). Kernel: weisfeiler_lehman. Since 0.1. */
DK_API dk_status dk_data_from_graphs(dk_data** out, const int64_t* node_counts, const int64_t* node_labels,
                                     const int64_t* edge_counts, const int64_t* edges, int64_t rows);

/* Precomputed similarities: `matrices` >= 1 matrices of rows x cols, one after the other, matrix q
 * starting at x + q * matrix_stride. Element (i, j) is the similarity of row i to *training* row j,
 * so rows = cols for training and cols = number of training rows for predicting. Kernel gram(q)
 * reads matrix q. Training matrices must be symmetric to 1e-9 of their largest element, unless the
 * parameter spectrum corrects them: then the mean of a matrix and its transpose counts.
 * `self` (matrices x rows, row-major) holds each row's similarity to itself, needed only where a
 * kernel (normalize) or explanations ask for it. NULL takes the diagonals of matrices that are symmetric,
 * as those of training rows are. Since 0.1. */
DK_API dk_status dk_data_from_gram(dk_data** out, const double* x, int64_t matrices, int64_t rows,
                                   int64_t cols, int64_t ld, dk_layout layout, int64_t matrix_stride,
                                   const double* self);

/* Similarities that the caller computes when they are asked for: writes the similarity of each of
 * rows[0 .. row_count) with each of training_rows[0 .. training_count) to `out`, row-major without gaps, and
 * returns 0. Any other value ends the call of libdk with DK_ERR_CALLBACK. It must not unwind (throw,
 * longjmp) through libdk. Similarities are taken as symmetric: in training only pairs with
 * rows[i] <= training_rows[j] count. */
typedef int32_t (*dk_similarity_callback)(double* out, const int64_t* rows, int64_t row_count,
                                          const int64_t* training_rows, int64_t training_count, void* user);

/* A dataset of `rows` objects that only the caller knows: it holds no matrix, as that of dk_data_from_gram
 * does, but asks the callback. Kernel gram(0) reads it. rows = training_rows for training; for predicting
 * training_rows is the number of rows the model was trained on. `self` holds each row's similarity to itself
 * (rows elements) or is NULL: then the callback is asked for those of training rows. With concurrent = 0 only
 * the thread that called libdk calls back, one call at a time; with 1 any number of threads at once may. A
 * cancel is answered after the callback that runs. The callback and `user` must live as long as the dataset
 * and its copies (dk_data_select); models do not keep them. Since 0.1. */
DK_API dk_status dk_data_from_similarity(dk_data** out, int64_t rows, int64_t training_rows,
                                         dk_similarity_callback callback, void* user, const double* self,
                                         int32_t concurrent);

/* Reads a file as dk_data_from_file does, and gives it the features of the data that `model` was trained on.
 * The options with which the training file was read hold where `options` does not say otherwise; the label
 * and the groups may lack, and a model that fills missing values has them kept. Columns are found by their
 * names, in whatever order they stand. A text that training did not know sets none of its column's
 * indicators, and columns that training did not have are left out, as further indices of LIBSVM's format
 * are. Where the file or the model has no names, columns are known by their positions. Since 0.1. */
DK_API dk_status dk_data_from_file_like(dk_data** out, const char* path, const char* options,
                                        const dk_model* model, dk_control* control);

/* Weight of each row in training, finite and >= 0, not all zero. length = rows. Since 0.1. */
DK_API dk_status dk_data_set_sample_weights(dk_data* data, const double* weights, int64_t length);

/* The group of each row, any integers: rows that belong together, such as those of one patient, and that no
 * fold divides. Everything that holds out folds keeps a group in one of them: dk_data_folds, cross-validation
 * and its grids, probability=yes, and the choices that machines make on held-out rows. Sets drawn from these
 * data (dk_data_select) keep the groups. length = rows. Since 0.1. */
DK_API dk_status dk_data_set_groups(dk_data* data, const int64_t* groups, int64_t length);

/* Names of the columns, or of the channels of series, unique, not empty, of at most 65,536 bytes. length =
 * columns. A model keeps those of its training data, and finds by them the columns of data that have names
 * too, in whatever order they stand: one that lacks is DK_ERR_DIMENSION, others are left out. Columns of data
 * or models without names are known by their positions. Since 0.1. */
DK_API dk_status dk_data_set_feature_names(dk_data* data, const char* const* names, int64_t length);

/* Names of the rows, such as numbers of patients, not empty, of at most 65,536 bytes: no features, and not
 * unique of need. Selections keep them; explanations and pages name rows by them. length = rows. Since 0.1.
 */
DK_API dk_status dk_data_set_row_names(dk_data* data, const char* const* names, int64_t length);

/* The class of each row as dk_predict would give it (see there).
 * Labels beyond 2^53, which no double tells apart, are given as they are; a model has their digits as names
 * of its classes. length = rows. DK_ERR_INVALID_DATA when the data has no labels,
 * DK_ERR_UNSUPPORTED where rows may have several. Since 0.1. */
DK_API dk_status dk_data_labels(int64_t* out, int64_t length, const dk_data* data);

/* The features of dense data, row-major; length = rows * cols. Since 0.1. */
DK_API dk_status dk_data_values(double* out, int64_t length, const dk_data* data);

/* The name of a column ("f1", "f2", ... where none was given). Text output. Since 0.1. */
DK_API dk_status dk_data_feature_name(char* out, int64_t capacity, int64_t* needed, const dk_data* data,
                                      int64_t column);

/* The name of a row, empty where rows have none. Text output. Since 0.1. */
DK_API dk_status dk_data_row_name(char* out, int64_t capacity, int64_t* needed, const dk_data* data,
                                  int64_t row);

/* What the data are, to be looked at before a training, as JSON: "kind", "rows", "cols", and
 * "answers" (classes, or labels of which a row may have several: a list of name and rows; targets: least,
 * mean, largest, deviation; both where labels are numbers, neither where the rows have no labels);
 * "understood" (sentences on how the file was read: the label's column, what was left out, how numbers are
 * written); "warnings" (sentences on what looks wrong: columns that are constant, the same as others, on
 * other scales by a factor of more than 100, or that tell the class alone; copies of rows; classes of fewer
 * than 5 rows); "columns" of dense and sparse data (name; kind: numbers, integers, two values, constant,
 * texts; missing; distinct; least, mean, largest and deviation, or levels of texts: a list of name and rows).
 * Text output; work of columns x rows x log(rows). Since 0.1. */
DK_API dk_status dk_data_describe(char* out, int64_t capacity, int64_t* needed, const dk_data* data,
                                  dk_control* control);

/* A copy of the rows named, with their labels, targets, weights and groups, in the order given; repeats
 * are allowed. count >= 1. Since 0.1. */
DK_API dk_status dk_data_select(dk_data** out, const dk_data* data, const int64_t* rows, int64_t count);

/* A stratified split: assigns every row to one of `folds` folds so that each class (or, for
 * targets, each quantile) is spread evenly. out[i] in [0, folds). length = rows, folds in
 * [2, rows]. The same seed gives the same split on every machine.
 *
 * Rows with groups (dk_data_set_groups) are assigned group by group, so folds is in [2, number of groups]: by
 * descending size, groups of one size by ascending number, each to the fold that leaves the classes most even
 * (the sum over folds and classes of the squared difference between the fold's share of the class and
 * 1 / folds is least), of equal ones to that with the fewest rows so far, then to the first. Where rows have
 * no classes, or only one, that is always the fold with the fewest rows. This is so for the seed 1, the
 * default of the parameter seed; any other seed, and so every further repeat of a cross-validation, takes
 * groups of about the same size (1, 2 to 3, 4 to 7, 8 to 15 rows, ...) in random order. Since 0.1. */
DK_API dk_status dk_data_folds(int64_t* out, int64_t length, const dk_data* data, int64_t folds,
                               uint64_t seed);

/* ------------------------------------------------------------------------------------------- */
/* More parameters                                                                              */
/* ------------------------------------------------------------------------------------------- */

/* What a machine learns: classes of labelled rows, numbers from targets, what rows alone are like, the
 * clusters that rows alone form, or, for ANY, the first of these that the rows have labels, targets or
 * neither for. No model has ANY. A classifier's model of rows with several labels (dk_data_set_label_sets)
 * has MULTILABEL, which no machine has. */
typedef int32_t dk_task;
enum {
    DK_TASK_CLASSIFICATION = 0,
    DK_TASK_REGRESSION = 1,
    DK_TASK_NOVELTY = 2,
    DK_TASK_ANY = 3,
    DK_TASK_CLUSTERING = 4,
    DK_TASK_MULTILABEL = 5
};

/* Sets one parameter from text. Unknown keys fail with the nearest key; wrong types and values out
 * of range with the range and the default. Kernel and weight specifications are parsed here.
 * Since 0.1. */
DK_API dk_status dk_params_set(dk_params* params, const char* key, const char* value);
DK_API dk_status dk_params_set_int(dk_params* params, const char* key, int64_t value);
DK_API dk_status dk_params_set_double(dk_params* params, const char* key, double value);

/* The value of one parameter as text. Text output. Since 0.1. */
DK_API dk_status dk_params_get(char* out, int64_t capacity, int64_t* needed, const dk_params* params,
                               const char* key);

/* The task of the machine (dk_task); -1 for NULL. Since 0.1. */
DK_API int32_t dk_params_task(const dk_params* params);

/* ------------------------------------------------------------------------------------------- */
/* Choose a model                                                                               */
/* ------------------------------------------------------------------------------------------- */

/* Cross-validates and then trains on all rows. `folds`, `repeats` and `seed` are parameters. The
 * scores of every fold are in dk_model_info under "cross_validation". With the parameter `grid`, such as
 * "C=0.1:1:10;kernel=[rbf(gamma=1), arccos_lists(3)]", every combination is scored on the same folds (values
 * between colons; the kernels of a bank one by one; ways to weigh a bank as in dk_mkl_compare), "candidates"
 * has the table, and what is trained on all rows is the first of the best by the metric `select`; the others'
 * "behind_best" is the mean difference with t and p of the corrected resampled t-test (Nadeau and Bengio
 * 2003). With `outer_folds` of 2 or more "nested" has the scores of the whole choice on rows without a part
 * in it, and what was chosen in each outer fold; parameters of "auto" have as many as `folds` unless they say
 * otherwise. With `halves` above 0 "weights_over_halves" has, over random
 * halves of the rows, the mean and deviation of each kernel's share of the weights, how often it has more
 * than a thousandth, and the mean Jaccard index of the sets of such kernels. With `tune`, such as
 * "C; gamma=0.01..10", so many combinations as `trials` says are searched between the limits in place of a
 * grid; "tuned" has the limits and what could not be trained. With `learning_curve` "learning_curve" has the
 * scores of training on an eighth, a quarter, a half and all of the rows of the folds, and the gain of each
 * step, which is positive where more rows were better. Since 0.1. */
DK_API dk_status dk_cross_validate(dk_model** out, const dk_data* data, const dk_params* params,
                                   dk_control* control);

/* The battery of multiple kernel learning: cross-validates every way to weigh the kernels of a bank
 * (uniform, dimkl1 to dimkl6, mklgl, align, alignf, easymkl, umkl; gamkl where the grid names it, since it
 * trains hundreds of machines) and every kernel alone on the same folds, sharing kernel values, and trains
 * the best on all rows. The table is "candidates" in dk_model_info under "cross_validation". It is
 * dk_cross_validate with the grid "weights=[all, each]"; a parameter `grid` may add to that, as in "C=1:10",
 * or name the ways itself: "weights=[dimkl1(form=variance), mklgl(p=1), each]". Since 0.1. */
DK_API dk_status dk_mkl_compare(dk_model** out, const dk_data* data, const dk_params* params,
                                dk_control* control);

/* ------------------------------------------------------------------------------------------- */
/* More of predictions                                                                          */
/* ------------------------------------------------------------------------------------------- */

/* Decision values, rows x dk_model_decision_count. A regression: the predictions; one of several levels, as
 * of quantiles: a column for each level, ascending in each row. Two classes: one function, positive for the
 * second class. multiclass=ovo: one for every pair (a, b), a < b, in the order (0,1), (0,2), ..., (1,2), ...,
 * positive for a. multiclass=ovr: one a class. Several labels a row: one a label, positive for rows that have
 * it; the log odds of n + 1 to 1 where all n rows of the training had it, and minus that where none had.
 * Since 0.1. */
DK_API dk_status dk_decision(double* out, int64_t length, const dk_model* model, const dk_data* data,
                             dk_control* control);

/* Probabilities, rows x classes; each row sums to 1, but of several labels a row, which have one each. Needs
 * a model trained with probability=yes (sigmoids on out-of-fold decisions, which keep the order of decisions
 * and weigh rows and classes as the training did; with calibration=temperature one number for all functions,
 * for which all rows weigh the same; pairs coupled), else DK_ERR_UNSUPPORTED. Where functions overlap, the
 * most probable class may be another one than dk_predict gives. Since 0.1. */
DK_API dk_status dk_probability(double* out, int64_t length, const dk_model* model, const dk_data* data,
                                dk_control* control);

/* The set of answers that holds the truth with the probability `confidence`, above 0 and below 1; 0 stands
 * for that of the training. A regression: an interval, rows x 2 (lower, upper), around the prediction or,
 * with several levels, around the lowest and the highest. Classes: rows x classes, 1 where the class is in
 * the set, else 0; the predicted class always is. Needs a model trained with confidence=0.9 or the like, or
 * one of dk_calibrate; otherwise, for novelty detectors, and where the rows behind it are too few for the
 * confidence, DK_ERR_UNSUPPORTED. The promise is of new rows that come as the known ones did, on the average
 * over all of them, or over those of each class with confidence_by_class=yes. It is a theorem with
 * dk_calibrate (Vovk, Gammerman, Shafer 2005), and with cross-validation, by which training learns it, an
 * experience: sets are rather too wide. Since 0.1. */
DK_API dk_status dk_predict_set(double* out, int64_t length, const dk_model* model, const dk_data* data,
                                double confidence, dk_control* control);

/* Makes the same model with sets of answers that are calibrated on these rows, which have labels or targets
 * and of which training must have seen none; n rows allow confidences up to n / (n + 1). by_class: 0, or 1
 * for a promise to each class (classifiers). Any model but a novelty detector can be calibrated, imported
 * ones too. Since 0.1. */
DK_API dk_status dk_calibrate(dk_model** out, const dk_model* model, const dk_data* data, int32_t by_class,
                              dk_control* control);

/* Makes the same model with another threshold between its two classes, whose order is that of
 * dk_model_class_name. It is chosen on these rows, which have labels and of which training must have seen
 * none. `goal` is a text such as "false_alarms=0.05" or "miss_cost=5". With false_alarms, at most this share
 * of new rows of the first class are taken for the second, and the bound holds with the probability `sure`
 * (0.95 unless the text says sure=...) over the rows that it is learned of: n rows of the first class allow
 * shares with (1 - share)^n <= 1 - sure, such as 0.05 from 59 rows on; fewer are DK_ERR_UNSUPPORTED (Tong,
 * Feng, Li, Science Advances 2018). With miss_cost, errors cost least on these rows, where a row of the
 * second class that is taken for the first costs so many times the opposite; with both, among the thresholds
 * that keep the bound. Decisions become smaller by the threshold, prototypes get another shift, and
 * probabilities stay. DK_ERR_UNSUPPORTED for more than two classes, elect=probability, calibrated sets (move
 * first, calibrate then), and functions without an offset that could move. What was reached is in
 * dk_model_info under "threshold". Weights of rows are not looked at, and rows of one group count as if they
 * were independent. The parameters false_alarms and miss_cost of a training do the same by cross-validation,
 * where the bound is an experience and no theorem, because decisions on held-out rows are of other functions
 * than the model's. Since 0.1. */
DK_API dk_status dk_move_threshold(dk_model** out, const dk_model* model, const dk_data* data,
                                   const char* goal, dk_control* control);

/* Tests whether rows come as known ones did (kernel two-sample test with 999 permutations; Gretton et al.,
 * JMLR 2012): the distance between the means of both in the model's feature space, which distance is usual
 * (the median) where both are mixed at random, and p, how likely one at least as large is where both come
 * from one source. Any of the three may be NULL. `reference` are the known rows, such as the training rows,
 * or NULL for the training rows that the model keeps: most models keep only part of them, imported ones do
 * not know, and both are DK_ERR_UNSUPPORTED. A model with layers sees the rows that its layers learned from
 * with other eyes than new ones, so that its reference has to be rows that training has not seen, and NULL is
 * DK_ERR_UNSUPPORTED. Labels are not looked at. At most 2000 rows of each side take part, which the seed
 * draws. Similarities with training rows do not tell it (DK_ERR_UNSUPPORTED). Since 0.1. */
DK_API dk_status dk_model_drift(double* out_distance, double* out_usual, double* out_p, const dk_model* model,
                                const dk_data* data, const dk_data* reference, uint64_t seed,
                                dk_control* control);

/* How new each row is, rows x 2: its distance in the model's feature space from the nearest of some training
 * rows, half of them and at most 1000, and p = (1 + m) / (1 + n), where m of n others, at most 2000, lie at
 * least as far from these. Where rows come as the training rows did, p is at most 0.05 for about 5 of 100 or
 * fewer (conformal anomaly detection; Laxhammar and Falkman 2010), so that a service may refuse to predict
 * below such a value; for more where layers learned from few rows how to tell these apart, which brings them
 * nearer together than new ones. Needs a model trained with novelty=yes, else DK_ERR_UNSUPPORTED;
 * similarities do not tell it. length = 2 * rows. Since 0.1. */
DK_API dk_status dk_novelty(double* out, int64_t length, const dk_model* model, const dk_data* data,
                            dk_control* control);

/* How uncertain a prediction of kernel ridge regression is: the posterior standard deviation of the function
 * at each row, of the Gaussian process whose covariance is the kernel and whose noise has the variance 1 / C
 * (Rasmussen, Williams, Gaussian processes for machine learning, 2006, equation 2.26), in the units in which
 * the kernel is a covariance of targets: kernel=4*rbf(...) has functions of deviation 2. An offset has no
 * prior. With several
 * targets it is that of each. The first call of a model makes a factor of its kernel matrix, which takes as
 * long as training and n^2 numbers for n training rows, and which the model keeps; then each row takes n^2
 * operations. Models of landmarks, of weighted rows, of similarities that the caller computes, models that do
 * not keep all rows that they learned from, and other machines have none (DK_ERR_UNSUPPORTED). length = rows.
 * Since 0.1. */
DK_API dk_status dk_deviation(double* out, int64_t length, const dk_model* model, const dk_data* data,
                              dk_control* control);

/* Makes the model of the rows that a model keeps and of further ones, which have labels or targets, without
 * the rows of some numbers; `further` may be NULL where rows are only forgotten. The old model stays as it
 * is. Needs a model trained with updatable=yes, which is saved with the model. Scaling, layers, the kernel
 * with its numbers and weights, and sigmoids of probabilities stay as they were learned; sets of answers
 * have to be calibrated anew, and scores of cross-validation, which are of the earlier model, are gone.
 * Novelty is measured again where the model keeps all its rows; else it stays, or is gone where rows are
 * forgotten. Classes are those of the model. Rows keep their numbers: further ones have the next, from
 * dk_model_training_rows on, and numbers of forgotten ones are not used again. A machine that keeps all rows
 * with coefficients becomes what training on all of them would make. Where few rows join or leave, they do
 * so in the factor of its kernel matrix, which it has in memory, and makes anew once after it was loaded.
 * Machines of few rows learn from these and the further ones alone, as from support vectors. A forgotten row
 * that such a model does not keep changes nothing. A model with coefficients of landmarks alone keeps sums
 * over all rows: it becomes what training on all of them with these landmarks and its C would make, and no
 * row of it can be forgotten (DK_ERR_UNSUPPORTED). DK_ERR_UNSUPPORTED for machines whose models cannot be
 * updated ("updates" of the machine in dk_describe), similarities, layers of kernel components, and models
 * whose threshold was moved. dk_model_info has under "training" in "update" how many rows were kept, joined
 * and forgotten. Since 0.1. */
DK_API dk_status dk_model_update(dk_model** out, const dk_model* model, const dk_data* further,
                                 const int64_t* forget, int64_t forget_count, dk_control* control);

/* What each prototype says of each row: rows x dk_model_prototype_count. For decision function f
 * with prototypes p+ and p-, scale t and shift S (generalised prototype framework):
 *     decision_f(x) = [ |x - p-|^2 - |x - p+|^2 + S ] / (2 t)
 * and the entries are -|x - p+|^2 / (2 t) and +|x - p-|^2 / (2 t), distances in feature space, so a
 * function's two entries plus its S / (2 t) (dk_model_prototype_offsets) are its decision. A regression of
 * several levels has its functions in the order of the levels, also on rows where they cross and decisions,
 * which ascend, are those of other functions.
 * The prototypes of some models are no such pairs (dk_model_prototype_pairs); then dk_describe has in
 * "prototypes" of the machine what the entries are. With multiclass=nearest they are minus the squared
 * distance to the prototype of the class, which is the decision of the class. length = rows * prototypes.
 * Since 0.1. */
DK_API dk_status dk_explain(double* out, int64_t length, const dk_model* model, const dk_data* data,
                            dk_control* control);

/* For each decision function the shift S of the canonical form, and the offset S / (2 t) that
 * completes dk_explain. Either may be NULL. length = decision count. Since 0.1. */
DK_API dk_status dk_model_prototype_offsets(double* out_shift, double* out_offset, int64_t length,
                                            const dk_model* model);

/* For each decision function the length |w| of its normal in feature space: dk_decision divided by it is a
 * row's signed distance from the boundary. It is 1 where decisions are no such functions but distances, votes
 * or shares, as dk_describe tells of each machine, and NaN or 0 where it is not known (similarities that only
 * the caller knows). length = decision count. Since 0.1. */
DK_API dk_status dk_model_normals(double* out, int64_t length, const dk_model* model);

/* The decision functions as sums over training rows, f(x) = sum_i a_i k(x_i, x) + b, with the model's kernel
 * k on rows as the model scales them: their coefficients a, functions x training rows, 0 for rows that a
 * function does not need, and their offsets b. Machines whose decisions are no such sums have none
 * (DK_ERR_UNSUPPORTED). Lengths are decision count * training rows, and decision count. Since 0.1. */
DK_API dk_status dk_model_dual_coefficients(double* out, int64_t length, const dk_model* model);
DK_API dk_status dk_model_dual_offsets(double* out, int64_t length, const dk_model* model);

/* The columns of dk_transform, 0 for none; -1 for NULL. Since 0.1. */
DK_API int64_t dk_model_transform_count(const dk_model* model);

/* What the model sees of each row, rows x dk_model_transform_count: the features that dk_describe tells in
 * "prototypes" of the machine, such as codes, scores, or similarities with prototypes; with
 * multiclass=nearest the distances to the prototypes; for any other machine whose kernel is lowrank,
 * normalised or a sum of such ones, the features of the row; and for any other model with layers, what the
 * last layer makes of the row. Other models have none, which is DK_ERR_UNSUPPORTED. length = rows *
 * dk_model_transform_count. Since 0.1. */
DK_API dk_status dk_transform(double* out, int64_t length, const dk_model* model, const dk_data* data,
                              dk_control* control);

/* Confusion counts, classes x classes: out[t * classes + p] rows of class t predicted as p. Rows
 * whose label the model does not know are an error. Since 0.1. */
DK_API dk_status dk_confusion(int64_t* out, int64_t length, const dk_model* model, const dk_data* data,
                              dk_control* control);

/* ------------------------------------------------------------------------------------------- */
/* More of models                                                                               */
/* ------------------------------------------------------------------------------------------- */

/* The model as JSON: machine, kernel, parameters, classes, counts, kernel weights and training
 * report (convergence, gap, objective, time). Text output. Since 0.1. */
DK_API dk_status dk_model_info(char* out, int64_t capacity, int64_t* needed, const dk_model* model);

/* What whoever uses the model should know, as JSON: "warnings", a list of objects with "about" and "text",
 * empty where nothing is to be said. About is one of: what looked wrong with the training rows, as
 * dk_data_describe tells it ("constant columns", "copied columns", "scales", "leak", "copied rows", "small
 * classes"; of large data a part is looked at); "scaled" (columns were brought to one scale, and why);
 * "convergence"; "optimistic score" (the best of several on the same folds); "no better than the baseline".
 * Text output. Since 0.1. */
DK_API dk_status dk_model_warnings(char* out, int64_t capacity, int64_t* needed, const dk_model* model);

/* The numbers of classes, 0 for regression; of columns expected at predict; and of decision functions. -1 for
 * NULL. Since 0.1. */
DK_API int64_t dk_model_class_count(const dk_model* model);
DK_API int64_t dk_model_feature_count(const dk_model* model);
DK_API int64_t dk_model_decision_count(const dk_model* model);

/* How many numbers dk_predict gives for a row: the targets of a regression that learned several, the labels
 * of which a row may have several, else 1; -1 for NULL. Since 0.1. */
DK_API int64_t dk_model_target_count(const dk_model* model);

/* What the model learned (dk_task); -1 for NULL. Since 0.1. */
DK_API int32_t dk_model_task(const dk_model* model);

/* 1 where the model fills values that rows miss (parameter impute), so that its data may be those of
 * dk_data_from_dense_missing; 0 where it does not; -1 for NULL. Since 0.1. */
DK_API int32_t dk_model_fills_missing(const dk_model* model);

/* 1 where the model has probabilities (dk_probability), 0 where it has none; -1 for NULL. Since 0.1. */
DK_API int32_t dk_model_has_probabilities(const dk_model* model);

/* The class labels in ascending order (0, 1, ... where classes have names). length = class count.
 * Since 0.1. */
DK_API dk_status dk_model_classes(int64_t* out, int64_t length, const dk_model* model);

/* The name of a class (its label as text where it has none). Text output. Since 0.1. */
DK_API dk_status dk_model_class_name(char* out, int64_t capacity, int64_t* needed, const dk_model* model,
                                     int64_t position);

/* Write the model to memory and read it from there, in the format of the file; out, capacity and needed are
 * those of a text output. The bytes are the same on every machine for the same model. Since 0.1. */
DK_API dk_status dk_model_write(void* out, int64_t capacity, int64_t* needed, const dk_model* model);
DK_API dk_status dk_model_read(dk_model** out, const void* bytes, int64_t size, dk_control* control);

/* ------------------------------------------------------------------------------------------- */
/* Kernel matrices                                                                              */
/* ------------------------------------------------------------------------------------------- */

/* Number of kernels that a specification makes for this data (1 unless it is a bank). Operators such as
 * lowrank learn nothing for it. Since 0.1. */
DK_API dk_status dk_kernel_count(int64_t* out, const dk_data* data, const char* kernel);

/* Kernel values of all rows of `left` with all rows of `right` (NULL: left itself, exactly
 * symmetric). left rows x right rows; a bank gives its matrices one after the other. "auto"
 * parameters are resolved on `right`. length = kernels * left rows * right rows. Since 0.1. */
DK_API dk_status dk_gram(double* out, int64_t length, const dk_data* left, const dk_data* right,
                         const char* kernel, dk_control* control);

/* Gives kernel values as dk_gram does, computed in single precision. Since 0.1. */
DK_API dk_status dk_gram_f32(float* out, int64_t length, const dk_data* left, const dk_data* right,
                             const char* kernel, dk_control* control);

/* The product K v of one kernel's matrix with v (right rows x v_cols, row-major, finite) without
 * ever storing K. length = left rows * v_cols. Since 0.1. */
DK_API dk_status dk_gram_product(double* out, int64_t length, const dk_data* left, const dk_data* right,
                                 const char* kernel, const double* v, int64_t v_cols, dk_control* control);

/* ===========================================================================================
 * Experimental: may change or go in any version.
 *
 * What stands above keeps its form within a major version. What stands below works and is tested, but its
 * form is not settled: what it tells, its options and its arguments may become others. Whoever uses it looks
 * into CHANGELOG.md before taking a new version.
 * =========================================================================================== */

/* ------------------------------------------------------------------------------------------- */
/* Explanations in words and pages                                                              */
/* ------------------------------------------------------------------------------------------- */

/* Explains the prediction for one row of `data` in words that people follow, as JSON. The question is why
 * the row is of its class ("prediction") and not of the next best one ("instead_of"); "answer" is the
 * decision between both, in favour of the prediction where it is positive: the decision of two classes or
 * of the pair; the difference of both classes' distances (ovr) or values; or the value of a regression. It
 * can be negative where probabilities or the votes of other pairs elect the class. "distance" is the
 * answer in feature space, "probability" that of the class, where the model knows them. The answer is
 * taken apart in up to three ways: "prototypes" has what each prototype adds; "training_rows" what each
 * training row behind them adds, where they are sums over rows, the hundred strongest and "others"
 * together; "kernels" what each kernel of the bank adds, where the kernel is a weighted sum. Each has
 * "pulls", the strongest first, and an "offset". Their contributions sum to the answer (to the rounding of
 * the model's precision); their shares have the sign of the contribution, and magnitudes that sum to 100.
 * "counterfactual" has the changes of few features of a dense row that turn the prediction, from, to and
 * in deviations of the features (Moosavi-Dezfooli et al., CVPR 2016, or towards the nearest row), and the
 * length of the change; with `training` each value lies within those that its column had there, and is an
 * integer where all of these are. It is missing where none was found. "influences" has in "rows" by how much
 * the answer is larger than training without a row makes it ("exact" is true), with the same kernel, scaling
 * and C: dk_describe says in "influences" of the machine how: by a formula (Cook, JASA 1979), which asks
 * the memory for the square of the support rows and takes their cube, or by training anew, where there are
 * `training` rows of two classes or pairs and few (about 400). Other models have none. `training` are the
 * rows of which the model was trained, or NULL: with them rows have their classes, deviations are those of
 * the training rows, and "nearest_other" is the nearest row that the model takes for another class.
 * Another number of rows is DK_ERR_DIMENSION. Rows that have names have them in "name". Text output.
 * Since 0.1. */
DK_API dk_status dk_explain_row(char* out, int64_t capacity, int64_t* needed, const dk_model* model,
                                const dk_data* data, int64_t row, const dk_data* training,
                                dk_control* control);

/* Writes a page about a model to a file: HTML that any browser opens without a network, with charts. It tells
 * what the model is, how good it is on the rows of `data` (confusion, ROC, precision and recall, calibration,
 * decisions by class; or errors of a regression), which kernels count, its prototypes with their nearest
 * rows, a map of the rows, how it was trained, and the rows that are most wrong with their explanations.
 * `training` are the rows of which the model was trained, or NULL: with them prototypes and nearest rows are
 * shown. With `count` models of 2 to 100, which must be of one task, the page compares them on the rows
 * instead, with intervals (Wilson, JASA 1927) and McNemar's exact test, and `training` is not used. `options`
 * is NULL or a text such as "image=32x32 rows=10 path=C=0.1:1:10 title=Faces of 1992": rows are pictures, so
 * many wrong rows are shown (default 20, at most 1000), the prototypes are followed as a parameter of the
 * machine goes through values (it is trained with each on `training`, with the same kernel), and the heading,
 * which is the rest of the text. With "for=manager" the page is for who decides what to do with predictions:
 * how good they are on unseen rows beside a guess, by the model's own cross-validation, which columns matter
 * (those whose values cost most when they change places among the rows; Fisher, Rudin, Dominici 2019), what
 * would turn some predictions, and why the model was taken. The file is replaced as dk_model_save does it.
 * The same input gives the same bytes. Since 0.1. */
DK_API dk_status dk_report(const char* path, const dk_model* const* models, int64_t count,
                           const dk_data* data, const dk_data* training, const char* options,
                           dk_control* control);

/* ------------------------------------------------------------------------------------------- */
/* Other programs' models                                                                       */
/* ------------------------------------------------------------------------------------------- */

/* Reads a model file of another program, and makes a model that answers everything: predictions with the
 * other program's decision values, weights, prototypes, explanations, compression. `format` is auto (as NULL
 * is), libsvm, liblinear or thundersvm. After it may follow data=dense or data=sparse, the rows that the
 * model keeps (auto: dense where few values are zero; rows to predict may be of either kind), and features=N,
 * since LIBSVM's files do not tell columns behind the last that a support vector has; an example is "libsvm
 * features=784".
 * - Classes ascend as in every model of libdk. With two classes a decision is positive for the larger one,
 * and with more there is a function for each pair (LIBSVM) or each class (liblinear), as dk_decision has
 * them. Where classes have equally many votes, the signed distances decide; LIBSVM takes the class that came
 * first.
 * - A model with probA and probB predicts the most probable class, as LIBSVM's option -b 1 does.
 * - The training rows are the support vectors, or, of liblinear, the functions' normals. Of a precomputed
 * kernel they are those with the serial numbers 1, 2, ..., N of the file; dk_data_from_gram makes the rows to
 *   predict, and prototypes have no lengths, which the file doesn't tell.
 * - info() has "imported" with the program and the machine's type. Parameters of training are not in the
 * file. A file that is damaged, truncated or none of these is DK_ERR_MODEL_FORMAT with the line; one that
 * would need more memory than the control allows DK_ERR_MEMORY_BUDGET; 24 bytes a character are asked for.
 * gzip files are read too. Since 0.1. */
DK_API dk_status dk_model_import(dk_model** out, const char* path, const char* format, dk_control* control);

/* Writes the model as a file for other programs, in one step as dk_model_save does. `format` is
 * - libsvm: a model file of LIBSVM, for machines with one function, or a function a pair of classes, whose
 *   kernel is linear, poly, rbf, sigmoid or gram(0) over all columns, and without layers; with scaled columns
 *   where the kernel is linear, or rbf and all columns have one scale;
 * - onnx: a file of ONNX (operators of version 13, which its description names) with the input `rows`, rows x
 *   features in double precision, and the results `decisions`, `prediction` and, where the model has them,
 *   `probabilities`, rows x classes. It takes all kernels of columns, their sums, products and powers, exp,
 *   normalize, on, center, lowrank and corrected (but for method=shift), all machines, and layers. Rows and
 *   columns are scaled, ranked and filled as the model does it, where ranks of scaled rows may differ where
 *   two values of a column are the same but for rounding, and so may the order of rows that are as near. All
 *   kernels but linear, poly, sigmoid, rbf, cauchy, rational_quadratic and arccos without degree 0 take rows
 *   x points x columns numbers there, ranks rows x columns x 257, probabilities of pairs rows x classes x
 *   classes, and dictionaries rows x prototypes x prototypes of a row or of a class, so that many rows are
 *   given in parts;
 * - c: a file of C99 without a call of memory, which includes <math.h> alone, with the functions
 *   NAME_decide(row, decisions), NAME_predict(row) and, for all models with probabilities,
 *   NAME_probabilities(row, probabilities), where NAME is the file's name as an identifier, for the models
 *   that onnx takes. One that dk_compress has made small is the one for a device.
 * With onnx and c the prediction is what the model predicts, by decisions or by probabilities; of quantiles
 * it is the middle one. Rows that the model refuses are not refused there, and classes with names are their
 * positions. What the format has no place for is DK_ERR_UNSUPPORTED, which says what; another format is
 * DK_ERR_INVALID_ARGUMENT. Numbers keep all their digits, so that decisions are the model's to rounding.
 * Since 0.1. */
DK_API dk_status dk_model_export(const dk_model* model, const char* path, const char* format);

/* ------------------------------------------------------------------------------------------- */
/* Learners compared, prototypes measured                                                       */
/* ------------------------------------------------------------------------------------------- */

/* The mean rank of each learner over data sets, 1 for the best; learners with equal scores share their ranks
 * (Demsar, JMLR 7, 2006, section 3.2.2). `scores` is sets x learners, row-major and finite; the larger score
 * is the better, and scores that differ by at most 1e-12 are equal. sets >= 1, learners is 2 to 100,000.
 * length = learners. Since 0.1. */
DK_API dk_status dk_mean_ranks(double* out, int64_t length, const double* scores, int64_t sets,
                               int64_t learners, dk_control* control);

/* The difference of two mean ranks from which on Nemenyi's test tells two learners apart at a level: q
 * sqrt(learners (learners + 1) / (6 sets)), where q is the quantile 1 - level of the range of as many normal
 * numbers, divided by sqrt(2). sets >= 1, learners is 2 to 100,000, level 0.001 to 0.5, and 0.05 by custom.
 * Since 0.1. */
DK_API dk_status dk_critical_difference(double* out, int64_t learners, int64_t sets, double level);

/* The corrected resampled t-test (Nadeau and Bengio, Machine Learning 52, 2003) of two learners whose scores
 * on `folds` folds differ by `differences`, finite; the folds share training rows. *out_difference is the
 * mean, *out_t = mean / sqrt((1 / folds + share) s^2) with the sample variance s^2, and *out_p the two-sided
 * probability of t by Student's distribution with folds - 1 degrees of freedom. `share` is the number of a
 * fold's test rows over that of its training rows, such as 1/9 with ten folds: 0 to 1e6. Where all
 * differences are the same, p is 1 if they are 0; else it is 0, and t infinite. folds >= 2. Any output may be
 * NULL. Since 0.1. */
DK_API dk_status dk_resampled_test(double* out_difference, double* out_t, double* out_p,
                                   const double* differences, int64_t folds, double share);

/* How well people can read each prototype (Hosseini and Hammer, CIKM 2019, section 5.2), 0 to 1. Purity is
 * the largest share of one class in the magnitudes of its coefficients of training rows. Compactness is
 * exp(-sum_st u_s u_t |x_s - x_t|^2), distances in feature space, of the prototype that is brought to the
 * length 1 with the coefficients u; a single row has 1. Both are NaN for a prototype that is made of no row;
 * compactness is so too for negative coefficients, and for several rows that have not all the length 1 in
 * feature space. `training` are the labelled rows of which the model was trained; another number of rows is
 * DK_ERR_DIMENSION, rows without labels are DK_ERR_INVALID_DATA. Either output may be NULL. length =
 * prototype count. Since 0.1. */
DK_API dk_status dk_prototype_measures(double* out_purity, double* out_compactness, int64_t length,
                                       const dk_model* model, const dk_data* training, dk_control* control);

/* How alike the sets are that a learner selects on different samples, such as the rows nearest to its
 * prototypes: the mean over all pairs of sets of the Jaccard index, among the members that both samples had.
 * `selected` is sets x members, row-major: 1 where a set has the member, 0 where it has not, -1 where its
 * sample had not the member. Pairs of sets without any such member don't count, and where no pair counts
 * *out is NaN. sets, members >= 1. Since 0.1. */
DK_API dk_status dk_jaccard_stability(double* out, const int64_t* selected, int64_t sets, int64_t members,
                                      dk_control* control);

/* The stability of selections by Nogueira, Sechidis and Brown (JMLR 18, 2018, definition 4): 1 where all sets
 * are the same, and 0 on average where chance selects as many members. `selected` is sets x members,
 * row-major, 1 where a set has the member and else 0. NaN for one set, and where all sets have all members or
 * none. sets, members >= 1. Since 0.1. */
DK_API dk_status dk_selection_stability(double* out, const int64_t* selected, int64_t sets, int64_t members);

/* ------------------------------------------------------------------------------------------- */
/* Smaller models, denoised rows, similarities of points, verification                          */
/* ------------------------------------------------------------------------------------------- */

/* Compresses a model of any machine: makes a model that has few prototypes, which are free vectors, and
 * decides as `model` does on the rows of `data` (of the model's kind; labels are not used) and near them. For
 * the latter, unless copies=0, `model` also decides copies of dense rows that noise has moved (seed).
 * `params` are those of the super-sparse machine of the model's task: prototypes, penalty, lambda, copies,
 * focus, limits; kernel=auto is the model's. Rows that are no vectors stay rows: prototypes are chosen among
 * them. "compressed" in the training report of dk_model_info has the speed-up (support rows over prototypes),
 * the share of rows that both tell alike and the decisions' difference. Since 0.1. */
DK_API dk_status dk_compress(dk_model** out, const dk_model* model, const dk_data* data,
                             const dk_params* params, dk_control* control);

/* Reconstructs rows from the components of a model of kernel principal components, which takes noise from
 * them: for each row the point whose image is nearest to the projection of the row's image on the span of the
 * components, rows x features of the model, in the units of the training data. dk_describe says how it is
 * found. Needs dense rows; other machines and data, and layers of components, are DK_ERR_UNSUPPORTED. length
 * = rows * features. Since 0.1. */
DK_API dk_status dk_reconstruct(double* out, int64_t length, const dk_model* model, const dk_data* data,
                                dk_control* control);

/* Similarities of rows to any points, which the caller computes when they are asked for: writes the
 * similarity of each of rows[0 .. row_count) with each of `count` points to `out`, row-major without gaps
 * (row_count x count), and returns 0. The points are `count` rows of `cols` coordinates, z[j * cols + c]. Any
 * other answer than 0 ends the call of libdk with DK_ERR_CALLBACK. It must not unwind (throw, longjmp)
 * through libdk. */
typedef int32_t (*dk_point_similarity_callback)(double* out, const double* z, int64_t count, int64_t cols,
                                                const int64_t* rows, int64_t row_count, void* user);

/* Rows of coordinates, as those of dk_data_from_dense, with a similarity to points that only the caller
 * knows, such as an image matcher's. Kernel `similarity` asks for it, whose prototypes (super-sparse
 * machines, dk_compress) need not be rows: parameter `gradient` says how they find their way. Machines that
 * learn from kernel matrices take the similarity of row i to the point of row j as that of row j to the point
 * of row i. The callback is asked about this dataset's rows; one for predicting has a callback for its own. A
 * similarity of two points that are no rows is not known: |w|, and distances of prototypes that have moved,
 * are NaN then. concurrent, cancel and the lives of callback and `user` are those of dk_data_from_similarity.
 * Since 0.1. */
DK_API dk_status dk_data_from_point_similarity(dk_data** out, const double* x, int64_t rows, int64_t cols,
                                               int64_t ld, dk_layout layout,
                                               dk_point_similarity_callback callback, void* user,
                                               int32_t concurrent);

/* The curve of a verification system in which every client has a threshold of its own. Row i is a claim to be
 * client clients[i] (NULL: all are claims to be one client), which got scores[i], finite, and is the client's
 * own where genuine[i] is 1, or an impostor's where it is 0. out[p] is the false rejection rate at the false
 * acceptance rate far[p], 0 to 1: the mean over the clients of the share of genuine claims that are not
 * accepted. A client with n claims of impostors accepts the scores above the (floor(far n) + 1)-th largest of
 * theirs, and all where far = 1. Clients without genuine claims or without impostors are left out; where that
 * leaves none, the answer is DK_ERR_INVALID_DATA. Scores are those of dk_decision, or of any other system.
 * out and far have `points` elements, scores, genuine and clients `rows`; points, rows >= 1. Since 0.1. */
DK_API dk_status dk_verification_curve(double* out, const double* far, int64_t points, const double* scores,
                                       const int64_t* genuine, const int64_t* clients, int64_t rows,
                                       dk_control* control);

/* Structs of the Arrow C data interface (arrow.apache.org), which programs that exchange tables declare
 * alike; libdk needs no library of Arrow. */
struct ArrowSchema;
struct ArrowArray;
struct ArrowArrayStream;

/* Makes a dataset of a table in memory: a struct of columns (format +s). Columns of numbers, bool and lists
 * of a fixed size become dense rows (a list of n elements n features, named column[0] and so on), columns of
 * text and dictionaries of text indicators, as those of a CSV file do. Lists of any length become time
 * series, a channel for each column of numbers or element of lists of a fixed size. A null, a NaN and an
 * empty text are missing values, and no other text is one. Dates, times, decimals, bytes, structs, maps and
 * unions are DK_ERR_UNSUPPORTED, unless ignore= leaves their columns out. `options` is NULL or key=value
 * pairs: label, ignore, groups, id, missing and unlabelled, as dk_data_from_file has them. `like` is NULL, or
 * a model whose features the rows are to have, as dk_data_from_file_like has it. The values are copied once.
 * libdk takes the structs and releases them, also where it fails; they stay where they are, marked as
 * released. Since 0.1. */
DK_API dk_status dk_data_from_arrow(dk_data** out, struct ArrowSchema* schema, struct ArrowArray* array,
                                    const char* options, const dk_model* like, dk_control* control);

/* Makes a dataset, as dk_data_from_arrow does, of all arrays of a stream, which are the rows one after the
 * other. A stream that fails is DK_ERR_INVALID_DATA, with what it says. Since 0.1. */
DK_API dk_status dk_data_from_arrow_stream(dk_data** out, struct ArrowArrayStream* stream,
                                           const char* options, const dk_model* like, dk_control* control);

/* Predicts rows and gives the answer as a table of Arrow, whose two structs the caller declares and releases.
 * `what` lists, with commas between them, prediction (the default, for NULL), decision, probability and
 * explanation. `prediction` is a number, an integer for classes without names, or a dictionary of the names
 * of classes; of several targets it is prediction[0] and so on, and of several labels prediction[NAME],
 * integers 1 and 0. The others are columns of doubles, as dk_decision, dk_probability and dk_explain give
 * them: decision[NAME] where each class has a function, else decision[0] and so on, probability[NAME] and
 * explanation[0]. Rows with names have these in a first column `id`. On failure both structs are marked as
 * released. Since 0.1. */
DK_API dk_status dk_predict_arrow(struct ArrowSchema* out_schema, struct ArrowArray* out_array,
                                  const dk_model* model, const dk_data* data, const char* what,
                                  dk_control* control);

#ifdef __cplusplus
}
#endif

#endif /* DK_DK_H */
