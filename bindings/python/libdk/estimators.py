# SPDX-License-Identifier: Apache-2.0
"""Machines as estimators of scikit-learn.

Parameters of a machine are keywords, `DkClassifier("svm", C=10, kernel="rbf(gamma=0.1)")`, which `get_params` and
`GridSearchCV` know; `libdk.describe()` lists them. What was learned is in `model_`, a `libdk.Model`, with `weights()`,
`prototypes()` and `explain()`. Besides arrays, frames and sparse matrices, `X` may be a list of texts, a list of arrays
of different lengths or an array of series x steps x channels, whose last steps may be NaN, or a `libdk.Data`, such as
graphs. With `kernel="precomputed"`, `X` has similarities with the training rows; `kernel` may also be a function of two
arrays that gives them.
"""

from __future__ import annotations

import functools
import itertools
import warnings
from typing import Any, Optional

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, OutlierMixin, RegressorMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
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
from ._errors import Error
from ._frames import has_texts, is_frame
from ._model import Model, train
from ._sequences import sequences

__all__ = ["DkClassifier", "DkOutlier", "DkRegressor", "DkTransformer"]


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
        return validate_data(
            self, X, y, reset=reset, accept_sparse="csr", dtype=np.float64, order=None,
            ensure_all_finite="allow-nan" if self._fills else True,
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
        bent = model.task == "regression" and model.decision_count > 1  # Levels are sorted in each row.
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


def _known_labels(classes: np.ndarray) -> np.ndarray:
    """Classes, ascending, as the model shall know them: integers and texts as they are, others by their positions."""
    kind = classes.dtype.kind
    if kind == "i" or (kind == "u" and classes.max() < 2**63):
        return classes
    if kind in "OU" and all(isinstance(c, str) and c for c in classes):
        return classes
    return np.arange(len(classes))


def _class_scores(model: Model, decisions: np.ndarray) -> np.ndarray:
    """Scores of classes by the library's rule: distances or values of a function a class, or votes of pairs, where the
    sums of distances between the classes that lead order them by a part below one half."""
    rule, count = model.info()["decision_rule"], model.class_count
    if rule == "largest":
        return decisions
    norms = model.normals
    distances = decisions / np.where(norms > 0, norms, 1.0)
    if rule != "ovo":
        return distances
    votes, summed = np.zeros((len(decisions), count)), np.zeros((len(decisions), count))
    pairs = list(itertools.combinations(range(count), 2))
    for f, (a, b) in enumerate(pairs):
        votes[:, a] += decisions[:, f] >= 0
        votes[:, b] += decisions[:, f] < 0
    leads = votes == votes.max(axis=1, keepdims=True)
    for f, (a, b) in enumerate(pairs):
        summed[:, a] += np.where(~leads[:, a] | leads[:, b], distances[:, f], 0.0)
        summed[:, b] -= np.where(~leads[:, b] | leads[:, a], distances[:, f], 0.0)
    return votes + 0.5 * summed / (1 + np.abs(summed))


class DkClassifier(ClassifierMixin, _Estimator):
    """A classifier: any machine of libdk that tells classes apart.

    Parameters
    ----------
    machine : str
        Such as "svm", "cvm", "fisher", "imkpl", or "auto", which chooses scale, kernel and C by cross-validation.
    n_jobs : int, optional
        Threads; None and -1 are all processors.
    memory : int
        What the large objects of a call may take together, in MB; 0 is half of the machine's memory.
    random_state : int or RandomState, optional
        The seed; None is the library's.
    progress : callable, optional
        Hears of a fraction and a stage; its False ends training.
    **parameters
        Those of the machine, such as C, kernel, weights, scale, probability.
    """

    def __init__(self, machine: str = "svm", *, n_jobs: Optional[int] = None, memory: int = 0,
                 random_state: Any = None, progress: Optional[Listener] = None, **parameters: Any):
        super().__init__(machine, n_jobs=n_jobs, memory=memory, random_state=random_state, progress=progress,
                         **parameters)

    @_Fit
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "DkClassifier":
        """Learns classes y of rows X."""
        _machine(self.machine, "classification")
        X, y = self._rows(X, y, reset=True)
        check_classification_targets(y)
        self.classes_, labels = np.unique(column_or_1d(y, warn=True), return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has one class only, {self.classes_[0]!r}; two or more are needed")
        self._learn(X, sample_weight, labels=_known_labels(self.classes_)[labels])
        if self.model_.task != "classification":
            raise ValueError(f"machine {self.machine} takes {len(self.classes_)} classes of {len(labels)} rows for values; "
                             "name a machine, or use DkRegressor")
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row."""
        positions = self._answers("_class_positions", X)
        return self.classes_[positions]

    def decision_function(self, X: Any) -> np.ndarray:
        """Decisions: one a row for two classes, positive for the second; else scores, rows x classes, of which the
        largest is that of the predicted class. With elect="probability", predict goes by probabilities instead."""
        decisions = self._answers("decision", X)
        count = len(self.classes_)
        if count == 2:
            return decisions[:, 0] if decisions.shape[1] == 1 else decisions[:, 1] - decisions[:, 0]
        return _class_scores(self.model_, decisions)

    @available_if(lambda self: getattr(self, "probability", False) in (True, "yes"))
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes, with probability=True."""
        return self._answers("probability", X)

    @available_if(lambda self: getattr(self, "probability", False) in (True, "yes"))
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities, with probability=True."""
        return np.log(self.predict_proba(X))


class DkRegressor(RegressorMixin, _Estimator):
    """A regression: any machine of libdk that learns numbers, with the parameters that DkClassifier has."""

    def __init__(self, machine: str = "svr", *, n_jobs: Optional[int] = None, memory: int = 0,
                 random_state: Any = None, progress: Optional[Listener] = None, **parameters: Any):
        super().__init__(machine, n_jobs=n_jobs, memory=memory, random_state=random_state, progress=progress,
                         **parameters)

    @_Fit
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "DkRegressor":
        """Learns targets y of rows X."""
        _machine(self.machine, "regression")
        X, y = self._rows(X, y, reset=True)
        targets = column_or_1d(y, warn=True).astype(np.float64)
        return self._learn(X, sample_weight, targets=targets)

    def predict(self, X: Any) -> np.ndarray:
        """The value of each row."""
        return self._answers("predict", X)


class DkOutlier(OutlierMixin, _Estimator):
    """A novelty detector: the machines of libdk that learn what rows are like, with the parameters that DkClassifier
    has."""

    def __init__(self, machine: str = "one_class_svm", *, n_jobs: Optional[int] = None, memory: int = 0,
                 random_state: Any = None, progress: Optional[Listener] = None, **parameters: Any):
        super().__init__(machine, n_jobs=n_jobs, memory=memory, random_state=random_state, progress=progress,
                         **parameters)

    @_Fit
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "DkOutlier":
        """Learns what rows X are like."""
        _machine(self.machine, "novelty")
        return self._learn(self._rows(X, reset=True), sample_weight)

    def decision_function(self, X: Any) -> np.ndarray:
        """Positive for rows that are like those of training."""
        return self._answers("decision", X)[:, 0]

    def score_samples(self, X: Any) -> np.ndarray:
        """The decisions without their offset."""
        return self.decision_function(X) + self.offset_

    @property
    def offset_(self) -> float:
        """What decisions lack to scores; decisions have none apart."""
        check_is_fitted(self, "model_")
        return 0.0

    def predict(self, X: Any) -> np.ndarray:
        """1 for rows like those of training, -1 for others."""
        return np.where(self.decision_function(X) < 0, -1, 1)


class DkTransformer(TransformerMixin, _Estimator):
    """What a model sees of rows as new columns: principal components of `kernel_pca`, codes of dictionaries,
    similarities with prototypes, features of `elm` and of kernels `lowrank`; with the parameters that DkClassifier
    has."""

    def __init__(self, machine: str = "kernel_pca", *, n_jobs: Optional[int] = None, memory: int = 0,
                 random_state: Any = None, progress: Optional[Listener] = None, **parameters: Any):
        super().__init__(machine, n_jobs=n_jobs, memory=memory, random_state=random_state, progress=progress,
                         **parameters)

    @_Fit
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "DkTransformer":
        """Learns the columns from rows X, and their classes or targets y where the machine needs some."""
        task = _machine(self.machine)["task"]
        if task == "novelty":
            return self._learn(self._rows(X, reset=True), sample_weight)
        X, y = self._rows(X, y, reset=True)
        if task == "regression":
            return self._learn(X, sample_weight, targets=column_or_1d(y, warn=True).astype(np.float64))
        check_classification_targets(y)
        self.classes_, labels = np.unique(column_or_1d(y, warn=True), return_inverse=True)
        return self._learn(X, sample_weight, labels=_known_labels(self.classes_)[labels])

    def transform(self, X: Any) -> np.ndarray:
        """The new columns of rows X."""
        return self._answers("transform", X)

    def inverse_transform_of(self, X: Any) -> np.ndarray:
        """Rows as the components keep them, in their own columns (`libdk.Model.reconstruct`)."""
        return self._answers("reconstruct", X)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the new columns."""
        check_is_fitted(self, "model_")
        names = [f"{self.machine}{column}" for column in range(self.model_.transform_count)]
        return np.asarray(names, dtype=object)

    def __sklearn_tags__(self):  # since 1.6
        tags = super().__sklearn_tags__()
        tags.target_tags.required = _machine(self.machine)["task"] != "novelty"
        return tags

    def _more_tags(self) -> dict:
        return {"requires_y": _machine(self.machine)["task"] != "novelty"}
