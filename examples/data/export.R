# SPDX-License-Identifier: Apache-2.0
#
# Writes the data sets of this directory from the R package mlbench (Debian: r-cran-mlbench) and from R's own data sets.
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

# Weight and gain of each chick that lived to day 21, up to a day, with what became of it: heavy is above
# the median of day 21. A chick's weighings are a line each, in order.
chick_lines <- function(last_day) {
    frame <- as.data.frame(datasets::ChickWeight)
    frame$Chick <- as.integer(as.character(frame$Chick))
    frame <- frame[order(frame$Chick, frame$Time), ]
    final <- frame[frame$Time == 21, ]
    median_weight <- stats::median(final$weight)
    lines <- "series,time,weight,gain,class"
    for (chick in final$Chick) {
        mine <- frame[frame$Chick == chick & frame$Time <= last_day, ]
        class <- if (final$weight[final$Chick == chick] > median_weight) "heavy" else "light"
        gain <- c(0, diff(mine$weight))
        lines <- c(lines, paste(paste0("chick", chick), mine$Time, vapply(mine$weight, shortest_text, ""),
                                vapply(gain, shortest_text, ""), class, sep = ","))
    }
    lines
}

# Nucleotides as letters, a hundred rows of each class spread over the whole set. In the source, three
# columns tell whether a nucleotide is A, C or G, and all of them are 0 for T.
splice_lines <- function(rows_of_class) {
    dna <- load_set("DNA")
    bits <- vapply(dna[names(dna) != "Class"], as_number, numeric(nrow(dna)))
    kept <- sort(unlist(lapply(levels(dna$Class), function(class) {
        rows <- which(dna$Class == class)
        rows[floor(seq(1, length(rows), length.out = rows_of_class))]
    })))
    texts <- vapply(kept, function(row) {
        codes <- matrix(bits[row, ], nrow = 3)
        paste(ifelse(colSums(codes) == 0, "T", c("A", "C", "G")[apply(codes, 2, which.max)]), collapse = "")
    }, "")
    c("sequence,class", paste(texts, dna$Class[kept], sep = ","))
}

write_all <- function(directory) {
    sets <- list(
        sonar.csv = csv_lines(load_set("Sonar"), "Class"),
        ionosphere.csv = csv_lines(load_set("Ionosphere"), "Class"),
        breast_cancer.csv = csv_lines(load_set("BreastCancer"), "Class", dropped = "Id"),
        vehicle.csv = csv_lines(subset(load_set("Vehicle"), Class %in% c("opel", "saab")), "Class"),
        chicks.csv = chick_lines(last_day = 10),
        splice.csv = splice_lines(rows_of_class = 100))
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
    sources <- paste0("mlbench ", packageVersion("mlbench"), " and R ", getRversion())
    if (!all(same)) stop("differs from ", sources, ": ", paste(files[!same], collapse = ", "))
    cat("all files equal", sources, "\n")
}

main()
