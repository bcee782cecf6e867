# SPDX-License-Identifier: Apache-2.0
"""Models of other programs: files, and estimators of scikit-learn, whose decisions are compared with scikit-learn's own."""

from inspect import signature

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_diabetes, load_iris
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import NuSVC, NuSVR, OneClassSVM, SVC, SVR, LinearSVC, LinearSVR

import libdk

X, y = load_iris(return_X_y=True)
NAMES = np.array(["zinnia", "aster", "blue bell"])[y]  # whose order is not that of the labels
TWO = y < 2
D, t = (part[:150] for part in load_diabetes(return_X_y=True))


def size(estimator):
    return np.abs(estimator.dual_coef_).sum()


@pytest.mark.parametrize("estimator", [
    SVC(gamma=0.3, C=5), SVC(kernel="poly", degree=2, coef0=1), SVC(kernel="sigmoid", gamma=0.01), SVC(kernel="linear"),
    NuSVC(nu=0.2)])
@pytest.mark.parametrize("labels", [y, y * 7 - 3, NAMES])
def test_classifiers_of_pairs(estimator, labels):
    estimator.set_params(decision_function_shape="ovo").fit(X, labels)
    model = libdk.import_sklearn(estimator)
    np.testing.assert_allclose(model.decision(X), estimator.decision_function(X), rtol=0, atol=1e-10 * size(estimator))
    names = [str(one) for one in estimator.classes_]
    assert list(model.class_names) == names
    if labels is NAMES:
        found = np.array(names)[model.predict(X).astype(int)]
    else:
        found = model.predict(X)
    assert (found == estimator.predict(X)).mean() > 0.98


def test_two_classes_with_probabilities():
    estimator = SVC(probability=True, random_state=0).fit(X[TWO], NAMES[TWO])
    model = libdk.import_sklearn(estimator)
    np.testing.assert_allclose(model.decision(X)[:, 0], estimator.decision_function(X), rtol=0, atol=1e-10 * size(estimator))
    # the sigmoid of LIBSVM's function, which is positive for the first class; scikit-learn's LIBSVM finds the
    # probabilities of it by steps that end at 0.0025
    first = 1 / (1 + np.exp(-estimator.probA_ * estimator.decision_function(X) + estimator.probB_))
    np.testing.assert_allclose(model.probability(X)[:, 0], first, rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.probability(X), estimator.predict_proba(X), rtol=0, atol=5e-3)


@pytest.mark.parametrize("estimator", [SVR(C=100), NuSVR(C=100, kernel="poly", degree=2)])
def test_regressions(estimator):
    estimator.fit(D, t)
    found = libdk.import_sklearn(estimator).predict(D)
    np.testing.assert_allclose(found, estimator.predict(D), rtol=0, atol=1e-10 * size(estimator))


def test_novelty():
    estimator = OneClassSVM(nu=0.2, gamma=0.5).fit(X)
    model = libdk.import_sklearn(estimator)
    np.testing.assert_allclose(model.decision(X)[:, 0], estimator.decision_function(X), rtol=0, atol=1e-10 * size(estimator))
    far = np.abs(estimator.decision_function(X)) > 1e-9
    assert (model.predict(X) == estimator.predict(X))[far].all()


def test_precomputed_kernels():
    K = X @ X.T
    estimator = SVC(kernel="precomputed", decision_function_shape="ovo").fit(K, y)
    model = libdk.import_sklearn(estimator)
    rows = libdk.Data.gram(K)
    np.testing.assert_allclose(model.decision(rows), estimator.decision_function(K), rtol=0, atol=1e-10 * size(estimator))


def test_sparse_rows():
    rows = sparse.random(60, 200, density=0.05, random_state=1, format="csr")
    labels = np.arange(60) % 2
    estimator = SVC(gamma=0.5).fit(rows, labels)
    model = libdk.import_sklearn(estimator)
    for given in (rows, rows.toarray()):
        np.testing.assert_allclose(model.decision(given)[:, 0], estimator.decision_function(rows), rtol=0, atol=1e-8)


@pytest.mark.parametrize("kernel", ["rbf", "linear", "poly", "sigmoid"])
def test_kernel_ridge(kernel):
    estimator = KernelRidge(alpha=0.5, kernel=kernel).fit(D, t)
    model = libdk.import_sklearn(estimator)
    assert model.info()["machine"] == "kernel_ridge"
    np.testing.assert_allclose(model.predict(D), estimator.predict(D), rtol=0, atol=1e-10 * size(estimator))


@pytest.mark.parametrize("labels", [y, NAMES])
@pytest.mark.parametrize("rows", [np.ones(150, bool), TWO])
def test_linear_classifiers(labels, rows):
    estimators = [LinearSVC(dual=False), LinearSVC(multi_class="crammer_singer", max_iter=10000)]
    if "multi_class" in signature(LogisticRegression).parameters:  # until 1.8
        estimators.append(LogisticRegression(multi_class="ovr"))
    elif rows is TWO:
        estimators.append(LogisticRegression())
    for estimator in estimators:
        estimator.fit(X[rows], labels[rows])
        model = libdk.import_sklearn(estimator)
        expected = estimator.decision_function(X).reshape(len(X), -1)
        np.testing.assert_allclose(model.decision(X), expected, rtol=0, atol=1e-10 * np.abs(estimator.coef_).sum())
        if isinstance(estimator, LogisticRegression):
            np.testing.assert_allclose(model.probability(X), estimator.predict_proba(X), rtol=0, atol=1e-10)
        assert (model.decision(X).shape[1] == 1) == (len(estimator.classes_) == 2)


def test_linear_regression():
    estimator = LinearSVR(max_iter=10000, random_state=0).fit(D, t)
    np.testing.assert_allclose(libdk.import_sklearn(estimator).predict(D), estimator.predict(D), rtol=1e-10)


def test_what_cannot_be_imported():
    with pytest.raises(TypeError, match="Ridge"):
        libdk.import_sklearn(Ridge().fit(D, t))
    with pytest.raises(ValueError, match="softmax"):
        libdk.import_sklearn(LogisticRegression(max_iter=1000).fit(X, y))
    with pytest.raises(ValueError, match="kernel"):
        libdk.import_sklearn(SVC(kernel=lambda a, b: a @ b.T).fit(X, y))
    with pytest.raises(ValueError, match="targets"):
        libdk.import_sklearn(KernelRidge().fit(D, np.c_[t, t]))
    with pytest.raises(Exception, match="not fitted"):
        libdk.import_sklearn(SVC())


def test_files(tmp_path):
    model = libdk.train(libdk.Data(X, labels=y), "svm", kernel="rbf(gamma=0.5)")
    model.export(tmp_path / "iris.model", "libsvm")
    again = libdk.import_model(tmp_path / "iris.model", "libsvm features=4", n_jobs=1)
    np.testing.assert_allclose(again.decision(X), model.decision(X), rtol=0, atol=1e-9)
    model.export(tmp_path / "iris.c", "c")
    assert "int iris_decide(const double *row, double *decisions)" in (tmp_path / "iris.c").read_text()
    with pytest.raises(libdk.Error, match="line 1"):
        libdk.import_model(tmp_path / "iris.c")
