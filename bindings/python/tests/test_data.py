# SPDX-License-Identifier: Apache-2.0
"""Rows of every kind, read where they lie, and what is known of them."""

import libdk
import numpy as np
import pandas as pd
import pytest
import scipy.sparse


def table(rows=30, cols=4, seed=1):
    return np.random.default_rng(seed).normal(size=(rows, cols))


def test_layouts_and_types_are_the_same_rows():
    x = table()
    kernel = "rbf(gamma=0.3)"
    expected = libdk.gram(x, kernel=kernel)
    formula = np.exp(-0.3 * ((x[:, None] - x[None]) ** 2).sum(axis=2))
    np.testing.assert_allclose(expected, formula, rtol=1e-12)
    for same in (np.asfortranarray(x), x.tolist(), x[::-1][::-1], scipy.sparse.csr_matrix(x),
                 scipy.sparse.coo_matrix(x)):
        np.testing.assert_allclose(libdk.gram(same, kernel=kernel), expected, rtol=1e-12)
    # single precision has 24 bits
    np.testing.assert_allclose(libdk.gram(x.astype(np.float32), kernel=kernel), expected, rtol=1e-5)
    single = libdk.gram(x, x, kernel, dtype=np.float32)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, expected, rtol=1e-5)


def test_frames_keep_their_names():
    x = table()
    frame = pd.DataFrame(x, columns=["a", "b", "c", "d"])
    data = libdk.Data(frame)
    assert data.names == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(data.values, x)
    assert data.shape == (30, 4) and len(data) == 30 and data.kind == "dense"
    assert repr(data) == "<libdk.Data: 30 rows of dense data, 4 columns>"


def test_sparse_rows_with_duplicates_are_summed():
    twice = scipy.sparse.csr_matrix((np.array([1.0, 2, 5]), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 3))
    assert libdk.Data(twice).kind == "sparse"
    np.testing.assert_array_equal(libdk.gram(twice, kernel="linear"), [[9, 0], [0, 25]])
    assert twice.nnz == 3  # the caller's matrix is as it was


def test_series_strings_graphs_and_similarities():
    series = libdk.Data.series([np.sin(np.arange(20.0)), np.sin(np.arange(25.0))])
    assert series.kind == "series"
    np.testing.assert_allclose(np.diag(libdk.gram(series, kernel="gak(sigma=1)")), 1)
    texts = libdk.Data.strings(["aab", "bcc"])
    assert libdk.gram(texts, kernel="spectrum(length=1)")[0, 1] == 1  # a b each, nothing else in common
    ring, path = ([0, 0, 0], [(0, 1), (1, 2), (2, 0)]), ([0, 0, 0], [(0, 1), (1, 2)])
    graphs = libdk.Data.graphs([ring, path])
    np.testing.assert_array_equal(libdk.gram(graphs, kernel="weisfeiler_lehman(iterations=0)"), [[9, 9], [9, 9]])
    k = libdk.gram(table(6), kernel="rbf(gamma=1)")
    np.testing.assert_array_equal(libdk.gram(libdk.Data.gram(k, k @ k), kernel="[gram(0), gram(1)]"), [k, k @ k])


def test_similarities_are_asked_for():
    x = table(40)
    y = (x[:, 0] > 0).astype(int)
    asked = []

    def similarity(rows, training_rows):
        asked.append(len(rows))
        return x[rows] @ x[training_rows].T

    data = libdk.Data.similarity(40, 40, similarity, labels=y)
    model = libdk.train(data, "svm", kernel="gram(0)", tolerance=1e-8)
    same = libdk.train(libdk.Data(x, labels=y), "svm", kernel="linear", tolerance=1e-8)
    np.testing.assert_allclose(model.decision(data), same.decision(x), atol=1e-5)
    assert asked


def test_what_a_callback_raises_comes_out_of_the_call():
    def failing(rows, training_rows):
        raise LookupError("no such row")

    with pytest.raises(LookupError, match="no such row"):
        libdk.train(libdk.Data.similarity(8, 8, failing, labels=[0, 1] * 4), "svm", kernel="gram(0)")
    with pytest.raises(ValueError, match=r"shape \(8, 8\)|of shape"):
        libdk.train(libdk.Data.similarity(8, 8, lambda *_: np.ones(3), labels=[0, 1] * 4), "svm", kernel="gram(0)")


def test_points_have_similarities():
    x = table(30, 2)
    y = (x[:, 0] > 0).astype(int)
    data = libdk.Data.point_similarity(
        x, lambda points, rows: np.exp(-((x[rows][:, None] - points[None]) ** 2).sum(axis=2)), labels=y
    )
    model = libdk.train(data, "super_sparse", kernel="similarity", prototypes=4)
    same = libdk.train(libdk.Data(x, labels=y), "super_sparse", kernel="rbf(gamma=1)", prototypes=4)
    assert model.prototype_count == same.prototype_count == 4
    assert np.mean(model.predict(data) == y) >= 0.8


