# SPDX-License-Identifier: Apache-2.0

test_that("strings are character vectors", {
  texts <- c(first = "aab", second = "aba", third = "bcc", fourth = "cbc")
  gram <- dk_gram(texts, kernel = "spectrum(length=1)")
  expect_equal(gram["first", "third"], 1) # one b each, no other letter in common
  expect_equal(unname(diag(gram)), c(5, 5, 5, 5))
  model <- dk(texts, c("x", "x", "y", "y"), kernel = "spectrum(length=1)")
  expect_identical(as.character(predict(model, c("aaa", NA, "ccc"))), c("x", NA, "y"))
  expect_identical(as.character(predict(model, c(NA_character_, NA))), c(NA_character_, NA))
  expect_error(dk(c("a", NA), c("x", "y"), kernel = "spectrum"), "row 2")
})

test_that("series are lists of vectors or of matrices of steps x channels", {
  series <- list(sin(1:20), sin(1:25), cos(2 * (1:20)), cos(2 * (1:30)))
  model <- dk(series, c("slow", "slow", "fast", "fast"), kernel = "gak(sigma=1)", C = 100)
  expect_identical(as.character(predict(model, series)), c("slow", "slow", "fast", "fast"))
  # a bank with a kernel a channel: the second channel alone differs
  two <- lapply(1:2, function(k) cbind(sin(1:15), if (k == 1) rep(0, 15) else (1:15) / 5))
  grams <- dk_gram(two, kernel = "each_channel(gak(sigma=1))")
  expect_equal(grams[[1]][1, 2], 1)
  expect_lt(grams[[2]][1, 2], 0.9)
  expect_error(dk_gram(list(1:3, cbind(1:3, 1:3)), kernel = "gak(sigma=1)"), "channels")
})

test_that("graphs have labelled nodes and edges counted from one", {
  ring <- function(n) list(nodes = rep(0, n), edges = cbind(1:n, c(2:n, 1)))
  path <- function(n) list(nodes = rep(0, n), edges = cbind(1:(n - 1), 2:n))
  graphs <- dk_graphs(c(lapply(4:9, ring), lapply(4:9, path)))
  # no round of relabelling: the product of the node counts
  expect_equal(dk_gram(graphs[1:2], kernel = "weisfeiler_lehman(iterations=0)"), matrix(c(16, 20, 20, 25), 2),
               ignore_attr = TRUE)
  model <- dk(graphs, rep(c("ring", "path"), each = 6), kernel = "normalize(weisfeiler_lehman)", C = 10)
  expect_identical(as.character(predict(model, dk_graphs(list(ring(12), path(12))))), c("ring", "path"))
  expect_error(dk_graphs(list(list(edges = cbind(1, 2)))), "no nodes")
  expect_error(dk_gram(dk_graphs(list(list(nodes = c(0, 0), edges = cbind(1, 3)))), kernel = "weisfeiler_lehman"),
               class = "dk_error")
})

test_that("similarities give the model that the kernel itself gives", {
  x <- as.matrix(iris[, 1:4])
  gram <- dk_gram(x, kernel = "rbf(gamma=0.5)")
  own <- dk(dk_similarities(gram), iris$Species, kernel = "gram(0)", tolerance = 1e-9)
  model <- dk(x, iris$Species, kernel = "rbf(gamma=0.5)", tolerance = 1e-9)
  expect_equal(predict(own, dk_similarities(gram)[1:30], type = "decision"),
               predict(model, x[1:30, ], type = "decision"), ignore_attr = TRUE)
  expect_error(dk_similarities(gram, gram[1:3, ]), "dimensions")
  expect_error(dk_similarities(gram, self = 1:3), "a number for each row")
})

