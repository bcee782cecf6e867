# SPDX-License-Identifier: Apache-2.0
"""Rows that are texts or series, as users of other libraries have them."""

from typing import Any

import numpy as np

from ._data import Data


def sequences(X: Any) -> Any:
    """Texts and series as the library takes them; other rows as they are."""
    if isinstance(X, np.ndarray) and X.ndim == 3:
        return Data.series([one[:len(one) - _padding(one)] for one in np.asarray(X, np.float64)])
    if not isinstance(X, (list, tuple)) and not (isinstance(X, np.ndarray) and X.ndim == 1 and X.dtype.kind in "OU"):
        return X
    if len(X) > 0 and all(isinstance(one, str) for one in X):
        return Data.strings([str(one) for one in X])
    if len(X) > 0 and all(isinstance(one, np.ndarray) and one.ndim in (1, 2) for one in X):
        # Arrays of one length are rows.
        if any(one.ndim == 2 for one in X) or len({len(one) for one in X}) > 1:
            return Data.series(X)
    return X


def _padding(series: np.ndarray) -> int:
    """How many of the last steps have no values."""
    empty = np.isnan(series).all(axis=1)[::-1]
    return int(np.argmin(empty)) if not empty.all() else len(series) - 1
