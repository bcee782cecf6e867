#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the published figures of the other scripts can be:

    audit.py                           whether each printed mean is one that its protocol can give
    audit.py DK --set glass [--splits 10] [--data FOLDER]
                                       beside it, for a set of deep_kelm.py, the bound that choosing on the test rows gives,
                                       and the protocol on permuted labels, where nothing can be learned

A mean accuracy over S tests of n rows is 100 k / (S n) for a whole number k. A figure is

    yes           one of these, rounded to the decimals that are printed
    truncated     one of these, cut off
    rounded up    one of these, rounded up
    one decimal   one of these at one decimal, with a zero behind
    no            none of these: another protocol, or an error

Permuted labels whose mean is above the share of the largest class by more than three standard errors would show that the
choice sees the test rows.
"""
import argparse
import collections
import math
import random
import statistics
import tempfile

import deep_kelm
import deep_multilayer
import dimkl_table6
from protocol import MISSING

Printed = collections.namedtuple("Printed", "table set system figure rows")  # rows: of all tests together


def verdict(figure, rows, decimals=2):
    """How a printed percentage of `rows` can have come about."""
    unit = 10 ** decimals
    printed = round(figure * unit)
    below = math.floor(figure * rows / 100)
    exact = [100 * right / rows * unit for right in (below, below + 1)]
    for found, as_printed in (("yes", lambda x: math.floor(x + 0.5)), ("truncated", math.floor), ("rounded up", math.ceil)):
        if printed in map(as_printed, exact):
            return found
    if printed % 10 == 0 and verdict(figure, rows, decimals - 1) == "yes":
        return "one decimal"
    return "no"


def published():
    tests = {"sonar": 41, "ionosphere": 70, "breast_cancer": 136}
    for name, systems in dimkl_table6.PUBLISHED.items():
        for system, (figure, _) in systems.items():
            yield Printed("DiMKL, Table 6", name, system, figure, 100 * tests[name])
    for name, of_set in deep_kelm.PUBLISHED.items():
        if name != "satimage_official":
            yield Printed("thesis, Table 5.2", name, "KELM", of_set.kelm, 10 * of_set.test)
            yield Printed("thesis, Table 5.2", name, "DKELM", of_set.dkelm, 10 * of_set.test)
    tests = {"satimage": 2000, "letter": 5000}
    for (name, scale), figures in deep_multilayer.PUBLISHED.items():
        for layers, figure in enumerate(figures):
            if figure is not None:
                system = f"{layers} layers, {scale}"
                yield Printed("thesis, Tables 4.3-4.5", name, system, figure, tests[name])


def chosen_on_test(dk, name, split, folder):
    """The best accuracy over all lists, scalings and four values of C, which looks at the answers."""
    best = 0
    for scale in deep_kelm.SCALES:
        for penalty in ("1", "32", "1024", "32768"):
            for degrees in deep_kelm.DEGREE_LISTS:
                found = deep_kelm.run_kelm(dk, "train", split.train, "-k", f"arccos({degrees})", "-s", scale, "-p",
                                           f"C={penalty}", "--test", split.test, folder=folder)
                best = max(best, 100 * found["test"]["accuracy"])
    return best


def permuted(rows, seed):
    labels = [label for label, _ in rows]
    random.Random(f"permuted {seed}").shuffle(labels)
    return [(label, values) for label, (_, values) in zip(labels, rows)]


def bounds(dk, name, rows, splits):
    """Means and standard errors: chosen on the test rows; on permuted labels."""
    best, chance = [], []
    for number in range(splits):
        with tempfile.TemporaryDirectory() as folder:
            best.append(chosen_on_test(dk, name, deep_kelm.write_split(name, rows, number, folder), folder))
            split = deep_kelm.write_split(name, permuted(rows, number), number, folder)
            kernel, scale = deep_kelm.choose(dk, deep_kelm.deep_kernels(name), split, folder)
            chance.append(deep_kelm.accuracy(dk, kernel, scale, split, folder)[0])
    return best, chance


def print_bounds(dk, name, options):
    try:
        rows = deep_kelm.read_set(name, options.data)
    except MISSING as error:
        print(f"{name}: left out: {error}")
        return
    best, chance = bounds(dk, name, rows, options.splits)
    error = lambda values: statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    largest = 100 * max(collections.Counter(label for label, _ in rows).values()) / len(rows)
    excess = statistics.mean(chance) - largest
    seen = "too few splits to tell" if len(chance) < 2 else "LEAKS" if excess > 3 * error(chance) else "at chance"
    print(f"{name}: published {deep_kelm.PUBLISHED[name].dkelm:.2f}; chosen on the test rows "
          f"{statistics.mean(best):.2f} +- {error(best):.2f}, best single split {max(best):.2f}; permuted labels "
          f"{statistics.mean(chance):.2f} +- {error(chance):.2f}, largest class {largest:.2f}: {seen}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dk", nargs="?", help="the command line program")
    parser.add_argument("--set", choices=list(deep_kelm.PUBLISHED), action="append", default=[])
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--data", help="folder of CSV files of sets that no package has")
    options = parser.parse_args()
    if options.set and not options.dk:
        parser.error("--set needs the program")
    counts = collections.Counter()
    for one in published():
        can_be = verdict(one.figure, one.rows)
        counts[can_be] += 1
        print(f"{one.table:<24}{one.set:<16}{one.system:<20}{one.figure:>7.2f}  {can_be}")
    print(", ".join(f"{count} {can_be}" for can_be, count in counts.most_common()), flush=True)
    for name in options.set:
        print_bounds(options.dk, name, options)


if __name__ == "__main__":
    main()