test_that("reading is cancelled and asks memory", {
  # tables of users are R's own: this is the reader behind conformance tests
  table <- tempfile(fileext = ".csv")
  writeLines(c("a,b,label", rep(c("0.123456789,-9.87654321,1", "1.5,2.25,0"), 80000)), table)
  read <- function(control) native(R_swig_NativeData_file, table, "label=label", control)
  expect_equal(native(R_swig_NativeData_rows, read(control_of(2, 1000))), 160000)
  expect_error(read(control_of(memory = 1)), class = "dk_error_memory_budget")
  cancelled <- control_of()
  native(R_swig_NativeControl_cancel, cancelled)
  expect_error(read(cancelled), class = "dk_error_cancelled")

  set.seed(3)
  x <- matrix(rnorm(2e5), 2000)
  model <- dk(x, rep(1:2, 1000), machine = "mean_of_class", kernel = "rbf(gamma=0.01)", memory = 1000)
  path <- dk_save(model, tempfile(fileext = ".dk"))
  expect_identical(dk_load(path, threads = 1, memory = 1000)$bytes, model$bytes)
  expect_error(dk_load(path, memory = 1), class = "dk_error_memory_budget")
  expect_error(native(R_swig_NativeModel_load, path, cancelled), class = "dk_error_cancelled")
  expect_error(native(R_swig_NativeModel_read, model$bytes, cancelled), class = "dk_error_cancelled")
  expect_error(native(R_swig_NativeModel_read_rows, native_model(model), table, "", cancelled),
               class = "dk_error_cancelled")
  expect_error(dk_gram(x, kernel = "linear", memory = -1), class = "dk_error_invalid_argument")
  expect_error(predict(model, x, memory = NA), "memory must be")
  expect_error(dk_score(model, x, rep(1:2, 1000), memory = -1), class = "dk_error_invalid_argument")
})

test_that("files are read by the library, with their labels", {
  path <- tempfile(fileext = ".csv")
  write.csv(iris, path, row.names = FALSE)
  rows <- dk_read(path, "label=Species")
  expect_equal(unname(as.matrix(rows)), unname(as.matrix(iris[, 1:4])))
  expect_identical(colnames(as.matrix(rows)), names(iris)[1:4])
  expect_identical(dk_labels(rows), as.double(iris$Species) - 1)
  expect_identical(as.matrix(rows[c(3, 1)]), as.matrix(rows)[c(3, 1), ])
  expect_output(print(rows), "150 rows of dense data, 4 columns")
  model <- dk(rows)
  of_table <- dk(as.matrix(iris[, 1:4]), iris$Species)
  expect_identical(as.character(predict(model, rows)), as.character(predict(of_table, as.matrix(iris[, 1:4]))))
  # columns in another order are found by their names
  write.csv(iris[, 4:1], path, row.names = FALSE)
  expect_identical(predict(model, dk_read(path, like = model), type = "decision"),
                   predict(model, rows, type = "decision"))
})

test_that("new rows that are as many as the training rows are taken for no training rows", {
  x <- as.matrix(iris[c(TRUE, FALSE), 1:4])
  new <- as.matrix(iris[c(FALSE, TRUE), 1:4])
  y <- iris$Species[c(TRUE, FALSE)]
  kernel <- "[poly(degree=2), linear]"
  bank <- function(rows) {
    grams <- dk_gram(rows, x, kernel = kernel)
    selves <- dk_gram(rows, kernel = kernel)
    list(grams = grams, self = sapply(selves, diag))
  }
  trained <- do.call(dk_similarities, bank(x)$grams)
  model <- dk(trained, y, kernel = "[gram(0), gram(1)]", weights = "dimkl1", tolerance = 1e-9)
  expected <- dk(x, y, kernel = kernel, weights = "dimkl1", scale = "none", tolerance = 1e-9)
  of_new <- bank(new)
  expect_error(predict(model, do.call(dk_similarities, of_new$grams)), "self")
  rows <- do.call(dk_similarities, c(of_new$grams, list(self = of_new$self)))
  expect_equal(predict(model, rows, type = "decision"), predict(expected, new, type = "decision"), tolerance = 1e-6,
               ignore_attr = TRUE)
  expect_equal(predict(model, rows[1:7], type = "decision"), predict(model, rows, type = "decision")[1:7, ])
})

