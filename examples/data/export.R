# SPDX-License-Identifier: Apache-2.0
#
# Writes the data sets of this directory from the R package mlbench (Debian: r-cran-mlbench).
#
#   Rscript export.R           writes the files beside this script
#   Rscript export.R --check   writes nothing; fails when a file here differs from what would be written
#
# The same package version gives the same bytes: numbers are written with the fewest digits that
# read back to the same double, lines end with a line feed.

suppressPackageStartupMessages(library(mlbench))

# A column as numbers. Factors hold numbers as level names; their internal codes are not the values.
as_number <- function(column) {
    if (is.factor(column)) as.numeric(as.character(column)) else as.numeric(column)
}

shortest_text <- function(value) {
    for (digits in 1:17) {
        text <- format(value, digits = digits, trim = TRUE, scientific = FALSE)
        if (as.numeric(text) == value) return(text)
    }
    stop("no decimal text reads back to ", value)
}

# The lines of a CSV file: features by name, then `class` with the level names as they are.
csv_lines <- function(frame, class_column, dropped = character()) {
    frame <- frame[stats::complete.cases(frame), ]
    features <- setdiff(names(frame), c(class_column, dropped))
    cells <- lapply(frame[features], function(column) vapply(as_number(column), shortest_text, ""))
    cells$class <- as.character(frame[[class_column]])
    c(paste(names(cells), collapse = ","), do.call(paste, c(unname(cells), sep = ",")))
}

load_set <- function(name) {
    holder <- new.env()
    data(list = name, package = "mlbench", envir = holder)
    holder[[name]]
}

write_all <- function(directory) {
    sets <- list(
        sonar.csv = csv_lines(load_set("Sonar"), "Class"),
        ionosphere.csv = csv_lines(load_set("Ionosphere"), "Class"),
        breast_cancer.csv = csv_lines(load_set("BreastCancer"), "Class", dropped = "Id"),
        vehicle.csv = csv_lines(subset(load_set("Vehicle"), Class %in% c("opel", "saab")), "Class"))
    for (file in names(sets)) {
        # Binary mode: no line-end conversion on any system.
        connection <- file(file.path(directory, file), open = "wb")
        writeLines(sets[[file]], connection, sep = "\n")
        close(connection)
    }
    names(sets)
}

file_bytes <- function(path) readBin(path, "raw", n = file.size(path))

main <- function() {
    script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
    here <- dirname(normalizePath(script))
    if (!("--check" %in% commandArgs(trailingOnly = TRUE))) {
        write_all(here)
        return(invisible())
    }
    fresh <- tempfile("libdk-data-")
    dir.create(fresh)
    files <- write_all(fresh)
    same <- vapply(files, function(file) {
        identical(file_bytes(file.path(here, file)), file_bytes(file.path(fresh, file)))
    }, TRUE)
    unlink(fresh, recursive = TRUE)
    if (!all(same)) stop("differs from mlbench ", packageVersion("mlbench"), ": ",
                         paste(files[!same], collapse = ", "))
    cat("all files equal mlbench", as.character(packageVersion("mlbench")), "\n")
}

main()
