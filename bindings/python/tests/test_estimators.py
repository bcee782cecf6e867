# SPDX-License-Identifier: Apache-2.0
"""Every machine as an estimator passes scikit-learn's own checks, which leave out what its SVC leaves out."""

import functools
import pickle
import warnings

import libdk
import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import average_precision_score, log_loss
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, label_binarize
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

try:  # since 1.6
    from sklearn.utils._test_common.instance_generator import _get_expected_failed_checks
    LEFT_OUT = {"expected_failed_checks": lambda estimator: _get_expected_failed_checks(SVC())}
except ImportError:
    LEFT_OUT = {}

ESTIMATORS = {"classification": libdk.DkClassifier, "regression": libdk.DkRegressor, "novelty": libdk.DkOutlier,
              "clustering": libdk.DkCluster}
MACHINES = {machine["name"]: machine["task"] for machine in libdk.describe()["machines"]}
TRANSFORMERS = ["kernel_pca", "elm", "imkpl", "iskpl", "super_sparse"]


@parametrize_with_checks(
    [ESTIMATORS[task](name, n_jobs=1) for name, task in MACHINES.items()]
    + [libdk.DkTransformer(name, n_jobs=1) for name in TRANSFORMERS],
    **LEFT_OUT,
)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.skipif(bool(LEFT_OUT), reason="what SVC leaves out is left out")
def test_nothing_is_left_out_that_svc_does_not_leave_out():
    allowed = set(SVC()._get_tags()["_xfail_checks"])
    for name, task in MACHINES.items():
        assert set(ESTIMATORS[task](name)._get_tags()["_xfail_checks"]) <= allowed


def test_decisions_are_those_of_svc():
    x, y = load_iris(return_X_y=True)
    x, y = x[y > 0], y[y > 0]
    ours = libdk.DkClassifier("svm", C=2, kernel="rbf(gamma=0.5)", tolerance=1e-8).fit(x, y)
    theirs = SVC(C=2, gamma=0.5, tol=1e-8).fit(x, y)
    np.testing.assert_allclose(ours.decision_function(x), theirs.decision_function(x), atol=1e-6)


def test_parameters_of_the_machine_are_searched():
    x, y = load_iris(return_X_y=True)
    search = GridSearchCV(make_pipeline(StandardScaler(), libdk.DkClassifier("svm", n_jobs=1)),
                          {"dkclassifier__C": [0.001, 1], "dkclassifier__kernel": ["linear", "rbf"]})
    search.fit(x, y)
    assert search.best_params_["dkclassifier__C"] == 1 and search.best_score_ > 0.93
    estimator = libdk.DkClassifier("svm", C=3, kernel=["linear", "rbf"])
    assert estimator.get_params()["C"] == 3
    assert "C=3" in repr(estimator)
    with pytest.raises(ValueError, match="gama"):
        estimator.set_params(gama=1)


