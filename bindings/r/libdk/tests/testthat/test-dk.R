# SPDX-License-Identifier: Apache-2.0

test_that("the default kernel suits rows of every kind", {
  texts <- c("abab", "abaab", "babab", "cdcd", "ccdcd", "dcdcd")
  classes <- factor(c("a", "a", "a", "c", "c", "c"))
  expect_identical(as.character(predict(dk(texts, classes), texts)), as.character(classes))
  series <- list(c(0, 1, 2), c(0, 1, 2, 3), c(0, 1, 1, 2), c(5, 4, 3), c(5, 4, 4, 3), c(6, 5, 3))
  expect_identical(as.character(predict(dk(series, classes), series)), as.character(classes))
})

test_that("a formula trains, predicts and keeps factors", {
  model <- dk(Species ~ ., iris, machine = "svm", kernel = c("linear", "rbf(gamma=0.5)"), C = 10, weights = "dimkl1")
  predicted <- predict(model, iris)
  expect_s3_class(predicted, "factor")
  expect_identical(levels(predicted), levels(iris$Species))
  expect_gt(mean(predicted == iris$Species), 0.95)
  expect_equal(unname(sum(coef(model))), 1)
  expect_length(coef(model), 2)
  expect_equal(dim(predict(model, iris, type = "decision")), c(150L, 3L))
  expect_equal(dk_score(model, iris, iris$Species), mean(predicted == iris$Species))
  expect_output(print(model), "setosa, versicolor, virginica")
  expect_output(print(summary(model)), "prototypes")
})

test_that("a formula of very many columns is what these are as a matrix", {
  for (columns in c(150, 3000, 20000)) {
    set.seed(columns)
    x <- matrix(rnorm(24 * columns), 24, dimnames = list(NULL, paste0("v", seq_len(columns))))
    data <- data.frame(x, size = x[, 1] + 1, row.names = paste0("row", 1:24))
    model <- dk(log(size^2) ~ ., data, "svr", kernel = "linear")
    other <- dk(x, log(data$size^2), "svr", kernel = "linear")
    expect_identical(unname(predict(model, data)), unname(predict(other, x)))
    expect_identical(names(fitted(model)), row.names(data))
    expect_identical(predict(model, data[3:1, rev(names(data))]), predict(model, data)[3:1])
    expect_error(predict(model, data[, -7]), "newdata has no v7")
  }
  data$v9[2] <- NA
  data$size[5] <- NA
  model <- dk(size ~ ., data, "svr", kernel = "linear")
  expect_identical(names(residuals(model))[is.na(residuals(model))], character())
  expect_equal(nobs(model), 22)
  expect_identical(names(model$na.action), c("row2", "row5"))
  filled <- dk(size ~ ., data, "svr", kernel = "linear", impute = "mean")
  expect_equal(nobs(filled), 23)
  some <- data[, c("size", paste0("v", 1:120))]
  model <- dk(size ~ ., some, "svr")
  again <- dk_load(dk_save(model, tempfile(fileext = ".dk")))
  expect_identical(predict(again, some), predict(model, some))
  expect_equal(all.vars(formula(model)), names(some))
  expect_equal(dim(model.frame(model)), c(22, 121))
  expect_identical(unname(predict(model, as.list(some[3, ]))), unname(predict(model, some[3, ])))
  expect_error(predict(model, transform(some, v3 = "a")), "v3 of newdata has no plain numbers")
  # Columns that are no numbers are coded as R codes them.
  some$kind <- factor(rep(c("a", "b"), 12))
  expect_true("kind" %in% attr(dk(size ~ ., some, "svr")$terms, "term.labels"))
})

test_that("a formula takes as many columns as there are", {
  wide <- data.frame(y = factor(rep(c("a", "b"), 10)), matrix(rep(c(1, -1), 20 * 400 / 2), 20))
  expect_identical(as.character(predict(dk(y ~ ., wide), wide)), as.character(wide$y))
})

