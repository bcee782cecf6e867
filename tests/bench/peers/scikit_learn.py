# SPDX-License-Identifier: Apache-2.0
"""Times scikit-learn's kernel matrices: scikit_learn.py CASES RESULTS REPEATS."""

import statistics
import sys
import time

import numpy as np
import sklearn
from sklearn.metrics.pairwise import chi2_kernel, laplacian_kernel, polynomial_kernel, rbf_kernel

KERNELS = {
    "rbf": lambda x, gamma, degree, coef0: rbf_kernel(x, gamma=gamma),
    "laplacian": lambda x, gamma, degree, coef0: laplacian_kernel(x, gamma=gamma),
    "chi_square": lambda x, gamma, degree, coef0: chi2_kernel(x, gamma=gamma),
    "poly": lambda x, gamma, degree, coef0: polynomial_kernel(x, degree=degree, gamma=gamma, coef0=coef0),
}


def blas_name():
    try:
        from threadpoolctl import threadpool_info
        return ", ".join(f"{i.get('internal_api')} {i.get('version')} with {i.get('num_threads')} threads"
                         for i in threadpool_info() if i.get("user_api") == "blas") or "BLAS unknown to threadpoolctl"
    except ImportError:
        return "BLAS unknown"


def time_case(kernel, x, parameters, repeats):
    """Median seconds, and the sum of the matrix's first row to compare results."""
    seconds, first_row = [], 0.0
    for _ in range(repeats):
        start = time.perf_counter()
        matrix = kernel(x, *parameters)
        seconds.append(time.perf_counter() - start)
        first_row = float(matrix[0].sum(dtype=np.float64))
        del matrix  # give the pages back before the next run
    return statistics.median(seconds), first_row


def main():
    cases, results, repeats = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with open(results, "w", encoding="utf-8") as out:
        out.write(f"# scikit-learn {sklearn.__version__}, numpy {np.__version__}, {blas_name()}\n")
        for line in open(cases, encoding="utf-8"):
            family, precision, rows, cols, gamma, degree, coef0, path = line.split()
            if family not in KERNELS:
                continue
            x = np.fromfile(path).reshape(int(rows), int(cols))
            x = x.astype(np.float32) if precision == "f32" else x
            parameters = (float(gamma), int(degree), float(coef0))
            seconds, first_row = time_case(KERNELS[family], x, parameters, repeats)
            out.write(f"scikit-learn {family} {precision} {rows} {seconds:.6f} {first_row:.17g}\n")
            out.flush()


main()
