# SPDX-License-Identifier: Apache-2.0

x <- as.matrix(iris[, 1:4])

test_that("parameters are the machine's, or stand in the text of the kernel", {
  method <- dk_caret()
  expect_identical(method$parameters$parameter, c("C", "gamma"))
  grid <- method$grid(x, iris$Species, len = 3)
  expect_equal(nrow(grid), 9)
  # the middle is C of the library and its own gamma
  expect_setequal(grid$C, c(0.25, 1, 4))
  own <- dk(x, iris$Species, kernel = "rbf")
  fit <- function(method, ...) method$fit(x, iris$Species, NULL, data.frame(...), levels(iris$Species), TRUE, NULL, FALSE)
  expect_equal(sort(unique(grid$gamma))[2], as.double(sub("rbf.gamma=(.*)\\)", "\\1", names(coef(own)))))
  expect_identical(fit(method, C = 2, gamma = 0.25)$bytes, dk(x, iris$Species, C = 2, kernel = "rbf(gamma=0.25)")$bytes)
  expect_identical(fit(method, C = 2, gamma = 0.25)$call[1:3], quote(dk(x = x, y = y)))
  chosen <- dk_caret("fisher", grid = list(regularisation = c(0.1, 1), kernel = c("linear", "rbf(gamma=1)")))
  expect_equal(nrow(chosen$grid(x, iris$Species)), 4)
  expect_identical(chosen$parameters$class, c("numeric", "character"))
  expect_identical(fit(chosen, regularisation = 0.1, kernel = "linear")$bytes,
                   dk(x, iris$Species, "fisher", "linear", regularisation = 0.1)$bytes)
  expect_identical(dk_caret(kernel = "linear", C = 3)$grid(x), data.frame(parameter = "none"))
  expect_identical(fit(dk_caret(kernel = "linear", C = 3), parameter = "none")$bytes,
                   dk(x, iris$Species, kernel = "linear", C = 3)$bytes)
})

test_that("gamma in the middle is the library's own, however far the columns are from 0", {
  far <- 1.7e9 + x
  library_gamma <- as.double(sub("rbf.gamma=(.*)\\)", "\\1", names(coef(dk(far, iris$Species, kernel = "rbf")))))
  expect_equal(dk_caret()$grid(far, iris$Species, len = 1)$gamma, library_gamma, tolerance = 1e-6)
  constant <- cbind(x, 1.7e9)
  expect_equal(dk_caret(scale = "standard")$grid(constant, iris$Species, len = 1)$gamma, 1 / 4)
  # it is not computed for columns that have none
  targets <- c(10, 20, 60)
  expect_equal(dk_caret("svr", kernel = "linear")$grid(matrix(1:3), targets, len = 1)$C, sd(targets))
  expect_equal(dk_caret("kernel_ridge", kernel = "linear")$grid(matrix(1:3), targets, len = 1)$C, 1)
  expect_identical(dk_caret(kernel = "linear")$grid(iris, iris$Species, len = 1), data.frame(C = 1), ignore_attr = TRUE)
})

test_that("models of resamples have no fitted values, which nobody asks for", {
  fit <- function(method, last) method$fit(x, iris$Species, NULL, data.frame(C = 1), levels(iris$Species), last, NULL, FALSE)
  expect_null(fit(dk_caret(kernel = "linear"), FALSE)$fitted.values)
  expect_length(fitted(fit(dk_caret(kernel = "linear"), TRUE)), 150)
  expect_null(fit(dk_caret(kernel = "linear", fitted = FALSE), TRUE)$fitted.values)
  expect_length(fitted(fit(dk_caret(kernel = "linear", fitted = TRUE), FALSE)), 150)
})

test_that("mistakes are named", {
  expect_error(dk_caret("one_class_svm"), "learns of rows alone")
  expect_error(dk_caret("swm"), "'svm'", class = "dk_error_invalid_parameter")
  expect_error(dk_caret(grid = list(epsilon = 1)), "neither machine svm nor kernel rbf has a parameter epsilon; they have C")
  expect_error(dk_caret(grid = list(c(1, 2))), "named")
  expect_error(dk_caret("svm", "rbf", 3), "named")
})

test_that("candidates are sorted from the smoothest, and random ones are as many as wanted", {
  method <- dk_caret()
  unsorted <- data.frame(C = c(4, 1, 1), gamma = c(1, 2, 1))
  expect_identical(method$sort(unsorted), unsorted[c(3, 2, 1), ])
  set.seed(1)
  expect_identical(dim(method$grid(x, iris$Species, 5, "random")), c(5L, 2L))
  expect_equal(nrow(dk_caret(grid = list(C = 1:9))$grid(x, iris$Species, 4, "random")), 4)
})

test_that("caret trains classifiers, with probabilities", {
  skip_if_not_installed("caret")
  folds <- split(seq_len(150), dk_folds(iris$Species, 3))
  control <- caret::trainControl(method = "cv", index = lapply(folds, function(fold) setdiff(seq_len(150), fold)),
                                 indexOut = folds, classProbs = TRUE)
  found <- caret::train(Species ~ ., iris, method = dk_caret(grid = list(C = c(0.001, 1), gamma = 0.5)), trControl = control)
  expect_equal(found$bestTune$C, 1)
  # the accuracy of a fold by hand
  held <- folds[[1]]
  model <- dk(x[-held, ], iris$Species[-held], C = 1, kernel = "rbf(gamma=0.5)", probability = TRUE)
  expect_equal(found$resample$Accuracy[1], mean(predict(model, x[held, ]) == iris$Species[held]))
  expect_identical(as.character(predict(found, iris)), as.character(predict(found$finalModel, x)))
  expect_equal(unname(as.matrix(predict(found, iris, type = "prob"))), unname(predict(found$finalModel, x, type = "prob")))
})

test_that("caret trains regressions", {
  skip_if_not_installed("caret")
  set.seed(1)
  found <- caret::train(mpg ~ ., mtcars, method = dk_caret("svr", scale = "standard"), tuneLength = 2,
                        trControl = caret::trainControl(method = "cv", number = 3))
  expect_identical(found$modelType, "Regression")
  expect_equal(nrow(found$results), 4)
  expect_equal(unname(predict(found, mtcars)), unname(fitted(found$finalModel)))
})
