# SPDX-License-Identifier: Apache-2.0
"""Tables of Arrow by their capsules are read as frames and files of the same rows, and answers leave as such tables."""

import gc

import libdk
import numpy as np
import pytest
from arrow_producer import StreamedTable, Table

COLOURS = "red blue red green blue red blue red".split()
NUMBERS = np.array([0.1, 1.25, -3, 4e-17, 5, 6.5, 1 / 3, 8])


def columns(**more):
    return {"x": NUMBERS, "count": np.arange(8, dtype=np.int32), "colour": COLOURS, **more}


@pytest.mark.parametrize("table", [Table(columns()), StreamedTable(columns())])
def test_a_table_is_what_the_file_of_it_is(table, tmp_path):
    rows = [f"{x!r},{count},{colour}" for x, count, colour in zip(NUMBERS.tolist(), range(8), COLOURS)]
    (tmp_path / "rows.csv").write_text("\n".join(["x,count,colour"] + rows))
    of_file = libdk.Data.read(tmp_path / "rows.csv")
    for data in (libdk.Data.from_arrow(table), libdk.Data(table)):
        assert data.names == of_file.names
        np.testing.assert_array_equal(data.values, of_file.values)
    gc.collect()
    assert table.living == 0


def test_a_stream_is_its_arrays_one_after_the_other():
    data = libdk.Data.from_arrow(StreamedTable(columns(), times=3))
    np.testing.assert_array_equal(data.values, np.tile(libdk.Data(Table(columns())).values, (3, 1)))


def test_models_train_and_predict_with_tables():
    classes = ["yes" if colour == "red" else "no" for colour in COLOURS]
    training = libdk.Data.from_arrow(Table(columns(**{"class": classes})))
    model = libdk.train(training, "svm", kernel="rbf(gamma=1)")
    shuffled = Table({"colour": COLOURS, "more": NUMBERS, "count": np.arange(8, dtype=np.int8), "x": NUMBERS})
    predicted = model.predict(shuffled)
    assert [model.class_names[int(k)] for k in predicted] == classes
    np.testing.assert_array_equal(model.decision(shuffled), model.decision(libdk.Data.from_arrow(Table(columns()))))
    np.testing.assert_array_equal(model.decision(model.read(shuffled)), model.decision(shuffled))


def test_models_of_arrays_take_tables_by_their_columns():
    x = np.column_stack([NUMBERS, NUMBERS ** 2])
    model = libdk.train(libdk.Data(x, targets=NUMBERS), "kernel_ridge")
    np.testing.assert_array_equal(model.predict(Table({"x": x[:, 0], "y": x[:, 1]})), model.predict(x))


def test_answers_are_tables():
    data = libdk.Data.from_arrow(Table(columns(target=NUMBERS ** 2)))
    model = libdk.train(data, "kernel_ridge", kernel="rbf(gamma=1)")
    answer = model.predict_arrow(data, "prediction,explanation")
    read = libdk.Data.from_arrow(answer, "ignore=none")
    assert read.names == ["prediction"] + [f"explanation[{k}]" for k in range(model.prototype_count)]
    np.testing.assert_array_equal(read.values[:, 0], model.predict(data))
    with pytest.raises(ValueError, match="taken"):
        answer.__arrow_c_array__()
    assert "taken" in repr(answer)
    with pytest.raises(libdk.InvalidValueError, match="what lists 'score'"):
        model.predict_arrow(data, "score")
    del answer
    model.predict_arrow(data)  # and nobody takes it


def test_what_is_wrong_is_told():
    missing = Table(columns(more=["a", None] * 4))
    with pytest.raises(libdk.InvalidValueError, match="row 1, field 4 .more.*missing"):
        libdk.Data(missing)
    assert np.isnan(libdk.Data(missing, missing=True).values).any()
    with pytest.raises(libdk.InvalidValueError, match="nearest is 'colour'"):
        libdk.Data.from_arrow(Table(columns()), "label=color")
    with pytest.raises(libdk.InvalidValueError, match="lost its connection"):
        libdk.Data(StreamedTable(columns(), error=b"the producer has lost its connection"))
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        libdk.Data.from_arrow([[1.0]])

    class Mistaken(Table):
        def __arrow_c_array__(self, requested_schema=None):
            return super().__arrow_c_array__()[::-1]

    with pytest.raises(ValueError, match="PyCapsule"):
        libdk.Data.from_arrow(Mistaken(columns()))


@pytest.mark.parametrize("library", ["polars", "pyarrow", "nanoarrow"])
def test_libraries_of_arrow(library):
    module = pytest.importorskip(library)
    if library == "polars":
        table = module.DataFrame({"x": NUMBERS, "colour": module.Series(COLOURS, dtype=module.Categorical)})
    elif library == "pyarrow":
        table = module.table({"x": NUMBERS, "colour": module.array(COLOURS).dictionary_encode()})
    else:
        table = module.Array(Table({"x": NUMBERS, "colour": COLOURS}))
    data = libdk.Data(table)
    assert data.names == ["x", "colour=blue", "colour=green", "colour=red"]
    np.testing.assert_array_equal(data.values[:, 0], NUMBERS)
