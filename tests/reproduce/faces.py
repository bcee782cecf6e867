#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verification of faces beside Figure 4 of Demontis, Melis, Biggio, Fumera and Roli (2016), as far as it can be run:

    faces.py DK --data FOLDER [--repeats 5] [--clients 20]

Each repeat enrols 20 of the 40 people of the AT&T faces, by chance, and learns a machine for each: five of their images,
by chance, against those of the other nineteen. Their other five images are genuine claims; all 200 images of the people who
are not enrolled are impostors' claims, whom no machine has seen. Pixels are divided by 255 and projected on the principal
components of the training images that keep 95 % of the variance. The kernel is Gaussian; five-fold cross-validation
chooses C for each client, and the costs of a class are those of the paper, C times the share of the opposite class.

    svm             all support vectors
    selected_svm    SVMsel: ten of them
    reduced_svm     SVMred: two vectors
    super_sparse    SSVM: two prototypes, trained as the paper says (preset=paper), beginning at a genuine image and an
                    impostor's

The curve is the false rejection rate at each false acceptance rate, where every client has a threshold of its own, as
dk_verification_curve has it: at the rate a, a client accepts scores above the (floor(a n) + 1)-th largest of n impostors'.

The paper prints curves only, no figures; its text says that SVMsel needs ten and SVMred two vectors to come near the
support vector machine of more than 20, and that SSVM with two loses nothing and is better than SVMred. Its gamma is lost; here
it is 1 / components. Its images have 92 x 112 pixels, these are cut out and have 32 x 32. Elastic bunch graph matching, the
BioID faces and the ages of Table I (FGNET, FRGC) are not at hand.

