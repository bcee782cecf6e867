# SPDX-License-Identifier: Apache-2.0
# Why a row got its prediction.

explain_row <- function(object, ...) UseMethod("explain_row")

explain_row.dk <- function(object, newdata, row = 1, training = NULL, training_y = NULL, threads = 0, memory = 0, ...) {
  x <- new_rows(object, newdata)
  if (!is.numeric(row) || length(row) != 1 || !row %in% seq_len(row_count(x)))
    stop("row is ", paste(row, collapse = ", "), "; allowed is 1 to ", row_count(x))
  model <- native_model(object)
  control <- control_of(threads, memory)
  known <- training_data(object, training, training_y)
  text <- with_rows(row, {
    data <- named_data(take_rows(x, row), missing = object$fills, like = object)
    if (!is.null(rownames(x))) native(R_swig_NativeData_set_row_names, data, rownames(x)[row])
    if (is.null(known)) native(R_swig_NativeModel_explain_row, model, data, 0, control)
    else native(R_swig_NativeModel_explain_row_with, model, data, 0, known$data, control)
  })
  explanation_of(text, row, known$rows)
}

# The training rows as the library has them, with their classes or targets, and which rows of the user they are: training
# leaves out those that miss values.
training_data <- function(object, training, y) {
  if (is.null(training)) return(NULL)
  if (is.null(y)) y <- response_of(object, training)
  x <- new_rows(object, training)
  complete <- if (object$fills) rep(TRUE, row_count(x)) else complete_rows(x)
  if (!is.null(y) && length(y) != length(complete))
    stop("the training rows have ", length(complete), " rows and ", length(y), " answers")
  if (!all(complete)) training <- take_rows(training, complete)
  list(data = truth_data(object, training, y[complete]), rows = which(complete))
}

# What the formula of a model has on its left side, where the data have it.
response_of <- function(object, data) {
  if (is.null(object$terms) || !is.data.frame(data) || attr(object$terms, "response") == 0) return(NULL)
  response <- attr(object$terms, "variables")[[attr(object$terms, "response") + 1]]
  if (!all(all.vars(response) %in% names(data))) return(NULL)
  eval(response, data, environment(object$terms))
}

# What the library told, counted from 1; rows are the user's training rows.
explanation_of <- function(text, row, rows = NULL) {
  told <- jsonlite::fromJSON(text)
  told$row <- row
  row_of <- function(position) if (is.null(rows)) position + 1 else rows[position + 1]
  for (group in intersect(c("prototypes", "training_rows", "kernels"), names(told))) {
    source <- c(prototypes = "prototype", training_rows = "row", kernels = "kernel")[[group]]
    if (length(told[[group]]$pulls) == 0) next
    positions <- told[[group]]$pulls[[source]]
    told[[group]]$pulls[[source]] <- if (source == "row") row_of(positions) else positions + 1
  }
  if (!is.null(told$nearest_other)) told$nearest_other$row <- row_of(told$nearest_other$row)
  if (!is.null(told$counterfactual)) told$counterfactual$changes$column <- told$counterfactual$changes$column + 1
  if (!is.null(told$influences)) told$influences$rows$row <- row_of(told$influences$rows$row)
  structure(told, class = "dk_row_explanation")
}

print.dk_row_explanation <- function(x, top = 5, digits = 4, ...) {
  number <- function(value) format(value, digits = digits)
  cat("row ", x$row, " is ", if (is.character(x$prediction)) x$prediction else number(x$prediction),
      if (!is.null(x$instead_of)) paste(" and not", x$instead_of), ": answer ", number(x$answer),
      if (!is.null(x$distance)) paste(", distance", number(x$distance)),
      if (!is.null(x$probability)) paste(", probability", number(x$probability)), "\n", sep = "")
  for (group in intersect(c("prototypes", "training_rows", "kernels"), names(x))) {
    cat("\n", sub("_", " ", group), " that pull\n", sep = "")
    print(pull_table(x[[group]], top), row.names = FALSE, digits = digits)
  }
  if (!is.null(x$nearest_other))
    cat("\nnearest training row that is ", x$nearest_other$prediction, ": ", x$nearest_other$row, ", distance ",
        number(x$nearest_other$distance), "\n", sep = "")
  if (!is.null(x$counterfactual)) {
    cat("\nit would be ", x$counterfactual$prediction, " with\n", sep = "")
    changes <- x$counterfactual$changes
    print(utils::head(changes[c("feature", "from", "to", "deviations")], top), row.names = FALSE, digits = digits)
    if (nrow(changes) > top) cat("and ", nrow(changes) - top, " more\n", sep = "")
  }
  if (!is.null(x$influences)) {
    cat("\ntraining with these rows changed the answer by", if (!x$influences$exact) " about", "\n", sep = "")
    print(utils::head(x$influences$rows, top), row.names = FALSE, digits = digits)
  }
  invisible(x)
}

# The strongest pulls, all others together and the offset.
pull_table <- function(group, top) {
  pulls <- group$pulls
  source <- intersect(c("prototype", "row", "kernel"), names(pulls))[1]
  known <- intersect(c("class", "target", "text"), names(pulls))
  line <- function(name, contribution, share) {
    one <- data.frame(name, contribution = contribution, share = share)
    names(one)[1] <- source
    if (length(known) > 0) one[[known]] <- ""
    one[c(source, known, "contribution", "share")]
  }
  strongest <- utils::head(pulls, top)[c(source, known, "contribution", "share")]
  left <- utils::tail(pulls, -top)
  count <- nrow(left) + sum(group$others$count)
  rest <- if (count > 0)
    line(paste(count, "others"), sum(left$contribution, group$others$contribution), sum(left$share, group$others$share))
  all <- rbind(strongest, rest, line("offset", group$offset$contribution, group$offset$share))
  all$share <- sprintf("%+.1f %%", all$share)
  all
}
