# SPDX-License-Identifier: Apache-2.0
"""What tests/bench/bindings/overhead.c measures, in Python:

    overhead.py REPEATS
"""

import statistics
import sys
import time

import libdk
import numpy as np

repeats = int(sys.argv[1])
values, state = np.empty(5_000_000), 1
for i in range(len(values)):
    state = state * 16807 % 2147483647
    values[i] = state
x = (values / 2147483647).reshape(-1, 50)
model = libdk.train(libdk.Data(x[:1000], labels=x[:1000].sum(axis=1) > 25), "svm", kernel="rbf(gamma=0.1)")


def seconds(action) -> float:
    taken = []
    for _ in range(repeats):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


array = seconds(lambda: model.predict(x))
gram = seconds(lambda: libdk.gram(x[:10000], kernel="rbf(gamma=0.1)"))
single = x[:10000].reshape(-1, 1, 50)


def predict_rows() -> None:
    for row in single:
        model.predict(row)


row = 1e6 * seconds(predict_rows) / len(single)
print(f"array {array:.4f} gram {gram:.4f} row {row:.2f}")