def test_names_of_frames_and_what_was_learned():
    x, y = load_iris(return_X_y=True, as_frame=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    estimator = libdk.DkClassifier("svm", probability=True, kernel=["linear", "rbf"], weights="dimkl1").fit(x, names)
    assert list(estimator.feature_names_in_) == list(x.columns)
    assert set(estimator.predict(x)) <= set(names)
    np.testing.assert_allclose(estimator.predict_proba(x).sum(axis=1), 1)
    assert len(estimator.model_.weights()) == 2 and len(estimator.model_.prototypes()) == 6
    said = estimator.explain(x)
    assert said.contributions.shape == (150, 6)
    assert not hasattr(libdk.DkClassifier("svm"), "predict_proba")


def test_no_parameter_hides_a_method():
    described = libdk.describe()
    for machine in described["machines"]:
        for parameter in machine["parameters"] + described["common"]:
            assert not hasattr(ESTIMATORS[machine["task"]], parameter["name"]), parameter["name"]


def test_the_model_knows_names_of_columns_and_classes():
    x, y = load_iris(return_X_y=True, as_frame=True)
    estimator = libdk.DkClassifier("svm").fit(x, y + 5)
    assert list(estimator.model_.classes) == [5, 6, 7]
    np.testing.assert_array_equal(estimator.model_.decision(x[x.columns[::-1]]), estimator.model_.decision(x))
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    assert libdk.DkClassifier("svm").fit(x, names).model_.class_names == ["setosa", "versicolor", "virginica"]


def test_series_strings_and_graphs_are_rows_too():
    texts = libdk.Data.strings(["aab", "aba", "bcc", "cbc"])
    estimator = libdk.DkClassifier("svm", kernel="spectrum(length=1)").fit(texts, ["x", "x", "y", "y"])
    assert list(estimator.predict(libdk.Data.strings(["aaa", "ccc"]))) == ["x", "y"]


def test_missing_values_are_filled_where_the_machine_is_told_how():
    x, y = load_iris(return_X_y=True)
    x[::7, 1] = np.nan
    assert cross_val_score(libdk.DkClassifier("svm", impute="mean"), x, y).mean() > 0.9
    with pytest.raises(ValueError, match="NaN"):
        libdk.DkClassifier("svm").fit(x, y)


def test_machines_of_another_task_are_refused():
    for estimator in (libdk.DkClassifier("svr"), libdk.DkRegressor("svm"), libdk.DkOutlier("svm"),
                      libdk.DkClassifier("swm")):
        with pytest.raises(ValueError, match="machine"):
            estimator.fit(np.eye(4), [0, 1, 0, 1])


def test_auto_chooses_for_estimators_too():
    x, y = load_iris(return_X_y=True)
    chosen = libdk.DkClassifier("auto", candidates=20).fit(x, y)
    assert chosen.score(x, y) > 0.95 and "choice" in chosen.model_.info()
    holes = x.copy()
    holes[::7, 1] = np.nan
    assert libdk.DkClassifier("auto", candidates=8).fit(holes, y).score(holes, y) > 0.9
    values = libdk.DkRegressor("auto", candidates=8).fit(x[:, :3], x[:, 3])
    assert values.score(x[:, :3], x[:, 3]) > 0.9
    with pytest.raises(ValueError, match="DkRegressor"):
        libdk.DkClassifier("auto", candidates=4).fit(x, np.arange(150))


def test_linear_machines_have_coefficients_as_those_of_scikit_learn():
    x, y = load_iris(return_X_y=True)
    for rows in (y > 0, y >= 0):
        ours = libdk.DkClassifier("svm", C=2, kernel="linear", scale="none", tolerance=1e-10).fit(x[rows], y[rows])
        theirs = SVC(C=2, kernel="linear", tol=1e-10).fit(x[rows], y[rows])
        sign = 1 if len(theirs.classes_) == 2 else np.sign(theirs.coef_[0] @ ours.coef_[0])
        np.testing.assert_allclose(ours.coef_, sign * theirs.coef_, atol=1e-3)
        np.testing.assert_allclose(ours.intercept_, sign * theirs.intercept_, atol=1e-3)
        np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))
    scaled = libdk.DkClassifier("svm", kernel="linear", scale="standard").fit(x, y)
    np.testing.assert_allclose(x @ scaled.coef_.T + scaled.intercept_, scaled.model_.decision(x), atol=1e-9)
    for bent in ({"kernel": "rbf"}, {"kernel": "linear", "scale": "ranks"}, {"kernel": "linear", "scale_rows": "l2"}):
        assert not hasattr(libdk.DkClassifier("svm", **bent).fit(x, y), "coef_")
    assert not hasattr(libdk.DkClassifier("kglvq", kernel="linear", normalize=False).fit(x, y), "coef_")
    levels = libdk.DkRegressor("quantile_regression", kernel="linear", levels="0.1,0.9").fit(x[:, 1:], x[:, 0])
    assert not hasattr(levels, "coef_")
    assert not hasattr(libdk.DkClassifier("svm"), "coef_") and not hasattr(libdk.DkClassifier("svm"), "n_iter_")


def test_steps_are_told_and_training_that_does_not_converge_warns():
    x, y = load_iris(return_X_y=True)
    with pytest.warns(ConvergenceWarning):
        short = libdk.DkClassifier("svm", C=1000, max_iterations=3).fit(x, y)
    assert short.n_iter_ == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        assert libdk.DkClassifier("svm").fit(x, y).n_iter_ > 3
    assert not hasattr(libdk.DkClassifier("mean_of_class").fit(x, y), "n_iter_")


