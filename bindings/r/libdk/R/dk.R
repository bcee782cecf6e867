# SPDX-License-Identifier: Apache-2.0

dk <- function(x, ...) UseMethod("dk")

dk.formula <- function(formula, data, ..., subset, na.action = na.omit) {
  call <- match.call()
  frame <- match.call(expand.dots = FALSE)
  frame <- frame[c(1, match(c("formula", "data", "subset", "na.action"), names(frame), 0))]
  frame[[1]] <- quote(stats::model.frame)
  if (missing(na.action) && !is.null(list(...)$impute)) frame$na.action <- na_response
  frame <- eval(frame, parent.frame())
  design <- attr(frame, "terms")
  attr(design, "intercept") <- 1L
  x <- model.matrix(design, frame)
  contrasts <- attr(x, "contrasts")
  x <- x[, attr(x, "assign") != 0, drop = FALSE]
  model <- dk.default(x, model.response(frame), ...)
  model$call <- call
  model$terms <- design
  model$xlevels <- .getXlevels(design, frame)
  model$contrasts <- contrasts
  model$na.action <- attr(frame, "na.action")
  model
}

# Leaves out rows without a response; those that lack other values stay, to be filled.
na_response <- function(frame) {
  missing <- if (attr(attr(frame, "terms"), "response") > 0) is.na(model.response(frame)) else logical(nrow(frame))
  frame[!missing, , drop = FALSE]
}

dk.default <- function(x, y = NULL, machine = "svm", kernel = "auto", ..., weights = NULL, sample_weights = NULL,
                       groups = NULL, threads = 0, memory = 0, cross_validate = FALSE, compare_weights = FALSE) {
  call <- match.call()
  parameters <- list(kernel = kernel, ...)
  if (!is.null(weights)) parameters$weights <- weights
  if (length(parameters) > 0 && (is.null(names(parameters)) || any(names(parameters) == "")))
    stop("parameters of the machine must be named; dk_describe() lists them")
  params <- native_params(machine, parameters)
  if (!is.null(y) || !is.null(sample_weights) || !is.null(groups)) x <- own_rows(x)
  data <- named_data(x, missing = !is.null(parameters$impute))
  levels <- NULL
  if (!is.null(y)) {
    if (length(y) != row_count(x)) stop("y has ", length(y), " elements, x has ", row_count(x), " rows")
    if (anyNA(y)) stop("y has missing values")
    task <- tasks[native(R_swig_NativeParams_task_number, params) + 1]
    if (task == "novelty") {
      # it learns from the rows alone
    } else if (task == "regression") {
      if (!is.numeric(y)) stop("machine ", machine, " is a regression: y must be numeric")
      native(R_swig_NativeData_set_targets, data, as.double(y))
    } else {
      if (is.numeric(y) && any(y != trunc(y)))
        stop("y has real numbers, and machine ", machine, " learns classes: choose a regression such as ",
             "machine = \"svr\", or make classes of y with factor() or cut()")
      y <- droplevels(as.factor(y))
      levels <- levels(y)
      native(R_swig_NativeData_set_label_names, data, as.character(y))
    }
  }
  if (!is.null(sample_weights)) native(R_swig_NativeData_set_sample_weights, data, as.double(sample_weights))
  if (!is.null(groups)) native(R_swig_NativeData_set_groups, data, group_numbers(groups))
  train <- if (compare_weights) R_swig_NativeModel_compare_weights
           else if (cross_validate) R_swig_NativeModel_cross_validate
           else R_swig_NativeModel_train
  model <- native(train, data, params, control_of(threads, memory))
  # rows of a file have labels of their own
  if (is.null(y) && inherits(x, "dk_rows") && length(names <- class_names(model)) > 0) levels <- names
  new_dk(model, call, machine, levels)
}

# Rows of a file, or similarities, that the caller has are copied before something is set on them.
own_rows <- function(x) if (inherits(x, "dk_rows")) x[seq_len(row_count(x))] else x

# Whole numbers as they are; other groups by the order of their names' bytes, whatever the locale.
group_numbers <- function(groups) {
  if (anyNA(groups)) stop("groups has missing values")
  if (is.numeric(groups) && all(abs(groups) < 2^53 & groups == trunc(groups))) return(as.double(groups))
  groups <- as.character(groups)
  as.double(match(groups, sort(unique(groups), method = "radix")))
}

tasks <- c("classification", "regression", "novelty")

