# SPDX-License-Identifier: Apache-2.0
# Models of other programs decide as these do.

x <- as.matrix(iris[, 1:4])
# The decision of each pair of classes, positive for the class whose name comes first, as libdk has it.
by_pair <- function(decisions) {
  for (column in seq_len(ncol(decisions))) {
    pair <- strsplit(colnames(decisions)[column], "/")[[1]]
    if (pair[1] > pair[2]) {
      decisions[, column] <- -decisions[, column]
      colnames(decisions)[column] <- paste(rev(pair), collapse = "/")
    }
  }
  unname(decisions[, order(colnames(decisions)), drop = FALSE])
}

test_that("svm of e1071 decides alike", {
  skip_if_not_installed("e1071")
  shuffled <- iris[c(120, 3, 77, 1:150), ]  # so that classes come in another order
  for (kernel in c("radial", "linear", "polynomial", "sigmoid")) {
    theirs <- e1071::svm(Species ~ ., shuffled, kernel = kernel, coef0 = 0.5)
    ours <- dk_import(theirs)
    expected <- by_pair(attr(predict(theirs, iris, decision.values = TRUE), "decision.values"))
    tolerance <- 1e-10 * sum(abs(theirs$coefs))
    expect_lte(max(abs(unname(predict(ours, iris, type = "decision")) - expected)), tolerance)
    expect_gte(mean(predict(ours, iris) == predict(theirs, iris)), 0.98)
  }
})

test_that("probabilities, regression and novelty of e1071 are imported", {
  skip_if_not_installed("e1071")
  two <- droplevels(iris[iris$Species != "setosa", ])
  theirs <- e1071::svm(Species ~ ., two, probability = TRUE)
  expected <- attr(predict(theirs, two, probability = TRUE), "probabilities")[, levels(two$Species)]
  expect_equal(unname(predict(dk_import(theirs), two, type = "prob")), unname(expected), tolerance = 1e-9)
  theirs <- e1071::svm(Sepal.Length ~ Sepal.Width + Petal.Length, iris)
  expect_equal(unname(c(predict(dk_import(theirs), iris))), unname(predict(theirs, iris)), tolerance = 1e-10)
  theirs <- e1071::svm(x, type = "one-classification", nu = 0.2)
  expected <- attr(predict(theirs, x, decision.values = TRUE), "decision.values")
  expect_equal(c(predict(dk_import(theirs), x, type = "decision")), c(expected), tolerance = 1e-9)
})

test_that("ksvm of kernlab decides alike", {
  skip_if_not_installed("kernlab")
  for (kernel in c("rbfdot", "vanilladot", "polydot", "tanhdot")) {
    theirs <- kernlab::ksvm(Species ~ ., iris, kernel = kernel,
                            kpar = switch(kernel, rbfdot = list(sigma = 0.3), polydot = list(degree = 2, scale = 0.5, offset = 1),
                                          tanhdot = list(scale = 0.01, offset = 0.1), list()))
    ours <- dk_import(theirs)
    # kernlab's decisions are positive for the second class of a pair
    expected <- -kernlab::predict(theirs, iris, type = "decision")
    tolerance <- 1e-10 * sum(abs(unlist(theirs@coef)))
    expect_lte(max(abs(unname(predict(ours, iris, type = "decision")) - expected)), tolerance)
    expect_gte(mean(predict(ours, iris) == kernlab::predict(theirs, iris)), 0.98)
  }
  theirs <- kernlab::ksvm(Sepal.Length ~ Sepal.Width + Petal.Length, iris)
  expect_equal(unname(c(predict(dk_import(theirs), iris))), c(kernlab::predict(theirs, iris)), tolerance = 1e-10)
  expect_error(dk_import(kernlab::ksvm(x, iris$Species, kernel = "laplacedot")), "laplacekernel")
})

test_that("files go both ways", {
  model <- dk(x, iris$Species, machine = "svm", kernel = "rbf(gamma=0.5)")
  path <- dk_export(model, tempfile(fileext = ".model"), "libsvm")
  again <- dk_import(path, "libsvm features=4", threads = 1)
  expect_equal(unname(predict(again, x, type = "decision")), unname(predict(model, x, type = "decision")),
               tolerance = 1e-10)
  expect_error(dk_export(model, path, "pmml"), class = "dk_error_invalid_argument")
  expect_error(dk_import(tempfile()), class = "dk_error_io")
  expect_error(dk_import(3), "dk_import takes")
})
