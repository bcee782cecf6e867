# SPDX-License-Identifier: Apache-2.0
"""Failures of the library as exceptions that Python's own names are for."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Why a call failed; the values are those of the C interface."""

    INVALID_ARGUMENT = 1
    INVALID_PARAMETER = 2
    INVALID_KERNEL = 3
    INVALID_DATA = 4
    DIMENSION = 5
    OUT_OF_MEMORY = 6
    MEMORY_BUDGET = 7
    CANCELLED = 8
    UNSUPPORTED = 9
    IO = 10
    MODEL_FORMAT = 11
    NUMERICAL = 12
    BUFFER_TOO_SMALL = 13
    INTERNAL = 14
    CALLBACK = 15


class Error(Exception):
    """A call of libdk that failed: what was wrong, with which value, and what is allowed."""

    def __init__(self, status: Status, message: str):
        super().__init__(message)
        self.status = status

    def __reduce__(self):
        return type(self), (self.status, str(self))


class InvalidValueError(Error, ValueError):
    """An argument, parameter, kernel or data that libdk does not take."""


class OutOfMemoryError(Error, MemoryError):
    """The system refused memory, or the work needs more than it was allowed."""


class FileError(Error, OSError):
    """A file that could not be opened, read or written."""


class UnsupportedError(Error, NotImplementedError):
    """A combination that libdk does not have."""


class CancelledError(Error):
    """A listener that answered False."""


_CLASSES = {
    Status.INVALID_ARGUMENT: InvalidValueError,
    Status.INVALID_PARAMETER: InvalidValueError,
    Status.INVALID_KERNEL: InvalidValueError,
    Status.INVALID_DATA: InvalidValueError,
    Status.DIMENSION: InvalidValueError,
    Status.MODEL_FORMAT: InvalidValueError,
    Status.OUT_OF_MEMORY: OutOfMemoryError,
    Status.MEMORY_BUDGET: OutOfMemoryError,
    Status.CANCELLED: CancelledError,
    Status.UNSUPPORTED: UnsupportedError,
    Status.IO: FileError,
}


def failure(status: int, message: str) -> Error:
    """The exception of a status and a message."""
    named = Status(status)
    return _CLASSES.get(named, Error)(named, message)
