# SPDX-License-Identifier: Apache-2.0
"""Learners compared over data sets and folds, and how stable what they select is."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._calls import control_of, doubles, integers


class ResampledTest(NamedTuple):
    """How far two learners lie apart over the same folds."""

    difference: float  #: the mean
    t: float  #: of Student's distribution with a degree less than there are folds
    p: float  #: how likely chance would set equals as far apart, two-sided


def mean_ranks(scores: Any, **calls: Any) -> np.ndarray:
    """The mean rank of each learner over data sets (Demsar, JMLR 7, 2006), 1 for the best; equal scores share ranks.
    ``scores`` is data sets x learners; the larger is the better."""
    scores = np.atleast_2d(doubles(scores))
    out = np.empty(scores.shape[1])
    _native.mean_ranks(out, scores, control_of(**calls))
    return out


def critical_difference(learners: int, sets: int, level: float = 0.05) -> float:
    """The difference of two mean ranks from which on Nemenyi's test tells learners apart."""
    return _native.critical_difference(learners, sets, level)


def resampled_test(differences: Any, share: float) -> ResampledTest:
    """The corrected resampled t-test (Nadeau and Bengio, Machine Learning 52, 2003) of the differences of two learners'
    scores on folds that share training rows. ``share`` is the number of a fold's test rows over that of its training
    rows, such as 1/9 with ten folds."""
    out = np.empty(3)
    _native.resampled_test(out, doubles(differences), share)
    return ResampledTest(*out.tolist())


def jaccard_stability(selected: Any, **calls: Any) -> float:
    """How alike the sets are that a learner selects on different samples: their mean Jaccard index, among the members
    that both samples had; NaN where no two sets have one. ``selected`` is sets x members: 1 where a set has the member,
    0 where it has not, -1 where its sample had not the member to select."""
    selected = np.atleast_2d(integers(selected))
    return _native.jaccard_stability(selected, selected.shape[1], control_of(**calls))


def selection_stability(selected: Any) -> float:
    """The stability of selections by Nogueira, Sechidis and Brown (JMLR 18, 2018): 1 where all sets are the same, 0 on
    average where chance selects, NaN where that is not defined. ``selected`` is sets x members, 1 or 0."""
    selected = np.atleast_2d(integers(selected))
    return _native.selection_stability(selected, selected.shape[1])
