#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernel extreme learning machines, Gaussian and deep, beside Table 5.2 of Afzal's thesis (2018):

    deep_kelm.py DK [--set glass ...] [--splits 10] [--large-splits 1] [--data FOLDER]

The thesis: ten random divisions of the sizes of its Table 5.1; three scalings; every list of different degrees 0 to 3 of
the arc-cosine kernel. It does not say how scaling, list and C were chosen; Table 5.6 gives one list and scaling a set,
those "that bring out maximum accuracy", so most likely on the test parts. Its Gaussian figures are another paper's.

Four machines here:

    rbf        width, scaling by 3-fold cross-validation, C by exact leave-one-out, on the training part alone
    arccos     list, scaling and C in the same way
    Table 5.6  the published list and scaling, C by leave-one-out on the training part
    scalar     the same with targets=scalar, the thesis' own program: one function for the number of the class

Sets of more than 2000 training rows: list, width, scaling and C are chosen on a random 2000 of the training rows, lists
among those of at most two layers (an eigendecomposition of all rows would take minutes to hours); the machine then learns
from all rows. satimage_official is UCI's division.

Packages: r-base-core and r-cran-mlbench (glass, diabetes, satimage, letter), python3-sklearn (iris, wine). FOLDER may hold
the others of Table 5.1 as NAME.csv or NAME.csv.gz with the label first: liver_bupa, colon, leukemia.train and
leukemia.test. A set without its source is left out with a message.
"""
import argparse
import collections
import itertools
import os
import random
import statistics
import sys
import tempfile

from protocol import MISSING, from_folder, from_mlbench, from_sklearn, run, write_rows

# ---- what is compared ---------------------------------------------------------------------------------------------

# Table 5.1's sizes; Table 5.2's accuracies in per cent; Table 5.6's list and scaling of the deep machine
Published = collections.namedtuple("Published", "train test kelm dkelm kernel scale")
PUBLISHED = {
    "iris": Published(100, 50, 96.04, 99.01, "arccos(1)", "minmax"),
    "wine": Published(118, 60, 98.48, 99.63, "arccos(3,1,2,0)", "minmax"),
    "glass": Published(142, 72, 68.41, 73.62, "arccos(1)", "standard"),
    "diabetes": Published(512, 256, 77.52, 80.70, "arccos(0,1)", "robust"),
    "liver": Published(230, 115, 72.14, 79.14, "arccos(0,1)", "standard"),
    "colon": Published(30, 32, 84.38, 93.81, "arccos(3,2,1,0)", "minmax"),
    "leukemia": Published(38, 34, 82.35, 98.80, "arccos(3,2,1,0)", "minmax"),
    "satimage": Published(4435, 2000, 92.35, 93.03, "arccos(0,2)", "robust"),
    "satimage_official": Published(4435, 2000, 92.35, 93.03, "arccos(0,2)", "robust"),
    "letter": Published(13333, 6667, 97.41, 97.80, "arccos(1)", "minmax"),
}
SCALES = ["standard", "robust", "minmax"]
RBF_KERNELS = "[grid(rbf, gamma=0.0625*median:0.25*median:median:4*median:16*median)]"
# Every list of different degrees.
DEGREE_LISTS = [",".join(order) for count in range(1, 5) for order in itertools.permutations("0123", count)]
SELECTION_ROWS = 2000  # training rows on which everything is chosen, a random part of larger sets


def is_large(name):
    return PUBLISHED[name].train > SELECTION_ROWS


def deep_kernels(name):
    return f"[arccos_lists({2 if is_large(name) else 4})]"


# ---- data ---------------------------------------------------------------------------------------------------------

def read_set(name, folder):
    sources = {
        "iris": lambda: from_sklearn("load_iris"),
        "wine": lambda: from_sklearn("load_wine"),
        "glass": lambda: from_mlbench("Glass", "Type"),
        "diabetes": lambda: from_mlbench("PimaIndiansDiabetes", "diabetes"),
        "liver": lambda: from_folder(folder, ["liver_bupa"]),
        "colon": lambda: from_folder(folder, ["colon"]),
        "leukemia": lambda: from_folder(folder, ["leukemia.train", "leukemia.test"]),
        "satimage": lambda: from_mlbench("Satellite", "classes"),
        "satimage_official": lambda: from_mlbench("Satellite", "classes"),
        "letter": lambda: from_mlbench("LetterRecognition", "lettr"),
    }
    return sources[name]()


Split = collections.namedtuple("Split", "train test selection")  # files; selection is train or a part of it


def write_split(name, rows, number, folder):
    """A random division; the training rows come in random order, so the first ones are a random part of them."""
    published = PUBLISHED[name]
    generator = random.Random(f"{name} {number}")
    ordered = rows if name.endswith("_official") else generator.sample(rows, len(rows))
    train, test = ordered[:published.train], ordered[published.train:published.train + published.test]
    train = generator.sample(train, len(train))
    path = lambda part: os.path.join(folder, part + ".csv")
    whole = write_rows(path("train"), train)
    selection = write_rows(path("selection"), train[:SELECTION_ROWS]) if is_large(name) else whole
    return Split(whole, write_rows(path("test"), test), selection)


# ---- the program --------------------------------------------------------------------------------------------------

def run_kelm(dk, *arguments, folder):
    return run(dk, *arguments, "-m", "kelm", "-p", "neighbours=0", folder=folder)


def choose(dk, kernels, split, folder):
    """The kernel and the scaling with the best cross-validated accuracy on the rows for selection."""
    found = run_kelm(dk, "cv", split.selection, "-p", "select_C=yes", "-p", "folds=3", "-g",
                     f"scale={':'.join(SCALES)};kernel={kernels}", folder=folder)["info"]
    return found["kernel"], found["parameters"]["scale"]


def accuracy(dk, kernel, scale, targets, split, folder):
    """Per cent of the test part, and C, chosen by leave-one-out on the rows for selection."""
    common = "-k", kernel, "-s", scale, "-p", f"targets={targets}", "--test", split.test
    selected = run_kelm(dk, "train", split.selection, *common, "-p", "select_C=yes", folder=folder)
    penalty = selected["info"]["training"]["C"]
    if split.selection != split.train:
        selected = run_kelm(dk, "train", split.train, *common, "-p", f"C={penalty!r}", folder=folder)
    return 100 * selected["test"]["accuracy"], penalty


# ---- the protocol -------------------------------------------------------------------------------------------------

Result = collections.namedtuple("Result", "accuracy choice penalty")


def run_split(dk, name, split, folder):
    published = PUBLISHED[name]
    choices = {
        "rbf": choose(dk, RBF_KERNELS, split, folder),
        "arccos": choose(dk, deep_kernels(name), split, folder),
        "Table 5.6": (published.kernel, published.scale),
        "scalar": (published.kernel, published.scale),
    }
    results = {}
    for machine, (kernel, scale) in choices.items():
        targets = "scalar" if machine == "scalar" else "signs"
        reached, penalty = accuracy(dk, kernel, scale, targets, split, folder)
        kind = "" if machine == "rbf" else kernel.replace(" ", "") + " "
        results[machine] = Result(reached, kind + scale, penalty)
    return results


def run_set(dk, name, options):
    rows = read_set(name, options.data)
    splits = options.large_splits if is_large(name) else options.splits
    splits = 1 if name.endswith("_official") else splits
    results = collections.defaultdict(list)
    for number in range(splits):
        with tempfile.TemporaryDirectory() as folder:
            for machine, result in run_split(dk, name, write_split(name, rows, number, folder), folder).items():
                results[machine].append(result)
    return results


def print_set(name, results):
    for machine, of_splits in results.items():
        accuracies = [result.accuracy for result in of_splits]
        mean = statistics.mean(accuracies)
        deviation = f"+- {statistics.stdev(accuracies):5.2f}" if len(accuracies) > 1 else ""
        published = PUBLISHED[name].kelm if machine == "rbf" else PUBLISHED[name].dkelm
        choice, times = collections.Counter(result.choice for result in of_splits).most_common(1)[0]
        penalty = statistics.median_low(result.penalty for result in of_splits)
        print(f"{name:<18}{machine:<10}{len(of_splits):>6}{mean:>8.2f} {deviation:<8}{published:>10.2f}"
              f"{mean - published:>+11.2f}   {choice} {times}x, C {penalty:g}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dk", help="the command line program")
    parser.add_argument("--set", choices=list(PUBLISHED), action="append", help="repeat for several; default all")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--large-splits", type=int, default=1, help="of sets of more than 2000 training rows")
    parser.add_argument("--data", help="folder of CSV files of sets that no package has")
    options = parser.parse_args()
    print(f"{'set':<18}{'machine':<10}{'splits':>6}{'accuracy':>17}{'published':>10}{'difference':>11}"
          "   most frequent choice, median C")
    for name in options.set or PUBLISHED:
        try:
            results = run_set(options.dk, name, options)
        except MISSING as error:
            print(f"{name:<18}left out: {error}", flush=True)
            continue
        print_set(name, results)


if __name__ == "__main__":
    main()
