# SPDX-License-Identifier: Apache-2.0

test_that("fitted values are predictions of the training rows", {
  model <- dk(Species ~ ., iris)
  expect_identical(fitted(model), predict(model, iris))
  expect_identical(predict(model), predict(model, iris))
  expect_identical(predict(model, newdata = NULL, type = "response"), fitted(model))
  expect_error(predict(model, type = "decision"), "\"decision\" needs newdata")
  x <- unname(as.matrix(iris[, 1:4]))
  expect_identical(fitted(dk(x, iris$Species)), predict(dk(x, iris$Species), x))
  texts <- c(one = "abab", two = "babab", three = "cdcd", four = "dcdcd")
  strings <- dk(texts, c("a", "a", "c", "c"))
  expect_identical(fitted(strings), predict(strings, texts))
  detector <- dk(x, machine = "one_class_svm")
  expect_identical(fitted(detector), predict(detector, x))
  expect_identical(fitted(readRDS({saveRDS(model, path <- tempfile()); path})), fitted(model))
})

test_that("rows of files have fitted values too", {
  path <- tempfile(fileext = ".csv")
  write.csv(iris, path, row.names = FALSE)
  rows <- dk_read(path, "label=Species")
  model <- dk(rows)
  expect_identical(fitted(model), predict(model, rows))
  targets <- dk(dk_read(path, "label=Petal.Width ignore=Species"), machine = "svr")
  expect_length(fitted(targets), 150)
  expect_error(residuals(targets), "y, which was not given")
})

test_that("a model keeps no fitted values where the user wants none", {
  model <- dk(Species ~ ., iris, fitted = FALSE)
  expect_null(model$fitted.values)
  expect_error(fitted(model), "fitted = FALSE")
  expect_error(predict(model), "fitted = FALSE")
  expect_error(dk(Species ~ ., iris, fitted = NA), "TRUE or FALSE")
})

test_that("residuals are what a regression misses", {
  model <- dk(mpg ~ wt + hp, mtcars, machine = "svr", scale = "standard")
  expect_equal(residuals(model), setNames(mtcars$mpg - predict(model, mtcars), rownames(mtcars)))
  # no car is farther away from a machine with hardly any slack than its tube; the two Merc 280 are alike but for mpg
  cars <- mtcars[rownames(mtcars) != "Merc 280C", ]
  tight <- dk(mpg ~ wt + hp, cars, machine = "svr", kernel = "rbf(gamma=100)", C = 1e6, epsilon = 0.5, tolerance = 1e-6)
  expect_lt(max(abs(residuals(tight))), 0.5 + 1e-3)
  expect_error(residuals(dk(Species ~ ., iris)), "classification")
  expect_error(residuals(dk(as.matrix(iris[, 1:4]), machine = "one_class_svm")), "novelty")
})

test_that("left out rows are absent, or NA where na.exclude is wanted", {
  holes <- mtcars
  holes$wt[3] <- NA
  omitted <- dk(mpg ~ wt + hp, holes, machine = "svr", scale = "standard")
  expect_length(fitted(omitted), 31)
  expect_equal(nobs(omitted), 31)
  excluded <- update(omitted, na.action = na.exclude)
  expect_length(residuals(excluded), 32)
  expect_identical(which(is.na(fitted(excluded))), c("Datsun 710" = 3L))
  expect_identical(fitted(excluded), predict(excluded, holes))
})

