# SPDX-License-Identifier: Apache-2.0
# Model files have a file beside them with what R alone knows.

saved <- function(model) dk_save(model, tempfile(fileext = ".dk"))

test_that("a loaded model predicts as the one that was saved", {
  table <- data.frame(y = factor(rep(c("late", "early"), 10), levels = c("late", "early")),
                      colour = factor(rep(c("red", "blue", "green", "red"), 5)), x = c(1:20))
  model <- dk(y ~ colour + log(x), table, kernel = "linear", probability = TRUE)
  loaded <- dk_load(saved(model))
  expect_setequal(names(loaded), names(model))
  expect_identical(loaded[setdiff(names(model), "cache")], model[setdiff(names(model), "cache")], ignore_formula_env = TRUE)
  new <- data.frame(colour = c("green", "red"), x = c(3, 30))
  for (type in c("class", "decision", "prob"))
    expect_identical(predict(loaded, new, type = type), predict(model, new, type = type))
  expect_identical(levels(predict(loaded, new)), c("late", "early"))
  expect_error(predict(loaded, data.frame(colour = "black", x = 1)), "black")
  expect_identical(fitted(loaded), fitted(model))
  expect_identical(formula(loaded), formula(model), ignore_formula_env = TRUE)
})

test_that("contrasts are kept", {
  table <- data.frame(y = rep(c("a", "b"), 10), size = factor(rep(c("s", "m", "l", "m"), 5), ordered = TRUE), x = 1:20)
  model <- dk(y ~ size + x, table)
  expect_identical(predict(dk_load(saved(model)), table, type = "decision"), predict(model, table, type = "decision"))
})

test_that("the file itself is that of all languages", {
  model <- dk(Species ~ ., iris)
  path <- saved(model)
  expect_identical(readBin(path, "raw", 1e6), model$bytes)
  expect_true(file.remove(paste0(path, ".rds")))
  alone <- dk_load(path)
  expect_identical(as.character(predict(alone, as.matrix(iris[, 1:4]))), as.character(predict(model, iris)), ignore_attr = TRUE)
  expect_identical(alone$machine, "svm")
  expect_error(formula(alone), "without a formula")
  expect_error(fitted(alone), "\\.rds")
})

test_that("a file of another model is left alone", {
  path <- saved(dk(Species ~ ., iris))
  # as another language would, which knows nothing of what stands beside
  other <- dk(mpg ~ ., mtcars, machine = "svr")
  writeBin(other$bytes, path)
  expect_warning(loaded <- dk_load(path), "does not belong to this model")
  expect_null(loaded$levels)
  expect_null(loaded$terms)
  dk_save(other, path)
  expect_silent(loaded <- dk_load(path))
  expect_identical(predict(loaded, mtcars), predict(other, mtcars))
  # what a user has there is neither read nor overwritten
  saveRDS(iris, paste0(path, ".rds"))
  expect_warning(dk_load(path), "is none that dk_save has written")
  expect_error(dk_save(other, path), "would overwrite")
  expect_identical(readRDS(paste0(path, ".rds")), iris)
  writeLines("no rds", paste0(path, ".rds"))
  expect_warning(dk_load(path), "cannot be read")
  expect_error(dk_save(other, path), "would overwrite")
})

test_that("a model's file is not the second file of another", {
  folder <- tempfile()
  dir.create(folder)
  model <- dk(Species ~ ., iris)
  dk_save(model, file.path(folder, "a"))
  expect_error(dk_save(dk(mpg ~ ., mtcars, machine = "svr"), file.path(folder, "a.rds")), "what R knows of the model a")
  expect_identical(formula(dk_load(file.path(folder, "a"))), formula(model), ignore_formula_env = TRUE)
  expect_identical(dir(folder), c("a", "a.rds"))
})

test_that("the second file is written and read where it is wanted", {
  model <- dk(Species ~ ., iris)
  path <- saved(model)
  expect_null(dk_load(path, facts = FALSE)$terms)
  expect_error(dk_load(path, facts = NA), "TRUE or FALSE")
  # the one of the model that was overwritten goes with it
  dk_save(model, path, facts = FALSE)
  expect_false(file.exists(paste0(path, ".rds")))
  expect_silent(dk_load(path))
  saveRDS(iris, paste0(path, ".rds"))
  dk_save(model, path, facts = FALSE)
  expect_identical(readRDS(paste0(path, ".rds")), iris)
})

