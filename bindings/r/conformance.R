# SPDX-License-Identifier: Apache-2.0
# Runs the cases of tests/bindings/conformance.c, which says what is read and written:
#   Rscript conformance.R CASES DATA_FOLDER OUT_FOLDER
# Files are read by the library, because R's own numbers from text may differ in the last bit.
library(libdk)
internal <- asNamespace("libdk")
arguments <- commandArgs(trailingOnly = TRUE)

for (line in readLines(arguments[1])) {
  fields <- strsplit(line, "\t")[[1]]
  file <- regmatches(fields[2], regexpr(" ", fields[2]), invert = TRUE)[[1]]
  data <- internal$native(internal$R_swig_NativeData_file, file.path(arguments[2], file[1]), c(file, "")[2],
                          internal$control_of())
  pairs <- regmatches(fields[-(1:3)], regexpr("=", fields[-(1:3)]), invert = TRUE)
  parameters <- lapply(pairs, `[`, 2)
  names(parameters) <- vapply(pairs, `[`, "", 1)
  params <- internal$native_params(fields[3], parameters)
  model <- internal$native(internal$R_swig_NativeModel_train, data, params, internal$control_of(0))
  object <- internal$new_dk(model, NULL, fields[3], internal$class_names(model))
  rows <- internal$native(internal$R_swig_NativeData_rows, data)
  out <- file(file.path(arguments[3], fields[1]), "wb")
  put <- function(symbol, columns) {
    values <- internal$filled(rows * columns, function(v) internal$native(symbol, model, v, data, internal$control_of()))
    writeBin(values, out, endian = "little")
  }
  put(internal$R_swig_NativeModel_predict, 1)
  put(internal$R_swig_NativeModel_decision, internal$native(internal$R_swig_NativeModel_decision_count, model))
  put(internal$R_swig_NativeModel_explain, internal$native(internal$R_swig_NativeModel_prototype_count, model))
  writeBin(unname(coef(object)), out, endian = "little")
  writeBin(as.vector(t(attr(prototypes(object), "coefficients"))), out, endian = "little")
  if ((features <- internal$native(internal$R_swig_NativeModel_transform_count, model)) > 0)
    put(internal$R_swig_NativeModel_transform, features)
  writeBin(object$bytes, out)
  close(out)
}
