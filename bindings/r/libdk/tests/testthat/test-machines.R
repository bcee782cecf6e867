# SPDX-License-Identifier: Apache-2.0

test_that("every machine has fitted values, a file, and plots", {
  rows <- iris[c(1:20, 51:70, 101:120), 3:5]
  x <- as.matrix(rows[, 1:2])
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (machine in jsonlite::fromJSON(dk_describe(), simplifyDataFrame = FALSE)$machines) {
    y <- switch(machine$task, classification = rows$Species, regression = 2 * rows$Petal.Length + 0.1)
    model <- dk(x, y, machine = machine$name, kernel = "rbf")
    expect_identical(fitted(model), predict(model, x), label = machine$name)
    if (machine$task == "regression") expect_equal(residuals(model), y - predict(model, x), label = machine$name)
    else expect_error(residuals(model), machine$task)
    expect_identical(predict(dk_load(dk_save(model, tempfile(fileext = ".dk"))), x), fitted(model), label = machine$name)
    expect_length(plot(model, "weights"), 1)
    expect_true(is.numeric(plot(model)), label = machine$name) # of its prototypes
    expect_named(plot(model, "decision", x, if (machine$task == "classification") y))
    plane <- plot(model, "plane", x, size = 5)
    expect_identical(plane$predicted[5, 5], as.double(predict(model, t(c(max(x[, 1]), max(x[, 2]))))), label = machine$name)
  }
})
