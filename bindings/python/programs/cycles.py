# SPDX-License-Identifier: Apache-2.0
"""Creates, trains and predicts many times; fails when resident memory grows:

    cycles.py CYCLES
"""

import sys

import libdk
import numpy as np

cycles = int(sys.argv[1])
rows = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1], [4, 4], [5, 4], [4, 5], [5, 5]])
labels = np.repeat([0, 1], 4)


def cycle() -> None:
    model = libdk.train(libdk.Data(rows, labels=labels), "svm", kernel="linear", n_jobs=1)
    if not np.array_equal(model.predict(rows, n_jobs=1), labels):
        sys.exit("a wrong prediction")


def resident() -> float:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096 / 2**20


# the first half settles the heap
for _ in range(cycles // 2):
    cycle()
before = resident()
for _ in range(cycles // 2):
    cycle()
after = resident()
print(f"{cycles} cycles: resident memory from {before:.0f} to {after:.0f} MB")
if after > before + 4:
    sys.exit(1)
