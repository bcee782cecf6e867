# SPDX-License-Identifier: Apache-2.0

prototypes <- function(object, ...) UseMethod("prototypes")

prototypes.dk <- function(object, ...) {
  model <- native_model(object)
  count <- native(R_swig_NativeModel_prototype_count, model)
  rows <- native(R_swig_NativeModel_training_rows, model)
  neighbours <- native(R_swig_NativeModel_prototype_neighbours, model)
  class <- filled(count, function(out) native(R_swig_NativeModel_prototype_classes, model, out))
  coefficients <- filled_matrix(count, rows,
                                function(out) native(R_swig_NativeModel_prototype_coefficients, model, out))
  distances <- double(count * neighbours)
  nearest <- filled(count * neighbours,
                    function(out) native(R_swig_NativeModel_prototype_nearest, model, out, distances))
  pairs <- native(R_swig_NativeModel_prototypes_are_pairs, model)
  out <- data.frame(fn = if (pairs) (seq_len(count) + 1) %/% 2 else rep_len(NA_real_, count),
                    side = if (pairs) rep_len(c("p+", "p-"), count) else rep_len(NA_character_, count))
  names <- class_names(model)
  out$class <- if (length(names) > 0) names[ifelse(class < 0, NA, class + 1)] else NA_character_
  out$nearest <- I(matrix(nearest + 1, count, neighbours, byrow = TRUE))
  out$distance <- I(matrix(distances, count, neighbours, byrow = TRUE))
  attr(out, "coefficients") <- coefficients
  class(out) <- c("dk_prototypes", "data.frame")
  out
}

dk_coordinates <- function(object) {
  model <- native_model(object)
  filled_matrix(native(R_swig_NativeModel_prototype_count, model), native(R_swig_NativeModel_feature_count, model),
                function(out) native(R_swig_NativeModel_prototype_coordinates, model, out))
}

dk_functions <- function(object) {
  model <- native_model(object)
  count <- native(R_swig_NativeModel_decision_count, model)
  shift <- double(count)
  offset <- double(count)
  normal <- double(count)
  native(R_swig_NativeModel_prototype_offsets, model, shift, offset)
  native(R_swig_NativeModel_normals, model, normal)
  data.frame(shift = shift, offset = offset, normal = normal)
}

# The decision functions as sums over training rows: a row of coefficients for each, and their offsets.
dk_dual <- function(object) {
  model <- native_model(object)
  count <- native(R_swig_NativeModel_decision_count, model)
  coefficients <- filled_matrix(count, native(R_swig_NativeModel_training_rows, model),
                                function(out) native(R_swig_NativeModel_dual_coefficients, model, out))
  rownames(coefficients) <- function_names(model)
  list(coefficients = coefficients, offsets = filled(count, function(out) native(R_swig_NativeModel_dual_offsets, model, out)))
}

dk_transform <- function(object, newdata, threads = 0, memory = 0) {
  model <- native_model(object)
  control <- control_of(threads, memory)
  count <- native(R_swig_NativeModel_transform_count, model)
  for_rows(object, newdata, count,
           function(out, data) native(R_swig_NativeModel_transform, model, out, data, control))
}

dk_reconstruct <- function(object, newdata, threads = 0, memory = 0) {
  model <- native_model(object)
  control <- control_of(threads, memory)
  count <- native(R_swig_NativeModel_feature_count, model)
  for_rows(object, newdata, count,
           function(out, data) native(R_swig_NativeModel_reconstruct, model, out, data, control))
}

explain <- function(object, ...) UseMethod("explain")

explain.dk <- function(object, newdata, threads = 0, memory = 0, ...) {
  model <- native_model(object)
  functions <- native(R_swig_NativeModel_decision_count, model)
  control <- control_of(threads, memory)
  count <- native(R_swig_NativeModel_prototype_count, model)
  said <- for_rows(object, newdata, count,
                   function(out, data) native(R_swig_NativeModel_explain, model, out, data, control))
  offsets <- filled(functions,
                    function(out) native(R_swig_NativeModel_prototype_offsets, model, double(functions), out))
  pairs <- native(R_swig_NativeModel_prototypes_are_pairs, model)
  colnames(said) <- if (pairs) paste0(rep(c("p+", "p-"), functions), rep(seq_len(functions), each = 2))
                    else paste0("p", seq_len(count))
  attr(said, "offset") <- offsets
  said
}
