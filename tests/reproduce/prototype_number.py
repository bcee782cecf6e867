#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figure 3 of Demontis, Melis, Biggio, Fumera and Roli (2016): how many prototypes a super-sparse machine needs:

    prototype_number.py DK [--data FOLDER] [--clients 5] [--pictures FOLDER]

The machine begins with the largest number of prototypes, leaves out those that weigh least, learns on from there, and so
on; the number with the least error of held-out rows plus a price for each prototype (equation 8) is chosen. The figure shows
these errors of one example without figures. Here they are of Sonar (examples/data, columns scaled to [-1, 1]), and with FOLDER
of clients of the AT&T faces, whose protocol faces.py has: the mean over the clients. The errors are of folds of the rows, within
which the teacher learns too; both classes cost the same there, since the sign of a decision counts. What the text says is asked at the end: few prototypes do, and more gain little.
"""
import argparse
import collections
import os
import random
import statistics
import tempfile

from faces import ENROLLED_IMAGES, principal_components
from picture import Picture
from protocol import MISSING, from_examples, from_folder, run, write_rows

MOST = 20


def errors_by_number(dk, train, parameters, folder):
    """number of prototypes -> error of held-out rows, and the number that is chosen."""
    words = [word for pair in ["choose_prototypes=yes", f"prototypes={MOST}", "neighbours=0", *parameters]
             for word in ("-p", pair)]
    report = run(dk, "train", train, "-m", "super_sparse", *words, folder=folder)["info"]["training"]
    errors = {int(number): error for number, error in zip(report["numbers_tried"], report["errors_held_out"])}
    return errors, report["prototypes"]


def sonar(dk, folder):
    train = write_rows(os.path.join(folder, "sonar.csv"), from_examples("sonar"))
    return [errors_by_number(dk, train, ["scale=symmetric", "kernel=rbf(gamma=5/d)"], folder)]


def faces(dk, options, folder):
    """One machine for each client."""
    people = collections.OrderedDict()
    for person, values in from_folder(options.data, ["orl_32x32"]):
        people.setdefault(person, []).append([float(value) / 255 for value in values])
    chance = random.Random("numbers of prototypes")
    enrolled = chance.sample(list(people), 20)
    images = {person: chance.sample(people[person], ENROLLED_IMAGES) for person in enrolled}
    project = principal_components([image for of_person in images.values() for image in of_person])
    features = [(person, project(image)) for person, of_person in images.items() for image in of_person]
    found = []
    for client in enrolled[:options.clients]:
        rows = [("genuine" if person == client else "impostor", [repr(v) for v in values]) for person, values in features]
        train = write_rows(os.path.join(folder, "client.csv"), rows)
        kernel = f"kernel=rbf(gamma={1 / len(features[0][1])!r})"
        found.append(errors_by_number(dk, train, ["preset=paper", "C=10", kernel], folder))
    return found


def print_errors(name, found, pictures):
    numbers = sorted(set.intersection(*(set(errors) for errors, _ in found)))
    means = {number: statistics.mean(errors[number] for errors, _ in found) for number in numbers}
    chosen = statistics.mean(number for _, number in found)
    print(f"{name}, {len(found)} machine{'s' if len(found) > 1 else ''}: {chosen:.1f} prototypes are chosen")
    for number, error in means.items():
        print(f"  {number:>3} prototypes: error of held-out rows {100 * error:6.2f} %")
    if pictures:
        os.makedirs(pictures, exist_ok=True)
        picture = Picture(f"{name}: errors of held-out rows", (min(numbers), max(numbers)), (0, max(means.values())),
                          "prototypes", "error")
        picture.ticks(numbers, [str(number) for number in numbers])
        picture.line(list(means), list(means.values()), picture.name("held out"))
        picture.save(os.path.join(pictures, f"prototype_number_{name}.svg"))
    few = max(number for number in numbers if number <= MOST // 2)
    holds = means[few] <= means[max(numbers)] + 0.02
    print(f"  {'yes' if holds else 'NO '}  half as many prototypes lose two points at most")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dk", help="the command line program")
    parser.add_argument("--data", help="folder of the faces")
    parser.add_argument("--clients", type=int, default=5)
    parser.add_argument("--pictures", help="folder for SVG files")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print_errors("sonar", sonar(options.dk, folder), options.pictures)
        if options.data:
            try:
                print_errors("faces", faces(options.dk, options, folder), options.pictures)
            except MISSING as error:
                print(f"faces     left out: {error}")


if __name__ == "__main__":
    main()
