# SPDX-License-Identifier: Apache-2.0
# Model files have a file beside them with what R alone knows.

saved <- function(model) dk_save(model, tempfile(fileext = ".dk"))

test_that("a loaded model predicts as the one that was saved", {
  table <- data.frame(y = factor(rep(c("late", "early"), 10), levels = c("late", "early")),
                      colour = factor(rep(c("red", "blue", "green", "red"), 5)), x = c(1:20))
  model <- dk(y ~ colour + log(x), table, kernel = "linear", probability = TRUE)
  loaded <- dk_load(saved(model))
  expect_identical(loaded[setdiff(names(loaded), "cache")], model[setdiff(names(model), "cache")], ignore_formula_env = TRUE)
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
  expect_warning(dk_load(path), "does not belong")
  expect_error(dk_save(other, path), "would overwrite")
  expect_identical(readRDS(paste0(path, ".rds")), iris)
  writeLines("no rds", paste0(path, ".rds"))
  expect_warning(dk_load(path), "does not belong")
})

test_that("a model of a formula takes matrices and rows of files, too", {
  model <- dk(Species ~ ., iris)
  expect_identical(predict(model, as.matrix(iris[, 1:4])), unname(predict(model, iris)), ignore_attr = TRUE)
  path <- tempfile(fileext = ".csv")
  write.csv(iris[, 4:1], path, row.names = FALSE)
  expect_identical(predict(model, dk_read(path, like = model)), predict(model, iris), ignore_attr = TRUE)
})
