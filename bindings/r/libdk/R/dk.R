# SPDX-License-Identifier: Apache-2.0
# Training, of a formula or of rows, and what trains by way of it.

dk <- function(x, ...) UseMethod("dk")

dk.formula <- function(formula, data, ..., subset, na.action = na.omit) {
  call <- user_call(match.call(expand.dots = FALSE), sys.call(-1), environment())
  if (missing(subset) && missing(na.action) && !missing(data) && !is.null(wide <- wide_rows(formula, data))) {
    kept <- if (is.null(call$impute)) stats::complete.cases(wide$x, wide$y) else stats::complete.cases(wide$y)
    y <- if (is.matrix(wide$y)) wide$y[kept, , drop = FALSE] else stats::setNames(wide$y, rownames(wide$x))[kept]
    model <- with_rows(which(kept), dk.default(wide$x[kept, , drop = FALSE], y, ...))
    model$call <- call
    model$terms <- wide$terms
    if (!all(kept) && is.null(call$impute)) model$na.action <- left_out_rows(kept, rownames(wide$x))
    return(model)
  }
  frame <- frame_call(call)
  # values, because a function between may have its own names for them
  frame$formula <- formula
  if (!missing(data)) frame$data <- data
  if (!missing(na.action)) frame$na.action <- na.action
  # a variable beside the others, from which the same rows are left out
  frame$positions <- row_positions(formula, if (missing(data)) environment(formula) else data)
  frame <- eval(frame, parent.frame())
  design <- attr(frame, "terms")
  attr(design, "intercept") <- 1L
  x <- model.matrix(design, frame)
  contrasts <- attr(x, "contrasts")
  x <- x[, attr(x, "assign") != 0, drop = FALSE]
  model <- with_rows(frame[["(positions)"]], dk.default(x, model.response(frame), ...))
  model$call <- call
  # the columns of the data in the formula, which new rows have to have
  model$terms <- structure(design, columns = if (!missing(data)) intersect(looked_up(formula(design)), names(data)))
  model$xlevels <- .getXlevels(design, frame)
  model$contrasts <- contrasts
  model$na.action <- attr(frame, "na.action")
  model
}

# The rows of y ~ . of more than 100 columns, all of numbers, and their response; NULL for other formulas and data. R's own terms
# have a matrix of variables x terms, 1.6 GB for 20,000 columns, and its model.frame ends with an error there.
wide_rows <- function(formula, data) {
  if (!is.data.frame(data) || length(data) <= 100 || length(formula) != 3 || !identical(formula[[3]], quote(.))) return(NULL)
  columns <- setdiff(names(data), all.vars(formula[[2]]))
  if (length(columns) <= 100 || anyDuplicated(names(data)) > 0) return(NULL)
  # Elements by their places: each search for a name would look at all of them.
  plain <- function(values) is.numeric(values) && !is.object(values) && is.null(dim(values))
  if (!all(vapply(.subset(data, match(columns, names(data))), plain, NA))) return(NULL)
  y <- eval(formula[[2]], data, environment(formula))
  if (NROW(y) != nrow(data) || length(y) == 0) return(NULL)
  terms <- terms(formula, allowDotAsName = TRUE)
  list(x = wide_matrix(data, columns), y = y, terms = structure(terms, columns = columns))
}

wide_matrix <- function(data, columns) {
  matrix(as.double(unlist(.subset(data, match(columns, names(data))), use.names = FALSE)), nrow(data),
         dimnames = list(row.names(data), columns))
}

# y ~ . with the names of the columns, as formula() of other models has them.
wide_formula <- function(terms) {
  expanded <- Reduce(function(sum, name) call("+", sum, name), lapply(attr(terms, "columns"), as.name))
  stats::as.formula(call("~", formula(terms)[[2]], expanded), environment(terms))
}

is_wide <- function(terms) identical(attr(terms, "term.labels"), ".")

