# SPDX-License-Identifier: Apache-2.0
# A model of two features in their plane: what it predicts everywhere, the boundaries of all its functions, and rows.

plot_plane <- function(model, newdata, y = NULL, size = 150, ...) {
  points <- as.matrix(newdata)
  if (ncol(points) != 2) stop("what = \"plane\" needs two features, newdata has ", ncol(points))
  if (!is.null(y) && length(y) != nrow(points)) stop("y has ", length(y), " elements, newdata has ", nrow(points), " rows")
  axes <- lapply(1:2, function(j) seq(min(points[, j], na.rm = TRUE), max(points[, j], na.rm = TRUE), length.out = size))
  at <- as.matrix(expand.grid(axes))
  colnames(at) <- colnames(points)
  predicted <- predict(model, at)
  drawn <- list(x = axes[[1]], y = axes[[2]], predicted = matrix(as.double(predicted), size), levels = model$levels)
  labels <- colnames(points)
  if (is.null(labels)) labels <- paste("feature", 1:2)
  graphics::plot(axes[[1]], axes[[2]], type = "n", xlab = labels[1], ylab = labels[2], xaxs = "i", yaxs = "i", ...)
  if (is.null(model$levels)) draw_values(drawn, points, dk_task(model) == "novelty")
  else drawn$decision <- draw_regions(model, drawn, points, y, at)
  mark_nearest(model, points)
  drawn
}

# The values of a regression as colours with contours; the two sides of a novelty detector with the line between them.
draw_values <- function(drawn, points, two_sides) {
  graphics::image(drawn$x, drawn$y, drawn$predicted, col = grDevices::hcl.colors(20, "Blues 3", 0.6, rev = TRUE), add = TRUE,
                  useRaster = TRUE)
  values <- range(drawn$predicted)
  levels <- if (two_sides) mean(values) else pretty(values, 10)
  if (diff(values) > 0) contour(drawn$x, drawn$y, drawn$predicted, levels = levels, drawlabels = !two_sides, add = TRUE)
  points(points, pch = 20)
  graphics::box()
}

# The region of each class, where each function is 0, and the margin of one between two classes. The value is
# the decisions, size x size x functions.
draw_regions <- function(model, drawn, points, y, at) {
  classes <- length(model$levels)
  colours <- class_colours(classes)
  graphics::image(drawn$x, drawn$y, drawn$predicted, zlim = c(1, classes), col = class_colours(classes, 0.25), add = TRUE,
                  breaks = seq_len(classes + 1) - 0.5, useRaster = TRUE)
  decision <- predict(model, at, type = "decision")
  functions <- ncol(decision)
  decision <- array(decision, c(length(drawn$x), length(drawn$y), functions), list(NULL, NULL, colnames(decision)))
  zero <- native(R_swig_NativeModel_prototypes_are_pairs, native_model(model))
  for (f in seq_len(functions)[zero])
    contour(drawn$x, drawn$y, decision[, , f], levels = if (functions == 1) c(-1, 0, 1) else 0, drawlabels = FALSE,
            lty = if (functions == 1) c(2, 1, 2) else 3, add = TRUE)
  if (functions > 1) draw_boundaries(drawn, classes)
  known <- if (is.null(y)) rep(1, nrow(points)) else colours[as.integer(factor(y, levels = model$levels))]
  points(points, col = known, pch = 20)
  legend("topright", model$levels, fill = class_colours(classes, 0.25), border = colours, bg = "white")
  graphics::box()
  decision
}

# The lines between the regions of classes.
draw_boundaries <- function(drawn, classes) {
  for (class in seq_len(classes)) {
    inside <- drawn$predicted == class
    if (any(inside) && !all(inside))
      contour(drawn$x, drawn$y, inside + 0, levels = 0.5, drawlabels = FALSE, add = TRUE)
  }
}

# A star on the training row nearest to each prototype, where the rows are those of training.
mark_nearest <- function(model, points) {
  if (nrow(points) != native(R_swig_NativeModel_training_rows, native_model(model))) return()
  nearest <- prototypes(model)$nearest
  if (ncol(nearest) > 0) points(points[nearest[, 1], , drop = FALSE], pch = 8, cex = 2)
}
