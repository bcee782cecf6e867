# SPDX-License-Identifier: Apache-2.0
# Data frames with columns that are no numbers. They are read as a CSV file of them is, so that texts, factors, truth values and
# dates are what they are in files, and the model knows the same of both.

is_number_column <- function(column) is.numeric(column) && !inherits(column, c("integer64", "difftime"))

# Whether rows are a data frame with columns that are no numbers.
is_mixed <- function(x) is.data.frame(x) && !all(vapply(x, is_number_column, NA))

# The native dataset of such a frame; like a model, it has the features that the model was trained on.
frame_data <- function(x, missing, like = NULL) {
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  writeLines(c("sep=,", frame_lines(x)), path, useBytes = TRUE)
  options <- paste("format=csv header=yes ignore=none label=none", if (missing) "missing=keep")
  tryCatch(if (is.null(like)) native(R_swig_NativeData_file, path, options, control_of())
           else native(R_swig_NativeModel_read_rows, native_model(like), path, options, control_of()),
           dk_error = function(failure) {
             failure$message <- told_of_frame(failure$message)
             stop(failure)
           })
}

frame_lines <- function(x) {
  if (is.null(names(x)) || any(!nzchar(names(x)))) stop("every column of a data frame with texts needs a name")
  columns <- lapply(x, column_texts)
  c(paste(quoted(names(x)), collapse = ","), do.call(paste, c(unname(columns), sep = ",")))
}

quoted <- function(texts) paste0("\"", gsub("\"", "\"\"", enc2utf8(texts), fixed = TRUE), "\"")

# What stands in a file for the elements of a column: numbers with all their digits, dates with the year first, and nothing
# where a value is missing.
column_texts <- function(column) {
  if (!is.null(dim(column))) stop("a data frame with texts cannot have matrices as columns")
  if (inherits(column, "POSIXt")) column <- format(column, "%Y-%m-%d %H:%M:%S", tz = "UTC")
  if (inherits(column, "integer64")) column <- large_integers(column)
  number <- is_number_column(column)
  texts <- if (!number) quoted(as.character(column))
           else if (is.integer(column)) sprintf("%d", column)
           else sprintf("%.17g", as.double(column))
  ifelse(is.na(column), "", texts)
}

# What is told of a file as it is of a frame: two lines come before the first row.
told_of_frame <- function(message) {
  said <- sub("^'.*?\\.csv': ", "", message, perl = TRUE)
  line <- regmatches(said, regexec("line ([0-9]+), field [0-9]+ \\(([^)]*)\\)", said))[[1]]
  if (length(line) == 3)
    said <- sub(line[1], paste0("row ", as.double(line[2]) - 2, " of column '", line[3], "'"), said, fixed = TRUE)
  said <- sub("the file option ignore=(.*?)(?=[,;]|$)", "another choice of columns", said, perl = TRUE)
  said <- sub(", or make numbers of them by dates=days, yearday or weekday (dates=text keeps them as categories)",
              ", or make numbers of them, as as.numeric() does", said, fixed = TRUE)
  paste("the data frame, read as a CSV file:", said)
}

# Integers of 64 bits as their digits.
large_integers <- function(values) {
  if (!requireNamespace("bit64", quietly = TRUE)) stop("values of class integer64 need the package bit64")
  as.character(values)
}

# Classes as R has them. Those of 64 bits become their digits, and numbers that doubles do not tell apart are refused.
exact_classes <- function(y) {
  if (inherits(y, "integer64")) return(large_integers(y))
  if (!is.numeric(y) || is.factor(y)) return(y)
  largest <- suppressWarnings(max(abs(y), na.rm = TRUE))
  if (largest > 2^53 && all(y == trunc(y), na.rm = TRUE))
    stop("y has whole numbers beyond 2^53, which R's numbers do not tell apart: give them as texts, or as bit64::integer64")
  # as.character() keeps 15 digits
  if (largest >= 1e15 && all(y == trunc(y), na.rm = TRUE)) ifelse(is.na(y), NA_character_, sprintf("%.0f", y)) else y
}
