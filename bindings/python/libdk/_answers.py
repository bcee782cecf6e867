# SPDX-License-Identifier: Apache-2.0
"""What models answer with: weights of kernels, prototypes, explanations, drift and warnings."""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np


class Weights(dict):
    """The kernels of a bank with their weights, in the order of the bank."""

    def __str__(self) -> str:
        return "\n".join(f"{weight:12.6g}  {kernel}" for kernel, weight in self.items())


class Prototype(NamedTuple):
    """A prototype in feature space. Where a model has two for each decision function f,
    f(x) = (|x - p-|^2 - |x - p+|^2 + S) / (2 t) (Graf, Bousquet, Raetsch, Schoelkopf 2008)."""

    function: Optional[int]  #: from 0; None where the model learned prototypes of its own
    positive: bool  #: whether it is p+
    label: Optional[str]  #: the class it stands for; None for all the others, and where there are no classes
    coefficients: np.ndarray  #: of the training rows
    nearest: np.ndarray  #: the training rows nearest to it, nearest first
    distances: np.ndarray  #: of these

    def __repr__(self) -> str:
        return f"<libdk.Prototype: {self}>"

    def __str__(self) -> str:
        side = "" if self.function is None else f"function {self.function} {'p+' if self.positive else 'p-'}  "
        rows = ", ".join(f"{row} ({distance:.4g})" for row, distance in zip(self.nearest, self.distances))
        return f"{side}{self.label or 'all others'}: near rows {rows}"


class Explanation(NamedTuple):
    """What prototypes say of rows: with its offset, the entries of a function's prototypes add up to its decision."""

    contributions: np.ndarray  #: rows x prototypes
    offsets: np.ndarray  #: of each function


class RowAnswers(NamedTuple):
    """What a model says of rows by one pass over its kernel."""

    predictions: np.ndarray  #: as ``Model.predict`` gives them, but that labels beyond 2^53 are positions of classes
    decisions: np.ndarray  #: rows x decision functions
    probabilities: Optional[np.ndarray]  #: rows x classes; None where the model was trained without ``probability=True``


class Drift(NamedTuple):
    """How far new rows lie from known ones in a model's feature space."""

    distance: float  #: between the means of both
    usual: float  #: the median of the distance where both are mixed at random
    p: float  #: how likely the distance is at least as large where both come from one source


class ModelWarning(NamedTuple):
    """What whoever uses a model should know."""

    about: str  #: such as "convergence", "leak", "copied rows" (dk_model_warnings in dk.h)
    text: str  #: a sentence

    def __str__(self) -> str:
        return f"{self.about}: {self.text}"


class PrototypeMeasures(NamedTuple):
    """How well people can read each prototype, 0 to 1; NaN where a prototype has no such measure."""

    purity: np.ndarray  #: the largest share of one class in the magnitudes of its coefficients
    compactness: np.ndarray  #: near 1 where the rows that make it are near each other in feature space
