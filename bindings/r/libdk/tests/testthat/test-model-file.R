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
  expect_true(file.remove(paste0(path, ".json")))
  alone <- dk_load(path)
  expect_identical(as.character(predict(alone, as.matrix(iris[, 1:4]))), as.character(predict(model, iris)), ignore_attr = TRUE)
  expect_identical(alone$machine, "svm")
  expect_error(formula(alone), "without a formula")
  expect_error(fitted(alone), "\\.json")
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
  for (own in c("{\"a\": 1}", "no facts", "[", "")) {
    writeLines(own, paste0(path, ".json"))
    expect_warning(dk_load(path), "is none that dk_save has written")
    expect_error(dk_save(other, path), "would overwrite")
    expect_identical(readLines(paste0(path, ".json")), own)
  }
})

test_that("a model's file is not the second file of another", {
  folder <- tempfile()
  dir.create(folder)
  model <- dk(Species ~ ., iris)
  dk_save(model, file.path(folder, "a"))
  expect_error(dk_save(dk(mpg ~ ., mtcars, machine = "svr"), file.path(folder, "a.json")), "what R knows of the model a")
  expect_identical(formula(dk_load(file.path(folder, "a"))), formula(model), ignore_formula_env = TRUE)
  expect_identical(dir(folder), c("a", "a.json"))
})

test_that("the second file is written and read where it is wanted", {
  model <- dk(Species ~ ., iris)
  path <- saved(model)
  expect_null(dk_load(path, facts = FALSE)$terms)
  expect_error(dk_load(path, facts = NA), "TRUE or FALSE")
  # the one of the model that was overwritten goes with it
  dk_save(model, path, facts = FALSE)
  expect_false(file.exists(paste0(path, ".json")))
  expect_silent(dk_load(path))
  writeLines("mine", paste0(path, ".json"))
  dk_save(model, path, facts = FALSE)
  expect_identical(readLines(paste0(path, ".json")), "mine")
})

# Gives the second file other facts, as somebody does who knows its form.
with_facts_changed <- function(path, change) {
  told <- jsonlite::fromJSON(paste(readLines(paste0(path, ".json")), collapse = "\n"), simplifyVector = FALSE)
  told$facts <- change(told$facts)
  writeLines(as.character(jsonlite::toJSON(told, auto_unbox = TRUE, null = "null")), paste0(path, ".json"))
}

test_that("nothing but what dk_save writes is taken from the second file", {
  model <- dk(Species ~ ., iris)
  path <- saved(model)
  own <- readLines(paste0(path, ".json"))
  expect_true(all(c("call", "terms", "fitted.values") %in% names(jsonlite::fromJSON(own)$facts)))
  loaded_with <- function(name, value) {
    writeLines(own, paste0(path, ".json"))
    with_facts_changed(path, function(facts) {
      facts[[name]] <- value
      facts
    })
    dk_load(path)
  }
  for (name in c("bytes", "fills", "other", "machine"))
    expect_identical(loaded_with(name, "x")[[name]], dk_load(path, facts = FALSE)[[name]])
  for (value in list(list(list(1)), list(a = list(2)), 3, TRUE)) {
    for (name in c("call", "training_call", "levels", "terms", "xlevels", "contrasts", "na.action", "fitted.values", "residuals")) {
      expect_warning(loaded <- loaded_with(name, value), "none that dk_save has written")
      expect_null(loaded$terms)
    }
  }
  # classes of another model
  expect_warning(loaded <- loaded_with("levels", c("a", "b", "c")), "does not belong to this model")
  expect_identical(loaded$levels, model$levels)
})

