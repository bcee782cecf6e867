# SPDX-License-Identifier: Apache-2.0
test_that("a machine is chosen where none is named", {
  model <- dk(Species ~ ., iris)
  expect_identical(model$machine, "svm")
  expect_gt(mean(predict(model, iris) == iris$Species), 0.95)
  expect_match(dk_info(model), '"choice":{"task":"classification"', fixed = TRUE)
  expect_match(dk_info(model), '"standard_error"', fixed = TRUE)
  expect_false(is.null(dk_scores(model)))
})

test_that("numbers are values, and whole ones of which few are different are classes", {
  values <- dk(mpg ~ ., mtcars)
  expect_identical(dk_task(values), "regression")
  expect_gt(cor(predict(values, mtcars), mtcars$mpg), 0.9)
  expect_identical(dk_task(dk(cyl ~ ., mtcars)), "classification")
  expect_identical(dk_task(dk(as.matrix(iris[, 1:4]))), "novelty")
  expect_identical(dk_task("auto"), "any")
})

test_that("what is given is not chosen", {
  x <- as.matrix(iris[, 1:4])
  expect_identical(dk(x, iris$Species, kernel = "linear", C = 3)$bytes,
                   dk(x, iris$Species, "svm", "linear", C = 3)$bytes)
})
