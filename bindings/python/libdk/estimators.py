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

import itertools
from typing import Any, Optional

import numpy as np
from sklearn.base import ClassifierMixin, ClusterMixin, OutlierMixin, RegressorMixin, TransformerMixin
from sklearn.utils import column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted

from ._calls import Listener
from ._estimator import _Estimator, _Fit, _machine, _told
from ._model import Model

__all__ = ["DkClassifier", "DkCluster", "DkOutlier", "DkRegressor", "DkTransformer"]

_OF_ROWS_ALONE = ("novelty", "clustering")  # the tasks that need no y


def _known_labels(classes: np.ndarray) -> np.ndarray:
    """Classes, ascending, as the model shall know them: integers and texts as they are, others by their positions."""
    kind = classes.dtype.kind
    if kind == "i" or (kind == "u" and classes.max() < 2**63):
        return classes
    if kind in "OU" and all(isinstance(c, str) and c for c in classes):
        return classes
    return np.arange(len(classes))


def _class_scores(model: Model, decisions: np.ndarray) -> np.ndarray:
    """Scores of classes by the library's rule: distances or values of a function a class, or votes of pairs and, by a part
    below one half, sums of decisions; where several classes lead, those of distances between these decide."""
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
    leads &= leads.sum(axis=1, keepdims=True) > 1
    for f, (a, b) in enumerate(pairs):
        apart = np.clip(np.where(leads[:, a] & leads[:, b], distances[:, f], decisions[:, f]), -1e300, 1e300)
        summed[:, a] += np.where(~leads[:, a] | leads[:, b], apart, 0.0)
        summed[:, b] -= np.where(~leads[:, b] | leads[:, a], apart, 0.0)
    return votes + 0.49 * (summed / (1 + np.abs(summed)))


def _learns_labels(machine: Any) -> bool:
    return bool((_told(machine) or {}).get("several_labels", False))


def _learns_several(machine: Any) -> bool:
    return bool((_told(machine) or {}).get("several_targets", False))


