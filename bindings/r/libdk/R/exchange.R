# SPDX-License-Identifier: Apache-2.0
# Models of other programs. Objects of R go through a file in LIBSVM's format, with 17 digits.

dk_import <- function(object, ...) UseMethod("dk_import")

dk_import.default <- function(object, format = "auto", threads = 0, memory = 0, ...) {
  if (!is.character(object) || length(object) != 1)
    stop("dk_import takes the name of a file, svm of e1071 or ksvm of kernlab, no object of class ", class(object)[1])
  imported(path.expand(object), format, match.call(), threads, memory)
}

dk_export <- function(object, path, format) {
  native(R_swig_NativeModel_export_to, native_model(object), path.expand(path), format)
  invisible(path)
}

imported <- function(file, format, call, threads, memory) {
  model <- native(R_swig_NativeModel_import_from, file, format, control_of(threads, memory))
  levels <- class_names(model)
  object <- new_dk(model, call, NULL, if (length(levels) > 0) levels)
  object$machine <- dk_report(object)$machine
  object
}

# A model of what is told in the terms of LIBSVM: `header` is a list of lines, each a word with its values.
imported_machine <- function(header, coefficients, vectors, scaling, call, threads, memory) {
  vectors <- as.matrix(vectors)
  header <- c(header, scaling_lines(scaling, ncol(vectors)))
  lines <- vapply(names(header), function(word) paste(c(word, digits(header[[word]])), collapse = " "), "")
  values <- matrix(paste0(col(vectors), ":", digits(vectors)), nrow(vectors))
  values[vectors == 0] <- ""
  rows <- apply(cbind(matrix(digits(coefficients), nrow(vectors)), values), 1, paste, collapse = " ")
  file <- tempfile(fileext = ".model")
  on.exit(unlink(file))
  writeLines(c(lines, "SV", rows), file)
  imported(file, paste0("libsvm features=", ncol(vectors), if (!is.null(scaling)) " data=dense"), call, threads, memory)
}

digits <- function(values) if (is.double(values)) sprintf("%.17g", values) else as.character(values)

# Names as words: letters and digits stay, other bytes become % and two hexadecimal digits.
encoded_names <- function(names) {
  vapply(enc2utf8(names), function(name) {
    bytes <- charToRaw(name)
    plain <- grepl("[A-Za-z0-9]", vapply(bytes, function(b) if (b < as.raw(128)) rawToChar(b) else " ", ""))
    paste(ifelse(plain, vapply(bytes, function(b) if (b < as.raw(128)) rawToChar(b) else "", ""),
                 paste0("%", toupper(as.character(bytes)))), collapse = "")
  }, "", USE.NAMES = FALSE)
}

# The scaling of some columns, those that are `scaled`, as a shift and a scale of all.
scaling_lines <- function(scaling, columns) {
  if (is.null(scaling)) return(list())
  shift <- rep(0, columns)
  scale <- rep(1, columns)
  shift[scaling$scaled] <- scaling$x.scale[["scaled:center"]]
  scale[scaling$scaled] <- scaling$x.scale[["scaled:scale"]]
  list(column_shift = shift, column_scale = scale)
}

# Regressions learned from scaled targets: their functions times the scale, and the centre added.
unscaled_target <- function(coefficients, rho, y.scale) {
  if (is.null(y.scale)) return(list(coefficients = coefficients, rho = rho))
  scale <- unname(y.scale[["scaled:scale"]])
  list(coefficients = coefficients * scale, rho = rho * scale - unname(y.scale[["scaled:center"]]))
}

# svm() of e1071, which is LIBSVM.
dk_import.svm <- function(object, threads = 0, memory = 0, ...) {
  kernel <- object$kernel + 1
  header <- list(svm_type = c("c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr")[object$type + 1],
                 kernel_type = c("linear", "polynomial", "rbf", "sigmoid")[kernel])
  if (kernel == 2) header$degree <- as.integer(object$degree)
  if (kernel > 1) header$gamma <- as.double(object$gamma)
  if (kernel %in% c(2, 4)) header$coef0 <- as.double(object$coef0)
  function_of <- unscaled_target(object$coefs, object$rho, object$y.scale)
  classifies <- object$type < 2
  header <- c(header, list(nr_class = if (classifies) as.integer(object$nclasses) else 2L,
                           total_sv = as.integer(object$tot.nSV), rho = as.double(function_of$rho)))
  if (classifies) {
    header$label <- object$labels
    header$label_names <- encoded_names(object$levels[object$labels])
    if (isTRUE(object$compprob)) header <- c(header, list(probA = object$probA, probB = object$probB))
    header$nr_sv <- object$nSV
  }
  scaling <- if (any(object$scaled) && !is.null(object$x.scale)) object[c("scaled", "x.scale")]
  model <- imported_machine(header, function_of$coefficients, as_vectors(object$SV), scaling, match.call(), threads, memory)
  with_origin(model, object$terms, object$xlevels, if (classifies) object$levels)
}