test_that("similarities are asked for when they are needed", {
  x <- as.matrix(iris[51:150, 1:4])
  y <- droplevels(iris$Species[51:150])
  rows <- dk_similarity(100, 100, function(some, training) tcrossprod(x[some, , drop = FALSE], x[training, , drop = FALSE]))
  model <- dk(rows, y, kernel = "gram(0)", tolerance = 1e-8)
  same <- dk(x, y, kernel = "linear", tolerance = 1e-8)
  expect_equal(unname(predict(model, rows, type = "decision")), unname(predict(same, unname(x), type = "decision")),
               tolerance = 1e-5)
  points <- dk_point_similarity(x, function(points, some)
    exp(-0.5 * outer(some, seq_len(nrow(points)), Vectorize(function(i, j) sum((x[i, ] - points[j, ])^2)))))
  expect_identical(dim(predict(dk(points, y, machine = "super_sparse", kernel = "similarity", prototypes = 2), points,
                               type = "decision")), c(100L, 1L))
  expect_error(dk(dk_similarity(8, 8, function(...) stop("no such row")), rep(1:2, 4), kernel = "gram(0)"),
               "no such row", class = "dk_error_callback")
  expect_error(dk(dk_similarity(8, 8, function(...) 1), rep(1:2, 4), kernel = "gram(0)"), "matrix of numbers")
  # a transposed answer has as many numbers
  turned <- dk_similarity(40, 100, function(some, training) tcrossprod(x[training, , drop = FALSE], x[some, , drop = FALSE]))
  expect_error(predict(model, turned, type = "decision"), "matrix of numbers")
})

test_that("rows that the caller has stay as they are", {
  path <- tempfile(fileext = ".csv")
  write.csv(cbind(iris[, 1:4], class = rep(c(4, 9), 75)), path, row.names = FALSE)
  rows <- dk_read(path, "label=class")
  model <- dk(rows)
  before <- dk_cv(rows)$bytes
  dk_cv(rows, groups = rep(1:15, 10))
  dk(rows, sample_weights = rep(2, 150))
  expect_lt(dk_score(model, rows, rev(dk_labels(rows))), 1)
  expect_identical(dk_labels(rows), rep(c(4, 9), 75))
  expect_identical(dk_cv(rows)$bytes, before)
  # classes are the integers of the file, which rows know themselves
  counts <- dk_confusion(model, rows)
  expect_identical(dk_confusion(model, rows, dk_labels(rows)), counts)
  expect_equal(dk_score(model, rows), sum(diag(counts)) / 150)
})

test_that("an interrupt of a similarity is an interrupt", {
  skip_on_os("windows")
  code <- paste("library(libdk); try(stop('an old error'), silent = TRUE);",
                "rows <- dk_similarity(50, 50, function(i, j) { Sys.sleep(20); matrix(0, length(i), length(j)) });",
                "said <- tryCatch(try(dk(rows, rep(1:2, 25), kernel = 'gram(0)')), interrupt = function(e) 'interrupted');",
                "cat(if (is.character(said)) said else class(said))")
  said <- system2("timeout", c("--signal=INT", "3", file.path(R.home("bin"), "Rscript"), "-e", shQuote(code)),
                  stdout = TRUE)
  expect_match(said, "interrupted")
})

test_that("folds are stratified, and keep groups together", {
  folds <- dk_folds(iris$Species, 5)
  expect_true(all(table(folds, iris$Species) == 10))
  groups <- rep(1:30, each = 5)
  of_group <- tapply(dk_folds(iris$Sepal.Length, 3, groups = groups), groups, function(f) length(unique(f)))
  expect_true(all(of_group == 1))
})
