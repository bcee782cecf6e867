# SPDX-License-Identifier: Apache-2.0
"""Arrays as users have them: masked ones, lists of them, and those of pandas, of which some values are missing."""

from __future__ import annotations

from typing import Any, List

import numpy as np


def is_missing(value: Any) -> bool:
    """Whether a value says that there is none: None, NaN, and what pandas has for that."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def has_masked(values: Any) -> bool:
    """Whether an array, or one of a list of arrays, has masked values."""
    if isinstance(values, (list, tuple)):
        return any(isinstance(one, np.ma.MaskedArray) and np.ma.is_masked(one) for one in values)
    return isinstance(values, np.ma.MaskedArray) and bool(np.ma.is_masked(values))


def array_of(values: Any) -> np.ndarray:
    """An array in which what is masked or missing is NaN; None among texts and other objects."""
    if has_masked(values) and isinstance(values, (list, tuple)):
        values = np.ma.stack([np.ma.asarray(one) for one in values])
    if has_masked(values):
        if values.dtype.kind in "biuf":
            return values.astype(np.float64).filled(np.nan)
        objects = np.asarray(values.data, object).copy()
        objects[np.ma.getmaskarray(values)] = None
        return objects
    array = np.asarray(values)
    if array.dtype.kind != "O":
        return array
    # Nullable columns of pandas become objects.
    if getattr(getattr(values, "dtype", None), "kind", "O") in "iufb" and any(map(is_missing, array.flat)):
        return np.array([np.nan if is_missing(one) else one for one in array.flat], np.float64).reshape(array.shape)
    return array


def doubles(values: Any) -> np.ndarray:
    """Numbers as the library reads them, copied only where they are others. Those that are missing are NaN, which the
    library refuses where it needs all."""
    array = array_of(values)
    if array.dtype.kind in "mM":
        raise ValueError("numbers are needed, and these are dates or times: make numbers of them, such as days since one date")
    if array.dtype.kind == "O":
        array = np.array([np.nan if is_missing(one) else one for one in array.flat], object).reshape(array.shape)
    return np.ascontiguousarray(array, dtype=np.float64)


def integers(values: Any) -> np.ndarray:
    """Whole numbers as the library reads them; others are refused."""
    array = array_of(values)
    if array.dtype.kind == "O":
        given = array.tolist()
        if array.ndim == 1 and any(map(is_missing, given)):
            raise ValueError(f"the value of row {_first_missing(given)} is missing; whole numbers are needed")
        array = np.array(given)
        if array.dtype.kind == "O" and all(isinstance(one, int) for one in given):
            raise ValueError("whole numbers of 64 bits are needed; larger ones can be given as texts")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"the value of row {_first_missing(array.tolist())} is missing; whole numbers are needed")
    if array.dtype.kind not in "iubf" or (array.dtype.kind == "f" and not np.array_equal(array, np.trunc(array))):
        raise ValueError("whole numbers are needed")
    if array.dtype.kind in "uf" and array.size and not (-(2.0**63) <= array.min() and array.max() < 2.0**63):
        raise ValueError("whole numbers of 64 bits are needed")
    if array.dtype.kind == "f" and array.size and np.abs(array).max() > 2.0**53:
        raise ValueError("whole numbers beyond 2^53 have lost digits as floats: give them as int64, or as texts")
    return np.ascontiguousarray(array, dtype=np.int64)


def _first_missing(values: List[Any]) -> int:
    return next(row for row, one in enumerate(np.ravel(np.array(values, object))) if is_missing(one))
