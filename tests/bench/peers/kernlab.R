# SPDX-License-Identifier: Apache-2.0
#
# Times kernlab's kernel matrices: Rscript kernlab.R CASES RESULTS REPEATS
# kernlab's laplacedot takes the Euclidean distance, not the sum of absolute differences, so it is no peer of
# laplacian.

suppressPackageStartupMessages(library(kernlab))

make_kernel <- function(case) {
    switch(case$family,
           rbf = rbfdot(sigma = case$gamma),
           poly = polydot(degree = case$degree, scale = case$gamma, offset = case$coef0))
}

# Gives the median seconds, and the sum of the matrix's first row to compare results.
time_case <- function(kernel, x, repeats) {
    seconds <- numeric(repeats)
    first_row <- 0
    for (repeat_ in seq_len(repeats)) {
        invisible(gc())
        start <- proc.time()[["elapsed"]]
        matrix <- kernelMatrix(kernel, x)
        seconds[repeat_] <- proc.time()[["elapsed"]] - start
        first_row <- sum(matrix[1, ])
        rm(matrix)
    }
    list(seconds = median(seconds), first_row = first_row)
}

main <- function() {
    arguments <- commandArgs(trailingOnly = TRUE)
    cases <- read.table(arguments[1], col.names = c("family", "precision", "rows", "cols", "gamma", "degree",
                                                    "coef0", "path"), stringsAsFactors = FALSE)
    out <- file(arguments[2], open = "w")
    cat("# kernlab", as.character(packageVersion("kernlab")), "in", R.version.string, "with BLAS",
        basename(extSoftVersion()[["BLAS"]]), "\n", file = out)
    for (i in seq_len(nrow(cases))) {
        case <- cases[i, ]
        kernel <- make_kernel(case)
        if (is.null(kernel) || case$precision != "f64") next
        values <- readBin(case$path, "double", n = case$rows * case$cols)
        x <- matrix(values, nrow = case$rows, byrow = TRUE)
        result <- time_case(kernel, x, as.integer(arguments[3]))
        cat("kernlab", case$family, case$precision, case$rows, sprintf("%.6f %.17g", result$seconds, result$first_row),
            "\n", file = out)
        flush(out)
    }
    close(out)
}

main()