dk_task <- function(object) {
  number <- if (inherits(object, "dk")) native(R_swig_NativeModel_task_number, native_model(object))
            else native(R_swig_NativeParams_task_number, native_params(object, list()))
  tasks[number + 1]
}

# In the order in which the library has them, that of their bytes.
class_names <- function(model) {
  positions <- seq_len(native(R_swig_NativeModel_class_count, model)) - 1
  vapply(positions, function(c) native(R_swig_NativeModel_class_name, model, c), "")
}

# The native model is kept as its bytes too, so that objects live on in files and other sessions.
new_dk <- function(model, call, machine, levels) {
  bytes <- raw(native(R_swig_NativeModel_file_size, model))
  native(R_swig_NativeModel_write, model, bytes)
  cache <- new.env()
  cache$model <- model
  fills <- native(R_swig_NativeModel_fills_missing, model)
  structure(class = "dk", list(call = call, machine = machine, levels = levels, fills = fills, bytes = bytes,
                               cache = cache))
}

# New data as the model wants them.
new_rows <- function(object, newdata) {
  if (is.null(object$terms)) return(if (is.data.frame(newdata)) as.matrix(newdata) else newdata)
  design <- delete.response(object$terms)
  frame <- model.frame(design, newdata, na.action = na.pass, xlev = object$xlevels)
  if (!is.null(classes <- attr(design, "dataClasses"))) .checkMFClasses(classes, frame)
  x <- model.matrix(design, frame, contrasts.arg = object$contrasts)
  x[, attr(x, "assign") != 0, drop = FALSE]
}

# rows x columns of what fill(out, data) writes for complete rows, NA for others.
for_rows <- function(object, newdata, columns, fill) {
  x <- new_rows(object, newdata)
  complete <- if (object$fills) rep(TRUE, row_count(x)) else complete_rows(x)
  computed <- function(rows) {
    data <- named_data(rows, missing = object$fills)
    filled_matrix(row_count(rows), columns, function(values) fill(values, data))
  }
  if (any(complete) && all(complete)) {
    out <- computed(x)
  } else {
    out <- matrix(NA_real_, length(complete), columns)
    if (any(complete)) out[complete, ] <- computed(take_rows(x, complete))
  }
  if (!is.null(names <- row_names(x))) rownames(out) <- names
  out
}

predict.dk <- function(object, newdata, type = c("class", "response", "decision", "prob", "prototypes"), threads = 0,
                       memory = 0, ...) {
  type <- match.arg(type)
  if (missing(newdata)) stop("predict needs newdata: a model does not keep the rows that it was trained on")
  if (type == "prototypes") return(explain(object, newdata, threads = threads, memory = memory))
  model <- native_model(object)
  control <- control_of(threads, memory)
  if (type == "decision") {
    columns <- native(R_swig_NativeModel_decision_count, model)
    out <- for_rows(object, newdata, columns,
                    function(out, data) native(R_swig_NativeModel_decision, model, out, data, control))
    colnames(out) <- function_names(model)
    return(out)
  }
  if (type == "prob") {
    columns <- native(R_swig_NativeModel_class_count, model)
    out <- for_rows(object, newdata, columns,
                    function(out, data) native(R_swig_NativeModel_probability, model, out, data, control))
    colnames(out) <- class_names(model)
    return(out[, object$levels, drop = FALSE])
  }
  values <- for_rows(object, newdata, 1,
                     function(out, data) native(R_swig_NativeModel_predict, model, out, data, control))
  names <- rownames(values)
  values <- values[, 1]
  if (!is.null(object$levels)) {
    labels <- filled(length(object$levels), function(out) native(R_swig_NativeModel_classes, model, out))
    codes <- match(class_names(model), object$levels)
    values <- structure(codes[match(values, labels)], levels = object$levels, class = "factor")
  }
  names(values) <- names
  values
}

# "a vs b" where a function tells two classes apart, else numbers.
function_names <- function(model) {
  functions <- native(R_swig_NativeModel_decision_count, model)
  classes <- class_names(model)
  if (length(classes) == 0 || !native(R_swig_NativeModel_prototypes_are_pairs, model))
    return(paste0("f", seq_len(functions)))
  sides <- filled(2 * functions, function(out) native(R_swig_NativeModel_prototype_classes, model, out))
  names <- ifelse(sides < 0, "rest", classes[pmax(sides, 0) + 1])
  paste(names[c(TRUE, FALSE)], "vs", names[c(FALSE, TRUE)])
}

