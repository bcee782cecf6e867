#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Windows of a noisy signal, in LIBSVM format: window_rows.py FILE ROWS

Each row has a phase of ten, written as one of ten columns that is 1, and twelve values of a signal that changes with the
phase, between -1 and 1: 22 columns with 13 entries. A tenth of the rows, where the last values swing against the phase, are
of the other class. Sets of this shape (49,990 rows, few of one class, curved borders) are what cached kernel rows decide.
"""
import math
import random
import sys


def main():
    path, rows = sys.argv[1], int(sys.argv[2])
    draw = random.Random(1)
    window = [0.0] * 12
    load = 0.0
    with open(path, "w") as out:
        for row in range(rows):
            phase = row % 10
            load = 0.99 * load + 0.1 * draw.gauss(0, 1)
            value = 0.6 * math.sin(2 * math.pi * phase / 10 + load) + 0.12 * draw.gauss(0, 1)
            window = window[1:] + [max(-1.0, min(1.0, value))]
            swing = (window[-1] - window[-3]) * math.cos(2 * math.pi * phase / 10) + 0.8 * window[-2] * window[-6]
            label = "+1" if swing + 0.03 * draw.gauss(0, 1) > 0.72 else "-1"
            entries = " ".join(f"{11 + t}:{v:.5g}" for t, v in enumerate(window))
            out.write(f"{label} {phase + 1}:1 {entries}\n")


if __name__ == "__main__":
    main()
