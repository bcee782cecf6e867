# SPDX-License-Identifier: Apache-2.0
# Calls of the native library: failures become conditions, results are filled in fresh vectors.

status_names <- c("invalid_argument", "invalid_parameter", "invalid_kernel", "invalid_data", "dimension",
                  "out_of_memory", "memory_budget", "cancelled", "unsupported", "io", "model_format", "numerical",
                  "buffer_too_small", "internal", "callback")

# Under a name of its own, since R CMD check takes the first argument of .Call for the name of a wrapper, and here it is one of
# any.
call_wrapper <- .Call

# The value of a wrapper, or an error of class dk_error and dk_error_<status>.
native <- function(symbol, ...) {
  # wrappers that return something take one more argument: whether SWIG's proxies copy, which are not used
  value <- if (.subset2(symbol, "numParameters") > ...length()) call_wrapper(symbol, ..., FALSE)
           else call_wrapper(symbol, ...)
  if (!is.object(value) || !inherits(value, "dk_failure")) return(value)
  status <- status_names[attr(value, "status")]
  # Ctrl-C is an interrupt and no error, which try() would swallow
  if (status %in% c("cancelled", "callback") && .Call(R_swig_interrupted, FALSE)) {
    signalCondition(structure(class = c("interrupt", "condition"), list(message = "interrupted", call = NULL)))
    invokeRestart("abort")
  }
  said <- as.character(unclass(value))
  told <- counted_from_one(said, status = status)
  stop(structure(class = c(paste0("dk_error_", status), "dk_error", "error", "condition"),
                 list(message = told, call = sys.call(-1), status = status, library_message = said)))
}

# A fresh vector of n numbers that the wrapper fills: fill(out).
filled <- function(n, fill) {
  out <- double(n)
  fill(out)
  out
}

# What the library writes row by row, as a matrix; a symmetric one is its own transpose.
filled_matrix <- function(rows, cols, fill, symmetric = FALSE) {
  out <- native(R_swig_unwritten, as.integer(cols), as.integer(rows))
  fill(out)
  if (symmetric) out else t(out)
}

control_of <- function(threads = 0, memory = 0) {
  threads <- as.integer(threads)
  if (length(threads) != 1 || is.na(threads)) stop("threads must be one number; 0 for all processors")
  if (!is.numeric(memory) || length(memory) != 1 || is.na(memory) || abs(memory) > 2^40)
    stop("memory must be one number of MB; 0 for half of the machine's memory")
  native(R_swig_interruptible, threads, ceiling(memory))
}

native_params <- function(machine, parameters) {
  params <- native(R_swig_new_NativeParams, as.character(machine), "")
  for (key in names(parameters)) {
    native(R_swig_NativeParams_set, params, key, parameter_text(key, parameters[[key]]))
  }
  params
}

# Vectors of kernels are banks, named numbers are weights of classes, a list is a grid; numbers keep all their digits.
parameter_text <- function(key, value) {
  if (key == "grid" && is.list(value)) return(grid_text(value))
  if (key == "class_weight" && is.numeric(value) && !is.null(names(value))) {
    return(paste(names(value), vapply(value, number_text, ""), sep = ":", collapse = ","))
  }
  if (is.logical(value)) value <- ifelse(value, "yes", "no")
  if (is.numeric(value)) value <- vapply(value, number_text, "")
  value <- as.character(value)
  if (key == "kernel" && length(value) > 1) value <- paste0("[", paste(value, collapse = ", "), "]")
  if (length(value) != 1 || is.na(value)) stop("parameter ", key, " must be one value")
  value
}

# The shortest text that is this number, whatever options(OutDec) says; whole ones without an exponent, which integer
# parameters do not take.
number_text <- function(v) {
  if (is.finite(v) && v == trunc(v) && abs(v) < 1e15) return(sprintf("%.0f", v))
  for (digits in 15:17) {
    text <- format(v, digits = digits, decimal.mark = ".")
    if (isTRUE(as.double(text) == v)) break
  }
  text
}

# list(C = c(1, 10), kernel = c("rbf", "linear")) as the library writes grids.
grid_text <- function(grid) {
  if (is.null(names(grid)) || any(names(grid) == "")) stop("the lists of a grid must be named by parameters")
  choices <- vapply(names(grid), function(key) {
    texts <- vapply(grid[[key]], function(choice) parameter_text(key, choice), "")
    if (key %in% c("kernel", "weights")) paste0("[", paste(texts, collapse = ", "), "]")
    else paste(texts, collapse = ":")
  }, "")
  paste(names(grid), choices, sep = "=", collapse = ";")
}

# The native model of an object, read from its bytes where it came from a file or another session.
native_model <- function(object) {
  cache <- object$cache
  if (!native(R_swig_alive, cache$model))
    cache$model <- native(R_swig_NativeModel_read, object$bytes, control_of())
  cache$model
}
