# SPDX-License-Identifier: Apache-2.0
"""Rows with several labels, beside scikit-learn's own."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import metrics
from sklearn.datasets import make_multilabel_classification
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.svm import SVC

import libdk


def documents(rows=150):
    x, y = make_multilabel_classification(rows, n_features=6, n_classes=4, n_labels=2, random_state=3)
    return (x - x.mean(axis=0)) / x.std(axis=0), y


def test_an_svm_is_one_against_rest_of_scikit_learn():
    x, y = documents()
    ours = libdk.DkClassifier("svm", C=2, kernel="rbf(gamma=0.2)", scale="none", tolerance=1e-6).fit(x, y)
    theirs = OneVsRestClassifier(SVC(C=2, gamma=0.2, tol=1e-6)).fit(x, y)
    np.testing.assert_allclose(ours.decision_function(x), theirs.decision_function(x), atol=1e-4)
    np.testing.assert_array_equal(ours.predict(x), theirs.predict(x))
    assert ours.score(x, y) == theirs.score(x, y)
    np.testing.assert_array_equal(ours.classes_, theirs.classes_)
    np.testing.assert_array_equal(ours.fit(x, sparse.csr_matrix(y)).predict(x), theirs.predict(x))
    support = np.unique(np.concatenate([one.support_ for one in theirs.estimators_]))
    assert ours.model_.task == "multilabel" and abs(len(ours.support_) - len(support)) <= 2


def test_scores_are_those_of_scikit_learn():
    x, y = documents()
    train, test = np.arange(100), np.arange(100, 150)
    model = libdk.train(libdk.Data(x[train], label_sets=y[train]), "kelm", C=10, probability=True)
    data = libdk.Data(x[test], label_sets=y[test])
    truth, found = y[test], model.predict(data)
    decisions, p = model.decision(data), model.probability(data)
    expected = {
        "accuracy": metrics.accuracy_score(truth, found),
        "hamming_loss": metrics.hamming_loss(truth, found),
        "micro_f1": metrics.f1_score(truth, found, average="micro"),
        "f1": metrics.f1_score(truth, found, average="macro"),
        "precision": metrics.precision_score(truth, found, average="macro"),
        "recall": metrics.recall_score(truth, found, average="macro"),
        "jaccard": metrics.jaccard_score(truth, found, average="samples", zero_division=1),
        "label_ranking": metrics.label_ranking_average_precision_score(truth, decisions),
        "auc": metrics.roc_auc_score(truth, decisions),
        "log_loss": np.mean([metrics.log_loss(truth[:, c], p[:, c]) for c in range(4)]),
        "brier": np.mean([metrics.brier_score_loss(truth[:, c], p[:, c]) for c in range(4)]),
    }
    for name, value in expected.items():
        np.testing.assert_allclose(model.score(data, name), value, atol=1e-12, err_msg=name)


def test_labels_are_collections_of_names():
    x, y = documents(60)
    names = np.array(["arts", "books", "cars", "dogs"])
    sets = [set(names[row == 1]) for row in y]
    model = libdk.train(libdk.Data(x, label_sets=sets), "svm")
    assert model.class_names == sorted(names)
    np.testing.assert_array_equal(MultiLabelBinarizer().fit(sets).transform(model.predict_label_sets(x)), model.predict(x))
    lacking = [row - {"cars"} for row in sets]
    known = libdk.train(libdk.Data(x, label_sets=lacking, label_names=names), "svm")
    assert known.class_names == list(names) and not known.predict(x)[:, 2].any()
    with pytest.raises(ValueError, match="'cars', which label_names lacks"):
        libdk.Data(x, label_sets=sets, label_names=["arts", "books", "dogs"])
    with pytest.raises(ValueError, match="0 and 1"):
        libdk.Data(x, label_sets=2 * y)
    with pytest.raises(ValueError, match="row 0 of label_sets is 'arts'"):
        libdk.Data(x, label_sets=["arts"] * 60)
    with pytest.raises(ValueError, match="array of 0 and 1"):
        libdk.Data(x, label_sets=y.tolist())
    with pytest.raises(ValueError, match="not both"):
        libdk.Data(x, label_sets=sets, labels=y[:, 0])
    with pytest.raises(ValueError, match="are not given"):
        libdk.Data(x, label_names=names)
    numbers = libdk.train(libdk.Data(x, label_sets=[[10, 9] if row[0] else [9] for row in y]), "svm")
    assert numbers.class_names == ["9", "10"]
    of_sparse = libdk.train(libdk.Data(x, label_sets=sparse.csr_matrix(y), label_names=names), "svm")
    np.testing.assert_array_equal(of_sparse.predict(x), model.predict(x))
    with pytest.raises(libdk.UnsupportedError):
        libdk.train(libdk.Data(x, labels=y[:, 0]), "svm").predict_label_sets(x)


def test_estimators_search_and_tell_probabilities():
    x, y = documents(90)
    search = GridSearchCV(libdk.DkClassifier("kelm", kernel="rbf(gamma=0.2)"), {"C": [0.1, 10]}, cv=3, scoring="f1_micro")
    assert search.fit(x, y).best_score_ > 0.6
    model = libdk.DkClassifier("svm", probability=True).fit(x, y)
    p = model.predict_proba(x)
    assert p.shape == y.shape and (p.sum(axis=1) > 1.01).any()
    assert cross_val_score(model, x, y, cv=3, scoring="roc_auc").mean() > 0.7
    with pytest.raises(ValueError, match="learns one class a row"):
        libdk.DkClassifier("imkpl").fit(x, y)
    one = libdk.DkClassifier("kelm").fit(x, y[:, 0])
    assert one.predict(x).ndim == 1
    best = libdk.DkClassifier("auto").fit(x, y)
    assert best.model_.task == "multilabel" and best.predict(x).shape == y.shape
