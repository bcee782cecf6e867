# SPDX-License-Identifier: Apache-2.0
# Pages of HTML about a model, or about several.

dk_page <- function(object, path, newdata, y = NULL, training = NULL, training_y = NULL, image = NULL, rows = NULL,
                    title = NULL, threads = 0, memory = 0, manager = FALSE) {
  models <- if (inherits(object, "dk")) list(object) else object
  if (!is.list(models) || length(models) == 0 || !all(vapply(models, inherits, NA, "dk")))
    stop("object must be a model of dk(), or a list of such models to compare")
  if (!is.logical(manager) || length(manager) != 1 || is.na(manager)) stop("manager must be TRUE or FALSE")
  options <- page_options(image, rows, title, manager)
  control <- control_of(threads, memory)
  if (is.null(y)) y <- response_of(models[[1]], newdata)
  data <- truth_data(models[[1]], newdata, y)
  file <- path.expand(path)
  if (length(models) > 1) {
    compare_models(models, file, newdata, data, options, control)
  } else {
    model <- native_model(object <- models[[1]])
    known <- training_data(object, training, training_y)
    if (is.null(known)) native(R_swig_NativeModel_report, model, file, data, options, control)
    else native(R_swig_NativeModel_report_with, model, file, data, known$data, options, control)
  }
  invisible(path)
}

# All models read the same rows, so that what their formulas make of the data has to be the same.
compare_models <- function(models, file, newdata, data, options, control) {
  x <- new_rows(models[[1]], newdata)
  list <- native(R_swig_new_ModelList)
  for (m in seq_along(models)) {
    if (!identical(new_rows(models[[m]], newdata), x, ignore.environment = TRUE))
      stop("model ", m, " makes other columns of newdata than the first one; models that are compared read the same rows")
    native(R_swig_ModelList_add, list, native_model(models[[m]]))
  }
  native(R_swig_ModelList_compare, list, file, data, options, control)
}

# The options of a page as text; the title is the rest of it.
page_options <- function(image, rows, title, manager) {
  said <- c(if (!is.null(image)) paste0("image=", paste(image, collapse = "x")),
            if (!is.null(rows)) paste0("rows=", parameter_text("rows", rows)),
            if (manager) "for=manager",
            if (!is.null(title)) paste0("title=", title))
  paste(said, collapse = " ")
}
