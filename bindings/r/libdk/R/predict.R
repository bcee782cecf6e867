# SPDX-License-Identifier: Apache-2.0
# What a model answers for rows.

# New data as the model wants them.
new_rows <- function(object, newdata) {
  if (is_plain(newdata) && is.null(object$terms)) return(newdata)
  if (inherits(newdata, "dk_rows")) return(newdata)  # whose columns the library finds by their names
  if (is.null(object$terms)) return(if (is.data.frame(newdata) && !is_mixed(newdata)) as.matrix(newdata) else newdata)
  if (is.matrix(newdata)) newdata <- as.data.frame(newdata)
  if (is_wide(object$terms)) return(wide_new_rows(attr(object$terms, "columns"), newdata))
  design <- delete.response(object$terms)
  require_variables(design, newdata)
  frame <- model.frame(design, newdata, na.action = na.pass, xlev = object$xlevels)
  if (is.data.frame(newdata) && nrow(frame) != nrow(newdata))
    stop("newdata has ", nrow(newdata), " rows, the formula's variables have ", nrow(frame),
         ": please give newdata all columns that the formula names")
  if (!is.null(classes <- attr(design, "dataClasses"))) .checkMFClasses(classes, frame)
  x <- model.matrix(design, frame, contrasts.arg = object$contrasts)
  x[, attr(x, "assign") != 0, drop = FALSE]
}

wide_new_rows <- function(columns, newdata) {
  lacking <- setdiff(columns, names(newdata))
  if (length(lacking) > 0) stop_lacking(lacking[1])
  plain <- function(values) (is.numeric(values) && !is.object(values)) || all(is.na(values))
  numbers <- vapply(unclass(newdata)[match(columns, names(newdata))], plain, NA)
  if (!all(numbers)) stop("the column ", columns[!numbers][1], " of newdata has no plain numbers")
  wide_matrix(if (is.data.frame(newdata)) newdata else as.data.frame(newdata), columns)
}

stop_lacking <- function(name) {
  stop("newdata has no ", name, ", which the model's formula has; columns are found by their names", call. = FALSE)
}

# Stops where newdata lack a column of the data of training, or a variable has nothing of newdata in it: model.frame would take
# it from where the formula was written, which is the training rows. Constants, as the degree of poly(x, degree), may stand there.
require_variables <- function(design, newdata) {
  for (variable in as.list(attr(design, "variables"))[-1]) {
    names <- looked_up(variable)
    columns <- intersect(names, attr(design, "columns"))
    lacking <- if (length(columns) > 0) setdiff(columns, names(newdata))
               else if (!any(names %in% names(newdata))) names
    if (length(lacking) > 0) stop_lacking(lacking[1])
  }
}

# The names that an expression looks up; what follows a $ is none.
looked_up <- function(expression) {
  names <- character()
  open <- list(expression) # a formula of many columns is too deep for a function that calls itself
  while ((last <- length(open)) > 0) {
    parts <- list()
    if (is.name(open[[last]])) {
      names <- c(setdiff(as.character(open[[last]]), ""), names)
    } else if (is.call(open[[last]])) {
      parts <- as.list(open[[last]])[-1]
      called <- open[[last]][[1]]
      if (is.name(called) && as.character(called) %in% c("$", "@")) parts <- parts[1]
    }
    open <- c(open[-last], parts)
  }
  names
}

# rows x columns of what fill(out, data) writes for complete rows, NA for others.
for_rows <- function(object, newdata, columns, fill) {
  x <- new_rows(object, newdata)
  computed <- function(rows) {
    data <- named_data(rows, missing = object$fills, like = object)
    filled_matrix(row_count(rows), columns, function(values) fill(values, data))
  }
  if (row_count(x) > 0 && (object$fills || all_complete(x))) {
    out <- computed(x)
  } else {
    complete <- complete_rows(x)
    if (any(complete) && all(complete)) return(named_rows(computed(x), x))
    out <- matrix(NA_real_, length(complete), columns)
    if (any(complete)) out[complete, ] <- with_rows(which(complete), computed(take_rows(x, complete)))
  }
  named_rows(out, x)
}

# A matrix with the names of the rows that it is of.
named_rows <- function(out, x) {
  if (!is.null(names <- row_names(x))) rownames(out) <- names
  out
}

predict.dk <- function(object, newdata, type = c("class", "response", "decision", "prob", "prototypes", "set", "novelty",
                                                "deviation"),
                       threads = 0, memory = 0, confidence = 0, ...) {
  type <- if (missing(type)) "class" else match.arg(type)
  if (missing(newdata) || is.null(newdata)) {
    if (!type %in% c("class", "response"))
      stop("type = \"", type, "\" needs newdata: of its training rows a model keeps what fitted() gives")
    return(fitted(object))
  }
  if (missing(threads) && missing(memory) && (type == "class" || type == "response")) {
    if (!is.null(predicted <- quick_answers(object, newdata))) return(predicted)
  }
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
    return(if (is.null(object$levels)) out else out[, object$levels, drop = FALSE])
  }
  if (type == "novelty") {
    out <- for_rows(object, newdata, 2,
                    function(out, data) native(R_swig_NativeModel_novelty, model, out, data, control))
    colnames(out) <- c("distance", "p")
    return(out)
  }
  if (type == "deviation") {
    out <- for_rows(object, newdata, 1,
                    function(out, data) native(R_swig_NativeModel_deviation, model, out, data, control))
    return(stats::setNames(out[, 1], dimnames(out)[[1]]))
  }
  if (type == "set") {
    columns <- native(R_swig_NativeModel_prediction_set_width, model)
    out <- for_rows(object, newdata, columns,
                    function(out, data) native(R_swig_NativeModel_predict_set, model, out, data, confidence, control))
    if (is.null(object$levels)) {
      colnames(out) <- c("lower", "upper")
      return(out)
    }
    colnames(out) <- class_names(model)
    return(out[, object$levels, drop = FALSE] == 1)
  }
  values <- for_rows(object, newdata, native(R_swig_NativeModel_target_count, model),
                     function(out, data) native(R_swig_NativeModel_predict, model, out, data, control))
  answers(object, values, dimnames(values)[[1]])
}

