# SPDX-License-Identifier: Apache-2.0
# Kernel matrices, verification curves, and what the library tells about itself.

dk_gram <- function(x, z = NULL, kernel = "rbf", threads = 0, memory = 0) {
  left <- native_data(x)
  control <- control_of(threads, memory)
  right <- if (!is.null(z)) native_data(z)
  count <- native(R_swig_kernel_count, if (is.null(right)) left else right, kernel)
  rows <- row_count(x)
  cols <- if (is.null(z)) rows else row_count(z)
  # matrices of a bank lie one after the other: by rows, that is one matrix with all their rows
  values <- filled_matrix(count * rows, cols, symmetric = count == 1 && is.null(z),
                          function(out) if (is.null(right)) native(R_swig_own_gram, out, left, kernel, control)
                            else native(R_swig_gram, out, left, right, kernel, control))
  names <- list(row_names(x), row_names(if (is.null(z)) x else z))
  named <- function(one) if (all(vapply(names, is.null, NA))) one else `dimnames<-`(one, names)
  if (count == 1) return(named(values))
  lapply(seq_len(count), function(k) named(values[(k - 1) * rows + seq_len(rows), , drop = FALSE]))
}

dk_kernel_count <- function(x, kernel) native(R_swig_kernel_count, native_data(x), kernel)

dk_gram_product <- function(x, z, kernel, v, threads = 0, memory = 0) {
  v <- as.matrix(v)
  if (nrow(v) != row_count(z)) stop("v has ", nrow(v), " rows, z has ", row_count(z))
  filled_matrix(row_count(x), ncol(v), function(out)
    native(R_swig_gram_product, out, native_data(x), native_data(z), kernel, as.double(t(v)), ncol(v),
           control_of(threads, memory)))
}

dk_verification_curve <- function(far, scores, genuine, clients = NULL, threads = 0, memory = 0) {
  if (!is.null(clients) && length(clients) != length(scores))
    stop("clients has ", length(clients), " elements, scores has ", length(scores))
  clients <- if (is.null(clients)) double() else group_numbers(clients)
  filled(length(far), function(out)
    native(R_swig_verification_curve, out, as.double(far), as.double(scores), as.double(genuine), clients,
           control_of(threads, memory)))
}

dk_describe <- function() native(R_swig_describe)

dk_version <- function() native(R_swig_version)

dk_build_info <- function() native(R_swig_build_info)
