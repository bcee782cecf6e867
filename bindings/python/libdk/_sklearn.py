# SPDX-License-Identifier: Apache-2.0
"""Trained estimators of scikit-learn as models of libdk: their support vectors or weights go through a file in LIBSVM's or
liblinear's format, with 17 digits."""

from __future__ import annotations

import math
import os
import tempfile
from typing import Any, Iterable, List, Optional, Tuple
from urllib.parse import quote

import numpy as np

from ._calls import Listener
from ._model import Model, import_model
from ._sklearn_steps import Inputs, inputs_of, taken_apart

_SVM_TYPES = {"SVC": "c_svc", "NuSVC": "nu_svc", "SVR": "epsilon_svr", "NuSVR": "nu_svr", "OneClassSVM": "one_class"}
_KERNELS = {"linear": "linear", "poly": "polynomial", "polynomial": "polynomial", "rbf": "rbf", "sigmoid": "sigmoid",
            "precomputed": "precomputed"}


def import_sklearn(estimator: Any, *, n_jobs: Optional[int] = None, memory: int = 0,
                   progress: Optional[Listener] = None) -> Model:
    """Makes a model of a fitted estimator of scikit-learn: ``SVC``, ``NuSVC``, ``SVR``, ``NuSVR``, ``OneClassSVM``,
    ``KernelRidge``, ``LinearSVC``, ``LinearSVR`` or ``LogisticRegression``, alone, as the last step of a ``Pipeline``, or as
    the best that a search such as ``GridSearchCV`` found. Steps before it may scale columns (``StandardScaler``,
    ``MinMaxScaler``, ``MaxAbsScaler``, ``RobustScaler``), fill them (``SimpleImputer``), choose them, and encode them
    (``OneHotEncoder``); the last two need the names of a DataFrame's columns, by which the model finds them.

    Its decisions are those of the estimator; of more than two classes an SVC has one for each pair. Classes that are no
    integers become names. Another step, a softmax over more than two classes and a kernel that is a function of Python have
    no place in a model, and are a ValueError that says what has."""
    steps, machine = taken_apart(estimator)
    kind = type(machine).__name__
    if kind in _SVM_TYPES:
        lines, features = _vector_machine(machine, _SVM_TYPES[kind], steps)
    elif kind == "KernelRidge":
        lines, features = _kernel_ridge(machine, steps)
    elif kind in ("LinearSVC", "LinearSVR", "LogisticRegression"):
        lines, features = _linear_machine(machine, kind, inputs_of(steps, machine))
    else:
        raise TypeError(f"an estimator of type {kind} cannot be imported; known are {', '.join(_SVM_TYPES)}, KernelRidge, "
                        "LinearSVC, LinearSVR and LogisticRegression, alone, in a Pipeline or in a search")
    # A file that is open cannot be read again on every system.
    handle, path = tempfile.mkstemp(suffix=".model")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.writelines(line + "\n" for line in lines)
        return import_model(path, f"auto {features}", n_jobs=n_jobs, memory=memory, progress=progress)
    finally:
        os.remove(path)


def _numbers(values: Any) -> str:
    return " ".join(format(float(value), ".17g") for value in np.ravel(values))


def _dense(values: Any) -> np.ndarray:
    return values.toarray() if hasattr(values, "toarray") else np.asarray(values)


def _label_lines(classes: Any, order: Iterable[int]) -> List[str]:
    """The labels of classes in an order, and the names of those that are no integers."""
    order = list(order)
    try:
        numbers = [int(one) for one in classes]
        integers = not isinstance(classes[0], (bool, np.bool_, str, bytes)) and all(
            number == one for number, one in zip(numbers, classes))
    except (TypeError, ValueError):
        integers = False
    if integers and all(abs(number) <= 2**53 for number in numbers):
        return ["label " + " ".join(str(numbers[c]) for c in order)]
    return ["label " + " ".join(str(c) for c in order),
            "label_names " + " ".join(quote(str(classes[c]), safe="") for c in order)]


def _kernel_lines(kernel: Any, gamma: float, degree: Any, coef0: float) -> List[str]:
    if not isinstance(kernel, str) or kernel not in _KERNELS:
        raise ValueError(f"kernel {kernel!r} has no place in a model; known are {', '.join(_KERNELS)}")
    lines = ["kernel_type " + _KERNELS[kernel]]
    if kernel in ("poly", "polynomial"):
        if degree != int(degree):
            raise ValueError(f"degree is {degree}, it must be an integer")
        lines.append(f"degree {int(degree)}")
    if kernel in ("poly", "polynomial", "rbf", "sigmoid"):
        lines.append("gamma " + _numbers(gamma))
    if kernel in ("poly", "polynomial", "sigmoid"):
        lines.append("coef0 " + _numbers(coef0))
    return lines


def _vector_lines(coefficients: np.ndarray, vectors: Any, order: np.ndarray) -> Iterable[str]:
    """A line for each support vector: its coefficients, and its values that are not zero."""
    for i, own in enumerate(coefficients):
        row = np.ravel(_dense(vectors[i]))[order]
        yield " ".join([_numbers(own)] + [f"{j + 1}:{row[j]:.17g}" for j in np.flatnonzero(row)])


