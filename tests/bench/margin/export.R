# SPDX-License-Identifier: Apache-2.0
#
# Writes the data of the margin machines' benchmarks: Rscript export.R FOLDER
#
# satellite, letter and shuttle of the R package mlbench (Debian: r-cran-mlbench), with the usual first rows for
# training, as LIBSVM files with columns scaled to [0, 1] by the training rows (.train, .test) and as they are
# (.train.csv, .test.csv); and mixture, 50,000 x 50 in two classes: 30 Gaussian clouds whose centres differ in 8
# columns, which no hyperplane separates.

suppressPackageStartupMessages(library(mlbench))
folder <- commandArgs(trailingOnly = TRUE)[1]

libsvm_lines <- function(values, labels) {
    cells <- matrix("", nrow(values), ncol(values))
    for (j in seq_len(ncol(values))) {
        text <- format(values[, j], digits = 8, trim = TRUE, scientific = FALSE, drop0trailing = TRUE)
        cells[, j] <- ifelse(values[, j] == 0, "", paste0(" ", j, ":", text))
    }
    paste0(labels, do.call(paste0, as.data.frame(cells)))
}

write_set <- function(name, frame, class_column, training_rows) {
    labels <- as.integer(frame[[class_column]])
    values <- sapply(frame[, names(frame) != class_column], as.numeric)
    training <- seq_len(training_rows)
    lowest <- apply(values[training, ], 2, min)
    range <- apply(values[training, ], 2, max) - lowest
    scaled <- t((t(values) - lowest) / ifelse(range > 0, range, 1))
    for (part in c("train", "test")) {
        rows <- if (part == "train") training else -training
        path <- file.path(folder, paste0(name, ".", part))
        writeLines(libsvm_lines(scaled[rows, ], labels[rows]), path)
        write.csv(data.frame(label = labels[rows], values[rows, ]), paste0(path, ".csv"), row.names = FALSE,
                  quote = FALSE)
    }
}

data(Satellite)
data(LetterRecognition)
data(Shuttle)
write_set("satellite", Satellite, "classes", 4435)
write_set("letter", LetterRecognition, "lettr", 15000)
write_set("shuttle", Shuttle, "Class", 43500)

set.seed(7)
rows <- 50000
clouds <- 30
centres <- matrix(0, clouds, 50)
centres[, 1:8] <- rnorm(clouds * 8, sd = 3)
cloud <- sample.int(clouds, rows, replace = TRUE)
values <- centres[cloud, ] + rnorm(rows * 50, sd = 0.6)
writeLines(libsvm_lines(round(values, 5), ifelse(cloud %% 2 == 0, 1, -1)), file.path(folder, "mixture.train"))
