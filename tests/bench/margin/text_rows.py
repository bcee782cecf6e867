#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows like those of texts, in LIBSVM format: text_rows.py FILE ROWS WORDS NOISE

Words are drawn by Zipf's law, 65 a row in the middle, and weighted by their rarity; rows have length one. A twentieth of
the words decide the class, with so much noise (of standard deviation NOISE) that classes overlap.
"""
import bisect
import itertools
import math
import random
import sys


def main():
    path, rows, words, noise = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    draw = random.Random(1)
    harmonic = sum(1 / rank for rank in range(1, words + 1))
    frequency = [1 / rank / harmonic for rank in range(1, words + 1)]
    cumulative = list(itertools.accumulate(frequency))
    rarity = [math.log(1 - 1 / math.expm1(80 * math.log1p(-f))) for f in frequency]
    meaning = [draw.gauss(0, 3) if draw.random() < 0.05 else 0 for _ in range(words)]
    with open(path, "w") as out:
        for _ in range(rows):
            length = max(5, round(draw.lognormvariate(4.2, 0.6)))
            found = sorted({min(bisect.bisect(cumulative, draw.random()), words - 1) for _ in range(length)})
            values = [rarity[word] * draw.choice((1, 2)) for word in found]
            norm = math.hypot(*values)
            score = sum(v / norm * meaning[word] for word, v in zip(found, values)) + draw.gauss(0, noise)
            entries = " ".join(f"{word + 1}:{v / norm:.6g}" for word, v in zip(found, values))
            out.write(f"{'+1' if score > 0 else '-1'} {entries}\n")


if __name__ == "__main__":
    main()