test_that("prototypes are convex combinations and explain decisions", {
  two <- droplevels(iris[iris$Species != "setosa", ])
  model <- dk(Species ~ ., two, machine = "svm")
  found <- prototypes(model)
  expect_identical(found$class, c("virginica", "versicolor"))
  expect_equal(rowSums(attr(found, "coefficients")), c(1, 1))
  gram <- dk_gram(two[, 1:4], kernel = names(coef(model)))
  for (p in 1:2) {
    a <- attr(found, "coefficients")[p, ]
    distances <- sqrt(diag(gram) - 2 * drop(gram %*% a) + drop(a %*% gram %*% a))
    expect_equal(unname(sort(distances)[1:5]), unclass(found$distance)[p, ])
    expect_equal(unname(distances[found$nearest[p, ]]), unclass(found$distance)[p, ])
  }
  said <- explain(model, two)
  expect_equal(said[, 1] + said[, 2] + attr(said, "offset"), predict(model, two, type = "decision")[, 1],
               ignore_attr = TRUE)
})

test_that("missing values are treated as lm treats them", {
  holes <- iris
  holes$Sepal.Length[3] <- NA
  model <- dk(Species ~ ., holes)
  expect_length(model$na.action, 1)
  predicted <- predict(model, holes)
  expect_true(is.na(predicted[3]))
  expect_false(anyNA(predicted[-3]))
  expect_length(predict(model, holes[0, ]), 0)
  expect_true(all(is.na(predict(model, holes[c(3, 3), ]))))
  strange <- holes[1, ]
  strange$Sepal.Width <- "wide"
  expect_error(predict(model, strange))
})

test_that("factors among the features become indicators, also in new data", {
  data <- data.frame(y = factor(rep(c("a", "b"), 10)), colour = factor(rep(c("red", "blue"), 10)), x = 1:20)
  model <- dk(y ~ colour + x, data, kernel = "linear")
  expect_identical(as.character(predict(model, data)), as.character(data$y))
  expect_identical(as.character(predict(model, data.frame(colour = "red", x = 3))), "a")
  expect_error(predict(model, data.frame(colour = "green", x = 3)))
})

test_that("regressions predict numbers", {
  model <- dk(mpg ~ ., mtcars, machine = "svr", kernel = "rbf", C = 100, scale = "standard")
  expect_true(is.numeric(predict(model, mtcars)))
  expect_gt(cor(predict(model, mtcars), mtcars$mpg), 0.9)
  expect_identical(names(predict(model, mtcars))[1], "Mazda RX4")
})

test_that("matrices, data frames and sparse matrices are the same", {
  x <- as.matrix(iris[, 1:4])
  model <- dk(x, iris$Species)
  expect_identical(unname(predict(model, x)), unname(predict(model, iris[, 1:4])))
  skip_if_not_installed("Matrix")
  sparse <- Matrix::Matrix(x, sparse = TRUE)
  expect_identical(dk_gram(sparse, kernel = "linear")[1:5, 1:5], dk_gram(x, kernel = "linear")[1:5, 1:5],
                   ignore_attr = TRUE)
})

test_that("columns are found by their names", {
  x <- as.matrix(iris[, 1:4])
  for (model in list(dk(x, iris$Species), dk(Species ~ ., iris))) {
    expected <- unname(predict(model, iris[, 1:4]))
    expect_identical(unname(predict(model, iris[, c(3, 5, 1, 4, 2)][, -2])), expected)
    expect_equal(dk_score(model, iris[, 4:1], iris$Species), mean(expected == iris$Species))
    renamed <- `names<-`(iris[, 1:4], c("Sepal.Length", "Sepal.Breadth", "Petal.Length", "Petal.Width"))
    expect_error(predict(model, renamed), "Sepal.Width")
  }
  expect_identical(unname(predict(dk(x, iris$Species), unname(x))), unname(predict(dk(unname(x), iris$Species), x)))
})

