#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Raw counts of words in texts of several classes, in LIBSVM format: count_rows.py FILE ROWS WORDS CLASSES

Words of all classes are drawn by Zipf's law, 110 a row in the middle and far more in some, so that their counts follow a
power law, too. Each class has WORDS / (2 CLASSES) words of its own; a tenth of a text's words are drawn from those, by Zipf's
law among them. Rows are as long as their texts: nothing is normalised.
"""
import bisect
import collections
import itertools
import random
import sys


def zipf(count):
    return list(itertools.accumulate(1 / rank for rank in range(1, count + 1)))


def main():
    path, rows, words, classes = sys.argv[1], *(int(a) for a in sys.argv[2:5])
    draw = random.Random(1)
    everyone = zipf(words)
    order = draw.sample(range(words), words)
    own_count = words // (2 * classes)
    own = zipf(own_count)

    def drawn(cumulative):
        return min(bisect.bisect(cumulative, draw.random() * cumulative[-1]), len(cumulative) - 1)

    with open(path, "w") as out:
        for row in range(rows):
            label = row % classes
            counts = collections.Counter()
            for _ in range(max(5, round(draw.lognormvariate(4.7, 0.9)))):
                if draw.random() < 0.1:
                    counts[order[label * own_count + drawn(own)]] += 1
                else:
                    counts[drawn(everyone)] += 1
            entries = " ".join(f"{word + 1}:{counts[word]}" for word in sorted(counts))
            out.write(f"{label + 1} {entries}\n")


if __name__ == "__main__":
    main()
