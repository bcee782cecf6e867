# SPDX-License-Identifier: Apache-2.0
"""Frames of pandas with columns of any type work as CSV files of them do."""

import libdk
import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline


def frame(colours="red blue red green blue red blue red".split()):
    """Eight rows: red ones are of class yes, others of class no."""
    x = [0.1, 1.25, -3, 4e-17, 5, 6.5, 1 / 3, 8]
    return pd.DataFrame({"x": x[: len(colours)], "colour": colours})


def classes(rows):
    return ["yes" if colour == "red" else "no" for colour in rows["colour"]]


def of_file(rows, path, model=None, options="label=none ignore=none"):
    rows.to_csv(path, index=False)
    return libdk.Data.read(path, options) if model is None else model.read(path, options)


def test_texts_become_indicators_in_the_order_of_their_bytes():
    data = libdk.Data(frame())
    assert data.names == ["x", "colour=blue", "colour=green", "colour=red"]
    np.testing.assert_array_equal(data.values[:, 1:], [[0, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1],
                                                       [1, 0, 0], [0, 0, 1]])
    np.testing.assert_array_equal(data.values[:, 0], frame()["x"])


@pytest.mark.parametrize("column", [
    pd.Series(list("abbacabc"), dtype="category"),
    pd.Series(list("abbacabc"), dtype="string"),
    pd.Series(list("abbacabc"), dtype=object),
    pd.Series([3, 1, 1, 3, 2, 3, 1, 2], dtype="category"),
    pd.Series([True, False, False, True] * 2),
    pd.Series([True, False, False, True] * 2, dtype="boolean"),
    pd.Series([1, 2, 3, 4] * 2, dtype="Int64"),
    pd.Series([0.1, 0.2, 0.3, 1e300] * 2, dtype="Float64"),
    pd.Series(["1,5", "2,5", "3,5", "4,25"] * 2),
    pd.Series(["größer", "\U0001f600", 'say "no"', "a, b"] * 2),
])
def test_columns_are_what_they_are_in_files(column, tmp_path):
    for rows in (frame().assign(more=column), pd.DataFrame({"x": frame()["x"], "class": column})):
        data, read = libdk.Data(rows), of_file(rows, tmp_path / "rows.csv")
        assert data.names == read.names
        np.testing.assert_array_equal(data.values, read.values)


def test_missing_values_of_any_kind(tmp_path):
    rows = frame().assign(colour=["red", None, "blue", "red", "blue", "red", "blue", "red"],
                          count=pd.array([1, 2, pd.NA, 4, 5, 6, 7, 8], "Int64"))
    with pytest.raises(libdk.InvalidValueError, match="row 1 of column 'colour'|row 2 of column 'count'"):
        libdk.Data(rows)
    data, read = libdk.Data(rows, missing=True), of_file(rows, tmp_path / "rows.csv", options="label=none missing=keep")
    np.testing.assert_array_equal(data.values, read.values)
    np.testing.assert_array_equal(np.isnan(data.values).sum(axis=0), [0, 1, 1, 1])
    numbers = rows[["x", "count"]]
    np.testing.assert_array_equal(libdk.Data(numbers, missing=True).values[:, 1], [1, 2, np.nan, 4, 5, 6, 7, 8])
    with pytest.raises(libdk.InvalidValueError, match="row 2"):
        libdk.Data(numbers)
    model = libdk.train(libdk.Data(rows, missing=True, labels=classes(frame())), "svm", impute="mean")
    assert len(model.predict(rows)) == 8 and len(model.predict(rows[::-1][:3])) == 3


def test_dates_are_refused_with_what_to_do():
    when = frame().assign(when=pd.to_datetime(["2024-02-29"] * 4 + ["2024-03-01"] * 4))
    with pytest.raises(libdk.InvalidValueError, match='when.*dates.*options="ignore=when"'):
        libdk.Data(when)
    with pytest.raises(libdk.InvalidValueError, match="when.*dates"):
        libdk.Data(when.assign(when=when["when"].dt.tz_localize("Europe/Berlin")))
    days = libdk.Data(when, options="dates=days").values[:, -1]
    np.testing.assert_array_equal(np.diff(days), [0, 0, 0, 1, 0, 0, 0])
    assert libdk.Data(when, options="ignore=when").names == libdk.Data(frame()).names
    with pytest.raises(ValueError, match="dates"):
        libdk.Data(when[["when"]].to_numpy())
    with pytest.raises(ValueError, match="dates"):
        libdk.DkClassifier("svm").fit(when[["when"]].to_numpy(), classes(when))
    with pytest.raises(ValueError, match="options"):
        libdk.Data(np.eye(2), options="dates=days")
    model = libdk.train(libdk.Data(when, options="dates=days", labels=classes(when)), "svm")
    assert len(model.predict(when[:2])) == 2


def test_names_of_rows_are_refused():
    rows = pd.DataFrame({"x": np.arange(30.0), "name": [f"name {i}" for i in range(30)]})
    with pytest.raises(libdk.InvalidValueError, match="'name' has another text in each of the 30 rows"):
        libdk.Data(rows)


