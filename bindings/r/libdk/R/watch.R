# SPDX-License-Identifier: Apache-2.0
# What is to be known of a model that is in use: its threshold, further rows, whether new rows come as the known ones, and
# warnings.

dk_move_threshold <- function(object, newdata, y = NULL, false_alarms = 0, sure = 0.95, miss_cost = 0, threads = 0,
                              memory = 0) {
  numbers <- c(false_alarms = false_alarms, sure = sure, miss_cost = miss_cost)
  goal <- paste(names(numbers), vapply(numbers, number_text, ""), sep = "=", collapse = " ")
  data <- truth_data(object, newdata, y)
  out <- changed_dk(object, native(R_swig_NativeModel_move_threshold, native_model(object), data, goal,
                                   control_of(threads, memory)))
  out["fitted.values"] <- list(NULL) # those of the old threshold
  out
}

dk_update <- function(object, newdata = NULL, y = NULL, forget = NULL, threads = 0, memory = 0) {
  gone <- as.double(forget) - 1
  control <- control_of(threads, memory)
  model <- native_model(object)
  updated <- if (is.null(newdata)) native(R_swig_NativeModel_forget, model, gone, control)
             else native(R_swig_NativeModel_update, model, truth_data(object, newdata, y), gone, control)
  out <- changed_dk(object, updated)
  out["fitted.values"] <- list(NULL) # those of the old rows
  out
}

dk_drift <- function(object, newdata, reference = NULL, seed = 1, threads = 0, memory = 0) {
  rows <- function(table) named_data(new_rows(object, table), missing = object$fills, like = object)
  data <- rows(newdata)
  model <- native_model(object)
  control <- control_of(threads, memory)
  known <- if (!is.null(reference)) rows(reference)
  found <- filled(3, function(out) {
    if (is.null(known)) native(R_swig_NativeModel_drift, model, out, data, seed, control)
    else native(R_swig_NativeModel_drift_with, model, out, data, known, seed, control)
  })
  list(distance = found[1], usual = found[2], p = found[3])
}

dk_warnings <- function(object) {
  told <- jsonlite::fromJSON(native(R_swig_NativeModel_warnings, native_model(object)), simplifyDataFrame = FALSE)$warnings
  data.frame(about = vapply(told, `[[`, "", "about"), text = vapply(told, `[[`, "", "text"))
}
