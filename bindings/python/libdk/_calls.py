# SPDX-License-Identifier: Apache-2.0
"""What all calls of the native library share: arrays as it takes them, controls, parameters as text."""

from __future__ import annotations

import atexit
import json
import os
from typing import Any, Callable, Mapping, Optional

import numpy as np

from . import _errors, _native
from ._arrays import doubles, integers

__all__ = ["Listener", "control_of", "describe", "doubles", "integers", "parameters_of", "text_of"]

_native.set_failure(_errors.failure)
# Daemon threads end with the program, and calls of theirs before it.
atexit.register(_native.leave)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_native.forget_other_threads)

Listener = Callable[[float, str], Optional[bool]]


def control_of(n_jobs: Optional[int] = None, memory: int = 0, progress: Optional[Listener] = None):
    """Threads, memory in MB and a listener of a call. n_jobs is joblib's: None and -1 are all processors."""
    threads = 0 if n_jobs is None or n_jobs == -1 else n_jobs
    return _native.control_of(threads, memory, progress)


def text_of(key: str, value: Any) -> str:
    """A parameter's value as the library's text: lists are banks of kernels, and mappings are grids or pairs."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    if isinstance(value, Mapping) and key == "grid":
        return ";".join(f"{name}={_choices_of(name, choices)}" for name, choices in value.items())
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{text_of(key, one)}" for name, one in value.items())
    if isinstance(value, (list, tuple, np.ndarray)):
        return "[" + ", ".join(text_of(key, one) for one in value) + "]"
    return str(value)


def _choices_of(key: str, choices: Any) -> str:
    """Values of a grid: those of kernels and weights as a list, others between colons."""
    if isinstance(choices, str):
        return choices
    texts = [text_of(key, choice) for choice in choices]
    return "[" + ", ".join(texts) + "]" if key in ("kernel", "weights") else ":".join(texts)


def parameters_of(machine: str, parameters: Mapping[str, Any]):
    """The native parameters of a machine; None leaves a default."""
    native = _native.NativeParams(machine, "")
    for key, value in parameters.items():
        if value is not None:
            native.assign(key, text_of(key, value))
    return native


def describe() -> dict:
    """All machines, kernels, weights, layers, parameters and metrics, with types, defaults, ranges and a sentence."""
    return json.loads(_native.describe())
