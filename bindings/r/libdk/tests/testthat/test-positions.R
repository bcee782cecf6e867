# SPDX-License-Identifier: Apache-2.0
# Messages count rows and columns from 1, as R does.

x <- unname(as.matrix(iris[c(1:5, 51:55), 1:4]))
y <- droplevels(iris$Species[c(1:5, 51:55)])
with_value <- function(row, column, value) {
  x[row, column] <- value
  x
}

test_that("values of dense rows are named", {
  expect_error(dk(with_value(4, 2, Inf), y), "row 4, column 2: every value must be finite")
  expect_error(dk(with_value(4, 2, NA), y, impute = "none"), "row 4, column 2 is missing")
  expect_error(dk(with_value(1:10, 3, NA), y, impute = "mean"), "column 3 \\(")
  expect_error(dk(with_value(2, 1, 1e200), y, kernel = "rbf(gamma=1)"), "norm of row 2 overflows")
  expect_error(dk(with_value(2, 1, -1), y, kernel = "intersection"), "row 2 has -1 in column 1 of its columns$")
  expect_error(dk(with_value(2, 1, 1e120), y, kernel = "poly(degree=3)", scale = "none"), "of row 2 is inf")
  expect_error(predict(dk(x, y, kernel = "poly(degree=5)"), with_value(2, 1, 1e120)), "overflows on row 2,")
})

test_that("answers of rows are named", {
  expect_error(dk(x, replace(seq_along(y) + 0, 3, Inf), machine = "svr"), "target of row 3 is inf")
  expect_error(dk(x, y, sample_weights = c(1, -1, rep(1, 8))), "weight of row 2 is -1")
  expect_error(dk(x, c("a", "", rep("b", 8))), "label 2 is empty")
  expect_error(dk_score(dk(x, y), x, replace(as.character(y), 3, "rose")), "row 3 is of class rose,")
  expect_error(dk_verification_curve(0, c(1, Inf), c(TRUE, FALSE)), "score of row 2")
  expect_error(dk_verification_curve(0, c(1, 1), c(1, 2)), "genuine of row 2")
})

test_that("series, graphs and similarities are named", {
  expect_error(dk_gram(list(1:3, c(1, Inf)), kernel = "gak(sigma=1)"), "series 2, step 2, channel 1: every value")
  bad <- dk_graphs(list(list(nodes = 0), list(nodes = c(0, 0), edges = rbind(c(1, 2), c(1, 3)))))
  expect_error(dk_gram(bad, kernel = "weisfeiler_lehman"), "edge 2 of graph 2 names node 3; the graph has nodes 1 to 2")
  gram <- tcrossprod(x)
  expect_error(dk(dk_similarities(gram, replace(gram, cbind(3, 2), Inf)), y, kernel = "[gram(0), gram(1)]"),
               "row 3, column 2 of matrix 2: every value")
  expect_error(dk(dk_similarities(gram, replace(gram, cbind(4, 2), 7)), y, kernel = "[gram(0), gram(1)]"),
               "matrix 2 is not symmetric: element (4, 2) is 7, element (2, 4) is", fixed = TRUE)
  expect_error(dk_similarity(10, 10, function(i, j) gram[i, j], self = c(1, Inf, rep(1, 8))), "self similarity of row 2")
  unknown <- dk_similarity(10, 10, function(i, j) replace(gram, cbind(3, 5), NaN)[i, j, drop = FALSE])
  expect_error(dk(unknown, y, kernel = "gram(0)"), "row 3 and training row 5;")
  nowhere <- dk_point_similarity(x, function(points, some) matrix(NaN, length(some), nrow(points)))
  expect_error(dk(nowhere, y, machine = "super_sparse", kernel = "similarity", prototypes = 2), "row 1 and point 1;")
})

test_that("rows are those of the user where others were left out", {
  holes <- iris
  holes[3, 1] <- NA
  holes[7, 2] <- Inf
  model <- dk(Species ~ ., iris)
  for (wrong in list(quote(dk(Species ~ ., holes)), quote(dk(Species ~ ., holes, subset = 5:150)), quote(predict(model, holes)),
                     quote(explain(model, holes)), quote(predict(dk(as.matrix(iris[, 1:4]), iris$Species), holes[, 1:4]))))
    expect_error(eval(wrong), "row 7, column 2: every value", class = "dk_error_invalid_data")
  expect_error(dk(iris$Species ~ holes$Sepal.Width), "row 7, column 1: every value")
})

test_that("rows are those of the user without data, too, whatever the names of the response", {
  values <- x[, 2]
  values[3] <- NA
  values[10] <- Inf
  expect_error(dk(y ~ values), "row 10, column 1: every value")
  expect_error(dk(y ~ values, subset = 5:10), "row 10, column 1: every value")
  expect_error(dk(y ~ values, subset = -1, impute = "mean"), "row 10, column 1: every value")
  named <- setNames(as.character(y), 10:1)
  expect_error(dk(named ~ values), "row 10, column 1: every value")
  named[2] <- NA
  expect_error(dk(named ~ values, impute = "mean"), "row 10, column 1: every value")
  # rows of a table whose variables stand elsewhere
  expect_error(dk(y ~ values, data.frame(other = 1:3)), "row 10, column 1: every value")
  expect_error(dk(y ~ values, list(values = values)), "row 10, column 1: every value")
  # names of rows that are numbers are no positions
  shuffled <- data.frame(y, values, row.names = 10:1)
  expect_error(dk(y ~ values, shuffled), "row 10, column 1: every value")
})

test_that("a weight is named by its place among the weights, of which each kept row has one", {
  values <- x[, 2]
  values[3] <- NA
  expect_error(dk(y ~ values, sample_weights = c(1, 1, 1, 1, -1, 1, 1, 1, 1)), "weight of row 5 is -1")
})

test_that("what is no position stays as it is", {
  same <- c("row 2 does not exist", "kernel on(rbf, 3) looks at column 3", "the user's row 3 is of class 4",
            "line 3 has 4 fields, line 1 has 5")
  expect_identical(vapply(same, counted_from_one, "", USE.NAMES = FALSE), same)
  # a class may be called like a message
  expect_identical(counted_from_one("row 0 is of class row 0 is of class, which"), "row 1 is of class row 0 is of class, which")
  expect_identical(counted_from_one("the reconstruction of row 9 was not found: its"),
                   "the reconstruction of row 10 was not found: its")
  expect_identical(counted_from_one("kernel linear overflows between rows 0 and 12"),
                   "kernel linear overflows between rows 1 and 13")
  # only what the library says of its counting is left out
  expect_identical(counted_from_one("label 1 is (counted from 0)"), "label 2 is (counted from 0)")
  # what a similarity of the user says is the user's
  own <- dk_similarity(10, 10, function(i, j) stop("row 0 is of class 7"))
  expect_error(dk(own, y, kernel = "gram(0)"), "row 0 is of class 7", class = "dk_error_callback")
  told <- function(status) structure(class = c("dk_error", "error", "condition"),
                                     list(message = "row 0 is of class 7", status = status,
                                          library_message = "row 0 is of class 7"))
  expect_error(with_rows(5:14, stop(told("callback"))), "row 0 is of class 7")
  expect_error(with_rows(5:14, stop(told("invalid_data"))), "row 5 is of class 7")
})

test_that("rows of a file are chosen among those that it has", {
  path <- tempfile(fileext = ".csv")
  write.csv(iris, path, row.names = FALSE)
  rows <- dk_read(path, "label=Species")
  expect_error(rows[c(1, 151)], "1 to 150")
})
