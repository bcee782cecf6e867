# SPDX-License-Identifier: Apache-2.0
# What stands beside a model file may come from strangers, and formulas and calls are programs: model.frame evaluates what
# they say. So only those are taken from a file that call nothing but functions that compute values of values.

known_functions <- c(
  "~", "(", "{", "+", "-", "*", "/", "^", "%%", "%/%", "%in%", ":", "!", "&", "|", "==", "!=", "<", "<=", ">", ">=",
  "[", "[[", "$", "c", "list", "cbind", "rep", "rev", "seq", "seq_len", "seq_along", "length", "nrow", "ncol", "head", "tail",
  "I", "identity", "abs", "sign", "sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "cos", "sin", "tan", "acos", "asin",
  "atan", "atan2", "cosh", "sinh", "tanh", "gamma", "lgamma", "beta", "lbeta", "floor", "ceiling", "round", "signif", "trunc",
  "min", "max", "pmin", "pmax", "range", "sum", "prod", "mean", "median", "var", "sd", "quantile", "cumsum", "cumprod",
  "cummax", "cummin", "diff", "rank", "order", "sort", "unique", "which", "is.na", "ifelse", "scale", "poly", "offset",
  "factor", "ordered", "levels", "droplevels", "relevel", "reorder", "interaction", "cut", "findInterval", "nlevels",
  "as.numeric", "as.double", "as.integer", "as.logical", "as.character", "as.factor", "as.ordered", "as.vector", "as.matrix",
  "as.data.frame", "data.frame", "nchar", "substr", "toupper", "tolower", "trimws", "as.Date", "weekdays", "months",
  "julian", "difftime", "bs", "ns", "subset", "transform", "with", "na.omit", "na.exclude", "na.pass",
  "dk", "dk_cv", "dk_compare_weights", "dk_compress")

known_packages <- c("base", "stats", "splines", "utils", "libdk")

# What an expression calls beside functions of these names; and what else it holds that is neither name nor value.
unknown_calls <- function(expression, known) {
  unknown <- character()
  open <- list(expression)  # a formula of many columns is too deep for a function that calls itself
  while ((last <- length(open)) > 0) {
    parts <- list()
    if (is.call(open[[last]])) {
      called <- called_name(open[[last]][[1]])
      if (!called %in% known) unknown <- c(unknown, called)
      if (!at_home(open[[last]])) unknown <- c(unknown, "functions of its own surroundings")
      parts <- as.list(unclass(open[[last]]))[-1]  # a formula takes its parts away by a method of its own
    } else if (is.list(open[[last]])) {
      parts <- unclass(open[[last]])
    } else if (!is.name(open[[last]]) && !is.atomic(open[[last]])) {
      unknown <- c(unknown, paste("a", class(open[[last]])[1]))
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

# A formula that has an environment has to have the workspace, in which a file can hide nothing.
at_home <- function(call) is.null(attr(call, ".Environment")) || identical(attr(call, ".Environment"), globalenv())

# What terms say is in three places.
unknown_terms <- function(terms, known) {
  places <- list(terms, attr(terms, "variables"), attr(terms, "predvars"))
  unique(unlist(lapply(places, unknown_calls, known = known)))
}

# Contrasts are matrices, or names of functions that make them.
are_contrasts <- function(contrasts) {
  known <- c("contr.treatment", "contr.sum", "contr.helmert", "contr.poly", "contr.SAS")
  is.list(contrasts) && all(vapply(contrasts, function(one) (is.numeric(one) && is.matrix(one)) || isTRUE(one %in% known), NA))
}

# Calls that handle missing values by a function of another kind would call it.
handles_missing <- function(call) {
  handler <- call$na.action
  is.null(handler) || (is.name(handler) && as.character(handler) %in% c("na.omit", "na.exclude", "na.pass", "na.fail"))
}

# The facts of a file without calls that evaluate what a stranger may have written; stops where the formula does.
without_foreign_code <- function(facts, functions) {
  known <- c(known_functions, functions)
  if (!is.null(facts$terms)) {
    foreign <- unknown_terms(facts$terms, known)
    if (length(foreign) > 0)
      stop("has a formula that uses ", foreign[1], ", and a file may only call functions that compute values of values; ",
           "whoever trusts the file names it: dk_load(path, functions = \"", foreign[1], "\")", call. = FALSE)
  }
  if (!is.null(facts$contrasts) && !are_contrasts(facts$contrasts)) stop("has contrasts that are none", call. = FALSE)
  evaluated <- Filter(function(name) !handles_missing(facts[[name]]) || length(unknown_calls(facts[[name]], known)) > 0,
                      intersect(c("call", "training_call"), names(facts)))
  facts[evaluated] <- NULL
  facts
}
