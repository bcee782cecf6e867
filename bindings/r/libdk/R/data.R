# SPDX-License-Identifier: Apache-2.0
# Rows of every kind that the library knows: matrices, data frames, sparse matrices, character vectors (strings),
# lists of vectors or matrices (series), dk_graphs and dk_similarities.

dk_graphs <- function(graphs) {
  if (!is.list(graphs) || length(graphs) == 0) stop("graphs must be a list with at least one graph")
  for (i in seq_along(graphs)) {
    edges <- graphs[[i]]$edges
    if (!is.numeric(graphs[[i]]$nodes) || length(graphs[[i]]$nodes) == 0)
      stop("graph ", i, " has no nodes: each graph is list(nodes = labels, edges = matrix of two columns)")
    if (!is.null(edges) && (!is.matrix(edges) || ncol(edges) != 2))
      stop("the edges of graph ", i, " must be a matrix of two columns, nodes counted from 1")
  }
  structure(unname(graphs), class = "dk_graphs")
}

dk_similarities <- function(..., self = NULL) {
  matrices <- list(...)
  if (length(matrices) == 0 || !all(vapply(matrices, function(m) is.matrix(m) && is.numeric(m), NA)))
    stop("similarities must be numeric matrices of rows x training rows")
  if (length(unique(lapply(matrices, dim))) != 1) stop("all matrices of similarities must have the same dimensions")
  if (!is.null(self)) {
    self <- as.matrix(self)
    if (!is.numeric(self) || !identical(dim(self), c(nrow(matrices[[1]]), length(matrices))))
      stop("self has to have a number for each row, a column for each matrix")
  }
  structure(matrices, self = self, class = "dk_similarities")
}

# What a similarity gave, which has to be a matrix of this shape. An interrupt is told as what it is.
answer <- function(values, rows, cols) {
  values <- tryCatch(values, interrupt = function(condition) structure("interrupted", class = "libdk_interrupted"))
  if (inherits(values, "libdk_interrupted")) return(values)
  if (!is.numeric(values) || !identical(dim(values), c(rows, cols)))
    stop("a similarity has to give a matrix of numbers, ", rows, " x ", cols, call. = FALSE)
  as.double(values)
}

# Similarities that a function computes when they are asked for.
dk_similarity <- function(rows, training_rows, similarity, self = NULL) {
  asked <- function(some, training)
    answer(similarity(some + 1, training + 1), length(some), length(training))
  own <- if (is.null(self)) double() else as.double(self)
  structure(class = "dk_rows", list(native = native(R_swig_similarities, rows, training_rows, asked, own)))
}

# Rows with a similarity to any points.
dk_point_similarity <- function(x, similarity) {
  x <- as.matrix(x)
  asked <- function(points, some) answer(similarity(points, some + 1), length(some), nrow(points))
  structure(class = "dk_rows",
            list(native = native(R_swig_point_similarities, as.double(t(x)), nrow(x), ncol(x), asked)))
}

`[.dk_graphs` <- function(x, i) structure(unclass(x)[i], class = "dk_graphs")

# Rows only: the columns belong to the training rows.
`[.dk_similarities` <- function(x, i) {
  structure(lapply(unclass(x), function(m) m[i, , drop = FALSE]), self = attr(x, "self")[i, , drop = FALSE],
            class = "dk_similarities")
}

is_series <- function(x) is.list(x) && !is.data.frame(x) && !is.object(x)
is_strings <- function(x) is.character(x) && is.null(dim(x))
has_columns <- function(x) !is.null(dim(x))

# Rows of a file that the library reads, with their labels and groups; like a model, they are read as its training file.
dk_read <- function(path, options = "", like = NULL, threads = 0, memory = 0) {
  control <- control_of(threads, memory)
  data <- if (is.null(like)) native(R_swig_NativeData_file, path.expand(path), options, control)
          else native(R_swig_NativeModel_read_rows, native_model(like), path.expand(path), options, control)
  structure(class = "dk_rows", list(native = data))
}

`[.dk_rows` <- function(x, i) {
  rows <- seq_len(row_count(x))[i]
  if (anyNA(rows)) stop("the rows are 1 to ", row_count(x), "; others were chosen")
  structure(class = "dk_rows", list(native = native(R_swig_NativeData_select, unclass(x)$native, as.double(rows) - 1)))
}

print.dk_rows <- function(x, ...) {
  kinds <- c("dense", "sparse", "gram", "series", "strings", "graphs")
  data <- unclass(x)$native
  cat(row_count(x), " rows of ", kinds[native(R_swig_NativeData_kind_number, data) + 1], " data, ",
      native(R_swig_NativeData_cols, data), " columns\n", sep = "")
  invisible(x)
}

as.matrix.dk_rows <- function(x, ...) {
  data <- unclass(x)$native
  cols <- native(R_swig_NativeData_cols, data)
  values <- filled_matrix(row_count(x), cols, function(out) native(R_swig_NativeData_values, data, out))
  names <- vapply(seq_len(cols) - 1, function(c) native(R_swig_NativeData_feature_name, data, c), "")
  if (any(nzchar(names))) colnames(values) <- names
  values
}

dk_labels <- function(rows) {
  data <- unclass(rows)$native
  labels <- filled(row_count(rows), function(out) native(R_swig_NativeData_labels, data, out))
  if (any(abs(labels) > 2^53))
    stop("the rows have labels beyond 2^53, which R's numbers do not tell apart; a model predicts them as texts")
  labels
}

