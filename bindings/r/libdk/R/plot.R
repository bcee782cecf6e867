# SPDX-License-Identifier: Apache-2.0

plot.dk <- function(x, what = c("weights", "distances", "plane"), newdata = NULL, y = NULL, ...) {
  what <- match.arg(what)
  if (what != "weights" && (is.null(newdata) || is.null(y)))
    stop("what = \"", what, "\" needs newdata and y, such as the training data")
  switch(what, weights = plot_weights(x, ...), distances = plot_distances(x, newdata, y, ...),
         plane = plot_plane(x, newdata, y, ...))
  invisible(x)
}

plot_weights <- function(model, ...) {
  weights <- coef(model)
  old <- par(mar = c(4, max(4, 0.5 * max(nchar(names(weights)))), 2, 1))
  on.exit(par(old))
  barplot(rev(weights), names.arg = rev(names(weights)), horiz = TRUE, las = 1, xlab = "weight", ...)
}

# The distances of both classes to the hyperplane of the first function (Graf et al. 2008, Figure 4).
plot_distances <- function(model, newdata, y, ...) {
  decision <- predict(model, newdata, type = "decision")[, 1]
  y <- factor(y, levels = model$levels)
  classes <- rev(model$levels)
  if (length(classes) != 2) classes <- prototypes(model)$class[1:2]  # of the first function
  if (anyNA(classes) || classes[1] == classes[2])
    stop("what = \"distances\" needs a function between two classes; this model has none")
  first <- density(decision[y == classes[1]], na.rm = TRUE)
  second <- density(decision[y == classes[2]], na.rm = TRUE)
  graphics::plot(first, xlim = range(first$x, second$x), ylim = range(first$y, second$y), main = "",
                 xlab = "decision value", ...)
  lines(second, lty = 2)
  abline(v = c(-1, 0, 1), col = c("grey", "black", "grey"))
  legend("topright", classes, lty = 1:2, bty = "n")
}

# Two features: rows, the border, the margin, and the rows nearest to the prototypes.
plot_plane <- function(model, newdata, y, ...) {
  points <- as.matrix(newdata)
  if (ncol(points) != 2) stop("what = \"plane\" needs two features, newdata has ", ncol(points))
  grid <- lapply(1:2, function(j) seq(min(points[, j]), max(points[, j]), length.out = 60))
  at <- as.data.frame(expand.grid(grid))
  names(at) <- colnames(points)
  decision <- predict(model, if (is.null(model$terms)) as.matrix(at) else at, type = "decision")[, 1]
  graphics::plot(points, col = as.integer(factor(y, levels = model$levels)) + 1, pch = 20, ...)
  contour(grid[[1]], grid[[2]], matrix(decision, 60), levels = c(-1, 0, 1), lty = c(2, 1, 2), add = TRUE)
  if (nrow(points) == native(R_swig_NativeModel_training_rows, native_model(model))) {
    nearest <- prototypes(model)$nearest
    if (ncol(nearest) > 0) points(points[nearest[, 1], , drop = FALSE], pch = 8, cex = 2)
  }
}