left_out_rows <- function(kept, names) {
  structure(which(!kept), names = names[!kept], class = "omit")
}

# 1 to the number of rows that a formula's variables have, which the data need not have; NULL where it has none.
row_positions <- function(formula, data) {
  if (is.array(data)) return(NULL)  # of which model.frame says what is wrong
  variables <- attr(terms(formula, data = data), "variables")
  if (length(variables) > 1) seq_len(NROW(eval(variables[[2]], data, environment(formula))))
}

# The call of dk with what the user wrote, also where a function such as dk_cv has passed its ... on, whose elements match.call
# has as ..1 in a method. The generic's call has the head.
user_call <- function(matched, generic, frame) {
  given <- setdiff(names(matched)[-1], "...")
  written <- lapply(given, function(name) do.call(substitute, list(as.name(name), frame)))
  others <- as.list(do.call(substitute, list(quote(list(...)), frame)))[-1]
  as.call(c(written_head(generic, "dk"), stats::setNames(written, given), others))
}

# libdk::dk where the user wrote so, who may not have dk alone; else the function's own name, since lapply has another.
written_head <- function(call, name) {
  qualified <- call("::", quote(libdk), as.name(name))
  if (identical(as.list(call)[[1]], qualified)) qualified else as.name(name)
}

# The call of model.frame that a call of dk implies.
frame_call <- function(call) {
  frame <- call[c(1, match(c("formula", "data", "subset", "na.action"), names(call), 0))]
  frame[[1]] <- quote(stats::model.frame)
  if (is.null(frame$na.action)) frame$na.action <- if (is.null(call$impute)) na.omit else na_response
  frame
}

# Leaves out rows without a response; those that lack other values stay, to be filled.
na_response <- function(frame) {
  missing <- if (attr(attr(frame, "terms"), "response") > 0) rowSums(is.na(as.matrix(model.response(frame)))) > 0
             else logical(nrow(frame))
  frame[!missing, , drop = FALSE]
}

dk.default <- function(x, y = NULL, machine = "auto", kernel = "auto", ..., weights = NULL, sample_weights = NULL,
                       groups = NULL, threads = 0, memory = 0, cross_validate = FALSE, compare_weights = FALSE,
                       fitted = TRUE) {
  call <- user_call(match.call(expand.dots = FALSE), sys.call(-1), environment())
  y <- as_targets(y)
  parameters <- list(kernel = kernel, ...)
  if (!is.null(weights)) parameters$weights <- weights
  if (length(parameters) > 0 && (is.null(names(parameters)) || any(names(parameters) == "")))
    stop("parameters of the machine must be named; dk_describe() lists them")
  require_flag(fitted)
  if (missing(machine) && (cross_validate || compare_weights)) machine <- "svm"
  params <- native_params(machine, parameters)
  if (!is.null(y) || !is.null(sample_weights) || !is.null(groups)) x <- own_rows(x)
  data <- named_data(x, missing = machine == "auto" || !is.null(parameters$impute))
  levels <- if (!is.null(y)) set_truth(data, row_count(x), y, machine, params)
  if (!is.null(sample_weights)) native(R_swig_NativeData_set_sample_weights, data, as.double(sample_weights))
  if (!is.null(groups)) native(R_swig_NativeData_set_groups, data, group_numbers(groups))
  train <- if (compare_weights) R_swig_NativeModel_compare_weights
           else if (cross_validate) R_swig_NativeModel_cross_validate
           else R_swig_NativeModel_train
  control <- control_of(threads, memory)
  model <- native(train, data, params, control)
  # rows of a file have labels of their own
  if (is.null(y) && inherits(x, "dk_rows") && length(names <- known_levels(model)) > 0) levels <- names
  object <- new_dk(model, call, machine, levels)
  if (has_several(y) && is.null(object$labels)) object$targets <- if (is.null(colnames(y))) paste0("y", seq_len(ncol(y))) else colnames(y)
  if (machine == "auto") object$machine <- dk_report(object)$machine
  if (fitted) with_fitted(object, data, x, y, control) else object
}

