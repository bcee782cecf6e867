# SPDX-License-Identifier: Apache-2.0
"""Trains a support vector machine with a bank of kernels on two thirds of the Sonar data, tests it on the rest, and
prints its weights and prototypes:

    python3 examples/python/quickstart.py examples/data/sonar.csv
"""

import sys

import libdk

sonar = libdk.Data.read(sys.argv[1])
folds = sonar.folds(3)
training, test = sonar[folds != 0], sonar[folds == 0]
model = libdk.train(training, "svm", kernel=["linear", "rbf", "arccos(0,1)"], weights="dimkl1", C=10, scale="standard")
print("accuracy", model.score(test, "accuracy"), "on", len(test), "rows")
print(model.weights())
for prototype in model.prototypes():
    print(prototype)