FOLDER has orl_32x32.csv (featureselection.asu.edu, the label first), which gzip may have compressed.
"""
import argparse
import collections
import math
import os
import random
import statistics
import tempfile

from protocol import MISSING, ask, from_folder, run, write_rows

# ---- what is compared ---------------------------------------------------------------------------------------------

RATES = [0.0, 0.01, 0.02, 0.05, 0.1, 0.2]
ENROLLED_IMAGES = 5
VARIANCE = 0.95
PENALTIES = "0.1:1:10:100"
MACHINES = {
    "svm": [],
    "selected_svm": ["prototypes=10"],
    "reduced_svm": ["prototypes=2"],
    "super_sparse": ["prototypes=2", "preset=paper"],
}

# ---- principal components -----------------------------------------------------------------------------------------


def inner(a, b):
    return sum(x * y for x, y in zip(a, b))


def symmetric_eigen(matrix):
    """Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations."""
    n = len(matrix)
    a = [row[:] for row in matrix]
    vectors = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    scale = sum(inner(row, row) for row in a)
    while sum(a[i][j] ** 2 for i in range(n) for j in range(i)) > 1e-22 * scale:
        for p in range(n):
            for q in range(p + 1, n):
                if abs(a[p][q]) < 1e-300:
                    continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
                c = 1 / math.hypot(t, 1)
                s = t * c
                # Columns are those of rows too, as the matrix stays symmetric; vectors are kept as rows.
                row_p, row_q = a[p], a[q]
                a[p] = [c * x - s * y for x, y in zip(row_p, row_q)]
                a[q] = [s * x + c * y for x, y in zip(row_p, row_q)]
                for row in a:
                    x, y = row[p], row[q]
                    row[p] = c * x - s * y
                    row[q] = s * x + c * y
                x, y = vectors[p], vectors[q]
                vectors[p] = [c * u - s * v for u, v in zip(x, y)]
                vectors[q] = [s * u + c * v for u, v in zip(x, y)]
    return [a[i][i] for i in range(n)], vectors


def principal_components(images):
    """A function that projects an image. There are fewer images than pixels, so that their products are decomposed."""
    mean = [statistics.fmean(column) for column in zip(*images)]
    centred = [[x - m for x, m in zip(image, mean)] for image in images]
    values, vectors = symmetric_eigen([[inner(a, b) for b in centred] for a in centred])
    order = sorted(range(len(values)), key=lambda k: -values[k])
    axes = []
    kept = 0.0
    for k in order:
        if kept >= VARIANCE * sum(values):
            break
        kept += values[k]
        axis = [inner(vectors[k], column) for column in zip(*centred)]
        axes.append([x / math.sqrt(values[k]) for x in axis])
    return lambda image: [inner(axis, [x - m for x, m in zip(image, mean)]) for axis in axes]


# ---- the machines -------------------------------------------------------------------------------------------------


def scores_of(dk, model, test):
    """Decision values, larger for the class genuine."""
    answer = ask(dk, "predict", model, test, "--decision")
    values = [row[0] for row in answer["values"]]
    # A decision is for one of the classes; which one, predictions tell.
    agrees = sum((value > 0) == (label == "cgenuine") for value, label in zip(values, answer["predictions"]))
    return values if 2 * agrees >= len(values) else [-value for value in values]


def rejected(genuine, impostors, rate):
    """The false rejection rate of one client."""
    descending = sorted(impostors, reverse=True)
    # A product that lies below an integer by rounding alone is that integer.
    accepted = min(len(descending), int(rate * len(descending) * (1 + 1e-12)))
    if accepted == len(descending):
        return 0.0
    return sum(score <= descending[accepted] for score in genuine) / len(genuine)


def check_curve():
    """An example by hand."""
    clients = [((0.9, 0.7, 0.4), (0.8, 0.3, 0.2, 0.1)), ((0.6, 0.5), (0.55, 0.2, 0.1, 0.0))]
    means = [statistics.mean(rejected(*client, rate) for client in clients) for rate in (0, 0.25)]
    assert abs(means[0] - 7 / 12) < 1e-12 and means[1] == 0, means


def enrolled_client(dk, client, training, genuine, impostors, folder):
    """(support rows, rejection rates) of each machine."""
    path = lambda name: os.path.join(folder, name)
    label = lambda person: "genuine" if person == client else "impostor"
    text = lambda values: [repr(value) for value in values]
    train = write_rows(path("train.csv"), [(label(person), text(values)) for person, values in training])
    test = write_rows(path("test.csv"), [("genuine", text(values)) for values in genuine] +
                      [("impostor", text(values)) for values in impostors])
    own = sum(person == client for person, _ in training)
    costs = f"cgenuine:{1 - own / len(training)},cimpostor:{own / len(training)}"
    kernel = ["-k", f"rbf(gamma={1 / len(training[0][1])!r})"]
    chosen = run(dk, "cv", train, "-m", "svm", *kernel, "-p", "folds=5", "-p", f"class_weight={costs}", "-g",
                 f"C={PENALTIES}", folder=folder)
    penalty = chosen["info"]["parameters"]["C"]
    found = {}
    for machine, parameters in MACHINES.items():
        weights = "teacher_costs=opposite" if machine == "super_sparse" else f"class_weight={costs}"
        words = [word for pair in [*parameters, f"C={penalty}", weights, "neighbours=0"] for word in ("-p", pair)]
        answer = run(dk, "train", train, "-m", machine, *kernel, *words, folder=folder)
        scores = scores_of(dk, path("model.dk"), test)
        found[machine] = (answer["info"]["support_rows"],
                          [rejected(scores[:len(genuine)], scores[len(genuine):], rate) for rate in RATES])
    return found


def repeat(options, rows, number, folder):
    """The results of each machine, one for a client, and the number of components."""
    chance = random.Random(f"faces {number}")
    people = collections.OrderedDict()
    for person, values in rows:
        people.setdefault(person, []).append([float(value) / 255 for value in values])
    enrolled = chance.sample(list(people), options.clients)
    images = {person: chance.sample(people[person], len(people[person])) for person in people}
    project = principal_components([image for person in enrolled for image in images[person][:ENROLLED_IMAGES]])
    features = {person: [project(image) for image in images[person]] for person in people}
    training = [(person, values) for person in enrolled for values in features[person][:ENROLLED_IMAGES]]
    impostors = [values for person in people if person not in enrolled for values in features[person]]
    results = collections.defaultdict(list)
    for client in enrolled:
        of_client = enrolled_client(options.dk, client, training, features[client][ENROLLED_IMAGES:], impostors, folder)
        for machine, found in of_client.items():
            results[machine].append(found)
    return results, len(training[0][1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dk", help="the command line program")
    parser.add_argument("--data", required=True, help="folder of the faces")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--clients", type=int, default=20, help="how many of the people are enrolled")
    options = parser.parse_args()
    check_curve()
    results = collections.defaultdict(list)
    try:
        rows = from_folder(options.data, ["orl_32x32"])
    except MISSING as error:
        print(f"faces     left out: {error}")
        return
    for number in range(options.repeats):
        with tempfile.TemporaryDirectory() as folder:
            of_repeat, components = repeat(options, rows, number, folder)
        print(f"repeat {number + 1}: {components} components", flush=True)
        for machine, found in of_repeat.items():
            results[machine] += found
    print(f"{'':<14}{'vectors':>8}   FRR % at FAR %" + "".join(f"{100 * rate:>7.0f}" for rate in RATES))
    for machine, found in results.items():
        curve = [statistics.mean(values) for values in zip(*(rates for _, rates in found))]
        vectors = statistics.mean(support for support, _ in found)
        print(f"{machine:<14}{vectors:>8.1f}{'':17}" + "".join(f"{100 * value:>7.1f}" for value in curve), flush=True)
    claims = ENROLLED_IMAGES * sum(1 for _ in results["svm"])
    print(f"{claims} genuine claims: a standard error of {100 * math.sqrt(0.08 * 0.92 / claims):.1f} points at a rate of 8 %")


if __name__ == "__main__":
    main()
