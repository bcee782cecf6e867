# SPDX-License-Identifier: Apache-2.0
# What tests/bench/bindings/overhead.c measures, in R:
#   Rscript overhead.R REPEATS
library(libdk)
repeats <- as.integer(commandArgs(trailingOnly = TRUE)[1])

values <- double(5e6)
state <- 1
for (i in seq_along(values)) values[i] <- state <- (state * 16807) %% 2147483647
x <- matrix(values / 2147483647, ncol = 50, byrow = TRUE)
training <- x[1:1000, ]
model <- dk(training, rowSums(training) > 25, kernel = "rbf(gamma=0.1)")

seconds <- function(action) median(replicate(repeats, system.time(action(), gcFirst = FALSE)[["elapsed"]]))
array <- seconds(function() predict(model, x))
rows <- x[1:10000, ]
gram <- seconds(function() dk_gram(rows, kernel = "rbf(gamma=0.1)"))
cat("BLAS of R:", extSoftVersion()[["BLAS"]], "\n")
row <- 1e6 * seconds(function() for (i in 1:2000) predict(model, x[i, , drop = FALSE])) / 2000
cat(sprintf("array %.4f gram %.4f row %.2f\n", array, gram, row))