test_that("new rows that lack a feature are never those of training", {
  Sepal.Length <- iris$Sepal.Length
  Sepal.Width <- iris$Sepal.Width
  Petal.Length <- iris$Petal.Length
  Petal.Width <- iris$Petal.Width
  x <- as.matrix(iris[150:1, 1:4])
  model <- dk(Species ~ ., iris)
  expect_error(predict(model, unname(x)), "newdata has no Sepal.Length")
  expect_error(predict(model, x[, -2]), "newdata has no Sepal.Width")
  expect_error(predict(model, iris[, -4], type = "decision"), "newdata has no Petal.Width")
  expect_error(dk_score(model, unname(x), iris$Species), "newdata has no Sepal.Length")
  plane <- dk(iris$Species ~ Sepal.Length + Sepal.Width)
  expect_error(plot(plane, "plane", unname(x[, 1:2])), "newdata has no Sepal.Length")
  expect_error(predict(dk(iris$Species ~ iris$Petal.Width), iris[1:3, ]), "newdata has no iris")
  expect_error(predict(dk(Species ~ log(Sepal.Length), iris), data.frame(Species = iris$Species)), "newdata has no Sepal.Length")
  # a part of a variable comes from elsewhere
  product <- dk(Species ~ I(Sepal.Length * Petal.Width), iris)
  expect_error(predict(product, iris[, 1:3]), "newdata has no Petal.Width")
  path <- dk_save(dk_compress(product, iris, prototypes = 3), tempfile())
  expect_error(predict(dk_load(path), iris[, 1:3]), "newdata has no Petal.Width")
  loose <- dk(iris$Species ~ I(Sepal.Length * Petal.Width))
  expect_error(suppressWarnings(predict(loose, iris[1:3, 1:3])), "3 rows, the formula's variables have 150")
  # constants of a formula are no features
  degree <- 2
  curved <- dk(Species ~ poly(Sepal.Length, degree), iris)
  expect_identical(predict(curved, iris[3:1, ]), predict(curved, iris)[3:1])
  parts <- dk(Species ~ x[, 4], list(Species = rev(iris$Species), x = x))
  expect_identical(unname(predict(parts, list(x = x[1:3, ]))), unname(predict(parts, list(x = x))[1:3]))
})

test_that("real numbers are no classes", {
  expect_error(dk(mpg ~ ., mtcars, machine = "svm"), "regression.*svr")
  expect_identical(levels(predict(dk(cyl ~ wt, mtcars), mtcars)), c("4", "6", "8"))
})

test_that("a model that fills missing values does so under a formula", {
  holes <- iris
  holes$Sepal.Length[3] <- NA
  holes$Species[4] <- NA
  model <- dk(Species ~ ., holes, impute = "mean")
  expect_false(anyNA(predict(model, holes)))
  expect_match(dk_info(model), "\"training_rows\": ?149")
  path <- tempfile(fileext = ".dk")
  dk_save(model, path)
  expect_identical(as.integer(predict(dk_load(path), holes[, 1:4])), as.integer(predict(model, holes)))
})

test_that("probabilities have a column a class", {
  model <- dk(Species ~ ., iris, probability = TRUE)
  p <- predict(model, iris, type = "prob")
  expect_identical(colnames(p), levels(iris$Species))
  expect_equal(unname(rowSums(p)), rep(1, 150))
  expect_identical(as.character(predict(model, iris)), unname(colnames(p)[max.col(p)]))
})

test_that("models live on in files and other sessions", {
  model <- dk(Species ~ ., iris)
  file <- tempfile(fileext = ".rds")
  saveRDS(model, file)
  other <- readRDS(file)
  expect_identical(predict(other, iris), predict(model, iris))
  code <- sprintf("library(libdk); m <- readRDS('%s'); cat(as.character(predict(m, iris[c(1, 150), ])))", file)
  said <- system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code)), stdout = TRUE)
  expect_identical(said, "setosa virginica")
  path <- tempfile(fileext = ".dk")
  dk_save(model, path)
  expect_identical(readBin(path, "raw", 1e6), model$bytes)
  expect_identical(as.integer(predict(dk_load(path), as.matrix(iris[, 1:4]))), as.integer(predict(model, iris)))
})