def test_columns_that_stand_twice_or_are_complex_are_refused():
    rows = frame().assign(more=1.0)
    with pytest.raises(ValueError, match="'x' twice"):
        libdk.Data(rows.set_axis(["x", "x", "more"], axis=1))
    with pytest.raises(ValueError, match="'more'.*complex"):
        libdk.Data(rows.assign(more=1j))


def test_unknown_categories_get_the_same_answer_as_from_a_file(tmp_path):
    learned = frame()
    model = libdk.train(libdk.Data(learned, labels=classes(learned)), "svm", kernel="linear", C=100)
    new = frame(["violet", "red", "blue"])
    expected = model.decision(of_file(new, tmp_path / "new.csv", model, ""))
    np.testing.assert_array_equal(model.decision(new), expected)
    known = libdk.Data(pd.DataFrame(0.0, index=[0], columns=libdk.Data(learned).names).assign(x=new["x"][0]))
    np.testing.assert_array_equal(model.decision(known)[0], expected[0])  # of none of the categories
    np.testing.assert_array_equal(model.decision(new[:1]), expected[:1])
    assert model.predict(frame(["red", "green"])).tolist() == [model.class_names.index("yes"), model.class_names.index("no")]
    # rows that were read by themselves have other categories
    np.testing.assert_array_equal(model.decision(libdk.Data(new)), expected)
    assert model.score(model.read(learned, labels=classes(learned)), "accuracy") == 1
    again = libdk.Model.from_bytes(model.to_bytes())
    np.testing.assert_array_equal(again.decision(new), expected)


def test_columns_are_found_by_their_names():
    learned = frame()
    model = libdk.train(libdk.Data(learned, labels=classes(learned)), "svm")
    np.testing.assert_array_equal(model.decision(learned[["colour", "x"]]), model.decision(learned))
    np.testing.assert_array_equal(model.decision(learned.assign(more="a")), model.decision(learned))
    for lacking in ("x", "colour"):
        with pytest.raises(libdk.InvalidValueError, match=lacking):
            model.predict(learned.drop(columns=lacking))
    numbers = learned.assign(z=range(8))[["x", "z"]]
    plain = libdk.train(libdk.Data(numbers, labels=classes(learned)), "svm")
    np.testing.assert_array_equal(plain.decision(numbers[["z", "x"]].assign(note="new")), plain.decision(numbers))


def test_kernel_values_of_frames_with_other_categories_are_refused():
    assert libdk.gram(frame(), kernel="linear").shape == (8, 8)
    with pytest.raises(ValueError, match="categories"):
        libdk.gram(frame(["red", "blue"]), frame(["green", "blue"]), kernel="linear")


def test_estimators_learn_from_frames_with_texts():
    rows = pd.concat([frame()] * 4, ignore_index=True).assign(flag=[True, False] * 16)
    y = np.array(classes(rows))
    estimator = libdk.DkClassifier("svm", C=100).fit(rows, y)
    assert list(estimator.feature_names_in_) == ["x", "colour", "flag"] and estimator.n_features_in_ == 3
    assert estimator.score(rows, y) == 1
    model = libdk.train(libdk.Data(rows, labels=y), "svm", C=100)
    np.testing.assert_array_equal(estimator.decision_function(rows), model.decision(rows)[:, 0])
    assert len(estimator.predict(rows[:3].assign(colour="violet"))) == 3
    with pytest.raises(ValueError, match="feature names"):
        estimator.predict(rows[["colour", "x", "flag"]])
    with pytest.raises(ValueError, match="flag"):
        estimator.predict(rows.drop(columns="flag"))
    with pytest.raises(ValueError, match="frame"):
        estimator.predict(np.ones((2, 3)))
    assert cross_val_score(make_pipeline(libdk.DkClassifier("svm", C=100)), rows, y).mean() == 1
    values = libdk.DkRegressor("svr", C=1000, epsilon=0.001, kernel="linear").fit(rows, 2.0 * (rows["colour"] == "red"))
    np.testing.assert_allclose(values.predict(rows[:2]), [2, 0], atol=0.1)
    assert set(libdk.DkOutlier().fit(rows).predict(rows)) <= {-1, 1}
    assert libdk.DkTransformer().fit(rows, y).transform(rows).shape[0] == 32


def test_estimators_take_nullable_columns():
    rows = pd.DataFrame({"x": pd.array([1, 2, 3, pd.NA, 5, 6], "Int64"), "z": [0.5, 1, 2, 3, 4, 5]})
    y = pd.Series([0, 0, 0, 1, 1, 1], dtype="Int64")
    assert libdk.DkClassifier("svm", impute="mean").fit(rows, y).predict(rows).tolist() == [0, 0, 0, 1, 1, 1]
    with pytest.raises(ValueError, match="NaN"):
        libdk.DkClassifier("svm").fit(rows, y)
    with pytest.raises(ValueError, match="NaN"):
        libdk.DkClassifier("svm").fit(rows[["z"]], y.where(y.index != 2))
