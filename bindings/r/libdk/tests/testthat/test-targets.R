# SPDX-License-Identifier: Apache-2.0
# Several targets, weights of rows, deviations and clusters. Two rows whose kernel value is 1/2 give with C = 1 the matrix
# K + I = [2 1/2; 1/2 2], whose inverse is [8 -2; -2 8] / 15.
two <- matrix(c(0, 1), dimnames = list(c("a", "b"), "x"))
kernel <- paste0("rbf(gamma=", format(log(2), digits = 17), ")")

test_that("several targets are the columns of a matrix", {
  y <- cbind(one = c(1, 2), ten = c(10, 20))
  model <- dk(two, y, "kernel_ridge", kernel = kernel, scale = "none")
  expected <- rbind(a = c(one = 11, ten = 110), b = c(16, 160)) / 15
  expect_equal(predict(model, two), expected, tolerance = 1e-12)
  expect_equal(fitted(model), expected, tolerance = 1e-12)
  expect_equal(unname(residuals(model)), unname(y - expected), tolerance = 1e-12)
  expect_equal(unname(predict(model, unname(two))), unname(expected), tolerance = 1e-12)
  expect_equal(dk_score(model, two, y, "mae"), mean(abs(y - expected)), tolerance = 1e-12)
  expect_error(dk(two, y, "svr"), "learns one target")
  expect_error(dk(two, rbind(y, 3), "kernel_ridge"), "y has 3 rows, x has 2")
})

test_that("names of targets and numbers of clusters live on in files", {
  model <- dk(as.matrix(mtcars[, c("wt", "qsec")]), mtcars[, c("mpg", "hp")], "kernel_ridge")
  again <- dk_load(dk_save(model, tempfile(fileext = ".dk")))
  expect_identical(predict(again, as.matrix(mtcars[1:3, c("wt", "qsec")])), predict(model, as.matrix(mtcars[1:3, c("wt", "qsec")])))
  expect_equal(sort(unique(dk_folds(mtcars[, c("mpg", "hp")], 4))), 1:4)
  expect_length(dk_folds(as.matrix(mtcars[, c("mpg", "hp")]), 4), 32)
  clusters <- dk(as.matrix(iris[, 1:4]), machine = "kernel_k_means", clusters = 3)
  expect_identical(predict(dk_load(dk_save(clusters, tempfile(fileext = ".dk"))), as.matrix(iris[1:5, 1:4])),
                   predict(clusters, as.matrix(iris[1:5, 1:4])))
})

test_that("several targets stand before a formula", {
  model <- dk(cbind(mpg, hp) ~ wt + qsec, mtcars, "kernel_ridge", C = 10)
  expect_equal(dim(predict(model, mtcars[1:5, ])), c(5, 2))
  expect_equal(colnames(fitted(model)), c("mpg", "hp"))
  alone <- dk(hp ~ wt + qsec, mtcars, "kernel_ridge", C = 10)
  expect_equal(unname(predict(model, mtcars)[, "hp"]), unname(predict(alone, mtcars)), tolerance = 1e-9)
  expect_equal(dk_score(model, mtcars, as.matrix(mtcars[, c("mpg", "hp")])),
               mean(sqrt(colMeans((predict(model, mtcars) - as.matrix(mtcars[, c("mpg", "hp")]))^2))), tolerance = 1e-9)
})

test_that("weights of rows are those of squared errors", {
  x <- as.matrix(mtcars[, c("wt", "qsec")])
  weights <- seq(0.5, 2, length.out = nrow(x))
  model <- dk(x, mtcars$mpg, "kernel_ridge", kernel = "linear", C = 1e9, offset = TRUE, scale = "none", sample_weights = weights)
  expect_equal(unname(predict(model, x)), unname(fitted(lm(mpg ~ wt + qsec, mtcars, weights = weights))), tolerance = 1e-6)
})

test_that("functions are sums over training rows", {
  dual <- dk_dual(dk(two, c(1, 2), "kernel_ridge", kernel = kernel, scale = "none"))
  expect_equal(unname(dual$coefficients), matrix(c(4, 14) / 15, 1), tolerance = 1e-12)
  expect_equal(dual$offsets, 0)
  x <- as.matrix(iris[, 1:4])
  model <- dk(x, iris$Species, "svm", kernel = "rbf(gamma=0.3)", scale = "none", multiclass = "ovr")
  dual <- dk_dual(model)
  sums <- dk_gram(x, x, "rbf(gamma=0.3)") %*% t(dual$coefficients)
  expect_equal(unname(sweep(sums, 2, dual$offsets, "+")), unname(predict(model, x, type = "decision")), tolerance = 1e-9)
  expect_error(dk_dual(dk(x, iris$Species, "iskpl")), "no sums of kernel values")
})

test_that("deviations are those of a Gaussian process", {
  model <- dk(two, c(1, 2), "kernel_ridge", kernel = kernel, scale = "none")
  expect_equal(predict(model, two, type = "deviation"), c(a = 1, b = 1) * sqrt(1 - 8 / 15), tolerance = 1e-12)
  expect_error(predict(dk(two, c(1, 2), "svr"), two, type = "deviation"), "no deviations")
})

test_that("clusters are numbered by their sizes", {
  x <- matrix(c(0, 0.1, 5, 5.1, 5.2))
  model <- dk(x, machine = "kernel_k_means", clusters = 2, kernel = "linear")
  expect_equal(predict(model, x), c(1, 1, 0, 0, 0))
  expect_equal(dk_task(model), "clustering")
  set.seed(1)
  theirs <- kmeans(iris[, 1:4], 3, nstart = 20)
  ours <- dk(as.matrix(iris[, 1:4]), machine = "kernel_k_means", clusters = 3, kernel = "linear", scale = "none")
  expect_equal(sort(as.vector(table(fitted(ours)))), sort(theirs$size))
})

test_that("rows are answered in one pass", {
  x <- as.matrix(iris[, 1:4])
  model <- dk(x, iris$Species, "svm", probability = TRUE)
  found <- dk_predict_rows(model, x)
  expect_identical(found$prediction, predict(model, x))
  expect_identical(found$decision, predict(model, x, type = "decision"))
  expect_identical(found$prob, predict(model, x, type = "prob"))
  expect_identical(dk_predict_rows(model, x[7, ])$prediction, unname(predict(model, x[7, , drop = FALSE])))
  plain <- dk(x, iris$Sepal.Length, "svr")
  expect_null(dk_predict_rows(plain, x)$prob)
  expect_equal(unname(dk_predict_rows(plain, x)$prediction), unname(predict(plain, x)))
  expect_error(dk_predict_rows(model, x[, 1:3]), class = "dk_error")
  expect_error(dk_predict_rows(model, c(1, NA, 2, 3)), class = "dk_error")
  of_formula <- dk(Species ~ Petal.Width + Petal.Length, iris, "svm")
  expect_identical(unname(dk_predict_rows(of_formula, x)$prediction), unname(predict(of_formula, iris)))
})