test_that("cross-validation scores a grid", {
  model <- dk_cv(Species ~ ., iris, grid = "C=0.1:1:10", folds = 3)
  expect_match(dk_info(model), "\"candidates\"")
})

test_that("kernel matrices are those of the formula", {
  x <- as.matrix(iris[1:10, 1:4])
  expect_equal(unname(dk_gram(x, kernel = "rbf(gamma=0.5)")), unname(exp(-0.5 * as.matrix(dist(x))^2)))
  expect_equal(dim(dk_gram(x, x[1:3, ], "linear")), c(10L, 3L))
  expect_length(dk_gram(x, kernel = "[linear, rbf]"), 2)
})

test_that("folds divide no group", {
  set.seed(3)
  points <- matrix(rnorm(60), 30)
  x <- points[rep(1:30, each = 5), ]
  y <- rep(sample(c("a", "b"), 30, TRUE), each = 5)
  people <- rep(paste("patient", 1:30), each = 5)
  accuracy <- function(...) {
    info <- dk_info(dk_cv(x, y, kernel = "rbf(gamma=100)", C = 100, ...))
    as.numeric(regmatches(info, regexec('(?s)"accuracy".*?"mean": ?([0-9.e-]+)', info, perl = TRUE))[[1]][2])
  }
  expect_gt(accuracy(), 0.95)
  expect_lt(accuracy(groups = people), 0.75)
  expect_equal(accuracy(groups = factor(people)), accuracy(groups = people))
  expect_error(accuracy(groups = people, folds = 31), "30 groups", class = "dk_error_invalid_parameter")
  expect_error(accuracy(groups = 1:3), class = "dk_error_invalid_argument")
  expect_error(accuracy(groups = c(NA, people[-1])), "missing")
})

test_that("clients have thresholds of their own", {
  scores <- c(.9, .7, .4, .8, .3, .2, .1, .6, .5, .55, .2, .1, 0)
  genuine <- c(TRUE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE, TRUE, TRUE, FALSE, FALSE, FALSE, FALSE)
  clients <- rep(c("ann", "bob"), c(7, 6))
  expect_equal(dk_verification_curve(c(0, 0.25, 1), scores, genuine, clients), c(7 / 12, 0, 0), tolerance = 1e-12)
  expect_equal(dk_verification_curve(0, scores, genuine), 0.8, tolerance = 1e-12)
  expect_error(dk_verification_curve(2, scores, genuine, clients), class = "dk_error_invalid_argument")
  expect_error(dk_verification_curve(0, scores, genuine[1:3]), class = "dk_error_invalid_argument")
  expect_error(dk_verification_curve(0, scores, genuine, clients[1:3]), "3 elements")
  expect_error(dk_verification_curve(0, scores, c(NA, genuine[-1])))
})

test_that("mistakes are named", {
  expect_error(dk(Species ~ ., iris, machine = "swm"), "'svm'", class = "dk_error_invalid_parameter")
  expect_error(dk(Species ~ ., iris, C = -1), class = "dk_error_invalid_parameter")
  expect_error(dk(Species ~ ., iris, kernel = "rbf("), class = "dk_error_invalid_kernel")
  expect_error(dk(matrix(1:4, 2), c("a", "a")), class = "dk_error_invalid_data")
  expect_error(dk(matrix(1:4, 2), c("a", NA)), "missing")
  expect_error(dk(matrix(1:4, 2), "a"), "1 elements")
  expect_error(dk(matrix(1:4, 2), 1:2, "svm", "rbf", 7), "named")
  expect_error(predict(dk(Species ~ ., iris), iris, type = "prob"), class = "dk_error_unsupported")
  expect_error(dk_load("/no/such/file"), class = "dk_error_io")
  expect_error(predict(dk(as.matrix(iris[, 1:4]), iris$Species), matrix(1, 1, 3)), class = "dk_error_dimension")
})

