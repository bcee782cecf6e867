# SPDX-License-Identifier: Apache-2.0
"""What the estimators of libdk.estimators share: parameters by keyword, and how rows become Data."""

from __future__ import annotations

import functools
import warnings
from typing import Any, Optional

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, check_is_fitted


try:  # since 1.6
    from sklearn.utils.validation import _check_feature_names, validate_data
except ImportError:

    def _check_feature_names(estimator, X, *, reset):
        estimator._check_feature_names(X, reset=reset)

    def validate_data(estimator, X, y, *, ensure_all_finite, **checks):
        return estimator._validate_data(X, y, force_all_finite=ensure_all_finite, **checks)


from ._arrays import array_of, doubles, is_missing
from ._calls import Listener, describe
from ._data import Data
from ._errors import Error, UnsupportedError
from ._frames import has_texts, is_frame
from ._model import Model, train
from ._sequences import sequences


@functools.lru_cache(maxsize=None)
def _described() -> dict:
    """What the library tells of machines, by their names."""
    described = describe()
    common = {parameter["name"] for parameter in described["common"]}
    return {
        machine["name"]: {**machine, "parameters": common | {one["name"] for one in machine["parameters"]}}
        for machine in described["machines"] + described["choice"]
    }


def _told(name: Any) -> Optional[dict]:
    """What the library tells of a machine, if there is one of that name."""
    return _described().get(name) if isinstance(name, str) else None


def _machine(name: str, *tasks: str) -> dict:
    """What the library tells of a machine, which has to be of one of the tasks."""
    described = _told(name)
    if described is None:
        raise ValueError(f"there is no machine {name!r}; libdk.describe() lists all")
    if tasks and described["task"] not in (*tasks, "any"):
        raise ValueError(f"machine {name} is a machine of {described['task']}, and {' or '.join(tasks)} is needed")
    return described


class _Fit:
    """The method fit of an estimator, with sample_weight where its machine uses one, because scikit-learn looks at the
    signature."""

    def __init__(self, weighted: Any):
        def unweighted(self, X, y=None):
            return weighted(self, X, y)

        unweighted.__name__, unweighted.__doc__ = weighted.__name__, weighted.__doc__
        self._weighted, self._unweighted = weighted, unweighted

    def __get__(self, estimator: Any, owner: Any = None):
        if estimator is None:
            return self._weighted
        uses = (_told(estimator.machine) or {}).get("sample_weights", True)
        return (self._weighted if uses else self._unweighted).__get__(estimator, owner)


