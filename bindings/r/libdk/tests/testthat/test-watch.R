# SPDX-License-Identifier: Apache-2.0
# Models in use: thresholds, drift and warnings.

two <- droplevels(iris[iris$Species != "setosa", ])
known <- seq(1, 100, 2)

test_that("thresholds are of another model", {
  plain <- dk(Species ~ ., two[known, ], machine = "svm")
  model <- dk_move_threshold(plain, two[-known, ], two$Species[-known], miss_cost = 1e6)
  told <- predict(model, two[-known, ])
  expect_true(all(told[two$Species[-known] == "virginica"] == "virginica"))
  expect_equal(dk_report(model)$threshold$misses, 0)
  expect_error(fitted(model), "no fitted values")
  expect_error(dk_move_threshold(plain, two[-known, ], two$Species[-known], false_alarms = 0.05),
               class = "dk_error_unsupported")
  expect_error(dk_move_threshold(plain, two[-known, ], two$Species[-known]), "false_alarms")
})

test_that("drift is seen where rows move", {
  plain <- dk(Species ~ ., two[known, ], machine = "svm")
  same <- dk_drift(plain, two[known, ], two[known, ])
  expect_equal(same$distance, 0, tolerance = 1e-7)
  expect_gt(same$p, 0.99)
  moved <- two[-known, ]
  moved$Petal.Length <- moved$Petal.Length + 2
  expect_equal(dk_drift(plain, moved, two[known, ])$p, 0.001)
  expect_error(dk_drift(plain, moved), class = "dk_error_unsupported")
  ridge <- dk(Species ~ ., two[known, ], machine = "kelm")
  expect_equal(dk_drift(ridge, moved)$p, dk_drift(ridge, moved, two[known, ])$p)
})

test_that("models learn from further rows and forget some", {
  train <- function(rows) dk(Species ~ ., two[rows, ], machine = "kelm", kernel = "rbf(gamma=0.1)", scale = "none",
                             updatable = TRUE)
  part <- train(1:80)
  whole <- dk_update(part, two[81:100, ], two$Species[81:100])
  expect_equal(predict(whole, two, type = "decision"), predict(train(1:100), two, type = "decision"), tolerance = 1e-9)
  back <- dk_update(whole, forget = 81:100)
  expect_equal(predict(back, two, type = "decision"), predict(part, two, type = "decision"), tolerance = 1e-9)
  expect_error(dk_update(dk(Species ~ ., two, machine = "svm"), two, two$Species), class = "dk_error_unsupported")
  expect_error(dk_update(part), "nothing")
  expect_error(dk_update(part, forget = 0), "-1")
})

test_that("rows far away are new", {
  model <- dk(Species ~ ., two, machine = "svm", novelty = TRUE)
  far <- two
  far[1:4] <- far[1:4] + 1000
  told <- predict(model, far, type = "novelty")
  expect_equal(colnames(told), c("distance", "p"))
  expect_true(all(told[, "p"] == 1 / 51))
})

test_that("models print their warnings", {
  early <- dk(Species ~ ., two, machine = "svm", max_iterations = 2)
  warnings <- dk_warnings(early)
  expect_true("convergence" %in% warnings$about)
  expect_match(warnings$text[warnings$about == "convergence"], "max_iterations=2")
  expect_output(print(early), "warning: convergence: ")
  good <- dk(Species ~ ., unique(two), machine = "svm")
  expect_equal(nrow(dk_warnings(good)), 0)
})
