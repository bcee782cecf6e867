# SPDX-License-Identifier: Apache-2.0

people <- function(colours = c("red", "blue", "red", "green", "blue", "red", "blue", "red")) {
  x <- c(0.1, 1.25, -3, 4e-17, 5, 6.5, 1 / 3, 8)
  data.frame(x = x[seq_along(colours)], colour = colours)
}
answers_of <- function(rows) ifelse(rows$colour == "red", "yes", "no")

# The rows as R's users write and read them.
of_file <- function(rows, like = NULL) {
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  write.csv(format(rows, digits = 17), path, row.names = FALSE, quote = FALSE)
  dk_read(path, if (is.null(like)) "label=none ignore=none" else "", like = like)
}
features_of <- function(model) jsonlite::fromJSON(dk_info(model))$feature_names
decided <- function(model, rows) unname(predict(model, rows, type = "decision"))

test_that("columns of a data frame are what they are in files", {
  for (more in list(factor(rep(c("b", "a"), 4)), rep(c("gr\u00f6\u00dfer", "b"), 4), rep(c(TRUE, FALSE), 4),
                    factor(rep(c(3, 1), 4)), 1:8)) {
    rows <- cbind(people(), more = more)
    read <- of_file(rows)
    model <- dk(rows, answers_of(rows), machine = "mean_of_class", kernel = "linear")
    same <- dk(read, answers_of(rows), machine = "mean_of_class", kernel = "linear")
    expect_identical(features_of(model), features_of(same))
    expect_identical(decided(model, rows), decided(same, read))
  }
  expect_identical(features_of(dk(people(), answers_of(people()))), c("x", "colour=blue", "colour=green", "colour=red"))
})

test_that("unknown categories get the same answer as from a file", {
  model <- dk(people(), answers_of(people()), kernel = "linear", C = 100)
  new <- people(c("violet", "red", "blue"))
  expect_identical(decided(model, new), decided(model, of_file(new, model)))
  expect_identical(as.character(predict(model, new))[2:3], c("yes", "no"))
  expect_identical(decided(model, new[, 2:1]), decided(model, new))
  expect_identical(decided(model, transform(new, colour = factor(colour), more = "a")), decided(model, new))
  expect_error(predict(model, new["x"]), "colour")
  expect_error(predict(model, new["colour"]), "x")
  expect_equal(dk_score(model, people(), answers_of(people())), 1)
  path <- dk_save(model, tempfile(fileext = ".dk"))
  expect_identical(decided(dk_load(path), new), decided(model, new))
})

test_that("missing values are told, filled, or left out of predictions", {
  rows <- people()
  rows$colour[3] <- NA
  expect_error(dk(rows, answers_of(people()), machine = "svm"), "row 3 of column 'colour'")
  filled <- dk(rows, answers_of(people()), impute = "mean")
  expect_false(anyNA(predict(filled, rows)))
  model <- dk(people(), answers_of(people()))
  expect_identical(is.na(unname(predict(model, rows))), 1:8 == 3)
})

test_that("dates are refused with what to do", {
  rows <- cbind(people(), when = as.Date("2024-02-28") + 0:1)
  expect_error(dk(rows, answers_of(rows)), "when.*dates.*as.numeric")
  expect_error(dk(transform(rows, when = as.POSIXct(when)), answers_of(rows)), "dates")
  numbers <- transform(rows, when = as.numeric(when))
  expect_identical(levels(predict(dk(numbers, answers_of(rows)), numbers)), c("no", "yes"))
  names <- data.frame(x = 1:30, name = paste("name", 1:30))
  expect_error(dk(names, rep(c("a", "b"), 15)), "another text in each of the 30 rows")
})

test_that("classes beyond 2^53 are texts or integer64", {
  x <- matrix(c(0, 2, 4))
  digits <- c("9007199254740993", "9007199254740995", "9")
  nearest <- function(y) dk(x, y, machine = "nearest_neighbours", voters = 1, kernel = "rbf(gamma=1)")
  expect_identical(as.character(predict(nearest(digits), x)), digits)
  expect_error(nearest(c(9007199254740992, 9007199254740996, 9)), "2\\^53")
  # these differ beyond the 15 digits of as.character()
  close <- c(2^52 + 1, 2^52 + 2, 2^52 + 3)
  expect_identical(as.character(predict(nearest(close), x)), sprintf("%.0f", close))
  path <- tempfile(fileext = ".csv")
  writeLines(c("x,label", paste(c(0, 2, 4), digits, sep = ",")), path)
  rows <- dk_read(path)
  expect_identical(as.character(predict(dk(rows, machine = "nearest_neighbours", voters = 1, kernel = "rbf(gamma=1)"), rows)),
                   digits)
  expect_error(dk_labels(rows), "2\\^53")
  skip_if_not_installed("bit64")
  expect_identical(as.character(predict(nearest(bit64::as.integer64(digits)), x)), digits)
})