def test_similarities_stand_in_pipelines_grids_and_folds():
    x, y = load_iris(return_X_y=True)
    k = rbf_kernel(x, x, gamma=0.2)
    grid = {"C": [0.1, 10.0]}
    found = GridSearchCV(libdk.DkClassifier("svm", kernel="precomputed"), grid, cv=5).fit(k, y)
    peer = GridSearchCV(SVC(kernel="precomputed"), grid, cv=5).fit(k, y)
    np.testing.assert_allclose(found.cv_results_["mean_test_score"], peer.cv_results_["mean_test_score"], atol=0.01)
    assert (found.predict(k[:7]) == peer.predict(k[:7])).all()
    with pytest.raises(ValueError, match="square matrix; X is 10 x 150"):
        libdk.DkClassifier("svm", kernel="precomputed").fit(k[:10], y[:10])
    with pytest.raises(ValueError, match="3 features"):
        found.best_estimator_.predict(k[:, :3])


def test_a_kernel_may_be_a_function():
    x, y = load_iris(return_X_y=True)
    own = libdk.DkClassifier("svm", C=3, kernel=functools.partial(rbf_kernel, gamma=0.2)).fit(x[::2], y[::2])
    named = libdk.DkClassifier("svm", C=3, kernel="rbf(gamma=0.2)", scale="none").fit(x[::2], y[::2])
    np.testing.assert_allclose(own.decision_function(x), named.decision_function(x), atol=1e-2)
    again = pickle.loads(pickle.dumps(own))
    np.testing.assert_array_equal(again.predict(x), own.predict(x))
    assert cross_val_score(own, x, y, cv=5).mean() > 0.9
    with pytest.raises(ValueError, match=r"shape \(75, 4\) for similarities of shape \(75, 75\)"):
        libdk.DkClassifier("svm", kernel=lambda a, b: a).fit(x[::2], y[::2])


def test_texts_and_series_are_rows():
    texts = ["abab", "baba", "abba", "cdcd", "dcdc", "cddc"] * 4
    kinds = ["x", "x", "x", "y", "y", "y"] * 4
    estimator = libdk.DkClassifier("svm", kernel="spectrum(length=2)")
    assert cross_val_score(estimator, texts, kinds, cv=3).mean() == 1
    assert list(estimator.fit(np.array(texts, dtype=object), kinds).predict(["aba", "dcd"])) == ["x", "y"]
    time = np.arange(30)
    ragged = [np.sin(time[:20 + i] / (2 if i % 2 else 4)) for i in range(10)]
    quick = np.arange(10) % 2
    padded = np.full((10, 30, 1), np.nan)
    for row, one in zip(padded, ragged):
        row[:len(one), 0] = one
    by_list = libdk.DkClassifier("svm", kernel="gak(sigma=1)").fit(ragged, quick)
    by_array = libdk.DkClassifier("svm", kernel="gak(sigma=1)").fit(padded, quick)
    np.testing.assert_array_equal(by_list.decision_function(ragged), by_array.decision_function(padded))
    assert (by_list.predict(ragged) == quick).all()


@pytest.mark.parametrize("load", [load_iris, load_wine, load_digits])
def test_scores_of_classes_rank_rows_as_those_of_svc(load):
    x, y = load(return_X_y=True)
    x, gamma = StandardScaler().fit_transform(x), 1 / x.shape[1]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    truth = label_binarize(y, classes=np.unique(y))

    def measured(estimator):
        scores = cross_val_predict(estimator, x, y, cv=folds, method="decision_function")
        calibrated = CalibratedClassifierCV(estimator, cv=3, ensemble=False)
        p = cross_val_predict(calibrated, x, y, cv=folds, method="predict_proba")
        distinct = {len(np.unique(column)) for column in scores.T}
        return average_precision_score(truth, scores), log_loss(y, p), distinct

    ours = measured(libdk.DkClassifier("svm", kernel=f"rbf(gamma={gamma!r})", scale="none", tolerance=1e-5))
    theirs = measured(SVC(gamma=gamma, tol=1e-5))
    assert abs(ours[0] - theirs[0]) < 0.003
    assert ours[1] < theirs[1] + 0.003
    assert ours[2] == theirs[2]
