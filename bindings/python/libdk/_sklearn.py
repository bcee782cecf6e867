# SPDX-License-Identifier: Apache-2.0
"""Trained estimators of scikit-learn as models of libdk: their support vectors or weights go through a file in LIBSVM's or
liblinear's format, with 17 digits."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Iterable, List, Optional, Tuple
from urllib.parse import quote

import numpy as np

from ._calls import Listener
from ._model import Model, import_model

_SVM_TYPES = {"SVC": "c_svc", "NuSVC": "nu_svc", "SVR": "epsilon_svr", "NuSVR": "nu_svr", "OneClassSVM": "one_class"}
_KERNELS = {"linear": "linear", "poly": "polynomial", "polynomial": "polynomial", "rbf": "rbf", "sigmoid": "sigmoid",
            "precomputed": "precomputed"}


def import_sklearn(estimator: Any, *, n_jobs: Optional[int] = None, memory: int = 0,
                   progress: Optional[Listener] = None) -> Model:
    """Makes a model of a fitted estimator of scikit-learn: ``SVC``, ``NuSVC``, ``SVR``, ``NuSVR``, ``OneClassSVM``,
    ``KernelRidge``, ``LinearSVC``, ``LinearSVR`` or ``LogisticRegression``. Its decisions are those of the estimator; of
    more than two classes an SVC has one for each pair. Classes that are no integers become names. A softmax over more than
    two classes and a kernel that is a function of Python have no place in a model, and are a ValueError."""
    kind = type(estimator).__name__
    if kind in _SVM_TYPES:
        lines, features = _vector_machine(estimator, _SVM_TYPES[kind])
    elif kind == "KernelRidge":
        lines, features = _kernel_ridge(estimator)
    elif kind in ("LinearSVC", "LinearSVR", "LogisticRegression"):
        lines, features = _linear_machine(estimator, kind)
    else:
        raise TypeError(f"an estimator of type {kind} cannot be imported; see help(libdk.import_sklearn)")
    # A file that is open cannot be read again on every system.
    handle, path = tempfile.mkstemp(suffix=".model")
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.writelines(line + "\n" for line in lines)
        return import_model(path, f"auto features={features}", n_jobs=n_jobs, memory=memory, progress=progress)
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
    if integers and all(abs(number) < 2**31 for number in numbers):
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


def _vector_lines(coefficients: np.ndarray, vectors: Any, serials: Optional[np.ndarray]) -> Iterable[str]:
    """A line for each support vector: its coefficients, and its values that are not zero."""
    for i, own in enumerate(coefficients):
        if serials is not None:
            yield f"{_numbers(own)} 0:{serials[i] + 1}"
            continue
        row = np.ravel(_dense(vectors[i]))
        yield " ".join([_numbers(own)] + [f"{j + 1}:{row[j]:.17g}" for j in np.flatnonzero(row)])


def _vector_machine(estimator: Any, svm_type: str) -> Tuple[List[str], int]:
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)
    classifies = svm_type in ("c_svc", "nu_svc")
    coefficients = _dense(estimator._dual_coef_).T
    precomputed = estimator.kernel == "precomputed"
    lines = ["svm_type " + svm_type]
    lines += _kernel_lines(estimator.kernel, estimator._gamma, estimator.degree, estimator.coef0)
    lines += [f"nr_class {len(estimator.classes_) if classifies else 2}", f"total_sv {len(coefficients)}",
              "rho " + _numbers(-estimator._intercept_)]
    if classifies:
        lines += _label_lines(estimator.classes_, range(len(estimator.classes_)))
        if len(estimator._probA) > 0:
            lines += ["probA " + _numbers(estimator._probA), "probB " + _numbers(estimator._probB)]
        lines.append("nr_sv " + " ".join(str(count) for count in estimator.n_support_))
    lines.append("SV")
    vectors = None if precomputed else estimator.support_vectors_
    lines += _vector_lines(coefficients, vectors, estimator.support_ if precomputed else None)
    return lines, estimator.shape_fit_[1]


def _kernel_ridge(estimator: Any) -> Tuple[List[str], int]:
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)
    coefficients = np.asarray(estimator.dual_coef_)
    if coefficients.ndim == 2 and coefficients.shape[1] != 1:
        raise ValueError("a KernelRidge of several targets is several models; fit one for each target")
    rows, columns = estimator.X_fit_.shape
    gamma = 1.0 / columns if estimator.gamma is None else estimator.gamma
    lines = ["svm_type epsilon_svr", "machine kernel_ridge"]
    lines += _kernel_lines(estimator.kernel, gamma, estimator.degree, estimator.coef0)
    lines += ["nr_class 2", f"total_sv {rows}", "rho 0", "SV"]
    serials = np.arange(rows) if estimator.kernel == "precomputed" else None
    lines += _vector_lines(coefficients.reshape(rows, 1), estimator.X_fit_, serials)
    return lines, columns


def _linear_machine(estimator: Any, kind: str) -> Tuple[List[str], int]:
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)
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
    lines += [f"nr_feature {weights.shape[1]}", "bias 1", "w"]
    lines += [_numbers(row) for row in weights.T] + [_numbers(offsets)]
    return lines, weights.shape[1]