def _expansion(header: List[str], coefficients: np.ndarray, machine: Any, vectors: Any, serials: Any, steps: Any,
               ) -> Tuple[List[str], str]:
    """The lines of a machine with support vectors, or their serial numbers where its kernel is precomputed."""
    if machine.kernel == "precomputed":
        if steps:
            raise ValueError(f"step {steps[-1][0]!r} stands before a precomputed kernel, whose rows are similarities")
        columns = machine.n_features_in_
        return header + ["SV"] + [f"{_numbers(own)} 0:{serial + 1}" for own, serial in zip(coefficients, serials)], (
            f"features={columns}")
    inputs = inputs_of(steps, machine)
    said = inputs.lines(scaling=True)
    lines = header + said + ["SV"] + list(_vector_lines(coefficients, vectors, inputs.order))
    dense = any(line.startswith(("column_shift", "column_fill")) for line in said)
    return lines, f"features={len(inputs.columns)}" + (" data=dense" if dense else "")


def _vector_machine(estimator: Any, svm_type: str, steps: Any) -> Tuple[List[str], str]:
    classifies = svm_type in ("c_svc", "nu_svc")
    coefficients = _dense(estimator._dual_coef_).T
    lines = ["svm_type " + svm_type]
    lines += _kernel_lines(estimator.kernel, estimator._gamma, estimator.degree, estimator.coef0)
    lines += [f"nr_class {len(estimator.classes_) if classifies else 2}", f"total_sv {len(coefficients)}",
              "rho " + _numbers(-estimator._intercept_)]
    if classifies:
        lines += _label_lines(estimator.classes_, range(len(estimator.classes_)))
        if len(getattr(estimator, "_probA", ())) > 0:
            lines += ["probA " + _numbers(estimator._probA), "probB " + _numbers(estimator._probB)]
        lines.append("nr_sv " + " ".join(str(count) for count in estimator.n_support_))
    return _expansion(lines, coefficients, estimator, estimator.support_vectors_, estimator.support_, steps)


def _kernel_ridge(estimator: Any, steps: Any) -> Tuple[List[str], str]:
    coefficients = np.asarray(estimator.dual_coef_)
    if coefficients.ndim == 2 and coefficients.shape[1] != 1:
        raise ValueError("a KernelRidge of several targets is several models; fit one for each target")
    rows, columns = estimator.X_fit_.shape
    gamma = 1.0 / columns if estimator.gamma is None else estimator.gamma
    lines = ["svm_type epsilon_svr", "machine kernel_ridge"]
    lines += _kernel_lines(estimator.kernel, gamma, estimator.degree, estimator.coef0)
    lines += ["nr_class 2", f"total_sv {rows}", "rho 0"]
    return _expansion(lines, coefficients.reshape(rows, 1), estimator, estimator.X_fit_, np.arange(rows), steps)


def _linear_machine(estimator: Any, kind: str, inputs: Inputs) -> Tuple[List[str], str]:
    if hasattr(estimator, "sparsify") and hasattr(estimator.coef_, "toarray"):
        weights = estimator.coef_.toarray()
    else:
        weights = np.atleast_2d(estimator.coef_)
    offsets = np.broadcast_to(np.ravel(estimator.intercept_), len(weights))
    lines = ["solver_type " + {"LinearSVC": "L2R_L2LOSS_SVC", "LinearSVR": "L2R_L2LOSS_SVR"}.get(kind, "L2R_LR")]
    if kind == "LinearSVR":
        lines.append("nr_class 2")
    else:
        classes = len(estimator.classes_)
        rule = getattr(estimator, "multi_class", "auto")  # Later versions have no such parameter.
        softmax = kind == "LogisticRegression" and (rule == "multinomial" or (
            rule in ("auto", "deprecated") and estimator.solver != "liblinear" and classes > 2))
        if softmax:
            raise ValueError("the probabilities of a softmax have no place in a model; fit with multi_class='ovr'")
        # liblinear's one function of two classes is positive for the first label, scikit-learn's for the larger class
        order = (1, 0) if len(weights) == 1 else range(classes)
        lines += [f"nr_class {classes}"] + _label_lines(estimator.classes_, order)
    # The scales of columns become part of the weights, so that sparse rows stay sparse.
    columns = inputs.sorted()
    weights = weights[:, inputs.order] / [column.scale for column in columns]
    offsets = [math.fsum([offset] + [-w * column.shift for w, column in zip(row, columns)])
               for row, offset in zip(weights, offsets)]
    said = inputs.lines(scaling=False)
    lines += [f"nr_feature {weights.shape[1]}", "bias 1"] + said + ["w"]
    lines += [_numbers(row) for row in weights.T] + [_numbers(offsets)]
    dense = any(line.startswith("column_fill") for line in said)
    return lines, f"features={weights.shape[1]}" + (" data=dense" if dense else "")
