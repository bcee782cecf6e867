# SPDX-License-Identifier: Apache-2.0
# Trains a support vector machine with a bank of kernels on two thirds of the Sonar data, tests it on the rest, and
# prints its weights and prototypes:
#   Rscript examples/r/quickstart.R examples/data/sonar.csv
library(libdk)

sonar <- read.csv(commandArgs(trailingOnly = TRUE)[1], stringsAsFactors = TRUE)
test <- seq_len(nrow(sonar)) %% 3 == 0
model <- dk(class ~ ., sonar[!test, ], kernel = c("linear", "rbf(gamma=auto)", "arccos(0,1)"), weights = "dimkl1",
            C = 10, scale = "standard")
cat("accuracy", dk_score(model, sonar[test, ], sonar$class[test]), "on", sum(test), "rows\n")
print(coef(model))
print(prototypes(model)[, c("side", "class", "nearest")])
