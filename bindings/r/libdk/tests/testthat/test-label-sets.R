# SPDX-License-Identifier: Apache-2.0
# Rows with several labels. Two rows whose kernel value is 1/2 give with C = 1 the matrix K + I = [2 1/2; 1/2 2], whose inverse
# is [8 -2; -2 8] / 15. A label that both rows have has the log odds of 3 to 1 on every row.
two <- matrix(c(0, 1), dimnames = list(c("a", "b"), "x"))
kernel <- paste0("rbf(gamma=", format(log(2), digits = 17), ")")
has <- cbind(red = c(TRUE, FALSE), blue = c(TRUE, TRUE))

test_that("each label has a function", {
  model <- dk(two, has, "kelm", kernel = kernel, scale = "none")
  expect_equal(dk_task(model), "multilabel")
  expect_equal(predict(model, two), `rownames<-`(has, c("a", "b")))
  expect_equal(fitted(model), `rownames<-`(has, c("a", "b")))
  expect_equal(unname(predict(model, unname(two))), unname(has))
  expect_equal(unname(predict(model, two, type = "decision")), cbind(c(5, -5) / 15, log(3)), tolerance = 1e-12)
  expect_equal(dk_score(model, two, has), 1)
  expect_equal(dk_score(model, two, !has, "hamming_loss"), 1)
  expect_output(print(model), "labels         red, blue")
  expect_identical(predict(dk_load(dk_save(model, tempfile(fileext = ".dk"))), two), predict(model, two))
})

test_that("labels come as lists, as numbers and before formulas", {
  sets <- list(c("blue", "red"), "blue")
  model <- dk(two, sets, "kelm", kernel = kernel, scale = "none")
  expect_equal(colnames(fitted(model)), c("blue", "red"))
  expect_equal(fitted(model)[, c("red", "blue")], `rownames<-`(has, c("a", "b")))
  expect_equal(dk_score(model, two, sets, "accuracy"), 1)
  expect_equal(fitted(dk(two, has + 0, "kelm", kernel = kernel, scale = "none")), `rownames<-`(has, c("a", "b")))
  cars <- transform(mtcars, fast = qsec < 18, strong = hp > 120)
  of_formula <- dk(cbind(fast, strong) ~ wt + cyl, cars, "svm", probability = TRUE)
  expect_equal(colnames(predict(of_formula, cars)), c("fast", "strong"))
  expect_gt(dk_score(of_formula, cars, as.matrix(cars[, c("fast", "strong")])), 0.7)
  p <- predict(of_formula, cars, type = "prob")
  expect_equal(colnames(p), c("fast", "strong"))
  expect_true(any(rowSums(p) > 1.05))
  again <- dk_load(dk_save(of_formula, tempfile(fileext = ".dk")))
  expect_identical(predict(again, cars), predict(of_formula, cars))
  expect_identical(fitted(again), fitted(of_formula))
  expect_equal(dk_task(dk(cbind(fast, strong) ~ wt + cyl, cars)), "multilabel")
  expect_equal(dk_task(dk(as.matrix(cars[, c("wt", "cyl")]), cbind(cars$fast), "svm")), "classification")
  expect_equal(dk_task(dk(two, has + 0, "kernel_ridge")), "regression")
})

test_that("what is of one class a row is refused", {
  expect_error(dk(two, has, "imkpl"), "learns one class a row")
  expect_error(dk(two, list("red"), "svm"), "y has labels of 1 rows, x has 2")
  expect_error(dk(two, list("red", NA), "svm"), "missing labels")
  expect_error(dk(two, list(1, 2), "svr"), "is a regression")
  expect_error(dk_score(dk(two, has, "kelm"), two, c("red", "blue")), "several labels a row")
})
