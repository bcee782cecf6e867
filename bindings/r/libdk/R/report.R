# SPDX-License-Identifier: Apache-2.0
# What a model is and has learned: weights, sizes, its report and the scores of its cross-validation.

tasks <- c("classification", "regression", "novelty", "any", "clustering", "multilabel")

dk_task <- function(object) {
  number <- if (inherits(object, "dk")) native(R_swig_NativeModel_task_number, native_model(object))
            else native(R_swig_NativeParams_task_number, native_params(object, list()))
  tasks[number + 1]
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
  if (!is.null(x$labels)) cat("labels         ", paste(x$labels, collapse = ", "), "\n", sep = "")
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
  warnings <- dk_warnings(x)
  if (nrow(warnings) > 0) cat(strwrap(paste0("warning: ", warnings$about, ": ", warnings$text), exdent = 2), sep = "\n")
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