test_that("nothing but what dk_save writes is taken from the second file", {
  model <- dk(Species ~ ., iris)
  path <- saved(model)
  own <- readRDS(paste0(path, ".rds"))
  expect_true(all(c("call", "terms", "fitted.values") %in% names(own$facts)))
  expect_false(any(c("bytes", "cache", "fills") %in% names(own$facts)))
  with_fact <- function(name, value) {
    written <- own
    written$facts[[name]] <- value
    saveRDS(written, paste0(path, ".rds"))
    expect_warning(loaded <- dk_load(path), if (name == "levels" && is.character(value)) "does not belong to this model"
                                            else "is none that dk_save has written")
    loaded
  }
  for (name in c("bytes", "cache", "fills", "other")) expect_null(with_fact(name, model$bytes)$terms)
  expect_identical(with_fact("bytes", raw(3))$bytes, model$bytes)
  for (name in c("call", "training_call", "machine", "levels", "terms", "xlevels", "contrasts", "na.action", "fitted.values",
                 "residuals"))
    expect_null(with_fact(name, new.env())$terms)
  # classes of another model
  expect_identical(with_fact("levels", c("a", "b", "c"))$levels, model$levels)
  own$facts <- "facts"
  saveRDS(own, paste0(path, ".rds"))
  expect_warning(dk_load(path), "is none that dk_save has written")
})

test_that("the data around a formula do not go into the file", {
  within <- function() {
    secret <- as.double(seq_len(1e5))
    table <- iris
    list(dk(Species ~ ., table), do.call("dk", list(Species ~ ., table, fitted = FALSE)))
  }
  for (model in within()) {
    path <- saved(model)
    facts <- readRDS(paste0(path, ".rds"))$facts
    expect_identical(environment(facts$terms), globalenv())
    expect_lt(file.size(paste0(path, ".rds")), 10000)
    expect_identical(predict(dk_load(path), iris), predict(model, iris))
  }
})

test_that("a model of a formula takes matrices and rows of files, too", {
  model <- dk(Species ~ ., iris)
  expect_identical(predict(model, as.matrix(iris[, 1:4])), unname(predict(model, iris)), ignore_attr = TRUE)
  path <- tempfile(fileext = ".csv")
  write.csv(iris[, 4:1], path, row.names = FALSE)
  expect_identical(predict(model, dk_read(path, like = model)), predict(model, iris), ignore_attr = TRUE)
})

test_that("a file from a stranger runs nothing of what its formula says", {
  path <- saved(dk(Species ~ ., iris))
  own <- readRDS(paste0(path, ".rds"))
  witness <- tempfile()
  harm <- bquote(file.create(.(witness)))
  expect_harmless <- function(change, says) {
    changed <- own
    changed$facts <- change(own$facts)
    saveRDS(changed, paste0(path, ".rds"))
    expect_warning(loaded <- dk_load(path), says)
    expect_null(loaded$terms)
    try(predict(loaded, iris), silent = TRUE)
    try(update(loaded), silent = TRUE)
    expect_false(file.exists(witness))
  }
  for (place in c("variables", "predvars")) {
    expect_harmless(function(facts) {
      attr(facts$terms, place)[[3]] <- bquote({.(harm); Sepal.Length})
      facts
    }, "uses file.create")
  }
  # a known name with another meaning, a function instead of a name, one of another package, and one that has no name
  expect_harmless(function(facts) {
    surroundings <- new.env()
    assign("log", function(x) file.create(witness), surroundings)
    attr(facts$terms, "variables")[[3]] <- quote(log(Sepal.Length))
    environment(facts$terms) <- surroundings
    facts
  }, "surroundings")
  for (foreign in list(as.call(list(function(x) file.create(witness), quote(Sepal.Length))),
                       quote(tools::R("-e 1")), quote((if (TRUE) system)("true")), quote(base::system("true")),
                       bquote(poly(Sepal.Length, .(function(x) 1))))) {
    expect_harmless(function(facts) {
      attr(facts$terms, "predvars")[[3]] <- foreign
      facts
    }, "uses ")
  }
  expect_harmless(function(facts) {
    facts$contrasts <- list(Species = "system")
    facts
  }, "contrasts")
  # what update would evaluate is left out, and the rest stays
  own$facts$call$data <- bquote({.(harm); iris})
  saveRDS(own, paste0(path, ".rds"))
  expect_silent(loaded <- dk_load(path))
  expect_false(is.null(loaded$terms))
  expect_null(loaded$call$data)
  try(update(loaded), silent = TRUE)
  expect_false(file.exists(witness))
})

test_that("a formula from a file calls what is named, and what computes values of values", {
  doubled <<- function(x) 2 * x
  on.exit(rm(doubled, envir = globalenv()))
  model <- dk(mpg ~ doubled(wt) + log(hp), mtcars, machine = "kernel_ridge")
  path <- saved(model)
  expect_warning(dk_load(path), "uses doubled.*functions = \"doubled\"")
  expect_silent(loaded <- dk_load(path, functions = "doubled"))
  expect_identical(predict(loaded, mtcars), predict(model, mtcars))
  expect_error(dk_load(path, functions = 1), "names of functions")
  model <- dk(mpg ~ poly(wt, 2) + splines::ns(hp, 3) + cut(qsec, c(10, 17, 25)) + I(disp^2):factor(cyl), mtcars,
              machine = "kernel_ridge")
  expect_silent(loaded <- dk_load(saved(model)))
  expect_identical(predict(loaded, mtcars), predict(model, mtcars))
})
