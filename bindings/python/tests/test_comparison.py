# SPDX-License-Identifier: Apache-2.0
"""Learners compared, prototypes measured: values by hand."""

import math

import libdk
import numpy as np
import pytest


def test_ranks_have_a_critical_difference():
    assert list(libdk.mean_ranks([[0.9, 0.8, 0.7], [0.5, 0.5, 0.6]])) == [1.75, 2.25, 2]
    assert libdk.critical_difference(2, 6) == pytest.approx(1.959964 / math.sqrt(6), abs=1e-6)
    with pytest.raises(libdk.InvalidValueError, match="learners"):
        libdk.critical_difference(1, 6)
    with pytest.raises(libdk.Error, match="finite"):
        libdk.mean_ranks([[1, math.nan]])


def test_folds_share_training_rows():
    test = libdk.resampled_test([1, 2, 3], 0.5)
    assert test.difference == 2
    assert test.t == pytest.approx(2 / math.sqrt(5 / 6))
    assert test.p == pytest.approx(1 - test.t / math.sqrt(2 + test.t ** 2))


def test_selections_are_more_or_less_stable():
    assert libdk.jaccard_stability([[1, 1, 0, -1], [-1, 1, 1, 0]]) == 0.5
    subsets = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 0]], bool)
    assert libdk.selection_stability(subsets) == pytest.approx(0.55)
    assert math.isnan(libdk.selection_stability([[1, 0]]))


def test_means_of_classes_are_pure_and_compact_as_their_kernel_values_say():
    rng = np.random.default_rng(5)
    y = np.arange(40) % 2
    x = rng.normal(size=(40, 3)) + y[:, None]
    data = libdk.Data(x, labels=y)
    model = libdk.train(data, "mean_of_class", kernel="rbf(gamma=0.2)", scale="none")
    measures = model.prototype_measures(data)
    np.testing.assert_allclose(measures.purity, 1)
    values = libdk.gram(x, kernel="rbf(gamma=0.2)")
    expected = [math.exp(-2 * (1 / values[np.ix_(y == c, y == c)].mean() - 1)) for c in (1, 0)]
    np.testing.assert_allclose(measures.compactness, expected)
