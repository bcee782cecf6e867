#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Divergence-based kernel weights beside Table 6 of the DiMKL paper (Mathematics 10, 2026, 2022):

    dimkl_table6.py DK [--splits 100] [--set sonar ...] [--strategy dimkl1 ...] [--first-class minus]

The paper's protocol: 100 random splits, 80 % for training; five Gaussian kernels of the widths 0.002, 1/d, 5/d, 10/d and
25/d; accuracy of a support vector machine on the rest. What it leaves out, and what is taken here, the same for every
split and strategy:

* Widths are factors of the squared distance (gamma) although the text divides by them.
* Columns are scaled to [-1, 1] over all rows and C = 1, as in LIBSVM's copies of the three sets and LIBSVM's default. The
  breast cancer set has "10" features only there: the tenth is the sample number. It is not a feature and left out, but
  d = 10 stays in the widths.
* These were found from the five rows of single kernels alone, which no weights can help.
* Training parts have n - floor(n / 5) rows: accuracies of Tables 7 and 8 are multiples of 1/41 and 1/70.
* MKLGL has p = 1, which the paper leaves out too, and is solved to a certified gap. On Sonar that is 4 points better than
  published, where the heuristics are near theirs: 3 and 5 do not reach it there, with no p from 1 to 4 and no C of the
  weights from 1 to 1e5 (87.5 to 87.0 %); on the other two sets the paper's order holds.
* Class 1, which indices 1 to 4 treat differently, is mine, good, malignant; --first-class minus exchanges them.

Nothing is tuned. Needs Python 3.8 alone; the data are in examples/data. A strategy that the program does not have says so.
"""
import argparse
import csv
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections import namedtuple

# ---- what is compared; the texts are libdk's kernels and weights --------------------------------------------------

BANK = "bank"

# name, kernel of the bank (from 1) or BANK, weights, row of the published table (or None), machine
Strategy = namedtuple("Strategy", "name kernel weights published machine", defaults=["svm"])
STRATEGIES = [
    Strategy("K1", 1, "uniform", "K1"),
    Strategy("K2", 2, "uniform", "K2"),
    Strategy("K3", 3, "uniform", "K3"),
    Strategy("K4", 4, "uniform", "K4"),
    Strategy("K5", 5, "uniform", "K5"),
    Strategy("uniform", BANK, "uniform", None),
    Strategy("dimkl1", BANK, "dimkl1", "DiMKL1"),
    Strategy("dimkl1 var", BANK, "dimkl1(form=variance)", "DiMKL1"),
    Strategy("dimkl2", BANK, "dimkl2", "DiMKL2"),
    Strategy("dimkl3", BANK, "dimkl3", "DiMKL3"),
    Strategy("dimkl4", BANK, "dimkl4", "DiMKL4"),
    Strategy("dimkl5", BANK, "dimkl5", "DiMKL5"),
    Strategy("dimkl6", BANK, "dimkl6", "DiMKL6"),
    Strategy("mklgl", BANK, "mklgl(p=1)", "MKLGL"),
    Strategy("defimkl", BANK, "uniform", "DeFIMKL", "defimkl"),
    Strategy("gamkl", BANK, "gamkl(p=1)", "GAMKL"),
    Strategy("alignf", BANK, "alignf", None),
    Strategy("easymkl", BANK, "easymkl", None),
    Strategy("umkl", BANK, "umkl(rows=average)", None),
]
HEURISTICS = [s.name for s in STRATEGIES if s.name.startswith("dimkl")]
REFERENCE = "mklgl"

# ---- Table 6: mean and standard deviation of 100 accuracies in per cent -------------------------------------------

PUBLISHED = {
    "sonar": {
        "K1": (58.39, 11.22), "K2": (78.17, 6.36), "K3": (84.63, 5.98), "K4": (84.56, 5.83), "K5": (82.15, 7.97),
        "DiMKL1": (86.17, 5.54), "DiMKL2": (81.68, 6.35), "DiMKL3": (85.22, 5.77), "DiMKL4": (85.17, 5.93),
        "DiMKL5": (83.41, 6.53), "DiMKL6": (84.75, 6.10),
        "DeFIMKL": (82.60, 7.89), "GAMKL": (85.60, 5.22), "MKLGL": (83.31, 7.98)},
    "ionosphere": {
        "K1": (71.14, 6.01), "K2": (92.14, 3.01), "K3": (94.31, 2.46), "K4": (94.27, 2.36), "K5": (92.34, 2.74),
        "DiMKL1": (94.07, 2.36), "DiMKL2": (94.71, 2.39), "DiMKL3": (94.70, 2.32), "DiMKL4": (94.69, 2.33),
        "DiMKL5": (94.57, 2.34), "DiMKL6": (94.63, 2.41),
        "DeFIMKL": (93.01, 2.96), "GAMKL": (94.49, 2.49), "MKLGL": (94.08, 2.32)},
    "breast_cancer": {
        "K1": (96.16, 1.55), "K2": (97.08, 1.29), "K3": (96.66, 1.43), "K4": (96.29, 1.44), "K5": (95.64, 1.53),
        "DiMKL1": (96.57, 1.46), "DiMKL2": (97.13, 1.26), "DiMKL3": (97.10, 1.27), "DiMKL4": (97.09, 1.29),
        "DiMKL5": (97.05, 1.26), "DiMKL6": (97.09, 1.28),
        "DeFIMKL": (96.11, 1.63), "GAMKL": (97.06, 1.48), "MKLGL": (95.68, 1.49)},
}

# d of the widths, and the class that is +1
SetOptions = namedtuple("SetOptions", "dimension plus")
SETS = {
    "sonar": SetOptions(60, "M"),
    "ionosphere": SetOptions(34, "good"),
    "breast_cancer": SetOptions(10, "malignant"),
}


# ---- data ---------------------------------------------------------------------------------------------------------

def scaled_column(column):
    """To [-1, 1]; a constant column becomes 0, as svm-scale leaves it out."""
    low, high = min(column), max(column)
    if low == high:
        return [0.0] * len(column)
    return [2 * (value - low) / (high - low) - 1 for value in column]


def read_set(folder, name, first_class):
    """Rows as CSV text, the label first: 1 or -1. libdk takes the larger label for the paper's class 1."""
    with open(os.path.join(folder, name + ".csv"), newline="") as file:
        rows = list(csv.reader(file))[1:]
    plus = 1 if first_class == "plus" else -1
    labels = [plus if row[-1] == SETS[name].plus else -plus for row in rows]
    columns = [scaled_column([float(row[j]) for row in rows]) for j in range(len(rows[0]) - 1)]
    return [",".join([str(label), *map(repr, values)]) for label, values in zip(labels, zip(*columns))]