require_flag <- function(value) {
  if (!isTRUE(value) && !isFALSE(value)) stop(deparse(substitute(value)), " must be TRUE or FALSE", call. = FALSE)
}

# Real numbers are values, and so are whole ones that hardly any two rows share.
holds_values <- function(y) {
  if (!is.numeric(y)) return(FALSE)
  if (has_several(y)) return(TRUE)
  different <- length(unique(y))
  any(y != trunc(y)) || (different > 20 && 4 * different > length(y))
}

# Several targets are the columns of a matrix, or of a frame of numbers or truth values.
as_targets <- function(y) {
  if (is.data.frame(y) && all(vapply(y, function(column) is.numeric(column) || is.logical(column), NA))) as.matrix(y) else y
}

# Several labels a row, as sets of positions among names: of a list of texts, or of a matrix with a column for each label that
# says by TRUE and FALSE, or 1 and 0, who has it. NULL for other answers.
several_labels <- function(y) {
  if (is.list(y) && !is.data.frame(y)) {
    sets <- lapply(y, as.character)
    if (anyNA(unlist(sets))) stop("y has missing labels")
    names <- sort(unique(unlist(sets)), method = "radix")
    return(list(names = names, sets = lapply(sets, match, table = names)))
  }
  if (!has_several(y) || !(is.logical(y) || (is.numeric(y) && all(y %in% c(0, 1))))) return(NULL)
  if (anyNA(y)) stop("y has missing values")
  names <- if (is.null(colnames(y))) paste0("y", seq_len(ncol(y))) else colnames(y)
  list(names = names, sets = lapply(seq_len(nrow(y)), function(row) which(y[row, ] != 0)))
}

set_label_sets <- function(data, several) {
  offsets <- c(0, cumsum(lengths(several$sets)))
  native(R_swig_NativeData_set_label_sets, data, as.double(offsets), as.double(unlist(several$sets)) - 1, several$names)
}
has_several <- function(y) is.matrix(y) && ncol(y) > 1
by_rows <- function(y) as.double(if (has_several(y)) t(y) else y)

# Gives the rows their truth, as the task of the machine has it; the value is the levels of a classifier's factor.
set_truth <- function(data, rows, y, machine, params) {
  several <- several_labels(y)
  if (!is.null(several) && length(several$sets) != rows) stop("y has labels of ", length(several$sets), " rows, x has ", rows)
  if (has_several(y) && nrow(y) != rows) stop("y has ", nrow(y), " rows, x has ", rows)
  if (!has_several(y) && length(y) != rows) stop("y has ", length(y), " elements, x has ", rows, " rows")
  task <- tasks[native(R_swig_NativeParams_task_number, params) + 1]
  if (!is.null(several) && task != "regression") {
    if (!task %in% c("novelty", "clustering")) set_label_sets(data, several)
    return(NULL)
  }
  if (is.list(y)) stop("machine ", machine, " is a regression: y must be numeric, or a matrix of 0 and 1 for labels")
  if (inherits(y, "integer64")) y <- if (task == "regression") as.double(large_integers(y)) else large_integers(y)
  if (anyNA(y)) stop("y has missing values")
  if (task == "any") task <- if (holds_values(y)) "regression" else "classification"
  if (task %in% c("novelty", "clustering")) return(NULL)  # it learns from the rows alone
  if (task == "regression") {
    if (!is.numeric(y)) stop("machine ", machine, " is a regression: y must be numeric")
    native(R_swig_NativeData_set_targets, data, by_rows(y))
    return(NULL)
  }
  if (is.numeric(y) && any(y != trunc(y)))
    stop("y has real numbers, and machine ", machine, " learns classes: choose a regression such as ",
         "machine = \"svr\", or make classes of y with factor() or cut()")
  y <- droplevels(as.factor(exact_classes(y)))
  native(R_swig_NativeData_set_label_names, data, as.character(y))
  levels(y)
}

