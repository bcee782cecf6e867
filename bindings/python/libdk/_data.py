# SPDX-License-Identifier: Apache-2.0
"""Rows of every kind that kernels compare."""

from __future__ import annotations

import json
import os
from typing import Any, Callable, List, Optional, Sequence

import numpy as np

from . import _native
from ._arrays import array_of, has_masked, is_missing
from ._arrow import is_table, read_features, read_table
from ._calls import Listener, control_of, doubles, integers
from ._frames import has_texts, is_frame, numbers_of, read_frame

_KINDS = ("dense", "sparse", "gram", "series", "strings", "graphs")


class Data:
    """Rows of features with what is known of each; what it is made of is copied into the library.

    ``x`` is an array, a pandas DataFrame, whose column names are kept, or a sparse matrix of scipy; a float64 array,
    by rows or by columns, is read where it is. ``missing=True`` lets NaN stand for a missing value, which the
    parameter ``impute`` fills; masked values of numpy's masked arrays are missing. Series, strings, graphs, similarities
    and files have constructors of their own.

    A frame with columns of texts, categories, truth values or dates is read as a CSV file of it would be: a column of
    texts becomes an indicator for each of them. ``options`` are those of files, such as ``"dates=days ignore=name"``.
    Tables of other libraries (polars, pyarrow, duckdb) are taken in Arrow's form, as :meth:`from_arrow` takes them, with
    all columns as features.
    """

    def __init__(self, x: Any, *, missing: bool = False, options: str = "", **known: Any):
        if has_texts(x) or (options and is_frame(x)):
            self._native = read_frame(x, missing, options)
        elif is_table(x):
            self._native = read_features(x, missing, options, control_of())
        elif options:
            raise ValueError(f"options are of frames, tables and files, and these rows are a {type(x).__name__}: {options!r}")
        else:
            names = getattr(x, "columns", None)
            self._native = _sparse(x) if _is_sparse(x) else _dense(x, missing)
            if names is not None and all(isinstance(name, str) for name in names):
                self._native.set_feature_names(list(names))
        self.set(**known)

    @classmethod
    def _of(cls, native: Any, **known: Any) -> "Data":
        data = cls.__new__(cls)
        data._native = native
        return data.set(**known)

    @classmethod
    def series(cls, series: Sequence[Any], **known: Any) -> "Data":
        """Time series of any length: arrays of steps, or of steps x channels."""
        arrays = [doubles(one) for one in series]
        arrays = [one[:, None] if one.ndim == 1 else one for one in arrays]
        channels = {one.shape[1] for one in arrays}
        if len(channels) != 1:
            raise ValueError(f"series have different numbers of channels: {sorted(channels)}")
        values = np.concatenate([one.ravel() for one in arrays])
        lengths = integers([len(one) for one in arrays])
        return cls._of(_native.NativeData.series(values, lengths, channels.pop()), **known)

    @classmethod
    def strings(cls, texts: Sequence[str], **known: Any) -> "Data":
        """Strings, which may be empty."""
        return cls._of(_native.NativeData.strings(list(texts)), **known)

    @classmethod
    def graphs(cls, graphs: Sequence[tuple], **known: Any) -> "Data":
        """Undirected graphs, each ``(labels of its nodes, edges)``, where an edge is two positions from 0."""
        nodes = [integers(labels).ravel() for labels, _ in graphs]
        edges = [integers(ends).reshape(-1, 2) for _, ends in graphs]
        return cls._of(
            _native.NativeData.graphs(
                integers([len(one) for one in nodes]),
                np.concatenate(nodes) if nodes else integers([]),
                integers([len(one) for one in edges]),
                np.concatenate(edges).ravel() if edges else integers([]),
            ),
            **known,
        )

    @classmethod
    def gram(cls, *matrices: Any, self_similarities: Any = None, **known: Any) -> "Data":
        """Similarities, each matrix of rows x training rows; kernel ``gram(q)`` reads matrix q."""
        arrays = [doubles(one) for one in matrices]
        if len({one.shape for one in arrays}) != 1 or arrays[0].ndim != 2:
            raise ValueError("one or more matrices of one shape are needed")
        own = doubles([] if self_similarities is None else self_similarities).ravel()
        rows, cols = arrays[0].shape
        return cls._of(
            _native.NativeData.gram(np.concatenate(arrays).ravel(), len(arrays), rows, cols, own, 0), **known
        )

    @classmethod
    def similarity(cls, rows: int, training_rows: int, function: Callable, *, self_similarities: Any = None,
                   **known: Any) -> "Data":
        """Similarities that are asked for: ``function(rows, training_rows)`` gives those of some rows with some
        training rows as a matrix. Kernel ``gram(0)`` reads them."""

        def written(out, some, training):
            some, training = _copied(some, np.int64), _copied(training, np.int64)
            _fill(out, function(some, training), (len(some), len(training)))

        own = doubles([] if self_similarities is None else self_similarities)
        return cls._of(_native.similarities(rows, training_rows, written, own), **known)

    @classmethod
    def point_similarity(cls, x: Any, function: Callable, **known: Any) -> "Data":
        """Rows with a similarity to any points: ``function(points, rows)`` gives that of some rows with some points
        as a matrix of rows x points. Kernel ``similarity`` asks for it."""
        x = doubles(x)
        rows, cols = x.shape

        def written(out, points, some):
            points, some = _copied(points, np.float64).reshape(-1, cols), _copied(some, np.int64)
            _fill(out, function(points, some), (len(some), len(points)))

        return cls._of(_native.point_similarities(x, rows, cols, written), **known)

    @classmethod
    def read(cls, path: Any, options: str = "", *, n_jobs: Optional[int] = None, memory: int = 0,
             progress: Optional[Listener] = None) -> "Data":
        """A file of CSV, ARFF, LIBSVM's format, series or strings, gzip compressed or not; options as
        ``"label=class missing=keep"`` (dk_data_from_file in dk.h)."""
        control = control_of(n_jobs, memory, progress)
        return cls._of(_native.NativeData.from_file(os.fspath(path), options, control))

    @classmethod
    def from_arrow(cls, table: Any, options: str = "", *, n_jobs: Optional[int] = None, memory: int = 0,
                   progress: Optional[Listener] = None) -> "Data":
        """A table of any library that gives it by ``__arrow_c_stream__`` or ``__arrow_c_array__``, with options as
        ``"label=class missing=keep"`` (dk_data_from_arrow in dk.h): numbers and lists of a fixed size are features, texts
        and categories indicators, lists of any length series. The values are copied once."""
        return cls._of(read_table(table, options, control_of(n_jobs, memory, progress)))

    def set(self, *, labels: Any = None, targets: Any = None, weights: Any = None, groups: Any = None,
            names: Optional[Sequence[str]] = None, ids: Optional[Sequence[Any]] = None, label_sets: Any = None,
            label_names: Optional[Sequence[Any]] = None) -> "Data":
        """Sets what is known of each row: labels (whole numbers or texts), targets of a regression (rows, or rows x targets
        for machines that learn several at once), weights, groups that folds keep together, names by which explanations
        and pages call it; and the names of the columns. Rows with several labels have ``label_sets``: a collection of labels
        for each row, or an array rows x labels of 0 and 1, whose columns ``label_names`` names (else 0, 1, ...)."""
        if label_sets is not None and labels is not None:
            raise ValueError("rows have labels or label_sets, not both")
        if label_names is not None and label_sets is None:
            raise ValueError("label_names are those of label_sets, which are not given")
        if label_sets is not None:
            self._native.set_label_sets(*_label_sets(label_sets, label_names))
        if labels is not None:
            texts = _texts(labels)
            if texts is not None:
                self._native.set_label_names(texts)
            else:
                self._native.set_labels(integers(labels))
        if targets is not None:
            self._native.set_targets(doubles(targets))
        if weights is not None:
            self._native.set_sample_weights(doubles(weights))
        if groups is not None:
            array = array_of(groups)
            if any(map(is_missing, array.tolist())):
                raise ValueError("a group is missing")
            numbers = np.unique(array, return_inverse=True)[1] if array.dtype.kind in "OSU" else array
            self._native.set_groups(integers(numbers))
        if names is not None:
            self._native.set_feature_names([str(name) for name in names])
        if ids is not None:
            self._native.set_row_names([str(name) for name in ids])
        return self

    def __len__(self) -> int:
        return self._native.rows()

    @property
    def shape(self) -> tuple:
        """Rows and columns."""
        return self._native.rows(), self._native.cols()

    @property
    def kind(self) -> str:
        """What the rows are: dense, sparse, gram, series, strings or graphs."""
        return _KINDS[self._native.kind_number()]

    @property
    def labels(self) -> np.ndarray:
        """The class of each row as a model would predict it."""
        out = np.empty(len(self), np.int64)
        self._native.labels(out)
        return out

    @property
    def values(self) -> np.ndarray:
        """The features of dense rows."""
        out = np.empty(self.shape)
        self._native.values(out)
        return out

    @property
    def names(self) -> list:
        """The names of the columns; f1, f2, ... where they have none."""
        return [self._native.feature_name(column) for column in range(self.shape[1])]

    @property
    def ids(self) -> list:
        """The names of the rows; an empty list where they have none."""
        named = self._native.row_name(0) != ""
        return [self._native.row_name(row) for row in range(len(self))] if named else []

    def describe(self, *, n_jobs: Optional[int] = None, memory: int = 0, progress: Optional[Listener] = None) -> dict:
        """What the data are, column by column, how their file was understood, and what looks wrong with them
        (dk_data_describe in dk.h)."""
        return json.loads(self._native.describe(control_of(n_jobs, memory, progress)))

    def __getitem__(self, rows: Any) -> "Data":
        """Some rows with all that is known of them; positions, a slice or a mask."""
        chosen = np.arange(len(self))[rows]
        return self._of(self._native.select(integers(np.atleast_1d(chosen))))

    def folds(self, count: int, seed: int = 1) -> np.ndarray:
        """A stratified split, group by group where there are groups: the fold of each row from 0."""
        out = np.empty(len(self), np.int64)
        self._native.folds(out, count, seed)
        return out

    def kernel_count(self, kernel: str) -> int:
        """How many kernels a specification makes for these rows."""
        return _native.kernel_count(self._native, kernel)

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"<libdk.Data: {rows} rows of {self.kind} data, {cols} columns>"