def write_rows(path, rows):
    features = rows[0].count(",")
    with open(path, "w") as file:
        file.write(",".join(["label", *(f"f{j}" for j in range(1, features + 1))]) + "\n")
        file.writelines(row + "\n" for row in rows)


def write_split(rows, generator, folder):
    """A random 80 % for training, the rest for testing."""
    order = list(range(len(rows)))
    generator.shuffle(order)
    tested = len(rows) // 5
    paths = os.path.join(folder, "train.csv"), os.path.join(folder, "test.csv")
    write_rows(paths[0], [rows[i] for i in order[tested:]])
    write_rows(paths[1], [rows[i] for i in order[:tested]])
    return paths


# ---- the runner: all that knows how the program is called ---------------------------------------------------------

def kernel_text(strategy, dimension):
    inverse = 1 / dimension
    widths = [0.002] + [factor * inverse for factor in (1, 5, 10, 25)]
    kernels = [f"rbf(gamma={width!r})" for width in widths]
    return f"[{', '.join(kernels)}]" if strategy.kernel == BANK else kernels[strategy.kernel - 1]


def accuracy_of(dk, strategy, dimension, train, test, folder):
    """Per cent, or the program's message."""
    command = [dk, "train", train, "-o", os.path.join(folder, "model.dk"), "-m", strategy.machine, "-p", "C=1",
               "-p", "neighbours=0", "-k", kernel_text(strategy, dimension), "-w", strategy.weights,
               "--test", test, "--threads", "1", "--json"]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if run.returncode != 0:
        return run.stderr.strip()
    return 100 * json.loads(run.stdout)["test"]["accuracy"]


def accuracies_of_split(dk, strategies, dimension, train, test, folder):
    """One process a strategy, name -> result. One process for all would only change this function."""
    return {s.name: accuracy_of(dk, s, dimension, train, test, folder) for s in strategies}


