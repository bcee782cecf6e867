# SPDX-License-Identifier: Apache-2.0
# Plots are drawn without a word, and give the numbers that they have drawn.

drawn <- function(...) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(said <- withVisible(plot(...)))
  expect_false(said$visible)
  said$value
}
petals <- iris[, 3:5]

test_that("weights are bars", {
  model <- dk(Species ~ ., iris, kernel = c("linear", "rbf(gamma=0.5)"))
  expect_identical(drawn(model), coef(model))
  expect_identical(drawn(model, main = "bank", xlab = "share", col = "red"), coef(model))
})

test_that("prototypes are the shares of their rows", {
  x <- cbind(c(0, 1, 5, 6), 0)
  # each mean is made of both rows of its class, half each
  model <- dk(x, c("a", "a", "b", "b"), machine = "mean_of_class", kernel = "linear")
  expect_equal(drawn(model, "prototypes"), matrix(c(0.5, 1), 2, 2), ignore_attr = TRUE)
  expect_identical(drawn(prototypes(model)), drawn(model, "prototypes"))
  found <- prototypes(dk(Species ~ ., iris))
  shares <- drawn(found)
  expect_equal(shares[1, ], apply(attr(found, "coefficients"), 1, max), ignore_attr = TRUE)
  expect_equal(shares[nrow(shares), ], rep(1, 6), ignore_attr = TRUE)
  expect_identical(dim(drawn(prototypes(dk(mpg ~ ., mtcars, machine = "svr"))))[2], 2L)
  expect_equal(ncol(drawn(prototypes(dk(Species ~ ., iris, machine = "imkpl")))),
               nrow(prototypes(dk(Species ~ ., iris, machine = "imkpl"))))
  # points of their own have coordinates in place of rows
  few <- dk(Species ~ ., iris, machine = "super_sparse")
  expect_identical(drawn(few, "prototypes"), structure(dk_coordinates(few), dimnames = list(NULL, names(iris)[1:4])))
  expect_error(plot(prototypes(few)), "points of their own")
  expect_error(plot(found[1:2, ]), "the whole of it")
})

test_that("decision values are histograms by class", {
  model <- dk(Species ~ ., iris)
  decisions <- predict(model, iris, type = "decision")
  histograms <- drawn(model, "decision", iris, iris$Species)
  expect_named(histograms, levels(iris$Species))
  expect_equal(sum(histograms$virginica$counts[histograms$virginica$mids > 0]),
               sum(decisions[iris$Species == "virginica", 1] > 0))
  expect_equal(vapply(histograms, function(one) sum(one$counts), 0), c(setosa = 50, versicolor = 50, virginica = 50))
  third <- drawn(model, "decision", iris, iris$Species, fn = 3)
  expect_equal(range(decisions[, 3]) >= range(third[[1]]$breaks), c(TRUE, FALSE))
  all <- drawn(model, "decision", iris)
  expect_equal(sum(all$rows$counts), 150)
  expect_length(drawn(dk(mpg ~ ., mtcars, machine = "svr"), "decision", mtcars), 1)
  expect_error(plot(model, "decision", iris, fn = 4), "fn is 4; the model has functions 1 to 3")
  expect_error(plot(model, "decision", iris, iris$Species[1:3]), "y has 3 elements, newdata has 150 rows")
  expect_error(plot(model, "decision"), "newdata")
})

test_that("the plane has the regions of all classes and the boundaries of all functions", {
  model <- dk(Species ~ ., petals)
  plane <- drawn(model, "plane", petals[, 1:2], petals$Species, size = 40)
  expect_identical(dim(plane$decision), c(40L, 40L, 3L))
  at <- data.frame(Petal.Length = plane$x[7], Petal.Width = plane$y[31])
  expect_identical(plane$levels[plane$predicted[7, 31]], as.character(predict(model, at)))
  expect_equal(plane$decision[7, 31, ], predict(model, at, type = "decision")[1, ])
  expect_setequal(plane$predicted, 1:3)
  expect_equal(range(plane$x), range(petals$Petal.Length))
  # without classes, with a matrix, with two classes, of a machine without functions between classes
  rows <- as.matrix(petals[, 1:2])
  expect_null(drawn(dk(rows, machine = "one_class_svm"), "plane", rows)$levels)
  expect_setequal(drawn(dk(rows, petals$Species == "setosa"), "plane", rows)$predicted, 1:2)
  expect_setequal(drawn(dk(rows, petals$Species, machine = "nearest_neighbours"), "plane", rows, petals$Species)$predicted, 1:3)
  regression <- dk(mpg ~ wt + hp, mtcars, machine = "svr", scale = "standard")
  plane <- drawn(regression, "plane", mtcars[, c("wt", "hp")])
  expect_equal(plane$predicted[2, 5], predict(regression, data.frame(wt = plane$x[2], hp = plane$y[5])), ignore_attr = TRUE)
  expect_error(plot(model, "plane", petals), "newdata has 3")
  expect_error(plot(model, "plane"), "needs newdata")
  expect_error(plot(model, "plane", rows, petals$Species[1:2]), "y has 2 elements")
})

test_that("the path of a cross-validation is the scores of its candidates", {
  model <- dk_cv(Species ~ ., iris, grid = list(C = c(0.1, 1, 100), kernel = c("linear", "rbf(gamma=1)")), folds = 3)
  scores <- dk_scores(model)
  path <- drawn(model, "path")
  expect_identical(path$at, rep(c(0.1, 1, 100), 2))
  expect_identical(path$line, rep(c("kernel=linear", "kernel=rbf(gamma=1)"), each = 3))
  expect_identical(sort(path$mean), sort(scores$accuracy))
  expect_identical(path$mean[path$best], scores$accuracy[scores$best])
  expect_identical(drawn(model, "path", metric = "auc")$deviation[path$best], scores$auc_deviation[scores$best])
  # nothing to go along but the candidates
  compared <- drawn(dk_compare_weights(Species ~ ., iris, kernel = c("linear", "rbf")), "path")
  expect_identical(compared$at, seq_len(nrow(compared)))
  expect_identical(nrow(drawn(dk_cv(Species ~ ., iris), "path")), 1L)
  expect_error(plot(dk(Species ~ ., iris, machine = "svm"), "path"), "cross-validated")
  expect_error(plot(model, "path", metric = "rmse"), "the scores have accuracy")
})

test_that("distances are the densities of both classes", {
  two <- droplevels(petals[51:150, ])
  model <- dk(Species ~ ., two)
  densities <- drawn(model, "distances", two, two$Species)
  expect_named(densities, c("virginica", "versicolor"))
  expect_equal(densities$virginica$n, 50)
  expect_error(plot(model, "distances"), "needs newdata and y")
  expect_error(plot(model, "distances", two), "needs y")
})