test_that("a user's interrupt cancels training", {
  skip_on_os("windows")
  code <- paste("library(libdk); set.seed(1); x <- matrix(rnorm(6e5), 30000); y <- rnorm(30000) > 0;",
                # an interrupt is no error: try() lets it through
                "said <- tryCatch(try(dk(x, y, C = 1000)), interrupt = function(e) 'cancelled');",
                "cat(if (is.character(said)) said else 'trained', 'and alive', dk_version())")
  said <- system2("timeout", c("--signal=INT", "3", file.path(R.home("bin"), "Rscript"), "-e", shQuote(code)),
                  stdout = TRUE)
  expect_match(said, "cancelled and alive")
})

test_that("weights are compared, counts are of the truth, products need no matrix", {
  x <- as.matrix(iris[, 1:4])
  model <- dk_compare_weights(x, iris$Species, kernel = c("linear", "rbf(gamma=0.5)"))
  expect_match(dk_info(model), "\"candidates\"", fixed = TRUE)
  counts <- dk_confusion(model, x, iris$Species)
  expect_identical(counts, unclass(table(truth = iris$Species, predicted = predict(model, x)))[, ] + 0)
  kernel <- "rbf(gamma=0.5)"
  v <- cbind(1:150, sin(1:150))
  expect_equal(dk_gram_product(x, x, kernel, v), unname(dk_gram(x, kernel = kernel) %*% v))
  expect_equal(dk_kernel_count(x, "[linear, rbf]"), 2)
  expect_match(dk_build_info(), dk_version(), fixed = TRUE)
})

test_that("functions have a shift, an offset and a normal", {
  x <- as.matrix(iris[1:100, 1:4])
  model <- dk(x, droplevels(iris$Species[1:100]), machine = "mean_of_class", kernel = "linear")
  points <- dk_coordinates(model)
  # the normal of the means is their difference, and f = (|x - p-|^2 - |x - p+|^2 + S) / (2 t)
  means <- rbind(colMeans(x[51:100, ]), colMeans(x[1:50, ]))
  expect_equal(points, unname(means))
  f <- dk_functions(model)
  distances <- apply(points, 1, function(p) colSums((t(x) - p)^2))
  decision <- predict(model, x, type = "decision")[, 1]
  # f is (|x - p-|^2 - |x - p+|^2 + S) / (2 t) with one t for all rows
  twice <- (distances[, 2] - distances[, 1] + f$shift) / decision
  expect_equal(twice, rep(twice[1], 100), tolerance = 1e-9, ignore_attr = TRUE)
  expect_equal(f$offset, f$shift / twice[[1]])
})

test_that("grids are lists, and cross-validation has a table of scores", {
  x <- as.matrix(iris[, 1:4])
  model <- dk_cv(x, iris$Species, grid = list(C = c(0.001, 1), kernel = c("linear", "rbf(gamma=0.5)")))
  scores <- dk_scores(model)
  expect_equal(nrow(scores), 4)
  expect_identical(sort(unique(scores$C)), c("0.001", "1"))
  expect_identical(scores$C[scores$best], "1")
  expect_equal(max(scores$accuracy), scores$accuracy[scores$best])
  expect_output(print(model), "cross-validation")
  expect_null(dk_scores(dk(x, iris$Species, machine = "svm")))
  expect_error(dk_cv(x, iris$Species, grid = list(c(1, 2))), "named")
})

