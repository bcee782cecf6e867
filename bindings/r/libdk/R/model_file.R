# SPDX-License-Identifier: Apache-2.0
# Model files. The file itself is that of all languages, and has no place for what is R's alone: the formula, the levels of
# factors and the order of classes, contrasts, the call and the fitted values. These stand in a file beside it, whose name has
# .json at its end. It is text, and its formula and calls are sources that are read and not run, because what R serializes can
# hold promises, environments and classes that run code as soon as somebody looks at them.

dk_save <- function(object, path, facts = TRUE) {
  require_flag(facts)
  file <- path.expand(path)
  beside <- facts_path(file)
  if (has_facts(file))
    stop(path, " has what R knows of the model ", sub("\\.json$", "", basename(file)), "; please choose another name")
  if (facts && file.exists(beside) && !has_facts(beside))
    stop("dk_save would overwrite ", beside, ", which it did not write; please choose another name")
  native(R_swig_NativeModel_save, native_model(object), file)
  if (facts) save_facts(object, beside)
  else if (has_facts(beside)) unlink(beside)  # of the model that was there before
  invisible(path)
}

dk_load <- function(path, threads = 0, memory = 0, facts = TRUE, functions = character()) {
  require_flag(facts)
  if (!is.character(functions)) stop("functions must be the names of functions that the formula may call")
  file <- path.expand(path)
  model <- native(R_swig_NativeModel_load, file, control_of(threads, memory))
  levels <- known_levels(model)
  object <- new_dk(model, match.call(), NULL, if (length(levels) > 0) levels)
  object$machine <- dk_report(object)$machine
  if (facts) with_facts(object, facts_path(file), functions) else object
}

facts_path <- function(file) paste0(file, ".json")

written_by <- "dk_save of R's libdk"

# The header of a model file: the length of what follows, and its checksum, by which facts know their model.
model_header <- function(object) paste(object$bytes[seq_len(28)], collapse = "")

# Written under another name first, so that a crash leaves the old file.
save_facts <- function(object, path) {
  unfinished <- tempfile("dk", dirname(path))
  on.exit(unlink(unfinished))
  told <- list(written_by = written_by, header = model_header(object), facts = facts_of(object))
  writeLines(enc2utf8(as.character(jsonlite::toJSON(told, auto_unbox = TRUE, null = "null"))), unfinished, useBytes = TRUE)
  if (!file.rename(unfinished, path)) stop("cannot write ", path)
}

# What the file has; one that is none of save_facts is an error.
read_facts <- function(path) {
  unreadable <- function(failure) stop(path, " cannot be read: ", conditionMessage(failure), call. = FALSE)
  text <- tryCatch(readLines(path, warn = FALSE, encoding = "UTF-8"), error = unreadable, warning = unreadable)
  kept <- tryCatch(jsonlite::fromJSON(paste(text, collapse = "\n"), simplifyVector = FALSE), error = function(failure) NULL)
  if (!is.list(kept) || !identical(kept$written_by, written_by) || !is.list(kept$facts))
    stop(path, " is none that dk_save has written", call. = FALSE)
  kept
}

has_facts <- function(path) file.exists(path) && !inherits(try(read_facts(path), silent = TRUE), "try-error")

# A model with what stands beside its file; a file of another model is left alone.
with_facts <- function(object, path, functions) {
  if (!file.exists(path)) return(object)
  kept <- tryCatch(read_facts(path), error = identity)
  facts <- if (inherits(kept, "error")) kept
           else tryCatch(facts_from(kept$facts, c(known_functions, functions)), error = identity)
  levels <- if (!inherits(facts, "error")) facts$levels
  wrong <- if (inherits(kept, "error")) conditionMessage(kept)
           else if (inherits(facts, "error")) paste(path, conditionMessage(facts))
           else if (!identical(kept$header, model_header(object)) || !(is.null(levels) || setequal(levels, object$levels)))
             paste(path, "does not belong to this model")
  if (!is.null(wrong)) {
    warning(wrong, ". The model is read without formula and levels of factors", call. = FALSE)
    return(object)
  }
  if (!is.null(facts$left_out))
    warning("the call that trained the model does more than train on a variable of yours and is left out: ", facts$left_out,
            call. = FALSE)
  facts$left_out <- NULL
  object["levels"] <- list(levels)  # a detector has none
  for (name in names(facts)) object[[name]] <- facts[[name]]
  object
}
