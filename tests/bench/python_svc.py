#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libdk's DkClassifier beside scikit-learn's SVC in one process, on a LIBSVM file such as Letter's:

    PYTHONPATH=BUILD/bindings/python/installed python3 tests/bench/python_svc.py TRAINING_FILE TEST_FILE [C GAMMA]

Both learn the same program to the same tolerance; SVC's kernel cache is 2000 MB.
"""

import statistics
import sys
import time

import libdk
from sklearn.datasets import load_svmlight_files
from sklearn.svm import SVC

cost, gamma = (float(text) for text in (sys.argv[3:5] or ("16", "4")))
x, y, x_test, y_test = load_svmlight_files(sys.argv[1:3])
x, x_test = x.toarray(), x_test.toarray()
estimators = {
    "SVC": SVC(C=cost, gamma=gamma, cache_size=2000),
    "DkClassifier": libdk.DkClassifier("svm", C=cost, kernel=f"rbf(gamma={gamma!r})"),
    "DkClassifier, precision=single": libdk.DkClassifier("svm", C=cost, kernel=f"rbf(gamma={gamma!r})",
                                                         precision="single"),
}


def seconds(action) -> float:
    taken = []
    for _ in range(3):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


print(f"{len(x)} x {x.shape[1]} rows, {len(set(y))} classes, {len(x_test)} test rows")
first = None
for name, estimator in estimators.items():
    fit, predict = seconds(lambda: estimator.fit(x, y)), seconds(lambda: estimator.predict(x_test))
    first = first or (fit, predict)
    print(f"{name:32} fit {fit:8.3f} s ({first[0] / fit:.1f} times faster)  predict {predict:8.3f} s "
          f"({first[1] / predict:.1f})  accuracy {estimator.score(x_test, y_test):.4f}")
