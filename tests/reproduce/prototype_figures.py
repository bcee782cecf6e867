#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures 1 to 4 of Graf, Bousquet, Raetsch and Schoelkopf (Neural Computation 21, 2009) as numbers and pictures:

    prototype_figures.py DK [--pictures FOLDER]

    Figure 1   prototypes and boundaries of four machines on two separable classes in the plane, each of three Gaussians, and
               the ways of the prototypes of boosting (by steps) and of the soft margin (by C)
    Figure 2   how far these prototypes, the unit normal and the offset are from those of the mean of class and of the hard
               margin, along both ways
    Figure 3   the same for boosting with slack, whose end is the soft margin machine of the same C
    Figure 4   distributions of the signed distances f(x) / |w| of rows that were held out, by class, and the places of the
               prototypes among them

The paper's plane is drawn from means and covariances that it does not print, so that the figures have another one here; its
neurons are not to be had, and Figures 3 and 4 are of Sonar (examples/data, columns scaled to [-1, 1], a linear kernel), a fifth
of whose rows is held out. Distances of the normal and the offset are those of unit normals, since the scale of the figures is
lost. What the text says of the figures is asked at the end: boosting begins at the mean of class and comes to the large-margin
machine, and the soft margin machine begins there for small C and comes to the hard margin for large C.
"""
import argparse
import csv
import json
import math
import os
import random
import subprocess
import tempfile

from picture import Picture
from protocol import ask, from_examples, run, write_rows

STEPS = [*range(1, 11), 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10000, 30000]
COSTS = [10 ** (-3 + 0.75 * k) for k in range(13)]
SLACK = 1.0  # C of Figure 3

# ---- a machine with a linear kernel, in the coordinates of the rows -----------------------------------------------


class Machine:
    """w, b and the prototypes p+ and p- of a trained machine."""

    def __init__(self, dk, train, machine, settings, folder):
        options = [part for key, value in settings.items() for part in ("-p", f"{key}={value}")]
        self.dk, self.folder = dk, folder
        self.model = os.path.join(folder, f"{len(os.listdir(folder))}.dk")
        run(dk, "train", train, "-o", self.model, "-m", machine, "-k", "linear", "-p", "neighbours=0", *options,
            folder=folder)
        prototypes = ask(dk, "prototypes", self.model)["prototypes"]
        self.prototypes = [[c["value"] for c in prototype["coordinates"]] for prototype in prototypes]
        columns = len(self.prototypes[0])
        units = [[float(i == j) for j in range(columns)] for i in range(columns)]
        values = self.decisions([[0.0] * columns, *units])
        self.b = values[0]
        self.w = [value - self.b for value in values[1:]]
        self.length = math.hypot(*self.w)

    def decisions(self, rows):
        path = write_rows(os.path.join(self.folder, "rows.csv"), [("0", [repr(v) for v in row]) for row in rows])
        done = subprocess.run([self.dk, "predict", "--decision", self.model, path], check=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, universal_newlines=True)
        return [float(line[1]) for line in list(csv.reader(done.stdout.splitlines()))[1:]]

    def distances(self, rows):
        return [value / self.length for value in self.decisions(rows)]

    def of_prototypes(self):
        """The signed distances of p+ and p-."""
        return [(sum(a * b for a, b in zip(self.w, p)) + self.b) / self.length for p in self.prototypes]


def distance(a, b):
    return math.dist(a, b)


def apart(machine, reference):
    """How far prototypes, unit normals and offsets are."""
    normals = [[v / m.length for v in m.w] for m in (machine, reference)]
    return (distance(machine.prototypes[0], reference.prototypes[0]),
            distance(machine.prototypes[1], reference.prototypes[1]),
            distance(*normals), abs(machine.b / machine.length - reference.b / reference.length))


# ---- data ---------------------------------------------------------------------------------------------------------

def plane(seed=3):
    """Two classes of three Gaussians each, which a line separates."""
    generator = random.Random(seed)
    means = {"0": [(-2.2, -0.6), (-1.4, 0.9), (-2.6, 1.6)], "1": [(1.4, -1.3), (2.1, 0.4), (1.1, 1.2)]}
    deviations = [(0.35, 0.55), (0.3, 0.3), (0.5, 0.25)]
    rows = []
    for label, centres in means.items():
        for (x, y), (dx, dy) in zip(centres, deviations):
            rows += [(label, [repr(generator.gauss(x, dx)), repr(generator.gauss(y, dy))]) for _ in range(20)]
    return rows


def scaled(rows):
    columns = list(zip(*([float(v) for v in values] for _, values in rows)))
    bounds = [(min(column), max(column)) for column in columns]
    scale = lambda v, low, high: 2 * (v - low) / (high - low) - 1 if high > low else 0.0
    return [(label, [repr(scale(float(v), *bound)) for v, bound in zip(values, bounds)]) for label, values in rows]


def numbers(rows):
    return [[float(v) for v in values] for _, values in rows]


# ---- the figures --------------------------------------------------------------------------------------------------

def figure_1(machines, ways, rows, pictures):
    print("Figure 1: prototypes p+ and p-, and the boundary's normal and offset, |w| = 1")
    for name, machine in machines.items():
        line = ", ".join(f"({p[0]:+.3f}, {p[1]:+.3f})" for p in machine.prototypes)
        w = [v / machine.length for v in machine.w]
        print(f"  {name:<14} {line}   w ({w[0]:+.3f}, {w[1]:+.3f})   b {machine.b / machine.length:+.3f}")
    if not pictures:
        return
    picture = Picture("Figure 1: prototypes and boundaries", (-4.2, 4.2), (-3.2, 3.2), "x", "y")
    for label, values in rows:
        picture.dot(float(values[0]), float(values[1]), "#bbbbbb" if label == "0" else "#777777")
    for name, machine in machines.items():
        colour = picture.name(name)
        normal = [v / machine.length for v in machine.w]
        foot = [-machine.b / machine.length * v for v in normal]
        ends = [[foot[0] - t * normal[1], foot[1] + t * normal[0]] for t in (-2.6, 2.6)]
        picture.line([e[0] for e in ends], [e[1] for e in ends], colour)
        for p in machine.prototypes:
            picture.dot(p[0], p[1], colour)
    for name, way in ways.items():
        colour = picture.name(f"{name}, its way")
        for side in (0, 1):
            picture.line([m.prototypes[side][0] for m in way.values()], [m.prototypes[side][1] for m in way.values()],
                         colour, dashed=True)
    picture.save(os.path.join(pictures, "figure_1.svg"))


def print_way(title, key, way, references, pictures, file):
    """Figures 2 and 3 along one way."""
    print(f"{title}: |p+ - q+|, |p- - q-|, of unit normals, of offsets")
    print(f"  {key:>8}" + "".join(f"   from {name:<42}" for name in references))
    rows = {value: {name: apart(machine, q) for name, q in references.items()} for value, machine in way.items()}
    for value, of_references in rows.items():
        cells = ["   " + " ".join(f"{d:10.3e}" for d in of_references[name]) + "    " for name in references]
        print(f"  {value:8.4g}" + "".join(cells))
    if pictures:
        logarithms = [math.log10(value) for value in rows]
        for place, what in enumerate(["p+", "p-", "normal", "offset"]):
            highest = max(distances[place] for of_value in rows.values() for distances in of_value.values())
            picture = Picture(f"{title}: {what}", (min(logarithms), max(logarithms)), (0, highest or 1), f"log10 {key}",
                              "distance")
            for name in references:
                picture.line(logarithms, [of_value[name][place] for of_value in rows.values()], picture.name(name))
            picture.save(os.path.join(pictures, f"{file}_{what.replace('+', '_plus').replace('-', '_minus')}.svg"))
    return rows


def figure_4(machines, held_out, pictures):
    print("Figure 4: signed distances of held-out rows: mean and deviation by class, rows on their side, and the prototypes'")
    for name, machine in machines.items():
        values = machine.distances(numbers(held_out))
        classes = {label: [v for v, row in zip(values, held_out) if row[0] == label] for label in ("1", "0")}
        text = ""
        for label, of_class in classes.items():
            mean = sum(of_class) / len(of_class)
            deviation = math.sqrt(sum((v - mean) ** 2 for v in of_class) / (len(of_class) - 1))
            right = sum((v > 0) == (label == "1") for v in of_class)
            text += f"   class {label}: {mean:+.3f} +- {deviation:.3f}, {right} of {len(of_class)}"
        at = machine.of_prototypes()
        print(f"  {name:<14}{text}   p+ {at[0]:+.3f}, p- {at[1]:+.3f}")
        if pictures:
            draw_distances(name, classes, at, pictures)


def draw_distances(name, classes, at, pictures):
    bins, widest = 24, max(abs(v) for of_class in classes.values() for v in of_class) or 1
    counts = {label: [0] * bins for label in classes}
    for label, of_class in classes.items():
        for v in of_class:
            counts[label][min(int((v + widest) / (2 * widest) * bins), bins - 1)] += 1
    highest = max(max(c) for c in counts.values())
    picture = Picture(f"Figure 4: {name}", (-widest, widest), (0, highest), "signed distance", "rows")
    picture.ticks([-widest, 0, widest], [f"{-widest:.2g}", "0", f"{widest:.2g}"])
    for label in classes:
        colour = picture.name(f"class {label}")
        for k, count in enumerate(counts[label]):
            left = -widest + 2 * widest * k / bins
            picture.bar(left, left + 2 * widest / bins, count, colour)
    for place in at:
        picture.line([place, place], [0, highest], "#000000", dashed=True)
    picture.save(os.path.join(pictures, f"figure_4_{name.replace(' ', '_')}.svg"))


def say(what, holds):
    print(f"  {'yes' if holds else 'NO '}  {what}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dk", help="the command line program")
    parser.add_argument("--pictures", help="folder for SVG files")
    options = parser.parse_args()
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        rows = plane()
        train = write_rows(os.path.join(folder, "plane.csv"), rows)
        learn = lambda machine, path=train, **settings: Machine(options.dk, path, machine, settings, folder)
        machines = {"mean of class": learn("mean_of_class"), "fisher": learn("fisher"), "rvm": learn("rvm"),
                    "hard margin": learn("svm", loss="hard")}
        boosted = {k: learn("boosted", C=0, averaging="paper", epsilon=0.1, max_iterations=k) for k in STEPS}
        soft = {c: learn("svm", loss="squared_hinge", C=repr(c), tolerance=1e-7) for c in COSTS}
        figure_1(machines, {"boosted": boosted, "soft margin": soft}, rows, options.pictures)
        references = {name: machines[name] for name in ("mean of class", "hard margin")}
        steps = print_way("Figure 2, boosting", "step", boosted, references, options.pictures, "figure_2_boosted")
        costs = print_way("Figure 2, soft margin", "C", soft, references, options.pictures, "figure_2_soft")

        sonar = scaled([("1" if label == "M" else "0", values) for label, values in from_examples("sonar")])
        random.Random(4).shuffle(sonar)
        held_out, kept = sonar[:len(sonar) // 5], sonar[len(sonar) // 5:]
        path = write_rows(os.path.join(folder, "sonar.csv"), kept)
        mean = learn("mean_of_class", path)
        margin = learn("svm", path, loss="squared_hinge", C=SLACK, tolerance=1e-7)
        slack = {k: learn("boosted", path, C=SLACK, averaging="paper", epsilon=0.1, max_iterations=k) for k in STEPS}
        slow = print_way("Figure 3, boosting with slack", "step", slack, {"mean of class": mean, "soft margin": margin},
                         options.pictures, "figure_3")
        figure_4({"mean of class": mean, "fisher": learn("fisher", path), "rvm": learn("rvm", path), "soft margin": margin,
                  **{f"boosted {k}": slack[k] for k in (1, 10, 320, 30000)}}, held_out, options.pictures)

        print("What the text says of the figures")
        say("boosting begins at the mean of class", max(steps[1]["mean of class"][:2]) < 1e-9)
        say("boosting comes to the hard margin: w within a fiftieth of where it began",
            steps[STEPS[-1]]["hard margin"][2] < 0.02 * steps[1]["hard margin"][2])
        say("the soft margin begins at the mean of class for small C: w within a twentieth of its whole way",
            costs[COSTS[0]]["mean of class"][2] < 0.05 * costs[COSTS[-1]]["mean of class"][2])
        say("the soft margin comes to the hard margin for large C (all distances below 1e-3)",
            max(costs[COSTS[-1]]["hard margin"]) < 1e-3)
        say("boosting with slack begins at the mean of class", max(slow[1]["mean of class"][:2]) < 1e-9)
        say("boosting with slack comes nearer to the soft margin machine: w within a third of where it began",
            slow[STEPS[-1]]["soft margin"][2] < slow[1]["soft margin"][2] / 3)


if __name__ == "__main__":
    main()
