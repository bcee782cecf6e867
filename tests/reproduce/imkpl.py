#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interpretable multiple-kernel prototypes beside Tables 2 and 3 of Hosseini and Hammer (CIKM 2019):

    imkpl.py DK --data FOLDER [--set tox_171 ...] [--splits 10]

The paper: one Gaussian kernel a column, its width the mean squared distance; global alignment kernels, one a channel, for
series; T0, lambda, mu and tau of its Table 1; accuracies are means over ten random selections. It does not say how large
the selections are (80 % for training here), how many kernels may have weights (its linear programme would choose one; the
numbers printed are what came out), the parameters of the alignment kernels (the library's defaults), and UTKinect goes
through a Lie group representation there; here joints are taken relative to the hip.

T0, lambda, mu and tau are the paper's; how kernels are weighed is not, since its linear programme has one kernel as its
solution:

    iskpl         all kernels alike
    imkpl         weights that share among alike kernels (the defaults)
    imkpl, tuned  rho and kappa by five-fold cross-validation within the training rows (--tune: 40 trainings a division)
    imkpl, N      the quadratic penalty with as many kernels at first as the paper ends with
    random        as many kernels as the default kept, drawn by chance, all alike

IP is 1 for prototypes that are single rows; DR is of the codes of the test rows.

FOLDER has isolet.csv and tox_171.csv (featureselection.asu.edu, the label first), utkinect as ts_utkinect.csv (one line a
time step: series, label, subject, episode, frame, 60 values) with its divisions in ts_utkinect.splits.json; all may be
compressed by gzip. A set that is missing is left out with a message.
"""
import argparse
import collections
import csv
import gzip
import json
import os
import random
import statistics
import tempfile

from protocol import MISSING, ask, from_folder, run, write_rows

# ---- what is compared ---------------------------------------------------------------------------------------------

# Table 1, then accuracy, number of kernels, IP and DR of IMKPL and of ISKPL in per cent
Published = collections.namedtuple("Published", "prototypes lambda_ mu tau imkpl iskpl")
Figures = collections.namedtuple("Figures", "accuracy kernels ip dr")
PUBLISHED = {
    "tox_171": Published(18, 0.1, 0.3, 0.1, Figures(97.21, 72, 95, 89), Figures(88.07, None, 93, 79)),
    "isolet": Published(20, 0.2, 0.2, 0.3, Figures(97.75, 141, 96, 90), Figures(90.11, None, 94, 81)),
    "utkinect": Published(5, 0.1, 0.1, 0.2, Figures(98.82, 14, 96, 91), Figures(90.32, None, 92, 82)),
}

# ---- data: pairs of files -----------------------------------------------------------------------------------------


def random_divisions(name, options, folder):
    """Divisions of rows, 80 % for training."""
    rows = from_folder(options.data, [name])
    for number in range(options.splits):
        ordered = random.Random(f"{name} {number}").sample(rows, len(rows))
        tested = len(rows) // 5
        yield (write_rows(os.path.join(folder, "train.csv"), ordered[tested:]),
               write_rows(os.path.join(folder, "test.csv"), ordered[:tested]))


def beside_the_hip(values):
    """Positions of the other joints from the first one, the hip's centre."""
    x = [float(value) for value in values]
    return [repr(round(x[j] - x[j % 3], 6)) for j in range(3, len(x))]


def divisions_by_subject(options, folder):
    """UTKinect's ten divisions, half of the subjects each."""
    def opened(stem):
        plain = os.path.join(options.data, stem)
        return open(plain) if os.path.exists(plain) else gzip.open(plain + ".gz", "rt")

    with opened("ts_utkinect.csv") as file:
        lines = list(csv.reader(file))
    with opened("ts_utkinect.splits.json") as file:
        splits = json.load(file)
    for training, tested in list(zip(splits["train_subjects"], splits["test_subjects"]))[:options.splits]:
        paths = []
        for name, subjects in (("train.csv", training), ("test.csv", tested)):
            paths.append(os.path.join(folder, name))
            with open(paths[-1], "w") as file:
                file.write(",".join(["series", "label", "t", *lines[0][8:]]) + "\n")
                file.writelines(",".join([series, "c" + label, frame, *beside_the_hip(values)]) + "\n"
                                for series, label, subject, _, frame, *values in lines[1:] if int(subject) in subjects)
        yield paths


# ---- the machines -------------------------------------------------------------------------------------------------


def labels_of(path):
    """Of a file with the label first, or with a line a time step, its series and label first."""
    with open(path) as file:
        lines = list(csv.reader(file))
    if lines[0][0] != "series":
        return [line[0] for line in lines[1:]]
    return list({line[0]: line[1] for line in lines[1:]}.values())


def columns_of(path):
    """The number of features of a file with the label first, or of channels of one with series, label and time first."""
    with open(path) as file:
        header = next(csv.reader(file))
    return len(header) - (3 if header[0] == "series" else 1)


def discrimination(dk, model, test):
    """DR (equation 14) of the test rows' codes in per cent: how much of what a prototype reconstructs is of its own class,
    mean over the prototypes that reconstruct any. Codes of other machines have signs, which the norm does not see."""
    names = ask(dk, "predict", model, test, "--contributions")["columns"]
    codes = ask(dk, "predict", model, test, "--features")["values"]
    labels = labels_of(test)
    parts = []
    for column, name in enumerate(names):
        own = name.rsplit(" of ", 1)[1]
        used = [abs(row[column]) for row in codes]
        if sum(used) > 0:
            parts.append(sum(share for share, label in zip(used, labels) if label == own) / sum(used))
    return 100 * statistics.mean(parts)


def bank_of(name):
    return "each_channel(gak)" if name == "utkinect" else "each_feature(rbf(gamma=mean))"


def random_bank(name, count, number, columns):
    """As many kernels of the bank, by chance."""
    kernel = "gak" if name == "utkinect" else "rbf(gamma=mean)"
    chosen = sorted(random.Random(f"random {name} {number}").sample(range(columns), round(count)))
    return "[" + ", ".join(f"on({column}, {kernel})" for column in chosen) + "]"


def learn(dk, name, machine, own, train, test, folder, kernel=None):
    """`own` are the parameters that only this machine has."""
    published = PUBLISHED[name]
    parameters = [f"prototypes={published.prototypes}", f"lambda={published.lambda_}", f"tau={published.tau}", *own]
    if machine == "imkpl":
        parameters.append(f"mu={published.mu}")
    bank = ["-k", kernel or bank_of(name)]
    answer = run(dk, "train", train, "-m", machine, *bank, "--test", test,
                 *(word for pair in parameters for word in ("-p", pair)), folder=folder)
    training = answer["info"]["training"]
    return Figures(100 * answer["test"]["accuracy"], training.get("kernels_used", 0), 100 * training["interpretability"],
                   discrimination(dk, os.path.join(folder, "model.dk"), test))


def print_set(name, machine, results, published):
    mean = Figures(*(statistics.mean(column) for column in zip(*results)))
    kernels = f"{mean.kernels:7.1f} ({published.kernels})" if published.kernels else "all"
    print(f"{name:<10}{machine:<16}{len(results):>6}{mean.accuracy:>8.2f} ({published.accuracy:5.2f})  {kernels:<15}"
          f"{mean.ip:>6.1f} ({published.ip}){mean.dr:>8.1f} ({published.dr})", flush=True)


def print_difference(title, results, others):
    """The paired difference of accuracies with its standard error."""
    differences = [a.accuracy - b.accuracy for a, b in zip(results, others)]
    error = statistics.stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else float("nan")
    print(f"{'':10}{title} above iskpl: {statistics.mean(differences):.2f}, standard error {error:.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dk", help="the command line program")
    parser.add_argument("--data", required=True, help="folder of the data sets")
    parser.add_argument("--set", choices=list(PUBLISHED), action="append", help="repeat for several; default all")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--tune", action="store_true", help="also choose weights by cross-validation in each division")
    options = parser.parse_args()
    print("published figures in brackets\n"
          f"{'set':<10}{'machine':<16}{'splits':>6}{'accuracy':>9}{'':8}  {'kernels':<15}{'IP':>6}{'DR':>13}")
    for name in options.set or PUBLISHED:
        published = PUBLISHED[name]
        machines = {"iskpl": ("iskpl", []), "imkpl": ("imkpl", []),
                    f"imkpl, {published.imkpl.kernels}":
                        ("imkpl", ["policy=quadratic", f"kernels={published.imkpl.kernels}"])}
        if options.tune:
            machines["imkpl, tuned"] = ("imkpl", ["choose_weights=yes"])
        results = collections.defaultdict(list)
        try:
            with tempfile.TemporaryDirectory() as folder:
                pairs = (divisions_by_subject(options, folder) if name == "utkinect" else
                         random_divisions(name, options, folder))
                for number, (train, test) in enumerate(pairs):
                    for title, (machine, own) in machines.items():
                        results[title].append(learn(options.dk, name, machine, own, train, test, folder))
                    chance = random_bank(name, results["imkpl"][-1].kernels, number, columns_of(train))
                    results["random"].append(learn(options.dk, name, "iskpl", [], train, test, folder, chance))
        except MISSING as error:
            print(f"{name:<10}left out: {error}", flush=True)
            continue
        for title, of_machine in results.items():
            print_set(name, title, of_machine, published.imkpl if title.startswith("imkpl") else published.iskpl)
        for title in results:
            if title != "iskpl":
                print_difference(title, results[title], results["iskpl"])


if __name__ == "__main__":
    main()
