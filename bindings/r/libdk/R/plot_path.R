# SPDX-License-Identifier: Apache-2.0
# The scores of a cross-validation along the candidates of its grid.

plot_path <- function(model, metric = NULL, main = "", ylim = NULL, ...) {
  scores <- dk_scores(model)
  if (is.null(scores)) stop("what = \"path\" needs a cross-validated model, as dk_cv and dk_compare_weights give")
  path <- path_of(scores, metric)
  if (is.null(ylim)) ylim <- range(path$mean - path$deviation, path$mean + path$deviation, path$mean, finite = TRUE)
  logarithmic <- is.numeric(path$at) && all(path$at > 0) && max(path$at) >= 50 * min(path$at)
  lines <- split(seq_len(nrow(path)), path$line)
  colours <- class_colours(length(lines))
  graphics::plot(range(path$at), ylim, type = "n", log = if (logarithmic) "x" else "", xlab = attr(path, "parameter"),
                 ylab = attr(path, "metric"), main = main, ylim = ylim, xaxt = if (attr(path, "counted")) "n" else "s", ...)
  if (attr(path, "counted")) graphics::axis(1, path$at)
  for (l in seq_along(lines)) {
    of_line <- path[lines[[l]], ]
    points(of_line$at, of_line$mean, type = "b", pch = 20, col = colours[l])
    graphics::segments(of_line$at, of_line$mean - of_line$deviation, y1 = of_line$mean + of_line$deviation, col = colours[l])
  }
  points(path$at[path$best], path$mean[path$best], pch = 8, cex = 2)
  if (length(lines) > 1) legend("bottomright", names(lines), col = colours, lty = 1, pch = 20, bty = "n")
  path
}

# A row for each candidate: its place, the mean and the deviation of the metric over the folds, the line that it belongs to,
# and whether it is the best. Places are the values of the numeric parameter with the most of them, or else
# the numbers of the candidates.
path_of <- function(scores, metric) {
  metrics <- sub("_deviation$", "", grep("_deviation$", names(scores), value = TRUE))
  if (is.null(metric)) metric <- metrics[1]
  if (!metric %in% metrics) stop("metric is \"", metric, "\"; the scores have ", paste(metrics, collapse = ", "))
  parameters <- scores[setdiff(names(scores), c(metrics, paste0(metrics, "_deviation"), "best"))]
  numbers <- lapply(parameters, function(values) suppressWarnings(as.double(values)))
  distinct <- vapply(numbers, function(values) if (anyNA(values)) 0L else length(unique(values)), 0L)
  along <- if (any(distinct > 1)) names(parameters)[which.max(distinct)]
  others <- parameters[setdiff(names(parameters), along)]
  others <- others[vapply(others, function(values) length(unique(values)) > 1, NA)]
  counted <- is.null(along)
  path <- data.frame(at = if (counted) seq_len(nrow(scores)) else numbers[[along]], mean = scores[[metric]],
                     deviation = scores[[paste0(metric, "_deviation")]],
                     line = if (counted || length(others) == 0) "" else line_names(others), best = scores$best)
  path <- path[order(path$line, path$at), ]
  rownames(path) <- NULL
  structure(path, parameter = if (counted) "candidate" else along, metric = metric, counted = counted)
}

line_names <- function(parameters) {
  named <- Map(function(name, values) paste(name, values, sep = "="), names(parameters), parameters)
  do.call(paste, c(unname(named), sep = ", "))
}
