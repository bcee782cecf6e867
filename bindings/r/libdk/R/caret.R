# SPDX-License-Identifier: Apache-2.0
# Any machine as a model of package caret, whose train() chooses parameters by resampling.

dk_caret <- function(machine = "svm", kernel = "rbf", ..., grid = NULL) {
  task <- dk_task(machine)
  if (task %in% c("novelty", "clustering"))
    stop("machine ", machine, " learns of rows alone, which caret's train has no place for")
  fixed <- list(...)
  if (length(fixed) > 0 && (is.null(names(fixed)) || any(names(fixed) == "")))
    stop("parameters of the machine must be named; dk_describe() lists them")
  if (!is.null(grid) && (!is.list(grid) || is.null(names(grid)) || any(names(grid) == "")))
    stop("grid must be a list of choices that is named by parameters, such as list(C = c(1, 10))")
  owners <- parameter_owners(machine, kernel)
  chosen <- if (!is.null(grid)) names(grid) else setdiff(intersect(c("C", "gamma"), names(owners)), names(fixed))
  unknown <- setdiff(chosen, c("kernel", names(owners)))
  if (length(unknown) > 0)
    stop("neither machine ", machine, " nor kernel ", kernel, " has a parameter ", unknown[1], "; they have ",
         paste(names(owners), collapse = ", "))
  list(label = paste("libdk's machine", machine), library = "libdk",
       type = if (task == "regression") "Regression" else "Classification",
       parameters = caret_parameters(chosen, grid),
       grid = function(x, y, len = NULL, search = "grid") caret_grid(chosen, grid, x, len, search, fixed$scale, cost_centre(machine, y)),
       fit = function(x, y, wts, param, lev, last, weights, classProbs, ...) {
         chosen_values <- caret_arguments(param[intersect(names(param), chosen)], kernel, owners)
         if (isTRUE(classProbs) && is.null(fixed$probability)) chosen_values$probability <- TRUE
         # names in place of the data, so that the model's call does not have them in it
         data <- list(x = quote(x), y = quote(y), machine = machine, sample_weights = quote(wts))
         given <- c(fixed, list(...))
         # models of resamples are thrown away
         if (is.null(given$fitted)) given$fitted <- last
         do.call("dk", c(data, chosen_values, given))
       },
       predict = function(modelFit, newdata, submodels = NULL) predict(modelFit, newdata),
       prob = if (task == "classification")
         function(modelFit, newdata, submodels = NULL) as.data.frame(predict(modelFit, newdata, type = "prob")),
       levels = function(x) x$levels,
       # small values first, since a small C and a small gamma are the smoother function
       sort = function(x) x[do.call(order, unname(as.list(x[names(x)]))), , drop = FALSE],
       tags = c("Kernel Method", if (task == "regression") "Regression" else "Classification"))
}

# Whether parameters are the machine's or the kernel's, by their names. Kernels that are more than a name and banks have
# their parameters in their text.
parameter_owners <- function(machine, kernel) {
  known <- jsonlite::fromJSON(dk_describe(), simplifyDataFrame = FALSE)
  parameters <- function(entries, name) {
    entry <- Filter(function(one) identical(one$name, name), entries)
    if (length(entry) == 0) character() else vapply(entry[[1]]$parameters, `[[`, "", "name")
  }
  of_machine <- union(parameters(known$machines, machine), vapply(known$common, `[[`, "", "name"))
  of_kernel <- if (length(kernel) == 1) setdiff(parameters(known$kernels, kernel), of_machine)
  c(sapply(of_machine, function(name) "machine"), sapply(of_kernel, function(name) "kernel"))
}

# The table in which caret has the parameters of a model; one row that means nothing where there are none.
caret_parameters <- function(chosen, grid) {
  if (length(chosen) == 0) return(data.frame(parameter = "parameter", class = "character", label = "none"))
  numeric <- vapply(chosen, function(name) is.null(grid) || is.numeric(grid[[name]]), NA)
  data.frame(parameter = chosen, class = ifelse(numeric, "numeric", "character"), label = chosen)
}

# All combinations of the user's choices, or of powers of 4 around the library's own defaults; numbers by chance where caret searches so.
caret_grid <- function(chosen, grid, x, len, search, scale, cost) {
  if (length(chosen) == 0) return(data.frame(parameter = "none"))
  if (is.null(len)) len <- 3
  if (!is.null(grid)) {
    all <- expand.grid(grid, stringsAsFactors = FALSE)
    return(if (search == "random") all[sample.int(nrow(all), min(len, nrow(all))), , drop = FALSE] else all)
  }
  centre <- vapply(chosen, function(name) switch(name, gamma = default_gamma(x, scale), C = cost, 1), 0)
  exponents <- if (search == "random") lapply(chosen, function(name) stats::runif(len, -4, 4))
               else rep(list(seq_len(len) - ceiling(len / 2)), length(chosen))
  values <- stats::setNames(Map(function(name, e) centre[[name]] * 4^e, chosen, exponents), chosen)
  if (search == "random") as.data.frame(values) else expand.grid(values)
}

# What C is by default: for some regressions the deviation of the targets, else 1.
cost_centre <- function(machine, y) {
  machines <- jsonlite::fromJSON(dk_describe(), simplifyDataFrame = FALSE)$machines
  parameters <- Filter(function(one) identical(one$name, machine), machines)[[1]]$parameters
  defaults <- vapply(Filter(function(one) identical(one$name, "C"), parameters), `[[`, "", "default")
  deviation <- if (identical(defaults, "deviation")) stats::sd(y) else 1
  if (isTRUE(deviation > 0)) deviation else 1
}

# 1 over the sum of the variances of the columns, which is what gamma=auto of radial kernels is.
default_gamma <- function(x, scale) {
  x <- as.matrix(x)
  varies <- colMeans(sweep(x, 2, colMeans(x))^2)
  if (identical(scale, "standard")) 1 / max(1, sum(varies > 0)) else 1 / max(sum(varies), .Machine$double.eps)
}

# One candidate as arguments of dk: parameters of the kernel stand in its text.
caret_arguments <- function(candidate, kernel, owners) {
  of_kernel <- names(candidate)[owners[names(candidate)] %in% "kernel"]
  arguments <- as.list(candidate[setdiff(names(candidate), of_kernel)])
  if (is.null(arguments$kernel)) arguments$kernel <- kernel
  if (length(of_kernel) > 0) {
    texts <- vapply(of_kernel, function(name) paste0(name, "=", parameter_text(name, candidate[[name]])), "")
    arguments$kernel <- paste0(arguments$kernel, "(", paste(texts, collapse = ", "), ")")
  }
  arguments
}
