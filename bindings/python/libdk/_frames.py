# SPDX-License-Identifier: Apache-2.0
"""Frames of pandas. Columns of numbers are arrays; a frame with other columns is read as a CSV file of it is, so that texts,
categories, truth values and dates are what they are in files, and the model knows the same of both."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from collections import Counter
from typing import Any, Iterable, Iterator

import numpy as np

from . import _errors, _native
from ._calls import control_of


def is_frame(x: Any) -> bool:
    """Whether rows are a frame of pandas."""
    return hasattr(x, "columns") and hasattr(x, "dtypes") and hasattr(x, "to_csv")


def has_texts(x: Any) -> bool:
    """Whether rows are a frame with columns that are not of numbers."""
    return is_frame(x) and any(getattr(dtype, "kind", "O") not in "iuf" for dtype in x.dtypes)


def numbers_of(frame: Any) -> np.ndarray:
    """The values of a frame whose columns are numbers; what is missing is NaN."""
    if all(isinstance(dtype, np.dtype) for dtype in frame.dtypes):
        return np.asarray(frame)
    return frame.to_numpy(dtype=np.float64, na_value=np.nan)


def read_frame(frame: Any, missing: bool, options: str) -> Any:
    """Native data of a frame with any columns."""
    return _read(frame, ("missing=keep " if missing else "") + options, _native.NativeData.from_file)


def read_frame_like(model: Any, frame: Any, options: str = "", control: Any = None) -> Any:
    """Native data of a frame with the features that a native model was trained on."""
    return _read(frame, options, model.read_rows, control)


def has_columns_of_features(frame: Any, features: Iterable[str]) -> bool:
    """Whether a model's features are indicators of the categories of columns that a frame has."""
    names = {str(name) for name in frame.columns}
    lacking = [feature for feature in features if feature not in names]
    return any(feature[:at] in names for feature in lacking for at, mark in enumerate(feature) if mark == "=")


def _read(frame: Any, options: str, read: Any, control: Any = None) -> Any:
    # Whoever makes a frame chose its columns, and has the labels apart.
    usual = ["format=csv", "header=yes", "ignore=none"]
    if any(str(name).strip().lower() in ("label", "class", "target", "y") for name in frame.columns):
        usual.append("label=none")
    given = {option.partition("=")[0] for option in options.split()}
    chosen = [option for option in usual if option.partition("=")[0] not in given]
    options = re.sub(r"(^| )ignore=", r"\1ignore=none,", options)
    with _file_of(frame) as path:
        try:
            return read(path, " ".join(chosen + [options]), control_of() if control is None else control)
        except _errors.Error as error:
            raise _errors.failure(error.status, _of_frame(str(error))) from None


def _of_frame(message: str) -> str:
    """What is told of a file as it is of a frame: lines are rows, and options of reading are arguments."""
    said = message.partition("': ")[2] or message
    # Two lines come before the first row, and lines count from 1.
    said = re.sub(r"\bline (\d+), field (\d+) \((.*?)\)", lambda found: f"row {int(found[1]) - 3} of column {found[3]!r}", said)
    said = re.sub(r"the file option (ignore=.*?)(?=[,;]|$)", r'options="\1"', said)
    said = said.replace("missing=keep and training", "missing=True and training")
    return f"the frame, read as a CSV file: {said}"


@contextlib.contextmanager
def _file_of(frame: Any) -> Iterator[str]:
    """A file with the rows of a frame, for the time of a call. A file that is open can't be read again on every system."""
    handle, path = tempfile.mkstemp(suffix=".csv")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write("sep=,\n")
            _plain(frame).to_csv(file, index=False)
        yield path
    finally:
        os.remove(path)


def _plain(frame: Any) -> Any:
    """A frame whose columns have one text as a name each, and whose times are without zones, as the reader knows them."""
    names = [str(name) for name in frame.columns]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"the frame has the column {twice[0]!r} twice; columns are found by their names")
    for name, dtype in zip(names, frame.dtypes):
        if getattr(dtype, "kind", "O") == "c":
            raise ValueError(f"column {name!r} has complex numbers; real numbers are needed")
    plain = frame.set_axis(names, axis=1)
    zoned = [place for place, dtype in enumerate(frame.dtypes) if getattr(dtype, "tz", None) is not None]
    if zoned:
        plain = plain.copy()
        for place in zoned:
            plain.isetitem(place, plain.iloc[:, place].dt.tz_convert("UTC").dt.tz_localize(None))
    return plain
