# SPDX-License-Identifier: Apache-2.0
"""Tables of Arrow, by the interface of capsules that polars, pyarrow, duckdb and others have. None of them is imported."""

from __future__ import annotations

import re
from typing import Any, Callable, Optional

from . import _native
from ._frames import is_frame


def is_table(x: Any) -> bool:
    """Whether rows are a table that its owner gives in Arrow's form. Frames of pandas have a way of their own."""
    return (hasattr(x, "__arrow_c_stream__") or hasattr(x, "__arrow_c_array__")) and not is_frame(x)


def read_table(table: Any, options: str, control: Any, like: Any = None) -> Any:
    """Native data of a table, of a model's features where there is one."""
    if hasattr(table, "__arrow_c_stream__"):
        stream = table.__arrow_c_stream__()
        address = _native.address_of(stream, "arrow_array_stream")
        take = _native.NativeData.from_arrow_stream if like is None else like.rows_from_arrow_stream
        return take(address, options, control)
    if not hasattr(table, "__arrow_c_array__"):
        raise TypeError(f"a table with __arrow_c_stream__ or __arrow_c_array__ is needed, not a {type(table).__name__}")
    schema, array = table.__arrow_c_array__()
    addresses = _native.address_of(schema, "arrow_schema"), _native.address_of(array, "arrow_array")
    take = _native.NativeData.from_arrow if like is None else like.rows_from_arrow
    return take(*addresses, options, control)


def read_features(table: Any, missing: bool, options: str, control: Any) -> Any:
    """Native data of a table whose columns are all features, but those that the options name."""
    given = {option.partition("=")[0] for option in options.split()}
    usual = ["ignore=none", "label=none"] + (["missing=keep"] if missing else [])
    chosen = [option for option in usual if option.partition("=")[0] not in given]
    return read_table(table, " ".join(chosen + [re.sub(r"(^| )ignore=", r"\1ignore=none,", options)]), control)


class ArrowTable:
    """A table of results that a consumer of Arrow takes once, such as ``polars.DataFrame(table)``,
    ``pyarrow.record_batch(table)`` or :meth:`libdk.Data.from_arrow`."""

    def __init__(self, fill: Callable[[int, int], None]):
        self._capsules: Optional[tuple] = _native.empty_capsules()
        schema, array = self._capsules
        fill(_native.address_of(schema, "arrow_schema"), _native.address_of(array, "arrow_array"))

    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple:
        """The capsules of the schema and of the array; the types are as they are, whatever is requested."""
        if self._capsules is None:
            raise ValueError("this table has been taken; ask the model for another one")
        capsules, self._capsules = self._capsules, None
        return capsules

    def __repr__(self) -> str:
        return "<libdk.ArrowTable>" if self._capsules else "<libdk.ArrowTable: taken>"
