# SPDX-License-Identifier: Apache-2.0
# What a model is, as plots of base graphics. Each gives the numbers that it has drawn, invisibly.

plot.dk <- function(x, what = c("weights", "prototypes", "decision", "distances", "plane", "path"), newdata = NULL, y = NULL,
                    ...) {
  what <- if (missing(what) && length(coef(x)) == 1) "prototypes" else match.arg(what)  # a single weight says nothing
  needed <- c(if (what %in% c("decision", "distances", "plane") && is.null(newdata)) "newdata",
              if (what == "distances" && is.null(y)) "y")
  if (length(needed) > 0)
    stop("what = \"", what, "\" needs ", paste(needed, collapse = " and "), ", such as the training data")
  drawn <- switch(what, weights = plot_weights(x, ...), prototypes = plot_prototypes(x, ...),
                  decision = plot_decision(x, newdata, y, ...), distances = plot_distances(x, newdata, y, ...),
                  plane = plot_plane(x, newdata, y, ...), path = plot_path(x, ...))
  invisible(drawn)
}

# A colour for each class, that colour-blind readers tell apart; pale ones fill regions.
class_colours <- function(count, alpha = NULL) grDevices::hcl.colors(max(count, 2), "Dark 3", alpha)[seq_len(count)]

plot_weights <- function(model, xlab = "weight", ...) {
  weights <- coef(model)
  old <- par(mar = c(4, min(20, max(4, 0.5 * max(nchar(names(weights))))), 2, 1))
  on.exit(par(old))
  barplot(rev(weights), names.arg = rev(names(weights)), horiz = TRUE, las = 1, xlab = xlab, ...)
  weights
}

# Prototypes of training rows by their shares; those that are points of their own by their coordinates.
plot_prototypes <- function(model, ...) {
  found <- prototypes(model)
  if (ncol(prototype_shares(attr(found, "coefficients"))) > 0) return(plot(found, ...))
  plot_coordinates(found, dk_coordinates(model), dk_report(model)$feature_names, ...)
}

# The share of each prototype that its heaviest training rows make up: where a line reaches 1, the prototype has its rows.
plot.dk_prototypes <- function(x, xlab = "training rows, heaviest first", ylab = "share of the prototype", main = "", ...) {
  if (!identical(nrow(attr(x, "coefficients")), nrow(x)))
    stop("x is a part of what prototypes() gave; please plot the whole of it")
  shares <- prototype_shares(attr(x, "coefficients"))
  if (ncol(shares) == 0)
    stop("no prototype is made of training rows: plot(model, \"prototypes\") draws those that are points of their own")
  shown <- as.integer(colnames(shares))
  colours <- class_colours(length(shown))
  graphics::matplot(shares, type = "s", lty = 1, lwd = 2, col = colours, xlab = xlab, ylab = ylab, main = main,
                    ylim = c(0, 1), ...)
  prototype_legend("bottomright", x, shown, colours)
  invisible(shares)
}

# A line for each prototype through its values of the features.
plot_coordinates <- function(found, coordinates, features, xlab = "", ylab = "value", main = "", ...) {
  if (is.null(features)) features <- seq_len(ncol(coordinates))
  dimnames(coordinates) <- list(NULL, features)
  colours <- class_colours(nrow(coordinates))
  graphics::matplot(t(coordinates), type = "b", pch = 20, lty = 1, lwd = 2, col = colours, xaxt = "n", xlab = xlab, ylab = ylab,
                    main = main, ...)
  graphics::axis(1, seq_along(features), features)
  prototype_legend("topright", found, seq_len(nrow(coordinates)), colours)
  coordinates
}

# The first prototypes by their class, or their side, and their nearest row; a legend of more would hide the plot.
prototype_legend <- function(place, found, shown, colours) {
  first <- utils::head(seq_along(shown), 12)
  sides <- ifelse(is.na(found$side), paste("prototype", seq_len(nrow(found))), paste0(found$side, found$fn))
  names <- ifelse(is.na(found$class), sides, found$class)[shown[first]]
  legend(place, paste0(names, ", nearest row ", found$nearest[shown[first], 1]), col = colours[first], lwd = 2, bty = "n")
}

# Cumulative shares in columns named by the prototype, down to the row that completes the last; prototypes that no row makes
# up are left out.
prototype_shares <- function(coefficients) {
  weights <- abs(coefficients)
  made <- which(is.finite(rowSums(weights)) & rowSums(weights) > 0)
  shares <- vapply(made, function(p) cumsum(sort(weights[p, ], decreasing = TRUE)) / sum(weights[p, ]),
                   double(ncol(weights)))
  shares <- matrix(shares, ncol(weights), length(made), dimnames = list(NULL, made))
  complete <- apply(shares, 2, function(share) which(share > 1 - 1e-9)[1])
  shares[seq_len(max(1, complete)), , drop = FALSE]
}

# Histograms of the decision values of one function, those of each class over one another.
plot_decision <- function(model, newdata, y = NULL, fn = 1, breaks = 30, xlab = NULL, ylab = "rows", main = "", ...) {
  decisions <- predict(model, newdata, type = "decision")
  if (length(fn) != 1 || !fn %in% seq_len(ncol(decisions)))
    stop("fn is ", fn, "; the model has functions 1 to ", ncol(decisions))
  values <- decisions[, fn]
  class <- if (is.null(y) || is.null(model$levels)) factor(rep("rows", length(values)))
           else factor(y, levels = model$levels)
  if (length(class) != length(values)) stop("y has ", length(y), " elements, newdata has ", length(values), " rows")
  edges <- pretty(range(values, finite = TRUE), breaks)
  histograms <- lapply(split(values, class), function(of_class)
    graphics::hist(of_class, breaks = edges, plot = FALSE))
  borders <- class_colours(nlevels(class))
  fills <- class_colours(nlevels(class), 0.5)
  if (is.null(xlab)) xlab <- paste("decision value of", colnames(decisions)[fn])
  most <- max(vapply(histograms, function(histogram) max(histogram$counts, 0L), 0L))
  graphics::plot(range(edges), c(0, most), type = "n", xlab = xlab, ylab = ylab, main = main, ...)
  for (c in seq_along(histograms))
    graphics::plot(histograms[[c]], add = TRUE, col = fills[c], border = borders[c])
  abline(v = 0)
  if (nlevels(class) > 1) legend("topright", levels(class), fill = fills, border = borders, bty = "n")
  histograms
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
  stats::setNames(list(first, second), classes)
}
