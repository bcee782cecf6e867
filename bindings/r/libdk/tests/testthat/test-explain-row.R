# SPDX-License-Identifier: Apache-2.0
# Why a row got its prediction, and pages about models.

bank <- dk(Species ~ ., iris, kernel = c("linear", "rbf(gamma=0.3)"), C = 10, probability = TRUE)
parts <- function(group, what) c(group$pulls[[what]], group$others[[what]], group$offset[[what]])
first_line <- function(path) readLines(path, 1, warn = FALSE)
bytes_of <- function(path) readBin(path, "raw", file.size(path))

test_that("parts sum to the answer, and shares to 100", {
  for (row in c(1, 71, 120)) {
    told <- explain_row(bank, iris, row)
    expect_identical(told$row, row)
    expect_identical(told$prediction, as.character(predict(bank, iris[row, ])))
    expect_identical(told$probability, unname(predict(bank, iris[row, ], type = "prob")[, told$prediction]))
    for (group in c("prototypes", "training_rows", "kernels")) {
      expect_equal(sum(parts(told[[group]], "contribution")), told$answer, tolerance = 1e-10)
      expect_lt(abs(sum(abs(parts(told[[group]], "share"))) - 100), 1e-9)
      expect_true(all(parts(told[[group]], "share") * parts(told[[group]], "contribution") >= 0))
    }
  }
})

test_that("a counterfactual turns the prediction", {
  for (row in c(51, 71, 120)) {
    turned <- explain_row(bank, iris, row, training = iris)$counterfactual
    changed <- iris[row, ]
    expect_identical(turned$changes$feature, names(iris)[turned$changes$column])
    expect_identical(turned$changes$from, unlist(changed[turned$changes$column], use.names = FALSE))
    changed[turned$changes$column] <- turned$changes$to
    expect_identical(as.character(predict(bank, changed)), turned$prediction)
    expect_false(turned$prediction == as.character(predict(bank, iris[row, ])))
    expect_equal(sqrt(sum(turned$changes$deviations^2)), turned$distance)
  }
})

test_that("training rows are those of the user", {
  told <- explain_row(bank, iris, 71, training = iris)
  expect_identical(told$training_rows$pulls$class, as.character(iris$Species[told$training_rows$pulls$row]))
  expect_identical(as.character(predict(bank, iris[told$nearest_other$row, ])), told$nearest_other$prediction)
  expect_null(explain_row(bank, iris, 71)$nearest_other)
  holes <- iris
  holes[c(1, 60), 2] <- NA
  left_out <- explain_row(dk(Species ~ ., holes), iris, 71, training = holes)
  expect_false(any(c(1, 60) %in% left_out$training_rows$pulls$row))
  expect_identical(left_out$training_rows$pulls$class, as.character(iris$Species[left_out$training_rows$pulls$row]))
  matrices <- dk(as.matrix(iris[, 1:4]), iris$Species)
  told <- explain_row(matrices, iris[, 1:4], 71, training = as.matrix(iris[, 1:4]), training_y = iris$Species)
  expect_identical(told$training_rows$pulls$class, as.character(iris$Species[told$training_rows$pulls$row]))
})

test_that("influences are what training without the row changes", {
  two <- iris[51:150, ]
  two$Species <- droplevels(two$Species)
  train <- function(rows) dk(Species ~ ., rows, machine = "kelm", kernel = "rbf(gamma=0.3)")
  told <- explain_row(train(two), two, 20)
  expect_true(told$influences$exact)
  for (i in 1:3) {
    row <- told$influences$rows$row[i]
    without <- abs(predict(train(two[-row, ]), two[20, ], type = "decision")[1, 1])
    expect_equal(told$answer - without, told$influences$rows$change[i], tolerance = 1e-8)
  }
})

test_that("a regression explains its value", {
  for (machine in c("kernel_ridge", "svr")) {
    model <- dk(mpg ~ ., mtcars, machine = machine, scale = "standard")
    told <- explain_row(model, mtcars, 3, training = mtcars)
    expect_equal(told$prediction, unname(predict(model, mtcars[3, ])), tolerance = 1e-12)
    expect_null(told$instead_of)
    expect_identical(told$training_rows$pulls$target, mtcars$mpg[told$training_rows$pulls$row])
    expect_equal(sum(parts(told$training_rows, "contribution")), told$answer, tolerance = 1e-10)
    expect_output(print(told), "row 3 is ")
  }
})

test_that("an explanation prints itself", {
  told <- explain_row(bank, iris, 71, training = iris)
  expect_output(print(told), "row 71 is .+ and not .+: answer ")
  expect_output(print(told), "training rows that pull.+others.+offset")
  expect_output(print(told), "normalize\\(linear\\)")
  expect_output(print(told), paste("it would be", told$counterfactual$prediction, "with"))
})

test_that("rows that are not there fail with their number", {
  expect_error(explain_row(bank, iris, 151), "row is 151; allowed is 1 to 150")
  expect_error(explain_row(bank, iris, 0), "row is 0; allowed is 1 to 150")
  expect_error(explain_row(bank, iris, 1, training = iris[1:50, ]), class = "dk_error_dimension")
  holes <- iris
  holes[7, 2] <- NA
  expect_error(explain_row(bank, holes, 7), "row 7, column 2")
  expect_identical(explain_row(bank, holes, 8)$answer, explain_row(bank, iris, 8)$answer)
})

test_that("a page is HTML and the same bytes", {
  first <- dk_page(bank, tempfile(fileext = ".html"), iris, training = iris, title = "Irises of 1936", rows = 3, threads = 1)
  again <- dk_page(bank, tempfile(fileext = ".html"), iris, iris$Species, training = iris, title = "Irises of 1936", rows = 3)
  expect_match(first_line(first), "^<!DOCTYPE html>")
  expect_identical(bytes_of(first), bytes_of(again))
  expect_match(paste(readLines(first, warn = FALSE), collapse = "\n"), "<title>Irises of 1936</title>")
  expect_match(first_line(dk_page(bank, tempfile(), iris, image = c(2, 2))), "^<!DOCTYPE html>")
  for_manager <- readLines(dk_page(bank, tempfile(), iris, training = iris, manager = TRUE), warn = FALSE)
  expect_match(paste(for_manager, collapse = "\n"), "Nobody has measured")
  expect_error(dk_page(bank, tempfile(), iris, rows = 0), "rows")
  expect_error(dk_page(bank, file.path(tempfile(), "page.html"), iris), class = "dk_error_io")
})

test_that("models are compared", {
  other <- dk(Species ~ ., iris, machine = "kelm")
  page <- paste(readLines(dk_page(list(bank, other), tempfile(), iris), warn = FALSE), collapse = "\n")
  expect_match(page, "^<!DOCTYPE html>")
  expect_match(page, "svm")
  expect_match(page, "kelm")
  expect_error(dk_page(list(bank, dk(Sepal.Length ~ . - Species, iris, machine = "svr")), tempfile(), iris), "model 2 makes")
  regression <- dk(as.matrix(iris[, 1:4]), iris[, 1], machine = "svr")
  expect_error(dk_page(list(dk(as.matrix(iris[, 1:4]), iris$Species), regression), tempfile(), iris[, 1:4], iris$Species),
               "model 2 is of regression")
  expect_error(dk_page(list(), tempfile(), iris), "list of such models")
})