# The model with what it answers for its training rows, and the errors of a regression. The model is there already, and stays
# where these fail or are interrupted.
with_fitted <- function(object, data, x, y, control) {
  without <- function(failure) {
    reason <- if (inherits(failure, "interrupt")) "interrupted" else conditionMessage(failure)
    warning("the model is trained, but its fitted values are left out: ", reason, call. = FALSE)
    object
  }
  tryCatch({
    model <- native_model(object)
    columns <- native(R_swig_NativeModel_target_count, model)
    values <- filled_matrix(row_count(x), columns, function(out) native(R_swig_NativeModel_predict, model, out, data, control))
    fitted <- object
    fitted$fitted.values <- answers(object, values, row_names(x))
    if (!is.null(y) && dk_task(object) == "regression") fitted$residuals <- y - fitted$fitted.values
    fitted
  }, error = without, interrupt = without)
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

# In the order in which the library has them, that of their bytes.
class_names <- function(model) {
  positions <- seq_len(native(R_swig_NativeModel_class_count, model)) - 1
  vapply(positions, function(c) native(R_swig_NativeModel_class_name, model, c), "")
}

# The levels of the factor that a model predicts; the numbers of clusters and of what is new are none.
known_levels <- function(model) {
  if (tasks[native(R_swig_NativeModel_task_number, model) + 1] == "classification") class_names(model) else character()
}

# The native model is kept as its bytes too, so that objects live on in files and other sessions.
new_dk <- function(model, call, machine, levels) {
  bytes <- raw(native(R_swig_NativeModel_file_size, model))
  native(R_swig_NativeModel_write, model, bytes)
  cache <- new.env()
  cache$model <- model
  fills <- native(R_swig_NativeModel_fills_missing, model)
  labels <- if (tasks[native(R_swig_NativeModel_task_number, model) + 1] == "multilabel") class_names(model)
  structure(class = "dk", list(call = call, machine = machine, levels = levels, labels = labels, fills = fills, bytes = bytes,
                               cache = cache))
}

dk_cv <- function(...) {
  model <- dk(..., cross_validate = TRUE)
  called_as(model, sys.call(), "dk_cv", "cross_validate")
}

dk_compare_weights <- function(...) {
  model <- dk(..., compare_weights = TRUE)
  called_as(model, sys.call(), "dk_compare_weights", "compare_weights")
}

# The model with the call that its user wrote, which update() evaluates again.
called_as <- function(model, call, name, argument) {
  model$call[[1]] <- written_head(call, name)
  model$call[[argument]] <- NULL
  model
}

dk_compress <- function(object, newdata, prototypes = 10, ..., threads = 0, memory = 0) {
  call <- match.call()
  parameters <- list(prototypes = prototypes, ...)
  if (any(names(parameters) == "")) stop("parameters of machine super_sparse must be named; dk_describe() lists them")
  params <- native_params("super_sparse", parameters)
  data <- named_data(new_rows(object, newdata), missing = TRUE, like = object)
  model <- native(R_swig_NativeModel_compress, native_model(object), data, params, control_of(threads, memory))
  out <- new_dk(model, call, object$machine, object$levels)
  for (kept in c("terms", "xlevels", "contrasts")) out[[kept]] <- object[[kept]]
  if (!is.null(object$terms)) out$training_call <- training_call(object)
  out
}

# The call of a model, which update() evaluates with changes; a model that was read from a file may not know it.
getCall.dk <- function(x, ...) known_call(x$call)

known_call <- function(call) {
  if (called_name(call[[1]]) == "dk_load")
    stop("the call that trained the model is not known: the file that dk_load has read does not tell it", call. = FALSE)
  call
}

# The call that trained the model, also where it was compressed since.
training_call <- function(object) if (is.null(object$training_call)) object$call else object$training_call
