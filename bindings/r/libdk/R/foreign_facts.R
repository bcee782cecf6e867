# SPDX-License-Identifier: Apache-2.0
# What stands beside a model file may come from strangers, and formulas and calls are programs: model.frame evaluates what
# they say. So only those are taken from a file that call nothing but functions that compute values of values, of which none
# takes another function.

known_functions <- c(
  "~", "(", "{", "+", "-", "*", "/", "^", "%%", "%/%", "%in%", ":", "!", "&", "|", "==", "!=", "<", "<=", ">", ">=",
  "[", "[[", "$", "c", "list", "cbind", "rep", "rev", "seq", "seq_len", "seq_along", "length", "nrow", "ncol",
  "I", "identity", "abs", "sign", "sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "cos", "sin", "tan", "acos", "asin",
  "atan", "atan2", "cosh", "sinh", "tanh", "gamma", "lgamma", "beta", "lbeta", "floor", "ceiling", "round", "signif", "trunc",
  "min", "max", "pmin", "pmax", "range", "sum", "prod", "mean", "median", "var", "sd", "quantile", "cumsum", "cumprod",
  "cummax", "cummin", "diff", "rank", "order", "sort", "unique", "which", "is.na", "ifelse", "scale", "poly", "offset",
  "factor", "ordered", "levels", "droplevels", "relevel", "interaction", "cut", "findInterval", "nlevels",
  "addNA", "is.finite", "paste", "paste0", "grepl", "format", "strtoi", "rowSums", "rowMeans", "pnorm", "dnorm", "plogis", "qlogis",
  "as.numeric", "as.double", "as.integer", "as.logical", "as.character", "as.factor", "as.ordered", "as.vector", "as.matrix",
  "nchar", "substr", "toupper", "tolower", "trimws", "as.Date", "weekdays", "months", "julian", "difftime", "bs", "ns")

# What a call of dk may do beside, all of whose data are a variable of the user or a part of one: others, such as list(log =
# system), can give a known name another meaning.
training_functions <- c("dk", "dk_cv", "dk_compare_weights", "dk_compress")
parts_of_data <- c("[", "[[", "$", "(", "head", "tail", "na.omit", "droplevels", "as.data.frame")

known_packages <- c("base", "stats", "splines", "utils", "libdk")

# What an expression, which was read from its source, calls beside functions of these names.
unknown_calls <- function(expression, known) {
  unknown <- character()
  open <- list(expression)  # a formula of many columns is too deep for a function that calls itself
  while ((last <- length(open)) > 0) {
    parts <- list()
    if (is.call(open[[last]])) {
      called <- called_name(open[[last]][[1]])
      if (!called %in% known) unknown <- c(unknown, called)
      parts <- as.list(open[[last]])[-1]
    }
    open <- c(open[-last], parts)
  }
  unique(unknown)
}

# The name of the function that stands at the head of a call, with its package only where that is another than R's own.
called_name <- function(head) {
  if (is.name(head)) return(as.character(head))
  qualified <- is.call(head) && identical(head[[1]], quote(`::`)) && as.character(head[[2]]) %in% known_packages
  if (qualified) as.character(head[[3]]) else paste(deparse(head), collapse = " ")
}

# Calls that handle missing values by a function of another kind would call it.
handles_missing <- function(call) {
  handler <- call$na.action
  is.null(handler) || (is.name(handler) && as.character(handler) %in% c("na.omit", "na.exclude", "na.pass", "na.fail"))
}

# Whether data are a variable or a part of one.
is_part_of_variable <- function(data) {
  while (is.call(data) && length(data) > 1 && called_name(data[[1]]) %in% parts_of_data) data <- data[[2]]
  is.null(data) || is.name(data)
}

# Whether a call trains on data of the user and does nothing else. Its arguments have their whole names, as dk keeps them.
only_trains <- function(call, known) {
  arguments <- names(call)[-1]
  called_name(call[[1]]) %in% training_functions && !is.null(arguments) && all(nzchar(arguments)) &&
    !any(arguments != "data" & startsWith("data", arguments)) && handles_missing(call) && is_part_of_variable(call$data) &&
    length(unknown_calls(call, c(known, training_functions, parts_of_data))) == 0
}
