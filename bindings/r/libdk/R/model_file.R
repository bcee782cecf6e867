# SPDX-License-Identifier: Apache-2.0
# Model files. The file itself is that of all languages, and has no place for what is R's alone: the formula, the levels of
# factors and the order of classes, contrasts, the call and the fitted values. These stand in a file beside it, whose name has
# .rds at its end.

dk_save <- function(object, path, facts = TRUE) {
  require_flag(facts)
  file <- path.expand(path)
  beside <- facts_path(file)
  if (has_facts(file))
    stop(path, " has what R knows of the model ", sub("\\.rds$", "", basename(file)), "; please choose another name")
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
  levels <- class_names(model)
  object <- new_dk(model, match.call(), NULL, if (length(levels) > 0) levels)
  object$machine <- dk_report(object)$machine
  if (facts) with_facts(object, facts_path(file), functions) else object
}

facts_path <- function(file) paste0(file, ".rds")

# What the second file may have, and the types that it may have there. The model itself is never among them.
fact_types <- list(call = is.call, training_call = is.call, machine = is.character,
                   levels = function(value) is.null(value) || is.character(value),
                   terms = function(value) is.call(value) && inherits(value, "terms"),
                   xlevels = is.list, contrasts = is.list, na.action = is.numeric,
                   fitted.values = function(value) is.numeric(value) || is.factor(value), residuals = is.numeric)

# Whether each element is a fact of a known name and type.
are_facts <- function(facts) {
  vapply(seq_along(facts), function(i) {
    name <- names(facts)[i]
    isTRUE(name %in% names(fact_types)) && fact_types[[name]](facts[[i]])
  }, NA)
}

# The header of a model file: the length of what follows, and its checksum, by which facts know their model.
model_header <- function(object) object$bytes[seq_len(28)]

# Written under another name first, so that a crash leaves the old file.
save_facts <- function(object, path) {
  facts <- without_surroundings(unclass(object))
  facts <- facts[are_facts(facts)]
  unfinished <- tempfile("dk", dirname(path))
  on.exit(unlink(unfinished))
  saveRDS(structure(class = "dk_facts", list(header = model_header(object), facts = facts)), unfinished)
  if (!file.rename(unfinished, path)) stop("cannot write ", path)
}

# Formulas know where they were written, and with it all that is there, such as the data; a file has the workspace in its place.
without_surroundings <- function(facts) {
  if (!is.null(facts$terms)) environment(facts$terms) <- globalenv()
  for (call in intersect(c("call", "training_call"), names(facts)))
    if (inherits(facts[[call]]$formula, "formula")) environment(facts[[call]]$formula) <- globalenv()
  facts
}

# What the file has; one that is none of save_facts is an error.
read_facts <- function(path) {
  unreadable <- function(failure) stop(path, " cannot be read: ", conditionMessage(failure), call. = FALSE)
  kept <- tryCatch(readRDS(path), error = unreadable, warning = unreadable)
  if (!inherits(kept, "dk_facts") || !is.list(kept) || !is.list(kept$facts) || !all(are_facts(kept$facts)))
    stop(path, " is none that dk_save has written", call. = FALSE)
  kept
}

has_facts <- function(path) file.exists(path) && !inherits(try(read_facts(path), silent = TRUE), "try-error")

# A model with what stands beside its file; a file of another model is left alone.
with_facts <- function(object, path, functions) {
  if (!file.exists(path)) return(object)
  kept <- tryCatch(read_facts(path), error = identity)
  levels <- kept$facts$levels
  facts <- if (!inherits(kept, "error")) tryCatch(without_foreign_code(kept$facts, functions), error = identity)
  wrong <- if (inherits(kept, "error")) conditionMessage(kept)
           else if (!identical(kept$header, model_header(object)) || !(is.null(levels) || setequal(levels, object$levels)))
             paste(path, "does not belong to this model")
           else if (inherits(facts, "error")) paste(path, conditionMessage(facts))
  if (!is.null(wrong)) {
    warning(wrong, ". The model is read without formula and levels of factors", call. = FALSE)
    return(object)
  }
  object[names(facts)] <- facts
  object
}