# The rows with their true answers; NULL leaves those that rows of a file have. Classes are names, or integers as in the
# data that the model learned.
truth_data <- function(object, newdata, y) {
  if (is.null(y)) return(named_data(new_rows(object, newdata), missing = object$fills))
  data <- named_data(own_rows(new_rows(object, newdata)), missing = object$fills)
  if (is.null(object$levels)) {
    native(R_swig_NativeData_set_targets, data, as.double(y))
    return(data)
  }
  model <- native_model(object)
  labels <- filled(length(object$levels), function(out) native(R_swig_NativeModel_classes, model, out))
  if (identical(class_names(model), number_names(labels))) {
    integers <- suppressWarnings(as.double(as.character(y)))
    if (!anyNA(integers)) {
      native(R_swig_NativeData_set_labels, data, integers)
      return(data)
    }
  }
  native(R_swig_NativeData_set_label_names, data, as.character(y))
  data
}

number_names <- function(numbers) vapply(numbers, number_text, "")

dk_score <- function(object, newdata, y = NULL, metric = NULL, threads = 0, memory = 0) {
  if (is.null(metric)) metric <- if (is.null(object$levels)) "rmse" else "accuracy"
  data <- truth_data(object, newdata, y)
  native(R_swig_NativeModel_score, native_model(object), data, metric, control_of(threads, memory))
}

coef.dk <- function(object, ...) {
  model <- native_model(object)
  count <- native(R_swig_NativeModel_kernel_count, model)
  weights <- filled(count, function(out) native(R_swig_NativeModel_kernel_weights, model, out))
  names(weights) <- vapply(seq_len(count) - 1, function(k) native(R_swig_NativeModel_kernel_name, model, k), "")
  weights
}

