# SPDX-License-Identifier: Apache-2.0
"""Compares the predictions of models of every machine that two builds of the command train.

    predictions.py COMMAND COMMAND DATA
"""
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ALLOWED = 1e-10  # relative to the largest value of a column

here, there, data = sys.argv[1].split(), sys.argv[2].split(), Path(sys.argv[3])


def predicted(command, machine, work):
    """Decisions of a model of 160 vehicles for these rows; a regression learns their compactness."""
    rows, model = work / "rows.csv", work / "model.dk"
    rows.write_text("\n".join((data / "vehicle.csv").read_text().splitlines()[:161]) + "\n")
    label = "Comp" if machine["task"] == "regression" else "class"
    reading = ["--data-options", f"label={label}"]
    if machine["task"] == "regression":
        rows.write_text("\n".join(line.rsplit(",", 1)[0] for line in rows.read_text().splitlines()) + "\n")
    subprocess.run([*command, "train", rows, "-o", model, "-m", machine["name"], "-k", "rbf", "-s", "standard", *reading],
                   check=True, capture_output=True)
    values = subprocess.run([*command, "predict", model, rows, "--decision", *reading], check=True, capture_output=True,
                            text=True).stdout
    return list(csv.reader(values.splitlines()))


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


bad = 0
with tempfile.TemporaryDirectory() as folder:
    work = Path(folder)
    described = json.loads(subprocess.run([*here, "describe", "--json"], check=True, capture_output=True, text=True).stdout)
    for machine in described["machines"]:
        found = difference(predicted(here, machine, work), predicted(there, machine, work))
        good = found is not None and found <= ALLOWED
        bad += not good
        print(f"{machine['name']:28} {'texts differ' if found is None else f'{found:.1e}'}{'' if good else '  TOO MUCH'}")
sys.exit(1 if bad else 0)
