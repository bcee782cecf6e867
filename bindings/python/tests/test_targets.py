# SPDX-License-Identifier: Apache-2.0
"""Several targets, weights of rows, deviations and clusters, beside scikit-learn's own."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, load_linnerud
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import adjusted_rand_score, r2_score
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

import libdk


def scaled(values):
    return (values - values.mean(axis=0)) / values.std(axis=0)


def exercise():
    x, y = load_linnerud(return_X_y=True)
    return scaled(x), scaled(y)


def test_several_targets_are_those_of_kernel_ridge():
    x, y = exercise()
    ours = libdk.DkRegressor("kernel_ridge", C=2, kernel="rbf(gamma=0.3)").fit(x, y)
    theirs = KernelRidge(alpha=0.5, kernel="rbf", gamma=0.3).fit(x, y)
    assert ours.predict(x).shape == y.shape
    np.testing.assert_allclose(ours.predict(x), theirs.predict(x), atol=1e-12)
    np.testing.assert_allclose(ours.score(x, y), r2_score(y, theirs.predict(x)), atol=1e-12)
    assert ours.model_.target_count == 3 and ours.model_.info()["targets"] == 3


def test_several_targets_are_searched():
    x, y = exercise()
    search = GridSearchCV(libdk.DkRegressor("kernel_ridge", kernel="rbf(gamma=0.1)"), {"C": [0.01, 0.1, 1]}, cv=4).fit(x, y)
    theirs = GridSearchCV(KernelRidge(kernel="rbf", gamma=0.1), {"alpha": [100, 10, 1]}, cv=4).fit(x, y)
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=1e-10)


def test_several_targets_of_libdk_are_arrays():
    x, y = exercise()
    model = libdk.train(libdk.Data(x, targets=y), "kernel_ridge", kernel="linear", offset=True)
    assert model.predict(x).shape == (20, 3)
    assert model.score(libdk.Data(x, targets=y), "rmse") == pytest.approx(
        np.mean(np.sqrt(np.mean((model.predict(x) - y) ** 2, axis=0))), abs=1e-12)
    restored = libdk.Model.from_bytes(model.to_bytes())
    np.testing.assert_array_equal(restored.predict(x), model.predict(x))


def test_machines_of_one_target_say_so():
    x, y = exercise()
    with pytest.raises(ValueError, match="machine svr learns one target; kernel_ridge"):
        libdk.DkRegressor("svr").fit(x, y)
    with pytest.raises(libdk.UnsupportedError, match="machine svr learns one target, and rows have 3"):
        libdk.train(libdk.Data(x, targets=y), "svr")


@pytest.mark.parametrize("kernel, theirs", [("rbf(gamma=0.3)", {"kernel": "rbf", "gamma": 0.3}), ("linear", {"kernel": "linear"})])
def test_weights_are_those_of_kernel_ridge(kernel, theirs):
    x, y = exercise()
    weights = np.random.default_rng(3).uniform(0.1, 3, len(x))
    ours = libdk.DkRegressor("kernel_ridge", C=2, kernel=kernel).fit(x, y, sample_weight=weights)
    known = KernelRidge(alpha=0.5, **theirs).fit(x, y, sample_weight=weights)
    np.testing.assert_allclose(ours.predict(x), known.predict(x), atol=1e-10)


def test_deviations_are_those_of_gaussian_processes():
    x, y = exercise()
    fresh = np.random.default_rng(5).normal(size=(30, 3))
    ours = libdk.DkRegressor("kernel_ridge", C=4, kernel="rbf(gamma=0.3)").fit(x, y[:, 0])
    theirs = GaussianProcessRegressor(RBF(length_scale=np.sqrt(1 / 0.6)), alpha=0.25, optimizer=None).fit(x, y[:, 0])
    mean, deviation = ours.predict(fresh, return_std=True)
    expected_mean, expected = theirs.predict(fresh, return_std=True)
    np.testing.assert_allclose(mean, expected_mean, atol=1e-10)
    np.testing.assert_allclose(deviation, expected, atol=1e-10)
    with pytest.raises(libdk.UnsupportedError, match="deviations"):
        libdk.DkRegressor("svr").fit(x, y[:, 0]).predict(x, return_std=True)


def test_coefficients_are_those_of_scikit_learn():
    x, y = exercise()
    ridge = libdk.DkRegressor("kernel_ridge", C=2, kernel="rbf(gamma=0.3)")
    known = KernelRidge(alpha=0.5, kernel="rbf", gamma=0.3)
    np.testing.assert_allclose(ridge.fit(x, y).dual_coef_, known.fit(x, y).dual_coef_, atol=1e-12)
    np.testing.assert_allclose(ridge.fit(x, y[:, 0]).dual_coef_, known.fit(x, y[:, 0]).dual_coef_, atol=1e-12)
    rows, labels = load_iris(return_X_y=True)
    rows, labels = rows[labels > 0], labels[labels > 0]
    ours = libdk.DkClassifier("svm", C=3, kernel="rbf(gamma=0.2)", tolerance=1e-8).fit(rows, labels)
    theirs = SVC(C=3, gamma=0.2, tol=1e-8).fit(rows, labels)
    dense = np.zeros(len(rows))
    dense[theirs.support_] = theirs.dual_coef_[0]
    own = np.zeros(len(rows))
    own[ours.support_] = ours.dual_coef_[0]
    np.testing.assert_allclose(own, dense, atol=1e-4)
    np.testing.assert_allclose(ours.model_.dual_offsets, theirs.intercept_, atol=1e-6)
    with pytest.raises(AttributeError, match="machine iskpl has no dual_coef_"):
        libdk.DkClassifier("iskpl").fit(rows, labels).dual_coef_


def test_clusters_are_as_good_as_those_of_k_means():
    x = load_iris().data
    ours = libdk.DkCluster(clusters=3, kernel="linear", scale="none", starts=20).fit(x)
    theirs = KMeans(3, n_init=20, random_state=0).fit(x)
    assert ours.model_.info()["training"]["energy"] <= theirs.inertia_ * (1 + 1e-9)
    assert adjusted_rand_score(ours.labels_, theirs.labels_) == 1
    np.testing.assert_array_equal(ours.labels_, ours.predict(x))
    np.testing.assert_array_equal(ours.fit_predict(x), ours.labels_)
    np.testing.assert_allclose(np.sort(ours.transform(x)), np.sort(theirs.transform(x)), atol=1e-9)
    assert ours.model_.task == "clustering"


def test_clusters_may_be_spectral():
    angles = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    x = np.vstack([ring[::2], 4 * ring])
    found = libdk.DkCluster(clusters=2, method="spectral", kernel="rbf(gamma=4)", scale="none").fit(x)
    np.testing.assert_array_equal(found.labels_, np.repeat([1, 0], [50, 100]))


def test_rows_are_answered_in_one_pass():
    x, y = load_iris(return_X_y=True)
    model = libdk.train(libdk.Data(x, labels=y), "svm", probability=True)
    found = model.predict_rows(x[::7])
    np.testing.assert_array_equal(found.predictions, model.predict(x[::7]))
    np.testing.assert_array_equal(found.decisions, model.decision(x[::7]))
    np.testing.assert_array_equal(found.probabilities, model.probability(x[::7]))
    assert model.has_probabilities
    plain = libdk.train(libdk.Data(x, targets=np.c_[y, y]), "kernel_ridge")
    assert plain.predict_rows(x).probabilities is None
    np.testing.assert_array_equal(plain.predict_rows(x).predictions, plain.predict(x))
    with pytest.raises(libdk.InvalidValueError):
        plain.predict_rows([[1, 2, 3, np.nan]])
    with pytest.raises(libdk.Error):
        plain.predict_rows(x[:, :3])
    with pytest.raises(ValueError, match="rows and columns"):
        plain.predict_rows(x[0])
