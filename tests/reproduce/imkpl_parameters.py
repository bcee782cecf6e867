#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figure 3 of Hosseini and Hammer (CIKM 2019): what lambda, mu, tau and T0 each do to accuracy and IP on Isolet:

    imkpl_parameters.py DK --data FOLDER [--set isolet] [--splits 1] [--pictures FOLDER]

One parameter moves, the others stay at Table 1, as there. The paper prints curves and no figures; its text says that
accuracy and interpretability hold for lambda, mu and tau between 0.1 and 0.5 and may fall outside, that tau does little to
accuracy, and that a larger T0 raises accuracy up to a point after which it changes slightly. These are asked at the end.
Divisions and the bank are those of imkpl.py.
"""
import argparse
import os
import statistics
import tempfile

from imkpl import PUBLISHED, bank_of, random_divisions
from picture import Picture
from protocol import run

SWEEPS = {
    "lambda": [0.02, 0.1, 0.2, 0.5, 0.8],
    "mu": [0.02, 0.1, 0.2, 0.5, 0.8],
    "tau": [0.02, 0.1, 0.3, 0.5, 0.8],
    "prototypes": [2, 5, 10, 20, 30],
}


def table_1(name):
    own = PUBLISHED[name]
    return {"lambda": own.lambda_, "mu": own.mu, "tau": own.tau, "prototypes": own.prototypes}


def figures_of(dk, name, changed, train, test, folder):
    """Accuracy and IP in per cent."""
    parameters = {**table_1(name), **changed}
    answer = run(dk, "train", train, "-m", "imkpl", "-k", bank_of(name), "--test", test, "-p", "neighbours=0",
                 *(word for key, value in parameters.items() for word in ("-p", f"{key}={value}")), folder=folder)
    return 100 * answer["test"]["accuracy"], 100 * answer["info"]["training"]["interpretability"]


def sweep(dk, name, key, options):
    """value -> mean accuracy and IP over the divisions."""
    means = {}
    for value in SWEEPS[key]:
        with tempfile.TemporaryDirectory() as folder:
            found = [figures_of(dk, name, {key: value}, train, test, folder)
                     for train, test in random_divisions(name, options, folder)]
        means[value] = tuple(statistics.mean(column) for column in zip(*found))
        print(f"{key:<12}{value:>8}{means[value][0]:>10.2f}{means[value][1]:>8.1f}", flush=True)
    return means


def draw(name, key, means, folder):
    picture = Picture(f"{name}: {key}", (min(means), max(means)), (0, 100), key, "per cent")
    picture.ticks(list(means), [str(value) for value in means])
    for place, title in enumerate(("accuracy", "IP")):
        picture.line(list(means), [pair[place] for pair in means.values()], picture.name(title))
    picture.save(os.path.join(folder, f"imkpl_{name}_{key}.svg"))


def say(what, holds):
    print(f"  {'yes' if holds else 'NO '}  {what}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dk", help="the command line program")
    parser.add_argument("--data", required=True, help="folder of the data sets")
    parser.add_argument("--set", choices=["isolet", "tox_171"], default="isolet")
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--pictures", help="folder for SVG files")
    options = parser.parse_args()
    print(f"{'parameter':<12}{'value':>8}{'accuracy':>10}{'IP':>8}")
    curves = {}
    for key in SWEEPS:
        curves[key] = sweep(options.dk, options.set, key, options)
        if options.pictures:
            os.makedirs(options.pictures, exist_ok=True)
            draw(options.set, key, curves[key], options.pictures)
    print("What the text says of the figure")
    for key in ("lambda", "mu", "tau"):
        within = [pair for value, pair in curves[key].items() if 0.1 <= value <= 0.5]
        best = max(pair[0] for pair in curves[key].values())
        say(f"accuracy for {key} between 0.1 and 0.5 is within 5 points of the best", min(w[0] for w in within) > best - 5)
    spread = [pair[0] for pair in curves["tau"].values()]
    say("tau does little to accuracy: less than 5 points", max(spread) - min(spread) < 5)
    rising = [pair[0] for pair in curves["prototypes"].values()]
    say("more prototypes raise accuracy, and slightly at the end", rising[0] < rising[-2] and abs(rising[-1] - rising[-2]) < 3)


if __name__ == "__main__":
    main()