def _copied(memory: Any, dtype: Any) -> np.ndarray:
    """What the library shows for the time of a question."""
    return np.frombuffer(memory, dtype).copy()


def _texts(labels: Any) -> Optional[list]:
    """Labels that are texts; None for numbers. Missing ones are refused."""
    array = array_of(labels)
    if array.dtype.kind not in "OSU":
        return None
    given = labels if isinstance(labels, (list, tuple)) and array.dtype.kind != "O" else array.tolist()
    texts = [label.decode() if isinstance(label, bytes) else label for label in given]
    missing = [row for row, label in enumerate(texts) if is_missing(label)]
    if missing:
        raise ValueError(f"the label of row {missing[0]} is missing")
    return None if all(isinstance(label, (int, np.integer)) for label in texts) else [str(label) for label in texts]


def _is_sparse(x: Any) -> bool:
    return hasattr(x, "tocsr")


def _sparse(x: Any):
    rows = x.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy() if rows is x else rows
        rows.sum_duplicates()
    return _native.NativeData.sparse(
        integers(rows.indptr), integers(rows.indices), doubles(rows.data), rows.shape[1]
    )


def _dense(x: Any, missing: bool):
    missing = missing or has_masked(x)
    array = numbers_of(x) if is_frame(x) else array_of(x)
    if array.dtype.kind in "mM":
        raise ValueError("numbers are needed, and these are dates or times: make numbers of them, such as days since one date")
    if array.ndim != 2:
        raise ValueError(f"rows x columns are needed, this has {array.ndim} dimensions; one row is x.reshape(1, -1)")
    rows, cols = array.shape
    if array.dtype == np.float32 and not missing:
        return _native.NativeData.dense_single(np.ascontiguousarray(array), rows, cols, cols, 0)
    array = doubles(array) if array.dtype.kind == "O" else np.asarray(array, dtype=np.float64)
    if array.flags.f_contiguous and not array.flags.c_contiguous:
        return _native.NativeData.dense(array.T, rows, cols, rows, 1, missing)
    return _native.NativeData.dense(np.ascontiguousarray(array), rows, cols, cols, 0, missing)