# ---- the protocol -------------------------------------------------------------------------------------------------

def run_set(dk, name, strategies, options):
    """name -> accuracies, one a split, and name -> message of strategies that failed, which are not tried again."""
    rows = read_set(options.data, name, options.first_class)
    accuracies, failures = {s.name: [] for s in strategies}, {}
    with tempfile.TemporaryDirectory() as folder:
        for split in range(options.splits):
            train, test = write_split(rows, random.Random(f"{name} {split}"), folder)
            going = [s for s in strategies if s.name not in failures]
            results = accuracies_of_split(dk, going, SETS[name].dimension, train, test, folder)
            for strategy, result in results.items():
                if isinstance(result, str):
                    failures[strategy] = result
                    print(f"{name}, split {split}, {strategy}: {result}", file=sys.stderr)
                else:
                    accuracies[strategy].append(result)
    return {n: a for n, a in accuracies.items() if len(a) == options.splits}, failures


def mean_deviation(values):
    return statistics.mean(values), statistics.stdev(values) if len(values) > 1 else math.nan


def standard_error(ours, published, splits):
    """Of the difference of two means, taking splits for independent: real errors are larger, as splits overlap."""
    return math.sqrt(ours[1] ** 2 / splits + published[1] ** 2 / 100)


def figure(pair):
    return f"{pair[0]:6.2f} +- {pair[1]:5.2f}" if pair else f"{'-':>15}"


def print_accuracies(name, strategies, accuracies, failures):
    print(f"{name}\n  {'strategy':<12}{'ours':>15}   {'published':>15}   difference  standard errors"
          "  within one published sd")
    within = compared = 0
    for strategy in strategies:
        published = PUBLISHED[name].get(strategy.published)
        ours = mean_deviation(accuracies[strategy.name]) if strategy.name in accuracies else None
        line = f"  {strategy.name:<12}{figure(ours)}   {figure(published)}"
        if ours and published:
            near = abs(ours[0] - published[0]) <= published[1]
            within, compared = within + near, compared + 1
            errors = (ours[0] - published[0]) / standard_error(ours, published, len(accuracies[strategy.name]))
            line += f"   {ours[0] - published[0]:+10.2f}  {errors:+15.1f}  {'yes' if near else 'NO'}"
        elif strategy.name in failures:
            line += "   not run: the program's message is above"
        print(line)
    print(f"  within one published sd: {within} of {compared}")


def print_order(name, strategies, accuracies):
    """Whether heuristics reach the optimised weights: the same splits, so differences are paired."""
    print(f"  heuristic - {REFERENCE:<10}{'ours':>15}   published   >= holds: ours, published")
    for strategy in (s for s in strategies if s.name in HEURISTICS):
        published = PUBLISHED[name][strategy.published][0] - PUBLISHED[name]["MKLGL"][0]
        ours, holds = f"{'-':>15}", "-"
        if strategy.name in accuracies and REFERENCE in accuracies:
            pairs = zip(accuracies[strategy.name], accuracies[REFERENCE])
            mean, deviation = mean_deviation([a - b for a, b in pairs])
            ours = f"{mean:+6.2f} sd {deviation:6.2f}"
            holds = "yes" if mean >= 0 else "NO"
        print(f"  {strategy.name:<22}{ours}   {published:+9.2f}   {holds:>14}, {'yes' if published >= 0 else 'NO'}")


def arguments():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dk", help="the command line program")
    parser.add_argument("--splits", type=int, default=100)
    parser.add_argument("--set", choices=sorted(SETS), action="append", help="repeat for several; default all")
    parser.add_argument("--strategy", choices=[s.name for s in STRATEGIES], action="append")
    parser.add_argument("--first-class", choices=["plus", "minus"], default="plus")
    parser.add_argument("--data", default=os.path.join(here, "..", "..", "examples", "data"), help="folder of CSV files")
    return parser.parse_args()


def main():
    options = arguments()
    strategies = [s for s in STRATEGIES if not options.strategy or s.name in options.strategy]
    for name in options.set or SETS:
        accuracies, failures = run_set(options.dk, name, strategies, options)
        print_accuracies(name, strategies, accuracies, failures)
        print_order(name, strategies, accuracies)
        print(flush=True)


if __name__ == "__main__":
    main()
