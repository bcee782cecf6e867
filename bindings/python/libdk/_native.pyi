# SPDX-License-Identifier: Apache-2.0
# What SWIG generates has no types of its own. Those that users see are those of the sources around it.
from typing import Any

ModelList = Any
NativeControl = Any
NativeData = Any
NativeModel = Any
NativeParams = Any

def __getattr__(name: str) -> Any: ...
