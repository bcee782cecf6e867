# SPDX-License-Identifier: Apache-2.0
# Model files. The file itself is that of all languages, and has no place for what is R's alone: the formula, the levels of
# factors and the order of classes, contrasts, the call and the fitted values. These stand in a file beside it, whose name has
# .rds at its end.

dk_save <- function(object, path) {
  file <- path.expand(path)
  require_own_facts(facts_path(file))
  native(R_swig_NativeModel_save, native_model(object), file)
  save_facts(object, facts_path(file))
  invisible(path)
}

dk_load <- function(path, threads = 0, memory = 0) {
  file <- path.expand(path)
  model <- native(R_swig_NativeModel_load, file, control_of(threads, memory))
  levels <- class_names(model)
  object <- new_dk(model, match.call(), NULL, if (length(levels) > 0) levels)
  object$machine <- dk_report(object)$machine
  with_facts(object, facts_path(file))
}

facts_path <- function(file) paste0(file, ".rds")

# The header of a model file: the length of what follows, and its checksum, by which facts know their model.
model_header <- function(object) object$bytes[seq_len(28)]

# Written under another name first, so that a crash leaves the old file.
save_facts <- function(object, path) {
  facts <- unclass(object)[setdiff(names(object), c("bytes", "cache"))]
  unfinished <- tempfile("dk", dirname(path))
  on.exit(unlink(unfinished))
  saveRDS(structure(class = "dk_facts", list(header = model_header(object), facts = facts)), unfinished)
  if (!file.rename(unfinished, path)) stop("cannot write ", path)
}

# What the file has, or NULL where it is none of save_facts.
read_facts <- function(path) {
  facts <- tryCatch(readRDS(path), error = function(failure) NULL, warning = function(failure) NULL)
  if (inherits(facts, "dk_facts")) facts
}

require_own_facts <- function(path) {
  if (file.exists(path) && is.null(read_facts(path)))
    stop("dk_save would overwrite ", path, ", which it did not write; please choose another name")
}

# A model with what stands beside its file; a file of another model is left alone.
with_facts <- function(object, path) {
  if (!file.exists(path)) return(object)
  kept <- read_facts(path)
  if (is.null(kept) || !identical(kept$header, model_header(object))) {
    warning(path, " does not belong to this model: it is read without formula and levels of factors", call. = FALSE)
    return(object)
  }
  facts <- kept$facts
  object[names(facts)] <- facts
  object
}
