# SPDX-License-Identifier: Apache-2.0
# Creates, trains and predicts many times and leaves all to R's collector; fails when resident memory grows:
#   Rscript cycles.R CYCLES
library(libdk)
cycles <- as.integer(commandArgs(trailingOnly = TRUE)[1])

rows <- matrix(c(0, 1, 0, 1, 4, 5, 4, 5, 0, 0, 1, 1, 4, 4, 5, 5), 8)
labels <- factor(rep(c("low", "high"), each = 4))
cycle <- function() {
  predicted <- predict(dk(rows, labels, kernel = "linear", threads = 1), rows, threads = 1)
  if (!identical(as.character(predicted), as.character(labels))) stop("a wrong prediction")
}
resident <- function() as.double(strsplit(readLines("/proc/self/statm"), " ")[[1]][2]) * 4096 / 2^20

# the first half settles the heap
for (i in seq_len(cycles / 2)) cycle()
before <- resident()
for (i in seq_len(cycles / 2)) cycle()
after <- resident()
cat(sprintf("%d cycles forgotten: resident memory from %.0f to %.0f MB\n", cycles, before, after))
if (after > before + 8) quit(status = 1)