test_that("parameters keep all digits, and are written with no more than they need", {
  expect_identical(vapply(c(0.1, 1 / 3, 1e-300, 100000, 2^60), number_text, ""),
                   c("0.1", "0.3333333333333333", "1e-300", "100000", "1152921504606846976"))
  numbers <- c(exp(rnorm(200, sd = 50)), .Machine$double.xmin, .Machine$double.xmax, pi)
  expect_identical(as.double(vapply(numbers, number_text, "")), numbers)
  expect_identical(dk_report(dk(Species ~ ., iris, C = 0.1))$parameters$C, "0.1")
  # a session may print a comma
  old <- options(OutDec = ",")
  on.exit(options(old))
  expect_identical(vapply(c(0.1, 1 / 3, 1e-300), number_text, ""), c("0.1", "0.3333333333333333", "1e-300"))
  expect_identical(dk_report(dk(Species ~ ., iris, C = 0.1))$parameters$C, "0.1")
})

test_that("classes have weights by their names", {
  x <- as.matrix(iris[51:150, 1:4])
  y <- droplevels(iris$Species[51:150])
  model <- dk(x, y, class_weight = c(versicolor = 1, virginica = 50))
  expect_identical(dk_report(model)$parameters$class_weight, "versicolor:1,virginica:50")
  expect_gt(mean(predict(model, x) == "virginica"), mean(predict(dk(x, y), x) == "virginica"))
})

test_that("predictions have the types and names that are expected", {
  x <- as.matrix(iris[, 1:4])
  model <- dk(x, iris$Species)
  expect_identical(predict(model, x, type = "response"), predict(model, x))
  expect_identical(predict(model, x[1:3, ], type = "prototypes"), explain(model, x[1:3, ]))
  expect_identical(colnames(predict(model, x[1:3, ], type = "decision"))[1], "setosa vs versicolor")
  expect_identical(dk_task("svr"), "regression")
  expect_identical(dk_task(model), "classification")
})

test_that("weights and sizes are tidy", {
  skip_if_not_installed("generics")
  model <- dk(Species ~ ., iris, kernel = c("linear", "rbf(gamma=0.5)"))
  expect_equal(sum(generics::tidy(model)$weight), 1)
  sizes <- generics::glance(model)
  expect_identical(sizes$machine, "svm")
  expect_equal(c(sizes$training_rows, sizes$kernels, sizes$functions, sizes$prototypes), c(150, 2, 3, 6))
})

test_that("novelty detectors learn from rows alone, and whole numbers are whole", {
  x <- as.matrix(iris[, 1:4])
  detector <- dk(x, rep(0:1, 75), machine = "one_class_svm")
  expect_identical(predict(detector, x), predict(dk(x, machine = "one_class_svm"), x))
  expect_true(all(predict(detector, x) %in% c(-1, 1)))
  expect_identical(dk_report(dk(x, iris$Species, max_iterations = 100000))$parameters$max_iterations, "100000")
})

test_that("matrices without names of columns are answered as all rows are", {
  x <- unname(as.matrix(iris[, 1:4]))
  rownames(x) <- paste0("r", 1:150)
  models <- list(dk(x, iris$Species), dk(x, as.integer(iris$Species)), dk(x, iris[, 3], machine = "kernel_ridge"),
                 dk(x, machine = "one_class_svm"))
  told <- function(call) tryCatch(call, error = conditionMessage)
  for (model in models) {
    for (rows in list(1, 1:150, integer(0))) {
      some <- x[rows, , drop = FALSE]
      expect_identical(told(predict(model, some)), told(predict(model, some, threads = 0)))
      expect_identical(told(predict(model, some, "response")), told(predict(model, some, "response", threads = 0)))
    }
    expect_identical(predict(model, unname(x)), predict(model, unname(x), threads = 0))
    holes <- x
    holes[3, 2] <- NA
    expect_identical(predict(model, holes), predict(model, holes, threads = 0))
    holes[3, 2] <- Inf
    expect_error(predict(model, holes), class = "dk_error_invalid_data")
    expect_identical(told(predict(model, holes)), told(predict(model, holes, threads = 0)))
    expect_identical(told(predict(model, x[, 1:3])), told(predict(model, x[, 1:3], threads = 0)))
    again <- unserialize(serialize(model, NULL))
    expect_identical(predict(again, x), predict(model, x))
  }
})