test_that("the data around a formula do not go into the file", {
  within <- function() {
    secret <- as.double(seq_len(1e5))
    table <- iris
    list(dk(Species ~ ., table), do.call("dk", list(Species ~ ., table, fitted = FALSE)))
  }
  for (model in within()) {
    path <- saved(model)
    expect_identical(environment(suppressWarnings(dk_load(path))$terms), globalenv())
    expect_lt(file.size(paste0(path, ".json")), 10000)
    expect_identical(predict(suppressWarnings(dk_load(path)), iris), predict(model, iris))
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
  own <- readLines(paste0(path, ".json"))
  witness <- tempfile()
  harm <- sprintf("file.create(\"%s\")", witness)
  used <- function(change, says) {
    writeLines(own, paste0(path, ".json"))
    with_facts_changed(path, change)
    expect_warning(loaded <- dk_load(path), says)
    for (use in list(predict, update, model.frame, fitted, print, summary, str, formula))
      try(capture.output(if (identical(use, predict)) use(loaded, iris) else use(loaded)), silent = TRUE)
    expect_false(file.exists(witness))
    loaded
  }
  for (foreign in c(harm, "tools::R(\"-e 1\")", "(if (TRUE) file.create)(\"x\")", "base::file.create(\"x\")",
                    sprintf("reorder(factor(\"a\"), \"%s\", FUN = file.create)", witness),
                    sprintf("with(list(log = file.create), log(\"%s\"))", witness),
                    sprintf("(function(x) file.create(\"%s\"))(1)", witness), "structure(1, class = \"x\")", "do.call(c, list())",
                    "eval(quote(1))", "Sepal.Length |> file.create()", "new.env()")) {
    expect_null(used(function(facts) {
      facts$terms$formula <- sub("Sepal.Length", foreign, facts$terms$formula, fixed = TRUE)
      facts
    }, "calls ")$terms)
    expect_null(used(function(facts) {
      facts$terms$predvars <- sub("Sepal.Length", foreign, facts$terms$predvars, fixed = TRUE)
      facts
    }, "calls ")$terms)
    # what update would evaluate is left out, and the rest stays
    loaded <- used(function(facts) {
      facts$call <- sprintf("dk(formula = Species ~ ., data = iris, C = %s)", foreign)
      facts
    }, "left out")
    expect_false(is.null(loaded$terms))
    expect_error(update(loaded), "is not known")
    expect_error(model.frame(loaded), "is not known")
  }
  for (call in c(sprintf("dk(formula = Species ~ ., data = list(log = file.create, Species = \"%s\"))", witness),
                 "dk(formula = Species ~ ., data = c(log = file.create))", "dk(Species ~ ., list(log = file.create))",
                 "dk(formula = Species ~ ., dat = list(log = file.create))", sprintf("dk(formula = Species ~ ., data = iris[%s, ])", harm),
                 "dk(formula = Species ~ ., data = iris, na.action = file.create)", sprintf("dk_load(path = %s)", harm), harm)) {
    used(function(facts) {
      facts$call <- call
      facts
    }, "left out")
  }
  expect_null(used(function(facts) {
    facts$contrasts <- list(Species = "system")
    facts
  }, "none that dk_save has written")$terms)
})

test_that("calls that train on parts of a variable are kept", {
  path <- saved(dk(Species ~ ., data = droplevels(iris[iris$Petal.Length > 1.5, ]), machine = "svm", C = 2 * 5))
  loaded <- dk_load(path)
  expect_identical(loaded$call$data, quote(droplevels(iris[iris$Petal.Length > 1.5, ])))
  expect_identical(predict(update(loaded), iris), predict(loaded, iris))
})

test_that("a formula from a file calls what is named, and what computes values of values", {
  doubled <<- function(x) 2 * x
  on.exit(rm(doubled, envir = globalenv()))
  model <- dk(mpg ~ doubled(wt) + log(hp), mtcars, machine = "kernel_ridge")
  path <- saved(model)
  expect_warning(dk_load(path), "calls doubled.*functions = \"doubled\"")
  expect_silent(loaded <- dk_load(path, functions = "doubled"))
  expect_identical(predict(loaded, mtcars), predict(model, mtcars))
  expect_error(dk_load(path, functions = 1), "names of functions")
  model <- dk(mpg ~ poly(wt, 2) + splines::ns(hp, 3) + cut(qsec, c(10, 17, 25)) + I(disp^2):factor(cyl), mtcars,
              machine = "kernel_ridge")
  expect_silent(loaded <- dk_load(saved(model)))
  expect_identical(predict(loaded, mtcars), predict(model, mtcars))
})
