#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/unit/kernel_pca_scores.hpp, what scikit-learn's KernelPCA says of rows that anyone can make:

    tests/reference/kernel_pca_scores.py > tests/unit/kernel_pca_scores.hpp

Row i of column j is sin(1 + 7 i + 3 j j). Of 60 rows 6 components are found, and the scores of 10 other rows. Debian's and
Ubuntu's python3-sklearn has what it needs.
"""
import numpy
import sklearn
from sklearn.decomposition import KernelPCA

ROWS, OTHERS, COLUMNS, COMPONENTS = 60, 10, 4, 6
KERNELS = [
    ("rbf(gamma=0.3)", {"kernel": "rbf", "gamma": 0.3}),
    ("poly(degree=3,gamma=0.5,coef0=1)", {"kernel": "poly", "degree": 3, "gamma": 0.5, "coef0": 1}),
    ("linear", {"kernel": "linear"}),
]


def rows(first, count):
    i = numpy.arange(first, first + count)[:, None]
    j = numpy.arange(COLUMNS)[None, :]
    return numpy.sin(1 + 7 * i + 3 * j * j)


def numbers(values):
    """Lines of at most 110 characters."""
    lines, line = [], "        "
    for value in numpy.ravel(values):
        word = f"{value:.15g}, "
        if len(line) + len(word) > 108:
            lines.append(line.rstrip())
            line = "        "
        line += word
    lines.append(line.rstrip().rstrip(","))
    return "\n".join(lines)


print(f"""// SPDX-License-Identifier: Apache-2.0
// Made by tests/reference/kernel_pca_scores.py with scikit-learn {sklearn.__version__}.
#pragma once

#include <string>
#include <vector>

namespace dk::test {{

struct KnownComponents {{
    std::string kernel;
    std::vector<double> eigenvalues;
    std::vector<double> scores;  // of rows that it has not seen, rows x components
}};

// clang-format off
inline const std::vector<KnownComponents> components_of_scikit_learn{{""")
for text, settings in KERNELS:
    count = 2 if settings["kernel"] == "linear" else COMPONENTS  # Sines of sums have two directions.
    found = KernelPCA(n_components=count, eigen_solver="dense", **settings).fit(rows(0, ROWS))
    print(f'    {{"{text}",\n     {{\n{numbers(found.eigenvalues_)}}},\n     {{\n{numbers(found.transform(rows(ROWS, OTHERS)))}}}}},')
print("""};
// clang-format on

}  // namespace dk::test""")
