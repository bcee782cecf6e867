# SPDX-License-Identifier: Apache-2.0
# docs/COMING_FROM.md: the calls of kernlab and e1071 and those of libdk beside them say the same of new rows. A package that is
# not installed is named.
#   Rscript coming_from.R COMING_FROM.md
library(libdk)

lines <- readLines(commandArgs(trailingOnly = TRUE)[1])

# The two columns of code of the table of a section.
pairs_of <- function(section) {
  begin <- which(lines == paste("##", section))
  ends <- which(startsWith(lines, "## "))
  inside <- lines[begin:min(c(ends[ends > begin], length(lines)))]
  row <- "^\\| `(.+?)` \\| `(.+?)` \\|.*"
  rows <- grep(row, inside, value = TRUE, perl = TRUE)
  data.frame(theirs = sub(row, "\\1", rows, perl = TRUE), ours = sub(row, "\\2", rows, perl = TRUE))
}

set.seed(5)
kept <- iris$Species != "setosa"
order <- sample(sum(kept))
rows <- as.matrix(iris[kept, 1:4])[order, ]
classes <- factor(iris$Species[kept][order])
x <- rows[1:70, ]
y <- classes[1:70]
t <- x[, 1] + sin(3 * x[, 2])
z <- rows[71:100, ]

decisions <- function(model) {
  if (inherits(model, "ksvm")) return(kernlab::predict(model, z, type = "decision"))
  if (inherits(model, "svm")) return(attr(predict(model, z, decision.values = TRUE), "decision.values"))
  predict(model, z, type = "decision")
}

compare <- function(theirs, ours) {
  expected <- eval(parse(text = theirs))
  found <- eval(parse(text = ours))
  if (inherits(expected, "gausspr")) {
    expected <- cbind(kernlab::predict(expected, z), kernlab::predict(expected, z, type = "sdeviation"))
    found <- cbind(predict(found, z), predict(found, z, type = "deviation"))
  }
  if (is.function(expected) || !(inherits(expected, "ksvm") || inherits(expected, "svm"))) {
    expected <- as.vector(as.matrix(expected))
    found <- as.vector(found)
    tolerance <- 1e-12
  } else {
    expected <- as.vector(decisions(expected))
    found <- as.vector(decisions(found))
    # Each library decides which class is the positive one, and all stop at a tolerance of 0.001.
    expected <- expected * sign(sum(expected * found))
    tolerance <- 0.02
  }
  if (length(expected) != length(found) || max(abs(expected - found)) > tolerance * max(abs(expected)))
    stop(theirs, " is not ", ours)
}

for (package in c("kernlab", "e1071")) {
  pairs <- pairs_of(package)
  stopifnot(nrow(pairs) >= 3)
  if (!requireNamespace(package, quietly = TRUE)) {
    cat("SKIPPED:", package, "is not installed\n")
    next
  }
  attachNamespace(package)
  for (k in seq_len(nrow(pairs))) compare(pairs$theirs[k], pairs$ours[k])
  cat(package, ":", nrow(pairs), "calls compared\n")
}
