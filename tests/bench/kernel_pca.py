#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernel principal components beside scikit-learn's, on the same rows and in the same process:

    kernel_pca.py LIBRARY [--rows 10000] [--columns 20] [--components 100] [--threads 2] [--repeats 3]

LIBRARY is libdk.so. Each solver gives the components and the training rows' scores; the least of some runs counts. OpenBLAS,
which scikit-learn calls, should be told its best core (OPENBLAS_CORETYPE=SkylakeX or Haswell). The eigenvalues of both are
compared.
"""
import argparse
import ctypes
import json
import os
import time


def libdk(path, x, gamma, components, threads):
    """Seconds and eigenvalues."""
    dk = ctypes.CDLL(path)
    pointer = ctypes.c_void_p
    dk.dk_last_error.restype = ctypes.c_char_p

    def made(function, *arguments):
        out = pointer()
        if function(ctypes.byref(out), *arguments) != 0:
            raise RuntimeError(dk.dk_last_error().decode())
        return out

    def checked(status):
        if status != 0:
            raise RuntimeError(dk.dk_last_error().decode())

    rows, columns = x.shape
    data = made(dk.dk_data_from_dense, x.ctypes.data_as(pointer), ctypes.c_int64(rows), ctypes.c_int64(columns),
                ctypes.c_int64(columns), ctypes.c_int(0))
    params = made(dk.dk_params_create, b"kernel_pca")
    for key, value in (("kernel", f"rbf(gamma={gamma!r})"), ("components", components), ("neighbours", 0)):
        checked(dk.dk_params_set(params, key.encode(), str(value).encode()))
    control = made(dk.dk_control_create)
    checked(dk.dk_control_set_threads(control, ctypes.c_int32(threads)))
    begin = time.perf_counter()
    model = made(dk.dk_train, data, params, control)
    seconds = time.perf_counter() - begin
    needed = ctypes.c_int64()
    dk.dk_model_info(None, ctypes.c_int64(0), ctypes.byref(needed), model)
    text = ctypes.create_string_buffer(needed.value)
    checked(dk.dk_model_info(text, needed, ctypes.byref(needed), model))
    for free, handle in ((dk.dk_model_free, model), (dk.dk_params_free, params), (dk.dk_data_free, data),
                         (dk.dk_control_free, control)):
        free(handle)
    return seconds, json.loads(text.value)["training"]["eigenvalues"]


def scikit_learn(x, gamma, components, solver):
    from sklearn.decomposition import KernelPCA
    model = KernelPCA(n_components=components, kernel="rbf", gamma=gamma, eigen_solver=solver)
    begin = time.perf_counter()
    model.fit_transform(x)
    return time.perf_counter() - begin, model.eigenvalues_


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--components", type=int, default=100)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(options.threads)
    import numpy  # after its number of threads is set
    x = numpy.random.default_rng(1).normal(size=(options.rows, options.columns))
    gamma = 1 / options.columns
    ours, eigenvalues = min((libdk(options.library, x, gamma, options.components, options.threads)
                             for _ in range(options.repeats)), key=lambda run: run[0])
    print(f"{options.rows} x {options.columns}, {options.components} components, {options.threads} threads")
    print(f"libdk                  {ours:8.2f} s", flush=True)
    for solver in ("arpack", "auto"):
        theirs, values = min((scikit_learn(x, gamma, options.components, solver) for _ in range(options.repeats)),
                             key=lambda run: run[0])
        difference = max(abs(a - b) for a, b in zip(eigenvalues, values)) / eigenvalues[0]
        print(f"scikit-learn {solver:<8}  {theirs:8.2f} s, {theirs / ours:5.1f} times; eigenvalues differ by {difference:.1e} of the "
              "largest", flush=True)


if __name__ == "__main__":
    main()