dk_folds <- function(y, folds = 10, seed = 1, groups = NULL) {
  y <- exact_classes(as_targets(y))
  data <- native_data(matrix(0, NROW(y), 1))
  if (is.numeric(y) && any(y != trunc(y))) native(R_swig_NativeData_set_targets, data, by_rows(y))
  else native(R_swig_NativeData_set_label_names, data, as.character(y))
  if (!is.null(groups)) native(R_swig_NativeData_set_groups, data, group_numbers(groups))
  filled(NROW(y), function(out) native(R_swig_NativeData_folds, data, out, folds, seed)) + 1
}

# Most rows are of a plain matrix, which is told from all others without a search among classes.
is_plain <- function(x) is.double(x) && is.matrix(x) && !is.object(x)

row_count <- function(x) {
  if (is_plain(x)) return(nrow(x))
  if (inherits(x, "dk_rows")) return(native(R_swig_NativeData_rows, unclass(x)$native))
  if (inherits(x, "dk_similarities")) return(nrow(unclass(x)[[1]]))
  if (has_columns(x)) nrow(x) else length(x)
}

take_rows <- function(x, rows) if (has_columns(x)) x[rows, , drop = FALSE] else x[rows]

row_names <- function(x) {
  if (is_plain(x)) return(dimnames(x)[[1]])
  if (has_columns(x)) rownames(x) else if (is_series(x) || is_strings(x)) names(x)
}

# Whether no row can miss a value.
all_complete <- function(x) (is.matrix(x) && !anyNA(x)) || inherits(x, c("sparseMatrix", "dk_graphs", "dk_rows"))

# Which rows have no missing values.
complete_rows <- function(x) {
  if (all_complete(x)) return(rep(TRUE, row_count(x)))
  if (inherits(x, "dk_similarities")) return(Reduce(`&`, lapply(unclass(x), function(m) !is.na(rowSums(m)))))
  if (is_series(x)) return(vapply(x, function(one) !anyNA(one), NA, USE.NAMES = FALSE))
  if (has_columns(x)) stats::complete.cases(x) else !is.na(x)
}

# The native dataset; dense rows stay in R's columns.
native_data <- function(x, missing = FALSE) {
  if (is_plain(x)) return(dense_data(x, missing))
  if (inherits(x, "dk_rows")) return(unclass(x)$native)
  if (inherits(x, "sparseMatrix")) return(sparse_data(x))
  if (inherits(x, "dk_graphs")) return(graph_data(x))
  if (inherits(x, "dk_similarities")) return(similarity_data(x))
  if (is_strings(x)) return(string_data(x))
  if (is_series(x)) return(series_data(x))
  if (is.data.frame(x)) x <- as.matrix(x)
  if (!has_columns(x)) stop("x must be a matrix or a data frame; a single row is matrix(x, 1)")
  if (!is.numeric(x) && !is.logical(x)) stop("x must be numeric; use a formula where columns are factors")
  if (!is.double(x)) storage.mode(x) <- "double"
  dense_data(x, missing)
}

dense_data <- function(x, missing) native(R_swig_NativeData_dense, x, nrow(x), ncol(x), nrow(x), 1L, missing)

# The native dataset with the names of its columns, by which a model finds them; a frame with texts is read like the one that
# the model was trained on.
named_data <- function(x, missing = FALSE, like = NULL) {
  if (is_mixed(x)) return(frame_data(x, missing, like))
  data <- native_data(x, missing)
  columns <- if (is_plain(x)) dimnames(x)[[2]] else colnames(x)
  if (!is.null(columns) && !anyDuplicated(columns) && all(nzchar(columns)))
    native(R_swig_NativeData_set_feature_names, data, columns)
  data
}

# The compressed rows of a sparse matrix are those of its transpose's columns.
sparse_data <- function(x) {
  if (!requireNamespace("Matrix", quietly = TRUE)) stop("sparse matrices need the package Matrix")
  columns <- Matrix::t(Matrix::drop0(x))
  columns <- as(as(as(columns, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  native(R_swig_NativeData_sparse, as.double(columns@p), as.double(columns@i), as.double(columns@x), ncol(x))
}

string_data <- function(x) {
  if (anyNA(x)) stop("x has missing values: row ", which(is.na(x))[1])
  native(R_swig_NativeData_strings, enc2utf8(x))
}

# Steps one after the other, each with all its channels.
series_data <- function(x) {
  series <- lapply(x, as.matrix)
  if (!all(vapply(series, is.numeric, NA))) stop("series must be numeric vectors, or matrices of steps x channels")
  channels <- unique(vapply(series, ncol, 0L))
  if (length(channels) != 1) stop("all series must have the same number of channels")
  values <- as.double(unlist(lapply(series, t), use.names = FALSE))
  native(R_swig_NativeData_series, values, as.double(vapply(series, nrow, 0L)), channels)
}

graph_data <- function(x) {
  graphs <- unclass(x)
  edges <- lapply(graphs, function(graph) if (is.null(graph$edges)) double() else t(graph$edges) - 1)
  native(R_swig_NativeData_graphs, as.double(lengths(lapply(graphs, `[[`, "nodes"))),
         as.double(unlist(lapply(graphs, `[[`, "nodes"))), as.double(lengths(edges)) / 2,
         as.double(unlist(edges)))
}

similarity_data <- function(x) {
  matrices <- unclass(x)
  native(R_swig_NativeData_gram, as.double(unlist(matrices, use.names = FALSE)), length(matrices),
         nrow(matrices[[1]]), ncol(matrices[[1]]), as.double(attr(x, "self")), 1L)
}
