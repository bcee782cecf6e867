# What rows are before a model is trained on them, and what looks wrong with them.

dk_data <- function(rows, y = NULL, threads = 0, memory = 0) {
  data <- if (inherits(rows, "dk_rows")) unclass(rows)$native else named_data(rows, missing = TRUE)
  if (is.numeric(y)) native(R_swig_NativeData_set_targets, data, by_rows(y))
  else if (!is.null(y)) native(R_swig_NativeData_set_label_names, data, as.character(y))
  told <- native(R_swig_NativeData_describe, data, control_of(threads, memory))
  structure(class = "dk_data", jsonlite::fromJSON(told, simplifyDataFrame = FALSE))
}

print.dk_data <- function(x, ...) {
  cat(x$rows, " rows of ", x$kind, " data, ", x$cols, " columns\n", sep = "")
  for (class in x$answers$classes) cat("  class ", class$name, ": ", class$rows, " rows\n", sep = "")
  for (sentence in x$understood) cat(strwrap(sentence, exdent = 2), sep = "\n")
  for (sentence in x$warnings) cat(strwrap(paste("Look:", sentence), exdent = 2), sep = "\n")
  facts <- c("name", "kind", "missing", "distinct", "least", "mean", "largest")
  known <- lapply(x$columns, function(column) lapply(column[facts], function(fact) if (is.null(fact)) NA else fact))
  if (length(known) > 0) {
    table <- do.call(rbind, lapply(known, function(column) as.data.frame(stats::setNames(column, facts))))
    print(table, row.names = FALSE)
  }
  invisible(x)
}

dk_row_names <- function(rows) {
  data <- unclass(rows)$native
  vapply(seq_len(row_count(rows)) - 1, function(row) native(R_swig_NativeData_row_name, data, row), "")
}
