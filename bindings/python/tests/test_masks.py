# SPDX-License-Identifier: Apache-2.0
"""Masked values of numpy's arrays are missing values wherever the package takes arrays."""

import libdk
import numpy as np
import pytest

X = np.array([[0.0, 1], [1, 99], [2, 3], [3, 4], [4, 6], [5, 5]])
Y = [0, 0, 0, 1, 1, 1]


def masked(values, *places):
    array = np.ma.array(values)
    for place in places:
        array[place] = np.ma.masked
    return array


def test_masked_features_are_missing():
    holes = masked(X, (1, 1))
    assert np.isnan(libdk.Data(holes).values[1, 1]) and np.isnan(libdk.Data(holes).values).sum() == 1
    for rows in (holes, np.ma.asfortranarray(holes) if hasattr(np.ma, "asfortranarray") else holes, list(holes),
                 holes.astype(np.float32), masked(X.astype(int), (1, 1))):
        model = libdk.train(libdk.Data(rows, labels=Y), "svm", impute="mean")
        filled = X.copy()
        filled[1, 1] = np.mean([1, 3, 4, 6, 5])
        expected = libdk.train(libdk.Data(filled, labels=Y), "svm")
        np.testing.assert_allclose(model.decision(rows), expected.decision(filled), rtol=1e-6)
    np.testing.assert_array_equal(libdk.Data(masked(X)).values, X)  # a mask of nothing


def test_machines_that_take_none_say_where_it_is():
    holes = masked(X, (1, 1))
    with pytest.raises(libdk.InvalidValueError, match="row 1, column 1.*missing.*impute"):
        libdk.train(libdk.Data(holes, labels=Y), "svm")
    model = libdk.train(libdk.Data(X, labels=Y), "svm")
    for ask in (model.predict, model.decision, model.explain):
        with pytest.raises(libdk.InvalidValueError, match="row 1, column 1"):
            ask(holes)
    with pytest.raises(libdk.InvalidValueError, match="row 1, column 1"):
        libdk.gram(holes, kernel="linear")
    with pytest.raises(libdk.InvalidValueError, match="series 0, step 1"):
        libdk.Data.series([holes, X])
    with pytest.raises(libdk.InvalidValueError):
        libdk.Data.gram(masked(X @ X.T, (2, 1)))


def test_masked_labels_targets_weights_and_groups_are_refused():
    for known in ({"labels": masked(Y, 2)}, {"labels": masked(["a", "b", "c"] * 2, 2)}, {"targets": masked(X[:, 0], 2)},
                  {"targets": masked(Y, 2)}, {"weights": masked(np.ones(6), 2)}):
        with pytest.raises(ValueError, match="row 2"):
            libdk.Data(X, **known)
    for groups in (masked(Y, 2), masked(["a", "b", "c"] * 2, 2)):
        with pytest.raises(ValueError, match="group"):
            libdk.Data(X, groups=groups)
    np.testing.assert_array_equal(libdk.Data(X, labels=masked(Y)).labels, Y)


def test_masked_selections_and_scores_are_refused():
    for ask in (libdk.jaccard_stability, libdk.selection_stability, libdk.mean_ranks):
        with pytest.raises(ValueError):
            ask(masked(np.array([[1, 0, 1], [1, 1, 0]]), (0, 1)))


def test_estimators_see_masks():
    holes = masked(X, (1, 1))
    with pytest.raises(ValueError, match="NaN"):
        libdk.DkClassifier("svm").fit(holes, Y)
    estimator = libdk.DkClassifier("svm", impute="median").fit(holes, Y)
    filled = X.copy()
    filled[1, 1] = 4  # the median of 1, 3, 4, 6 and 5
    np.testing.assert_allclose(estimator.decision_function(holes), libdk.DkClassifier("svm").fit(filled, Y)
                               .decision_function(filled), rtol=1e-9)
    with pytest.raises(ValueError, match="NaN"):
        libdk.DkClassifier("svm").fit(X, Y).predict(holes)
    with pytest.raises(ValueError, match="NaN"):
        libdk.DkClassifier("svm").fit(X, masked(Y, 2))
    with pytest.raises(ValueError, match="NaN"):
        libdk.DkRegressor("svr").fit(X, masked(X[:, 0], 2))
    with pytest.raises(ValueError, match="NaN"):
        libdk.DkClassifier("svm").fit(X, Y, sample_weight=masked(np.ones(6), 2))
