# SPDX-License-Identifier: Apache-2.0
"""What the scripts of published protocols share: the data sets and the call of the program.

A row is (label, values), all of them text. A source that is missing raises OSError, ImportError or CalledProcessError
(MISSING); scripts then leave the set out with a message.
"""
import csv
import gzip
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
MISSING = (OSError, ImportError, subprocess.CalledProcessError)

# ---- data sets ----------------------------------------------------------------------------------------------------


def label_first(rows):
    return [(row[0], row[1:]) for row in rows]


def read_csv(path):
    """The lines after the header."""
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path, newline="")
    with opened as file:
        return list(csv.reader(file))[1:]


def from_examples(stem):
    path = os.path.join(HERE, "..", "..", "examples", "data", stem + ".csv")
    return [(row[-1], row[:-1]) for row in read_csv(path)]


def from_mlbench(name, class_column):
    """From r-cran-mlbench, by Rscript."""
    code = (f'library(mlbench); data({name}); label <- as.integer({name}[["{class_column}"]]);'
            f'values <- {name}[, names({name}) != "{class_column}"];'
            'write.csv(data.frame(label, values), stdout(), row.names = FALSE, quote = FALSE)')
    text = subprocess.run(["Rscript", "-e", code], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    return label_first(list(csv.reader(text.splitlines()))[1:])


def from_sklearn(loader):
    from sklearn import datasets  # python3-sklearn; only here, so that other sets run without it
    bunch = getattr(datasets, loader)()
    return [(str(label), [repr(float(v)) for v in values]) for label, values in zip(bunch.target, bunch.data)]


def from_folder(folder, stems):
    """NAME.csv or NAME.csv.gz with the label first."""
    rows = []
    for stem in stems:
        paths = [os.path.join(folder or "", stem + end) for end in (".csv", ".csv.gz")]
        found = [path for path in paths if folder and os.path.exists(path)]
        if not found:
            raise OSError(f"--data has no {stem}.csv")
        rows += label_first(read_csv(found[0]))
    return rows


def write_rows(path, rows):
    with open(path, "w") as file:
        file.write(",".join(["label", *(f"f{j}" for j in range(1, len(rows[0][1]) + 1))]) + "\n")
        # Labels as words: none is taken for a number or a missing value.
        file.writelines(f"c{label},{','.join(values)}\n" for label, values in rows)
    return path


# ---- the program --------------------------------------------------------------------------------------------------

def run(dk, *arguments, folder):
    """Its JSON; the model goes to model.dk in the folder unless -o says where."""
    output = [] if "-o" in arguments else ["-o", os.path.join(folder, "model.dk")]
    return ask(dk, *arguments, *output)


def ask(dk, *arguments):
    """The JSON of a command that writes nothing else."""
    command = [dk, *arguments, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)