# e1071 keeps sparse vectors in SparseM's compressed rows, which are read without that package.
as_vectors <- function(vectors) {
  if (is.matrix(vectors)) return(vectors)
  out <- matrix(0, attr(vectors, "dimension")[1], attr(vectors, "dimension")[2])
  counts <- diff(attr(vectors, "ia"))
  out[cbind(rep(seq_along(counts), counts), attr(vectors, "ja"))] <- attr(vectors, "ra")
  out
}

with_origin <- function(model, terms, xlevels, levels) {
  if (inherits(terms, "terms")) {
    model$terms <- terms
    model$xlevels <- xlevels
  }
  if (!is.null(levels)) model$levels <- levels
  model
}

# ksvm() of kernlab: its functions f = sum coef k(x, .) - b are positive for the second class of a pair.
dk_import.ksvm <- function(object, threads = 0, memory = 0, ...) {
  part <- function(name) methods::slot(object, name)
  type <- c("C-svc" = "c_svc", "nu-svc" = "nu_svc", "C-bsvc" = "c_svc", "one-svc" = "one_class", "eps-svr" = "epsilon_svr",
            "nu-svr" = "nu_svr", "eps-bsvr" = "epsilon_svr")[part("type")]
  if (is.na(type)) stop("a ksvm of type ", part("type"), " cannot be imported; its functions are not of pairs of classes")
  scaling <- if (is.list(part("scaling")) && any(part("scaling")$scaled)) part("scaling")
  header <- c(list(svm_type = unname(type)), kernlab_kernel(part("kernelf")))
  classifies <- type %in% c("c_svc", "nu_svc")
  machine <- if (classifies) kernlab_pairs(part) else {
    machine <- unscaled_target(as.double(unlist(part("coef"))), part("b"), scaling$y.scale)
    c(machine, list(vectors = part("xmatrix"), header = list(nr_class = 2L)))
  }
  vectors <- machine$vectors
  if (is.null(vectors) || !is.numeric(vectors))
    stop("only a ksvm that learned from rows of numbers can be imported, not from a kernel matrix or a list")
  header <- c(header, machine$header, list(total_sv = nrow(vectors), rho = as.double(machine$rho)))
  model <- imported_machine(header, machine$coefficients, vectors, scaling, match.call(), threads, memory)
  with_origin(model, part("terms"), NULL, if (classifies) as.character(part("lev")))
}

kernlab_kernel <- function(kernel) {
  parameters <- methods::slot(kernel, "kpar")
  switch(class(kernel)[1],
         rbfkernel = list(kernel_type = "rbf", gamma = as.double(parameters$sigma)),
         vanillakernel = list(kernel_type = "linear"),
         polykernel = list(kernel_type = "polynomial", degree = as.integer(parameters$degree),
                           gamma = as.double(parameters$scale), coef0 = as.double(parameters$offset)),
         tanhkernel = list(kernel_type = "sigmoid", gamma = as.double(parameters$scale),
                           coef0 = as.double(parameters$offset)),
         stop("a ksvm with a kernel of class ", class(kernel)[1], " cannot be imported"))
}

# kernlab keeps the vectors of each pair; LIBSVM's layout has those of all pairs once, sorted by class.
kernlab_pairs <- function(part) {
  classes <- part("nclass")
  pairs <- utils::combn(classes, 2)
  ids <- unlist(part("alphaindex"))
  terms <- data.frame(pair = rep(seq_len(ncol(pairs)), lengths(part("alphaindex"))), id = ids,
                      coefficient = unlist(part("coef")))
  terms$class <- ifelse(terms$coefficient > 0, pairs[2, terms$pair], pairs[1, terms$pair])
  rows <- do.call(rbind, lapply(part("xmatrix"), as.matrix))
  first <- which(!duplicated(ids))
  first <- first[order(terms$class[first], ids[first])]
  coefficients <- matrix(0, length(first), classes - 1)
  other <- pairs[1, terms$pair] + pairs[2, terms$pair] - terms$class
  column <- ifelse(other > terms$class, other - 1, other)
  coefficients[cbind(match(ids, ids[first]), column)] <- -terms$coefficient
  header <- list(nr_class = as.integer(classes), label = seq_len(classes),
                 label_names = encoded_names(as.character(part("lev"))),
                 nr_sv = tabulate(terms$class[first], classes))
  sigmoids <- part("prob.model")
  if (length(sigmoids) == ncol(pairs) && !is.null(sigmoids[[1]]$A))
    header <- c(header, list(probA = vapply(sigmoids, `[[`, 0, "A"), probB = -vapply(sigmoids, `[[`, 0, "B")))
  list(vectors = rows[first, , drop = FALSE], coefficients = coefficients, rho = -part("b"), header = header)
}