print.dk <- function(x, ...) {
  model <- native_model(x)
  cat("Call: ", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
  cat("machine        ", x$machine, "\n", sep = "")
  if (!is.null(x$levels)) cat("classes        ", paste(x$levels, collapse = ", "), "\n", sep = "")
  cat("training rows  ", native(R_swig_NativeModel_training_rows, model), "\n", sep = "")
  cat("prototypes     ", native(R_swig_NativeModel_prototype_count, model), "\n", sep = "")
  cat("kernels\n")
  weights <- coef(x)
  for (k in seq_along(weights)) cat("  ", format(weights[k], digits = 4), "  ", names(weights)[k], "\n", sep = "")
  scores <- dk_scores(x)
  if (!is.null(scores)) {
    cat("cross-validation\n")
    print(utils::head(scores[order(-scores$best), ], 10), row.names = FALSE, digits = 4)
  }
  invisible(x)
}

summary.dk <- function(object, ...) {
  structure(class = "summary.dk", list(model = object, prototypes = prototypes(object)))
}

print.summary.dk <- function(x, ...) {
  print(x$model)
  cat("\nprototypes\n")
  print(x$prototypes, row.names = FALSE)
  invisible(x)
}

dk_report <- function(object) jsonlite::fromJSON(dk_info(object), simplifyDataFrame = FALSE)

# A row for each candidate of a cross-validation: its parameters, and the mean and deviation of each metric over the folds.
dk_scores <- function(object) {
  validation <- dk_report(object)$cross_validation
  if (is.null(validation)) return(NULL)
  candidates <- if (is.null(validation$candidates)) list(list(parameters = list(), metrics = validation$metrics))
                else validation$candidates
  rows <- lapply(candidates, function(candidate) {
    defined <- Filter(function(metric) !is.null(metric$mean), candidate$metrics)
    numbers <- lapply(defined, function(metric) c(metric$mean, metric$deviation))
    values <- c(lapply(numbers, `[`, 1), stats::setNames(lapply(numbers, `[`, 2), paste0(names(numbers), "_deviation")))
    as.data.frame(c(candidate$parameters, values), optional = TRUE, stringsAsFactors = FALSE)
  })
  columns <- unique(unlist(lapply(rows, names)))
  table <- do.call(rbind, lapply(rows, function(row) {
    row[setdiff(columns, names(row))] <- NA
    row[columns]
  }))
  table$best <- seq_along(candidates) == if (is.null(validation$best)) 1 else validation$best + 1
  table
}

tidy.dk <- function(x, ...) {
  weights <- coef(x)
  data.frame(kernel = names(weights), weight = unname(weights))
}

glance.dk <- function(x, ...) {
  model <- native_model(x)
  data.frame(machine = dk_report(x)$machine, task = dk_task(x), training_rows = native(R_swig_NativeModel_training_rows, model),
             kernels = native(R_swig_NativeModel_kernel_count, model),
             functions = native(R_swig_NativeModel_decision_count, model),
             prototypes = native(R_swig_NativeModel_prototype_count, model))
}

dk_info <- function(object) native(R_swig_NativeModel_info, native_model(object))

dk_save <- function(object, path) {
  native(R_swig_NativeModel_save, native_model(object), path.expand(path))
  invisible(path)
}

dk_load <- function(path, threads = 0, memory = 0) {
  model <- native(R_swig_NativeModel_load, path.expand(path), control_of(threads, memory))
  levels <- class_names(model)
  new_dk(model, match.call(), NA_character_, if (length(levels) > 0) levels)
}

dk_cv <- function(x, ...) {
  model <- dk(x, ..., cross_validate = TRUE)
  model$call <- match.call()
  model
}

dk_compare_weights <- function(x, ...) {
  model <- dk(x, ..., compare_weights = TRUE)
  model$call <- match.call()
  model
}

dk_confusion <- function(object, newdata, y = NULL, threads = 0, memory = 0) {
  model <- native_model(object)
  data <- truth_data(object, newdata, y)
  names <- class_names(model)
  counts <- filled(length(names)^2,
                   function(out) native(R_swig_NativeModel_confusion, model, out, data, control_of(threads, memory)))
  matrix(counts, length(names), byrow = TRUE, dimnames = list(truth = names, predicted = names))
}

dk_compress <- function(object, newdata, prototypes = 10, ..., threads = 0, memory = 0) {
  call <- match.call()
  parameters <- list(prototypes = prototypes, ...)
  if (any(names(parameters) == "")) stop("parameters of machine super_sparse must be named; dk_describe() lists them")
  params <- native_params("super_sparse", parameters)
  data <- named_data(new_rows(object, newdata), missing = TRUE)
  model <- native(R_swig_NativeModel_compress, native_model(object), data, params, control_of(threads, memory))
  out <- new_dk(model, call, object$machine, object$levels)
  for (kept in c("terms", "xlevels", "contrasts")) out[[kept]] <- object[[kept]]
  out
}

dk_gram <- function(x, z = NULL, kernel = "rbf", threads = 0, memory = 0) {
  left <- native_data(x)
  control <- control_of(threads, memory)
  right <- if (!is.null(z)) native_data(z)
  count <- native(R_swig_kernel_count, if (is.null(right)) left else right, kernel)
  rows <- row_count(x)
  cols <- if (is.null(z)) rows else row_count(z)
  # matrices of a bank lie one after the other: by rows, that is one matrix with all their rows
  values <- filled_matrix(count * rows, cols, symmetric = count == 1 && is.null(z),
                          function(out) if (is.null(right)) native(R_swig_own_gram, out, left, kernel, control)
                            else native(R_swig_gram, out, left, right, kernel, control))
  names <- list(row_names(x), row_names(if (is.null(z)) x else z))
  named <- function(one) if (all(vapply(names, is.null, NA))) one else `dimnames<-`(one, names)
  if (count == 1) return(named(values))
  lapply(seq_len(count), function(k) named(values[(k - 1) * rows + seq_len(rows), , drop = FALSE]))
}

dk_kernel_count <- function(x, kernel) native(R_swig_kernel_count, native_data(x), kernel)

dk_gram_product <- function(x, z, kernel, v, threads = 0, memory = 0) {
  v <- as.matrix(v)
  if (nrow(v) != row_count(z)) stop("v has ", nrow(v), " rows, z has ", row_count(z))
  filled_matrix(row_count(x), ncol(v), function(out)
    native(R_swig_gram_product, out, native_data(x), native_data(z), kernel, as.double(t(v)), ncol(v),
           control_of(threads, memory)))
}

dk_verification_curve <- function(far, scores, genuine, clients = NULL, threads = 0, memory = 0) {
  if (!is.null(clients) && length(clients) != length(scores))
    stop("clients has ", length(clients), " elements, scores has ", length(scores))
  clients <- if (is.null(clients)) double() else group_numbers(clients)
  filled(length(far), function(out)
    native(R_swig_verification_curve, out, as.double(far), as.double(scores), as.double(genuine), clients,
           control_of(threads, memory)))
}

dk_describe <- function() native(R_swig_describe)

dk_version <- function() native(R_swig_version)

dk_build_info <- function() native(R_swig_build_info)