test_that("update evaluates the call again, with what is changed", {
  model <- dk(Species ~ ., iris, C = 3)
  changed <- update(model, . ~ . - Sepal.Width, C = 100)
  expect_identical(changed$bytes, dk(Species ~ Sepal.Length + Petal.Length + Petal.Width, iris, C = 100)$bytes)
  x <- as.matrix(iris[, 1:4])
  expect_identical(update(dk(x, iris$Species), machine = "fisher")$bytes, dk(x, iris$Species, machine = "fisher")$bytes)
  # also where the data are known to a function alone
  inside <- function() {
    petals <- iris[, 3:5]
    update(dk_cv(Species ~ ., petals, folds = 3), folds = 5)
  }
  expect_identical(inside()$bytes, dk_cv(Species ~ ., iris[, 3:5], folds = 5)$bytes)
  expect_identical(as.list(dk_cv(Species ~ ., iris)$call), as.list(quote(dk_cv(formula = Species ~ ., data = iris))),
                   ignore_attr = TRUE)
  expect_identical(dk(Species ~ ., iris)$call[[1]], quote(dk))
  # and where the rows are chosen by an expression that passes through
  expect_identical(nobs(dk_cv(Species ~ ., iris, subset = Petal.Length > 1.3)), sum(iris$Petal.Length > 1.3) + 0)
})

test_that("update needs no library() where the model needed none", {
  x <- as.matrix(iris[, 1:4])
  expect_identical(libdk::dk(Species ~ ., iris)$call[[1]], quote(libdk::dk))
  expect_identical(libdk::dk(x, iris$Species)$call[[1]], quote(libdk::dk))
  expect_identical(libdk::dk_compare_weights(x, iris$Species)$call[[1]], quote(libdk::dk_compare_weights))
  # where the name of the function is somebody else's
  expect_identical(lapply(list(x), dk, iris$Species)[[1]]$call[[1]], quote(dk))
  expect_identical(do.call(dk_cv, list(quote(x), quote(iris$Species)))$call[[1]], quote(dk_cv))
  code <- paste("m <- libdk::dk_cv(Species ~ ., iris, folds = 3)", "n <- libdk::dk(Species ~ ., iris)",
                "cat(nobs(update(m, folds = 4)), nobs(update(n, . ~ . - Sepal.Length, subset = 1:100)))", sep = "; ")
  said <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE)
  expect_identical(said, "150 100")
})

test_that("a trained model is not lost where its fitted values fail", {
  gram <- tcrossprod(as.matrix(iris[, 1:4]))
  asked <- 0
  last <- Inf
  own <- dk_similarity(150, 150, function(i, j) {
    asked <<- asked + 1
    if (asked > last) stop("no more")
    gram[i, j, drop = FALSE]
  })
  train <- function(...) dk(own, iris$Species, kernel = "gram(0)", threads = 1, ...)
  whole <- train(fitted = FALSE)
  last <- asked
  asked <- 0
  expect_warning(model <- train(), "fitted values are left out.*no more")
  expect_identical(model$bytes, whole$bytes)
  expect_error(fitted(model), "could not be computed")
  # a condition of an interrupt, as Ctrl-C gives
  stopped <- structure(class = c("interrupt", "condition"), list(message = "", call = NULL))
  expect_warning(kept <- with_fitted(whole, stop(stopped), own, NULL, control_of()), "fitted values are left out: interrupted")
  expect_identical(kept, whole)
  last <- asked <- 0
  expect_error(train(), "no more")
})

test_that("a model knows its formula, its frame and how many rows it had", {
  model <- dk(log(mpg) ~ wt * factor(cyl), mtcars, machine = "svr", subset = hp < 200)
  expect_identical(formula(model), log(mpg) ~ wt * factor(cyl), ignore_formula_env = TRUE)
  frame <- model.frame(model)
  expect_identical(model.response(frame), log(mtcars$mpg[mtcars$hp < 200]), ignore_attr = TRUE)
  expect_equal(nobs(model), nrow(frame))
  expect_identical(nrow(model.frame(model, data = mtcars[1:4, ])), 4L)
  holes <- iris
  holes$Sepal.Length[3] <- NA
  expect_identical(nrow(model.frame(dk(Species ~ ., holes, impute = "mean"))), 150L)
  # a compressed model has the frame of the one that was trained
  expect_identical(model.frame(dk_compress(dk_compress(model, mtcars, prototypes = 4), mtcars, prototypes = 2)), frame)
  rows <- dk(as.matrix(iris[, 1:4]), iris$Species)
  expect_equal(nobs(rows), 150)
  expect_error(formula(rows), "without a formula")
  expect_error(model.frame(rows), "without a formula")
})