dk_predict_rows <- function(object, x, threads = 0, memory = 0) {
  if (!is.numeric(x)) stop("x must be a matrix of numbers, or one row of them")
  if (!is.matrix(x)) x <- matrix(x, 1, dimnames = list(NULL, names(x)))
  columns <- attr(object$terms, if (is_wide(object$terms)) "columns" else "term.labels")
  if (!is.null(columns) && all(columns %in% colnames(x))) x <- x[, columns, drop = FALSE]
  model <- native_model(object)
  count <- function(of) native(of, model)
  probable <- native(R_swig_NativeModel_has_probabilities, model)
  places <- function(columns) matrix(0, columns, nrow(x))
  predictions <- places(count(R_swig_NativeModel_target_count))
  decisions <- places(count(R_swig_NativeModel_decision_count))
  probabilities <- places(if (probable) count(R_swig_NativeModel_class_count) else 0)
  native(R_swig_NativeModel_predict_rows, model, predictions, decisions, probabilities, as.double(t(x)), ncol(x),
         control_of(threads, memory))
  out <- list(prediction = answers(object, t(predictions), rownames(x)),
              decision = matrix(t(decisions), nrow(x), dimnames = list(rownames(x), function_names(model))))
  if (probable) out$prob <- matrix(t(probabilities), nrow(x), dimnames = list(rownames(x), class_names(model)))
  out
}

# What predict() answers for complete rows of a matrix whose columns have no names, NULL for others. One row would take longer
# on its way through what all kinds of rows need than it takes the library.
quick_answers <- function(object, x) {
  if (!is_plain(x) || !is.null(dimnames(x)[[2]]) || !is.null(.subset2(object, "terms"))) return()
  values <- native(R_swig_predicted_rows, .subset2(.subset2(object, "cache"), "model"), x)
  if (!is.null(values)) answers(object, values, dimnames(x)[[1]])
}

# The numbers that the library predicts, as the user knows them: classes are a factor, several targets the columns of a matrix,
# and several labels those of a logical one.
answers <- function(object, values, names) {
  if (!is.null(labels <- .subset2(object, "labels")))
    return(matrix(values == 1, ncol = length(labels), dimnames = list(names, labels)))
  if (is.matrix(values) && ncol(values) > 1) {
    dimnames(values) <- list(names, if (is.null(object$targets)) paste0("y", seq_len(ncol(values))) else object$targets)
    return(values)
  }
  if (is.matrix(values)) values <- values[, 1]
  if (!is.null(levels <- .subset2(object, "levels"))) {
    known <- known_classes(object)
    codes <- match(known$names, levels)
    values <- codes[match(values, known$labels)]
    attributes(values) <- list(levels = levels, class = "factor")
  }
  if (!is.null(names)) names(values) <- names
  values
}

# The labels and the names of the model's classes, asked of the library once.
known_classes <- function(object) {
  cache <- .subset2(object, "cache")
  if (is.null(cache$classes)) {
    model <- native_model(object)
    names <- class_names(model)
    labels <- filled(length(names), function(out) native(R_swig_NativeModel_classes, model, out))
    cache$classes <- list(labels = labels, names = names)
  }
  cache$classes
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
  if (is.null(y)) return(named_data(new_rows(object, newdata), missing = object$fills, like = object))
  y <- exact_classes(as_targets(y))
  data <- named_data(own_rows(new_rows(object, newdata)), missing = object$fills, like = object)
  if (!is.null(object$labels)) {
    if (is.null(several <- several_labels(y))) stop("y must have several labels a row: a list of texts, or a logical matrix")
    set_label_sets(data, several)
    return(data)
  }
  if (is.null(object$levels)) {
    native(R_swig_NativeData_set_targets, data, by_rows(y))
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
  if (is.null(metric))
    metric <- if (!is.null(object$labels)) "micro_f1" else if (is.null(object$levels)) "rmse" else "accuracy"
  data <- truth_data(object, newdata, y)
  native(R_swig_NativeModel_score, native_model(object), data, metric, control_of(threads, memory))
}

# The model itself stays as it is: the calibrated one is another.
dk_calibrate <- function(object, newdata, y = NULL, by_class = FALSE, threads = 0, memory = 0) {
  data <- truth_data(object, newdata, y)
  changed_dk(object, native(R_swig_NativeModel_calibrate, native_model(object), data, by_class, control_of(threads, memory)))
}

# What is known of an object, with another model.
changed_dk <- function(object, model) {
  out <- new_dk(model, object$call, object$machine, object$levels)
  for (kept in setdiff(names(object), names(out))) out[[kept]] <- object[[kept]]
  out
}

dk_confusion <- function(object, newdata, y = NULL, threads = 0, memory = 0) {
  model <- native_model(object)
  data <- truth_data(object, newdata, y)
  names <- class_names(model)
  counts <- filled(length(names)^2,
                   function(out) native(R_swig_NativeModel_confusion, model, out, data, control_of(threads, memory)))
  matrix(counts, length(names), byrow = TRUE, dimnames = list(truth = names, predicted = names))
}