class _Estimator(BaseEstimator):
    """What all estimators share: parameters by keyword, and how rows become Data."""

    def __init__(self, machine: str, *, n_jobs: Optional[int] = None, memory: int = 0,
                 random_state: Any = None, progress: Optional[Listener] = None, **parameters: Any):
        self.machine = machine
        self.n_jobs = n_jobs
        self.memory = memory
        self.random_state = random_state
        self.progress = progress
        for key, value in parameters.items():
            setattr(self, key, value)

    def _machine_parameters(self) -> dict:
        shared = self._get_param_names()
        return {key: value for key, value in vars(self).items()
                if key not in shared and not key.endswith("_") and not key.startswith("_")}

    def get_params(self, deep: bool = True) -> dict:
        """Parameters by name: those of the constructor, and those of the machine that were given."""
        return {**super().get_params(deep), **self._machine_parameters()}

    def set_params(self, **params: Any):
        """Sets parameters of the constructor or of the machine. Where there is no such machine, fit says so."""
        machine = _told(params.get("machine", self.machine))
        known = machine["parameters"] | set(self._get_param_names()) if machine else set(params)
        for key, value in params.items():
            if key not in known:
                raise ValueError(f"Invalid parameter {key!r} for estimator {self}. Valid parameters are: "
                                 f"{sorted(known)!r}.")
            setattr(self, key, value)
        return self

    @property
    def _calls(self) -> dict:
        return {"n_jobs": self.n_jobs, "memory": self.memory, "progress": self.progress}

    @property
    def _fills(self) -> bool:
        return getattr(self, "impute", "median" if self.machine == "auto" else "none") != "none"

    @property
    def _compares(self) -> bool:
        """Whether rows are known by their similarities with the training rows."""
        kernel = getattr(self, "kernel", None)
        return callable(kernel) or (isinstance(kernel, str) and kernel == "precomputed")

    def _similarities(self, rows: Any, reset: bool) -> Data:
        """The similarities of rows with the training rows, which `kernel` computes or the rows are."""
        if not callable(self.kernel):
            if reset and rows.shape[0] != rows.shape[1]:
                raise ValueError("kernel='precomputed' learns from the similarities of all training rows with one another, "
                                 f"a square matrix; X is {rows.shape[0]} x {rows.shape[1]}")
            return Data.gram(rows.toarray() if hasattr(rows, "toarray") else rows)
        if reset:
            self._training_rows = rows
        found = doubles(self.kernel(rows, self._training_rows))
        expected = (rows.shape[0], self._training_rows.shape[0])
        if found.shape != expected:
            raise ValueError(f"kernel gives an array of shape {found.shape} for similarities of shape {expected}")
        return Data.gram(found)

    def _rows(self, X: Any, y: Any = "no_validation", reset: bool = False) -> Any:
        """X as the library takes it, and y as scikit-learn checks it."""
        checked = self._checked(sequences(X), y, reset)
        rows = checked if isinstance(y, str) else checked[0]
        if self._compares and not isinstance(rows, Data):
            rows = self._similarities(rows, reset)
        return rows if isinstance(y, str) else (rows, checked[1])

    def _checked(self, X: Any, y: Any, reset: bool) -> Any:
        """X and y as scikit-learn checks them; y is a text where there is none to check."""
        alone = isinstance(y, str)
        if not alone and y is not None:
            y = _complete(y)
        if reset:
            self._texts = has_texts(X)
        if isinstance(X, Data):
            if reset:
                self.n_features_in_ = X.shape[1]
            return X if alone else (X, y)
        if getattr(self, "_texts", False):
            X = self._frame(X, reset)
            if not alone and y is None:
                raise ValueError(f"This {type(self).__name__} estimator requires y to be passed, but the target y is None.")
            if not alone:
                check_consistent_length(X, y)
            return X if alone else (X, y)
        X = X if is_frame(X) or hasattr(X, "tocsr") else _unmasked(X)
        if isinstance(X, np.ndarray) and X.dtype.kind in "mM":
            doubles(X)  # which says what to do with dates
        several = {} if alone else {"multi_output": True}  # which the library refuses where a machine learns one target
        return validate_data(
            self, X, y, reset=reset, accept_sparse="csr", dtype=np.float64, order=None,
            ensure_all_finite="allow-nan" if self._fills else True, **several,
        )

    def _frame(self, X: Any, reset: bool) -> Any:
        """A frame with columns of texts and the like, which the library reads; its columns are checked by their names."""
        if not is_frame(X):
            raise ValueError(f"{type(self).__name__} was fitted on a frame with columns of texts, and X is a "
                             f"{type(X).__name__}: give it a frame with these columns")
        if len(X) == 0:
            raise ValueError(f"Found array with 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
        _check_feature_names(self, X, reset=reset)
        if reset:
            self.n_features_in_ = X.shape[1]
        elif X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                             "features as input.")
        return X

    def _learn(self, X: Any, sample_weight: Any = None, **known: Any):
        data = X[np.arange(len(X))] if isinstance(X, Data) else Data(X, missing=self._fills)
        names = getattr(self, "feature_names_in_", None)
        if names is not None and not isinstance(X, Data) and not self._texts:
            data.set(names=names)
        if sample_weight is not None:
            known["weights"] = _check_sample_weight(_unmasked(sample_weight), X)
        parameters = self._machine_parameters()
        if self._compares:
            parameters["kernel"] = "gram(0)"
        if self.random_state is not None:
            parameters["seed"] = int(check_random_state(self.random_state).randint(1, 2**31))
        try:
            self.model_ = train(data.set(**known), self.machine, **self._calls, **parameters)
        except Error as error:
            if len(data) > 1:
                raise
            raise ValueError(f"n_samples=1 is too few: {error}") from error
        for warning in self.model_.warnings():
            if warning.about == "convergence":
                warnings.warn(warning.text, ConvergenceWarning, stacklevel=3)
        return self

    @property
    def n_iter_(self) -> int:
        """The steps of the longest training of a function; machines that take none have no such attribute."""
        training = self._learned("n_iter_").info()["training"]
        steps = [part["iterations"] for part in [training, *training.get("functions", [])] if "iterations" in part]
        if not steps:
            raise AttributeError(f"machine {self.machine} does not learn in steps")
        return max(steps)

    @property
    def support_(self) -> np.ndarray:
        """The training rows that prototypes are made of, such as support vectors."""
        prototypes = self._learned("support_").prototypes()
        return np.flatnonzero(np.any([prototype.coefficients != 0 for prototype in prototypes], axis=0))

    @property
    def dual_coef_(self) -> np.ndarray:
        """The coefficients of the rows `support_` in each decision function, functions x rows; of a `kernel_ridge` of one
        target those of all rows, as scikit-learn's. Machines whose decisions are no sums over training rows have none."""
        model = self._learned("dual_coef_")
        try:
            coefficients = model.dual_coefficients
        except UnsupportedError as error:
            raise AttributeError(f"machine {self.machine} has no dual_coef_: {error}") from error
        if self.machine == "kernel_ridge":
            return coefficients[0] if model.target_count == 1 else coefficients.T
        return coefficients[:, self.support_]

    @property
    def coef_(self) -> np.ndarray:
        """What a unit of each column adds to each decision, functions x columns; of linear kernels alone."""
        return self._linear("coef_")[0]

    @property
    def intercept_(self) -> np.ndarray:
        """What each decision is where all columns are 0; of linear kernels alone."""
        return self._linear("intercept_")[1]

    def _linear(self, name: str) -> tuple:
        model = self._learned(name)
        info = model.info()
        parameters, pairs = info["parameters"], info["prototypes"]["pairs"]
        bent = model.task == "regression" and model.decision_count > model.target_count  # Levels are sorted in each row.
        bent = bent or parameters["scale"] == "ranks" or parameters["scale_rows"] != "none" or info.get("layers")
        if info["kernel"] != "linear" or bent or not pairs:
            raise AttributeError(f"{name} is of machines whose decisions are linear in the columns, with kernel=linear; this "
                                 f"is {self.machine} with {info['kernel']}")
        decisions = model.decision(np.vstack([np.zeros(self.n_features_in_), np.eye(self.n_features_in_)]))
        return (decisions[1:] - decisions[0]).T, decisions[0]

    def _learned(self, name: str) -> Model:
        if not hasattr(self, "model_"):
            raise AttributeError(f"{type(self).__name__} has no {name} before it is fitted")
        return self.model_

    def _answers(self, method: str, X: Any) -> np.ndarray:
        check_is_fitted(self, "model_")
        return getattr(self.model_, method)(self._rows(X), **self._calls)

    def explain(self, X: Any):
        """What each prototype says of each row."""
        check_is_fitted(self, "model_")
        return self.model_.explain(self._rows(X), **self._calls)

    def __sklearn_tags__(self):  # since 1.6
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._fills
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self._compares and not callable(self.kernel)
        return tags

    def _more_tags(self) -> dict:
        return {
            "allow_nan": self._fills,
            "pairwise": self._compares and not callable(self.kernel),
            "_xfail_checks": {
                # as scikit-learn's own SVC says of itself
                "check_sample_weights_invariance": "zero sample_weight is not equivalent to removing samples",
            },
        }


def _unmasked(values: Any) -> Any:
    """Values of which masked ones are NaN; others as they are."""
    masked = isinstance(values, np.ma.MaskedArray) or (
        isinstance(values, (list, tuple)) and any(isinstance(one, np.ma.MaskedArray) for one in values))
    return array_of(values) if masked else values


def _complete(y: Any) -> Any:
    """Targets or classes, none of which are missing; those of pandas become arrays."""
    array = array_of(y)
    of_pandas = not isinstance(getattr(y, "dtype", None), (np.dtype, type(None)))
    if array.ndim == 1 and array.dtype.kind == "O":
        given = array.tolist()
        missing = [row for row, one in enumerate(given) if is_missing(one)]
        if missing:
            raise ValueError(f"Input y contains NaN: the value of row {missing[0]} is missing")
        whole = all(isinstance(one, int) and not isinstance(one, bool) for one in given)
        if whole or of_pandas:
            return np.array(given)
    return array if of_pandas or isinstance(y, np.ma.MaskedArray) else y