def _targets(machine: str, y: Any) -> np.ndarray:
    """Targets as the machine takes them: one a row, or rows x targets where it learns several at once."""
    several = np.ndim(y) == 2 and np.shape(y)[1] > 1
    if several and not _learns_several(machine):
        raise ValueError(f"y should be a 1d array, got an array of shape {np.shape(y)} instead: machine {machine} learns one "
                         "target; kernel_ridge and similarity_ridge_regression learn several at once")
    return np.asarray(y if several else column_or_1d(y, warn=True), np.float64)


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
        """Learns classes y of rows X, or several labels a row: rows x labels of 0 and 1 (`several_labels` in
        `libdk.describe` tells which machines do)."""
        _machine(self.machine, "classification")
        X, y = self._rows(X, y, reset=True)
        check_classification_targets(y)
        self.multilabel_ = type_of_target(y) == "multilabel-indicator"
        if self.multilabel_:
            return self._learn_labels(X, y, sample_weight)
        self.classes_, labels = np.unique(column_or_1d(y, warn=True), return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has one class only, {self.classes_[0]!r}; two or more are needed")
        self._learn(X, sample_weight, labels=_known_labels(self.classes_)[labels])
        if self.model_.task != "classification":
            raise ValueError(f"machine {self.machine} takes {len(self.classes_)} classes of {len(labels)} rows for values; "
                             "name a machine, or use DkRegressor")
        return self

    def _learn_labels(self, X: Any, y: Any, sample_weight: Any) -> "DkClassifier":
        """Learns rows x labels of 0 and 1."""
        if not _learns_labels(self.machine):
            raise ValueError(f"y should be a 1d array, got an array of shape {np.shape(y)} instead: machine {self.machine} "
                             "learns one class a row; `several_labels` in libdk.describe() tells which learn several labels")
        self.classes_ = np.arange(y.shape[1])
        return self._learn(X, sample_weight, label_sets=y)

    def predict(self, X: Any) -> np.ndarray:
        """The class of each row; of several labels rows x labels, 1 for those that are predicted and else 0."""
        check_is_fitted(self, "model_")
        if self.multilabel_:
            return self._answers("predict", X).astype(np.int64)
        positions = self._answers("_class_positions", X)
        return self.classes_[positions]

    def decision_function(self, X: Any) -> np.ndarray:
        """Decisions: one a row for two classes, positive for the second; else scores, rows x classes, of which the
        largest is that of the predicted class; of several labels those of each, positive for a predicted one. With elect="probability", predict goes by probabilities instead."""
        decisions = self._answers("decision", X)
        if self.multilabel_:
            return decisions
        count = len(self.classes_)
        if count == 2:
            return decisions[:, 0] if decisions.shape[1] == 1 else decisions[:, 1] - decisions[:, 0]
        return _class_scores(self.model_, decisions)

    @available_if(lambda self: getattr(self, "probability", False) in (True, "yes"))
    def predict_proba(self, X: Any) -> np.ndarray:
        """Probabilities of the classes, with probability=True; of several labels that of each."""
        return self._answers("probability", X)

    @available_if(lambda self: getattr(self, "probability", False) in (True, "yes"))
    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Logarithms of the probabilities, with probability=True."""
        return np.log(self.predict_proba(X))

    def __sklearn_tags__(self):  # since 1.6
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = _learns_labels(self.machine)
        return tags

    def _more_tags(self) -> dict:
        return {"multilabel": _learns_labels(self.machine)}


class DkRegressor(RegressorMixin, _Estimator):
    """A regression: any machine of libdk that learns numbers, with the parameters that DkClassifier has. Some machines
    learn several targets at once, y of shape rows x targets, as `several_targets` in `libdk.describe` tells."""

    def __init__(self, machine: str = "svr", *, n_jobs: Optional[int] = None, memory: int = 0,
                 random_state: Any = None, progress: Optional[Listener] = None, **parameters: Any):
        super().__init__(machine, n_jobs=n_jobs, memory=memory, random_state=random_state, progress=progress,
                         **parameters)

    @_Fit
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "DkRegressor":
        """Learns targets y of rows X."""
        _machine(self.machine, "regression")
        X, y = self._rows(X, y, reset=True)
        return self._learn(X, sample_weight, targets=_targets(self.machine, y))

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The value of each row; with ``return_std``, which is of `kernel_ridge`, also how uncertain it is
        (`libdk.Model.deviation`), as scikit-learn's Gaussian processes tell it; of several targets the deviation is one a row,
        which all of them share."""
        values = self._answers("predict", X)
        return (values, self._answers("deviation", X)) if return_std else values

    def __sklearn_tags__(self):  # since 1.6
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = _learns_several(self.machine)
        return tags

    def _more_tags(self) -> dict:
        return {"multioutput": _learns_several(self.machine)}


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


class DkCluster(TransformerMixin, ClusterMixin, _Estimator):
    """Clusters of rows: the machines of libdk that find some, with the parameters that DkClassifier has. The clusters of the
    training rows are in ``labels_``, numbered by their sizes; with method="spectral" they are those of the eigenvectors,
    and ``predict`` gives the cluster with the nearest mean."""

    def __init__(self, machine: str = "kernel_k_means", *, n_jobs: Optional[int] = None, memory: int = 0,
                 random_state: Any = None, progress: Optional[Listener] = None, **parameters: Any):
        super().__init__(machine, n_jobs=n_jobs, memory=memory, random_state=random_state, progress=progress,
                         **parameters)

    @_Fit
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> "DkCluster":
        """Divides rows X into clusters."""
        _machine(self.machine, "clustering")
        self._learn(self._rows(X, reset=True), sample_weight)
        means = np.empty((self.model_.prototype_count, self.model_.training_rows))
        self.model_._native.prototype_coefficients(means)  # 1 / n for the n rows of a cluster
        self.labels_ = np.argmax(means > 0, axis=0)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """The cluster of each row, the one with the nearest mean."""
        return self._answers("predict", X).astype(np.int64)

    def transform(self, X: Any) -> np.ndarray:
        """The distance of each row from the mean of each cluster, in feature space."""
        return self._answers("transform", X)

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the distances."""
        check_is_fitted(self, "model_")
        return np.asarray([f"{self.machine}{c}" for c in range(self.model_.prototype_count)], dtype=object)


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
        if task in _OF_ROWS_ALONE:
            return self._learn(self._rows(X, reset=True), sample_weight)
        X, y = self._rows(X, y, reset=True)
        if task == "regression":
            return self._learn(X, sample_weight, targets=_targets(self.machine, y))
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
        tags.target_tags.required = _machine(self.machine)["task"] not in _OF_ROWS_ALONE
        return tags

    def _more_tags(self) -> dict:
        return {"requires_y": _machine(self.machine)["task"] not in _OF_ROWS_ALONE}
