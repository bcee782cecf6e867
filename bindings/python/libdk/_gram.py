# SPDX-License-Identifier: Apache-2.0
"""Kernel matrices, products with them, and curves of what they verify."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _native
from ._calls import Listener, control_of, doubles, integers
from ._data import as_data
from ._frames import has_texts


def _pair_of(left: Any, right: Any) -> tuple:
    """The rows of both sides of a kernel matrix. Frames with texts could have other categories on either side."""
    texts = has_texts(left) or has_texts(right)
    left = as_data(left)
    right = left if right is None else as_data(right)
    if texts and left.names != right.names:
        raise ValueError("the frames have other categories or columns on the left and on the right; make Data of all rows "
                         "of both, and choose the rows of either")
    return left, right


def gram(left: Any, right: Any = None, kernel: str = "rbf", *, dtype: Any = np.float64, n_jobs: Optional[int] = None,
         memory: int = 0, progress: Optional[Listener] = None) -> np.ndarray:
    """Kernel values of all rows of ``left`` with all rows of ``right``, which is ``left`` where it is None; of a bank
    kernels x rows x rows. ``dtype=np.float32`` gives single precision, of two sets of rows."""
    left, columns = _pair_of(left, right)
    control = control_of(n_jobs, memory, progress)
    count = columns.kernel_count(kernel)
    out = np.empty((count, len(left), len(columns)), dtype)
    if out.dtype == np.float32:
        _native.gram_single(out, left._native, columns._native, kernel, control)
    elif right is None:
        _native.own_gram(out, left._native, kernel, control)
    else:
        _native.gram(out, left._native, columns._native, kernel, control)
    return out[0] if count == 1 else out


def gram_product(left: Any, right: Any, v: Any, kernel: str = "rbf", **calls: Any) -> np.ndarray:
    """The product K v of a kernel's matrix, which is not stored."""
    left, right = _pair_of(left, right)
    v = doubles(v)
    columns = v.reshape(len(v), -1)
    out = np.empty((len(left), columns.shape[1]))
    _native.gram_product(out, left._native, right._native, kernel, columns, columns.shape[1], control_of(**calls))
    return out.reshape((len(left),) + v.shape[1:])


def verification_curve(far: Any, scores: Any, genuine: Any, clients: Any = None, **calls: Any) -> np.ndarray:
    """The curve of a verification system in which every client has a threshold of its own: the mean over the clients
    of the share of their genuine claims that are rejected, at each false acceptance rate."""
    far, out = doubles(far), np.empty(len(far))
    own = integers([] if clients is None else np.unique(clients, return_inverse=True)[1])
    _native.verification_curve(out, far, doubles(scores), integers(genuine), own, control_of(**calls))
    return out
