# SPDX-License-Identifier: Apache-2.0
# What R alone knows of a model, as a list that JSON can hold: numbers are hexadecimal texts, so that none changes a bit; formulas
# and calls are sources.

facts_of <- function(object) {
  facts <- list(levels = object$levels, targets = object$targets, terms = told_terms(object$terms),
                xlevels = if (length(object$xlevels) > 0) object$xlevels,
                contrasts = if (!is.null(object$contrasts)) lapply(object$contrasts, told_vector),
                na.action = told_vector(object$na.action), fitted.values = told_vector(object$fitted.values),
                residuals = told_vector(object$residuals), call = short_source_of(object$call),
                training_call = short_source_of(object$training_call))
  Filter(Negate(is.null), facts)
}

# The facts that a file tells; what it may not tell is an error. Calls that do more than train are told in left_out.
facts_from <- function(told, known) {
  facts <- list(levels = texts_from(told$levels), targets = texts_from(told$targets), terms = terms_from(told$terms, known),
                xlevels = named_list(told$xlevels, texts_from), contrasts = contrasts_from(told$contrasts),
                na.action = action_from(told$na.action), fitted.values = vector_from(told$fitted.values),
                residuals = vector_from(told$residuals))
  for (name in intersect(c("call", "training_call"), names(told))) {
    call <- expression_from(told[[name]])
    if (is.call(call) && only_trains(call, known)) facts[[name]] <- call
    else facts$left_out <- substr(told[[name]], 1, 200)
  }
  Filter(Negate(is.null), facts)
}

# The source of a call, from which the call is read again with the same bits.
source_of <- function(call) {
  kept <- c("keepNA", "keepInteger", "niceNames", "digits17")
  if (!is.null(call)) paste(deparse(call, width.cutoff = 500L, control = kept), collapse = "\n")
}

# None for a call that holds whole tables.
short_source_of <- function(call) {
  source <- source_of(call)
  if (!is.null(source) && nchar(source) <= 5000) source
}

expression_from <- function(source) {
  if (!is.character(source) || length(source) != 1) not_written()
  parsed <- tryCatch(parse(text = source, keep.source = FALSE), error = function(failure) not_written())
  if (length(parsed) != 1) not_written()
  parsed[[1]]
}

not_written <- function() stop("is none that dk_save has written", call. = FALSE)

told_terms <- function(terms) {
  if (is.null(terms)) return(NULL)
  plain <- terms
  attributes(plain) <- NULL
  list(formula = source_of(plain), predvars = source_of(attr(terms, "predvars")),
       classes = if (!is.null(attr(terms, "dataClasses"))) as.list(attr(terms, "dataClasses")),
       columns = attr(terms, "columns"))
}

# The terms of a formula, whose surroundings are the workspace.
terms_from <- function(told, known) {
  if (is.null(told)) return(NULL)
  if (!is.list(told)) not_written()
  formula <- expression_from(told$formula)
  predvars <- if (!is.null(told$predvars)) expression_from(told$predvars)
  if (!is.call(formula) || !identical(formula[[1]], quote(`~`))) not_written()
  foreign <- c(unknown_calls(formula, known), unknown_calls(predvars, known))
  if (length(foreign) > 0)
    stop("has a formula that calls ", paste(unique(foreign), collapse = ", "), ", and a file may only call functions that compute ",
         "values of values; whoever trusts the file names others: dk_load(path, functions = \"", foreign[1], "\")", call. = FALSE)
  terms <- stats::terms(structure(formula, class = "formula", .Environment = globalenv()), allowDotAsName = TRUE)
  attr(terms, "intercept") <- 1L
  attr(terms, "predvars") <- predvars
  attr(terms, "dataClasses") <- unlist(named_list(told$classes, one_text))
  attr(terms, "columns") <- texts_from(told$columns)
  terms
}

one_text <- function(told) if (is.character(told) && length(told) == 1) told else not_written()

texts_from <- function(told) {
  if (is.null(told)) return(NULL)
  if (is.character(told)) return(told)  # one text stands without brackets
  if (!is.list(told) || !all(vapply(told, function(one) is.character(one) && length(one) == 1, NA))) not_written()
  as.character(unlist(told))
}

named_list <- function(told, from) {
  if (is.null(told)) return(NULL)
  if (!is.list(told) || is.null(names(told))) not_written()
  lapply(told, from)
}

# A vector, a matrix or a factor; its numbers as hexadecimal texts.
told_vector <- function(x) {
  if (is.null(x)) return(NULL)
  if (is.character(x) && length(x) == 1) return(x)
  values <- if (is.double(x)) sprintf("%a", x) else as.character(unclass(x))
  values[is.na(x) & !is.nan(x)] <- "NA"
  Filter(Negate(is.null), list(
    type = typeof(x), values = values, names = names(x), class = if (is.object(x)) class(x), levels = levels(x),
    dim = if (!is.null(dim(x))) as.character(dim(x)), rows = rownames(x), columns = colnames(x)))
}

vector_classes <- list("factor", c("ordered", "factor"), "omit", "exclude")

vector_from <- function(told) {
  if (is.null(told)) return(NULL)
  if (!is.list(told) || !isTRUE(told$type %in% c("double", "integer", "character", "logical"))) not_written()
  values <- texts_from(told$values)
  x <- suppressWarnings(switch(told$type, double = as.double(values), integer = as.integer(values), character = values,
                               logical = as.logical(values)))
  if (!is.null(told$names)) names(x) <- texts_from(told$names)
  if (!is.null(told$dim)) x <- matrix_from(x, told)
  if (!is.null(told$levels)) attr(x, "levels") <- texts_from(told$levels)
  if (!is.null(told$class)) {
    class <- texts_from(told$class)
    if (!any(vapply(vector_classes, identical, NA, class))) not_written()
    if ("factor" %in% class && !all(is.na(x) | (x >= 1 & x <= length(attr(x, "levels"))))) not_written()
    class(x) <- class
  }
  x
}

matrix_from <- function(x, told) {
  dim <- as.integer(texts_from(told$dim))
  if (length(dim) != 2 || anyNA(dim) || prod(dim) != length(x)) not_written()
  matrix(as.vector(x), dim[1], dim[2], dimnames = if (!is.null(told$rows) || !is.null(told$columns))
    list(texts_from(told$rows), texts_from(told$columns)))
}

action_from <- function(told) {
  action <- vector_from(told)
  if (!is.null(action) && !inherits(action, c("omit", "exclude"))) not_written()
  action
}

# Contrasts are matrices, or names of functions that make them.
contrasts_from <- function(told) {
  known <- c("contr.treatment", "contr.sum", "contr.helmert", "contr.poly", "contr.SAS")
  named_list(told, function(one) {
    if (is.character(one) && length(one) == 1) return(if (one %in% known) one else not_written())
    values <- vector_from(one)
    if (is.matrix(values)) values else not_written()
  })
}