def test_labels_groups_selection_and_folds():
    x = table(60)
    data = libdk.Data(x, labels=["b", "a", "c"] * 20, groups=np.repeat(np.arange(20), 3))
    np.testing.assert_array_equal(data.labels[:3], [1, 0, 2])
    part = data[10:20]
    np.testing.assert_array_equal(part.values, x[10:20])
    np.testing.assert_array_equal(part.labels, data.labels[10:20])
    np.testing.assert_array_equal(data[data.labels == 0].values, x[data.labels == 0])
    folds = data.folds(4)
    assert all(len(set(folds[3 * group : 3 * group + 3])) == 1 for group in range(20))
    assert set(folds) == {0, 1, 2, 3}


def test_labels_are_integers_or_texts():
    x = table(4)
    np.testing.assert_array_equal(libdk.Data(x, labels=np.array([3, 1, 3, 1], object)).labels, [3, 1, 3, 1])
    np.testing.assert_array_equal(libdk.Data(x, labels=[b"b", b"a", b"b", b"a"]).labels, [1, 0, 1, 0])
    for wrong in (["a", None, "b", "a"], ["a", float("nan"), "b", "a"], [1e300, 1, 2, 3],
                  np.array([2**63 + 1, 0, 1, 2], np.uint64)):
        with pytest.raises(ValueError):
            libdk.Data(x, labels=wrong)


def test_labels_beyond_the_whole_numbers_of_floats_come_back():
    x, large = np.array([[0.0], [2], [4], [6]]), [9007199254740993, 9007199254740995, 9, -(2**63)]
    for labels in (large, np.array(large), np.array(large, object), pd.Series(large), pd.Series(large, dtype="Int64")):
        data = libdk.Data(x, labels=labels)
        assert data.labels.tolist() == large
        model = libdk.train(data, "nearest_neighbours", voters=1, kernel="rbf(gamma=1)")
        predicted = model.predict(x)
        assert predicted.dtype == np.int64 and predicted.tolist() == large
        assert model.classes.tolist() == sorted(large) and model.class_names == [str(one) for one in sorted(large)]
        assert libdk.Model.from_bytes(model.to_bytes()).predict(x).tolist() == large
        # a part of the rows has small labels alone
        assert model.score(libdk.Data(x[[2, 0]], labels=[9, 9]), "accuracy") == 0.5
        estimator = libdk.DkClassifier("nearest_neighbours", voters=1, kernel="rbf(gamma=1)").fit(x, labels)
        assert estimator.predict(x).tolist() == large
    assert model.prototypes()[0].label in model.class_names
    small = libdk.train(libdk.Data(x, labels=[1, 2, 1, 2]), "nearest_neighbours", voters=1, kernel="rbf(gamma=1)")
    assert small.predict(x).tolist() == [1, 2, 1, 2]


def test_estimators_order_large_labels_as_numbers():
    x = np.array([[-2.0], [-1], [1], [2]])
    estimator = libdk.DkClassifier("mean_of_class", kernel="linear").fit(x, [9, 9, 9007199254740995, 9007199254740995])
    assert (estimator.decision_function(x) > 0).tolist() == [False, False, True, True]
    texts = np.array(["9", "10", "9007199254740995", "9007199254740995"])
    nearest = libdk.DkClassifier("nearest_neighbours", voters=1, kernel="rbf(gamma=1)").fit(x, texts)
    assert nearest.predict(x).tolist() == texts.tolist()
    unsigned = np.array([9, 9, 2**64 - 1, 2**64 - 1], np.uint64)
    assert libdk.DkClassifier("svm").fit(x, unsigned).predict(x).tolist() == unsigned.tolist()


def test_labels_that_have_lost_digits_are_refused():
    with pytest.raises(ValueError, match="2\\^53"):
        libdk.Data(table(3), labels=[1.0, 2.0, 9007199254740996.0])
    with pytest.raises(ValueError, match="64 bits"):
        libdk.Data(table(3), labels=[1, 2, 2**70])
    assert libdk.Data(table(3), labels=[1.0, 2.0, 2.0**53]).labels.tolist() == [1, 2, 2**53]


def test_what_a_similarity_was_asked_stays():
    x, kept = table(12), []

    def similarity(rows, training_rows):
        kept.append((rows, rows.copy()))
        return x[rows] @ x[training_rows].T

    libdk.train(libdk.Data.similarity(12, 12, similarity, labels=[0, 1] * 6), "svm", kernel="gram(0)")
    for rows, copied in kept:
        np.testing.assert_array_equal(rows, copied)


def test_bad_input_says_what_is_allowed():
    for wrong, message in ((np.ones(3), "reshape"), (np.ones((0, 3)), "rows"), (np.array([[1, np.nan]]), "NaN|nan|finite"),
                           (np.array([["a"]]), "could not convert")):
        with pytest.raises(ValueError, match=message):
            libdk.Data(wrong)
    with pytest.raises(ValueError, match="whole numbers"):
        libdk.Data(table(), labels=np.linspace(0, 1, 30))
    with pytest.raises(libdk.InvalidValueError) as failure:
        libdk.Data(table(), labels=[1, 2])
    assert failure.value.status == libdk.Status.INVALID_ARGUMENT or failure.value.status == libdk.Status.DIMENSION
    with pytest.raises(OSError):
        libdk.Data.read("/no/such/file.csv")
    with pytest.raises(ValueError, match="zero character"):
        libdk.Data.strings(["a\0b"])
    with pytest.raises(ValueError, match="channels"):
        libdk.Data.series([np.ones((3, 2)), np.ones((3, 1))])
