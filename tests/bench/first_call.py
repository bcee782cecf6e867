#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the first call gets, beside who tunes by hand: libdk.train(data) with no option, scikit-learn's GridSearchCV over
StandardScaler and SVC (10 x 10 over C and gamma, 5 folds), and its random forest, on the same five outer folds of each file.

    PYTHONPATH=BUILD/bindings/python/installed python3 tests/bench/first_call.py [--seeds 3] [--rows 2000] FILE...

Accuracies are in per cent, times are seconds of processor time of all threads for one training on four fifths of the rows.
With more seeds the rows are divided more often, and the last digit says how far means of so many divisions differ by chance.
"""

import argparse
import pathlib
import statistics
import time

import libdk
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

GRID = {"svc__C": np.logspace(-2, 4, 10), "svc__gamma": np.logspace(-5, 1, 10)}


class FirstCall:
    """libdk with no option."""

    def fit(self, x, y):
        self.model = libdk.train(libdk.Data(x, labels=y))
        return self

    def predict(self, x):
        return self.model.predict(x)


def tuned_svc():
    return GridSearchCV(make_pipeline(SimpleImputer(strategy="median"), StandardScaler(), SVC(cache_size=1000)), GRID,
                        cv=StratifiedKFold(5, shuffle=True, random_state=0))


def forest():
    return make_pipeline(SimpleImputer(strategy="median"), RandomForestClassifier(500, random_state=0))


METHODS = {"libdk": FirstCall, "tuned SVC": tuned_svc, "forest": forest}


def rows_of(path, most, seed):
    """At most so many rows of a file, without those of classes of which fewer than five are drawn."""
    data = libdk.Data.read(path)
    x, y = np.asarray(data.values), np.asarray(data.labels)
    _, y = np.unique(y, return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(y))[:most]
    kept = np.isin(y[order], np.flatnonzero(np.bincount(y[order]) >= 5))
    return x[order][kept], y[order][kept]


def measured(make, x, y, folds):
    """Accuracy over all folds, and the mean processor time of a training."""
    right, took = 0, []
    for learned, judged in folds:
        began = time.process_time()
        model = make().fit(x[learned], y[learned])
        took.append(time.process_time() - began)
        right += np.sum(model.predict(x[judged]) == y[judged])
    return 100 * right / len(y), statistics.mean(took)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--rows", type=int, default=2000)
    options = parser.parse_args()
    print(f"{'set':28}{'rows':>6}", *(f"{name:>18}" for name in METHODS), f"{'difference':>16}{'times faster':>14}", flush=True)
    means = {name: [] for name in METHODS}
    for path in options.files:
        found = {name: [] for name in METHODS}
        for seed in range(options.seeds):
            x, y = rows_of(path, options.rows, seed)
            folds = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(x, y))
            for name, make in METHODS.items():
                found[name].append(measured(make, x, y, folds))
        accuracy = {name: statistics.mean(one[0] for one in each) for name, each in found.items()}
        seconds = {name: statistics.mean(one[1] for one in each) for name, each in found.items()}
        behind = [ours[0] - theirs[0] for ours, theirs in zip(found["libdk"], found["tuned SVC"])]
        error = statistics.stdev(behind) / len(behind) ** 0.5 if len(behind) > 1 else float("nan")
        for name in METHODS:
            means[name].append(accuracy[name])
        print(f"{pathlib.Path(path).name:28}{len(y):6}", *(f"{accuracy[n]:9.2f}{seconds[n]:7.2f} s" for n in METHODS),
              f"{statistics.mean(behind):+8.2f} +-{error:5.2f}{seconds['tuned SVC'] / seconds['libdk']:14.1f}", flush=True)
    print(f"{'mean':34}", *(f"{statistics.mean(means[name]):9.2f}{'':9}" for name in METHODS))


if __name__ == "__main__":
    main()
