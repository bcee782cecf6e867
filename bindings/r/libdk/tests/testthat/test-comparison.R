# SPDX-License-Identifier: Apache-2.0

test_that("learners have mean ranks with a critical difference", {
  scores <- rbind(c(a = 0.9, b = 0.8, c = 0.7), c(0.5, 0.5, 0.6))
  expect_equal(dk_mean_ranks(scores), c(a = 1.75, b = 2.25, c = 2))
  expect_equal(dk_critical_difference(2, 6), qnorm(0.975) / sqrt(6), tolerance = 1e-6)
  expect_equal(dk_critical_difference(4, 14, 0.1), qtukey(0.9, 4, Inf) / sqrt(2) * sqrt(4 * 5 / (6 * 14)), tolerance = 1e-6)
  expect_error(dk_critical_difference(1, 6), class = "dk_error_invalid_argument")
  expect_error(dk_mean_ranks(cbind(1, NaN)), class = "dk_error_invalid_data")
})

test_that("folds share training rows", {
  found <- dk_resampled_test(c(1, 2, 3), share = 0.5)
  t <- 2 / sqrt(1 / 3 + 1 / 2)
  expect_equal(found, list(difference = 2, t = t, p = 2 * pt(-t, 2)))
})

test_that("selections are more or less stable", {
  expect_equal(dk_jaccard_stability(rbind(c(TRUE, TRUE, FALSE, NA), c(NA, TRUE, TRUE, FALSE))), 0.5)
  expect_equal(dk_selection_stability(rbind(c(1, 1, 0), c(1, 1, 0), c(1, 0, 0))), 0.55)
  expect_true(is.nan(dk_selection_stability(rbind(c(TRUE, FALSE)))))
  expect_error(dk_selection_stability(rbind(c(1, NA))), class = "dk_error_invalid_argument")
})

test_that("means of classes are pure, and compact as their kernel values say", {
  two <- droplevels(iris[iris$Species != "setosa", ])
  model <- dk(Species ~ ., two, machine = "mean_of_class", kernel = "rbf(gamma=0.3)", scale = "none")
  measures <- dk_prototype_measures(model, two, two$Species)
  expect_equal(measures$purity, c(1, 1))
  gram <- dk_gram(two[, 1:4], kernel = "rbf(gamma=0.3)")
  mean_of <- function(class) mean(gram[two$Species == class, two$Species == class])
  lengths <- c(mean_of("virginica"), mean_of("versicolor"))
  expect_equal(measures$compactness, exp(-2 * (1 / lengths - 1)))
})