def _fill(out: Any, values: Any, shape: tuple) -> None:
    values = doubles(values)
    if values.shape != shape:
        raise ValueError(f"similarities of shape {shape} are needed, the function gave {values.shape}")
    np.frombuffer(out).reshape(shape)[...] = values


def as_data(x: Any, missing: bool = False) -> Data:
    """Data as they are, and what Data takes."""
    return x if isinstance(x, Data) else Data(x, missing=missing)


def _label_sets(sets: Any, names: Optional[Sequence[Any]]) -> tuple:
    """Offsets of rows, positions of their labels, and the labels."""
    if hasattr(sets, "columns") and names is None:
        names = list(sets.columns)
    if hasattr(sets, "tocsr"):
        rows = sets.tocsr()
        rows.eliminate_zeros()
        if not (rows.data == 1).all():
            raise ValueError("a sparse array of label_sets has 0 and 1")
        return _offsets(np.diff(rows.indptr)), rows.indices.astype(np.int64), _label_names(rows.shape[1], names)
    if not isinstance(sets, (list, tuple)):
        table = np.asarray(sets)
        if table.ndim != 2 or not np.isin(table, (0, 1)).all():
            raise ValueError("label_sets must be a list of collections of labels, or an array rows x labels of 0 and 1")
        has = table.astype(bool)
        return _offsets(has.sum(axis=1)), np.nonzero(has)[1].astype(np.int64), _label_names(table.shape[1], names)
    for row, labels in enumerate(sets):
        if isinstance(labels, (str, bytes)) or len(set(labels)) < len(labels):
            raise ValueError(f"row {row} of label_sets is {labels!r}; it must be a collection of different labels, or all rows "
                             "an array of 0 and 1")
    known = _sorted_labels({label for row in sets for label in row}) if names is None else list(names)
    positions = {str(name): position for position, name in enumerate(known)}
    lacking = next((label for row in sets for label in row if str(label) not in positions), None)
    if lacking is not None:
        raise ValueError(f"a row has the label {str(lacking)!r}, which label_names lacks")
    labels = [positions[str(label)] for row in sets for label in row]
    return _offsets([len(row) for row in sets]), np.array(labels, np.int64), [str(name) for name in known]


def _sorted_labels(labels: set) -> list:
    """Labels by their numbers where all are integers, else by their texts."""
    whole = all(isinstance(label, (int, np.integer)) for label in labels)
    return sorted(labels, key=None if whole else str)


def _offsets(counts: Any) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _label_names(count: int, names: Optional[Sequence[Any]]) -> List[str]:
    return [str(name) for name in (range(count) if names is None else names)]
