# SPDX-License-Identifier: Apache-2.0
# What a model answers for the rows that it was trained on, and the parts that it was trained by, as lm has them.

# Stops unless the model keeps what it answers for its training rows.
require_fitted <- function(object, wish) {
  if (is.null(object$fitted.values))
    stop(wish, ": this model keeps no fitted values, because it was trained with fitted = FALSE, they could not be computed, ",
         "it was compressed, its threshold was moved, or it was read from a file without its .json", call. = FALSE)
}

fitted.dk <- function(object, ...) {
  require_fitted(object, "fitted needs predictions of the training rows")
  napredict(object$na.action, object$fitted.values)
}

residuals.dk <- function(object, ...) {
  task <- dk_task(object)
  if (task != "regression")
    stop("residuals are of regressions, and the task of this model is ", task, "; fitted(object) can be compared with ",
         "the classes by table()")
  require_fitted(object, "residuals need predictions of the training rows")
  if (is.null(object$residuals)) stop("residuals need y, which was not given to dk: rows of a file keep it to themselves")
  naresid(object$na.action, object$residuals)
}

nobs.dk <- function(object, ...) native(R_swig_NativeModel_training_rows, native_model(object))

formula.dk <- function(x, ...) {
  require_formula(x)
  if (is_wide(x$terms)) wide_formula(x$terms) else formula(x$terms)
}

model.frame.dk <- function(formula, ...) {
  require_formula(formula)
  frame <- frame_call(known_call(training_call(formula)))
  frame$formula <- if (is_wide(formula$terms)) wide_formula(formula$terms) else formula$terms
  frame$xlev <- formula$xlevels
  given <- list(...)
  for (name in intersect(c("data", "subset", "na.action"), names(given))) frame[[name]] <- given[[name]]
  eval(frame, environment(formula$terms))
}

require_formula <- function(object) {
  if (is.null(object$terms)) stop("the model was trained on rows, without a formula", call. = FALSE)
}
