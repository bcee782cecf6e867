# SPDX-License-Identifier: Apache-2.0
"""Compares models of every machine that two builds of the command train, and hands the models over.

    predictions.py COMMAND COMMAND DATA      commands are quoted as for a shell

The decisions of the two models differ by 1e-10 at most, and so do those of a model that the other build loads.
"""
import csv
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ALLOWED = 1e-10  # relative to the largest value of a column

here, there, data = shlex.split(sys.argv[1]), shlex.split(sys.argv[2]), Path(sys.argv[3])


class Problem:
    """160 vehicles, whose class a machine learns; a regression learns their compactness."""

    def __init__(self, machine, work):
        self.machine, self.rows, self.model = machine["name"], work / "rows.csv", work / "model.dk"
        lines = (data / "vehicle.csv").read_text().splitlines()[:161]
        regression = machine["task"] == "regression"
        if regression:
            lines = [line.rsplit(",", 1)[0] for line in lines]
        self.rows.write_text("\n".join(lines) + "\n")
        self.reading = ["--data-options", f"label={'Comp' if regression else 'class'}"]

    def train(self, command):
        run(command, "train", self.rows, "-o", self.model, "-m", self.machine, "-k", "rbf", "-s", "standard", *self.reading)

    def decisions(self, command):
        return list(csv.reader(run(command, "predict", self.model, self.rows, "--decision", *self.reading).splitlines()))


def run(command, *arguments):
    return subprocess.run([*command, *arguments], check=True, capture_output=True, text=True).stdout


def difference(first, second):
    """The largest difference of numbers relative to the largest of their column; None where texts differ."""
    if len(first) != len(second):
        return None
    worst = 0.0
    for column in range(len(first[0])):
        one = [row[column] for row in first[1:]]
        two = [row[column] for row in second[1:]]
        try:
            numbers = [(float(a), float(b)) for a, b in zip(one, two)]
        except ValueError:
            if one != two:
                return None
            continue
        largest = max(abs(a) for a, _ in numbers) or 1.0
        worst = max(worst, max(abs(a - b) for a, b in numbers) / largest)
    return worst


def differences(problem):
    """Between the two models, and between the two builds that each of them is loaded by."""
    problem.train(here)
    of_here, taken_there = problem.decisions(here), problem.decisions(there)
    problem.train(there)
    of_there, taken_here = problem.decisions(there), problem.decisions(here)
    return difference(of_here, of_there), difference(of_here, taken_there), difference(of_there, taken_here)


bad = 0
with tempfile.TemporaryDirectory() as folder:
    print(f"{'':28} trained  handed there  handed here")
    for machine in json.loads(run(here, "describe", "--json"))["machines"]:
        found = differences(Problem(machine, Path(folder)))
        good = all(each is not None and each <= ALLOWED for each in found)
        bad += not good
        print(f"{machine['name']:28}", *("texts differ" if each is None else f"{each:.1e}" for each in found),
              "" if good else "TOO MUCH", sep="  ")
sys.exit(1 if bad else 0)
