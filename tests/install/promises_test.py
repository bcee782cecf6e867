# SPDX-License-Identifier: Apache-2.0
"""Every test that docs/PROMISES.md names is in the file that it names: promises_test.py SOURCE_DIR

A test is `folder/file.cpp`: `Suite.Name`, and after it `.Name` is another one of the same suite.
"""
import re
import sys
from pathlib import Path

source = Path(sys.argv[1])


def tests_of(file):
    """The names of the tests in a file of tests/, or None where there is none."""
    path = source / "tests" / file
    if not path.exists():
        return None
    return {f"{suite}.{name}" for suite, name in re.findall(r"TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", path.read_text())}


failures = 0
for line in (source / "docs" / "PROMISES.md").read_text().splitlines():
    file, suite = None, None
    for text in re.findall(r"`([^`]+)`", line):
        if re.fullmatch(r"[a-z_/]+(?:\.\w+)?", text):  # another file, or a folder whose tests are no GoogleTests
            file, suite = text if re.fullmatch(r"(?:abi|unit|faults|reference)/\w+\.cpp", text) else None, None
            continue
        named = re.fullmatch(r"(\w*)\.(\w+)", text)
        if file is None or named is None or not named[2][0].isupper():
            continue
        suite = named[1] or suite
        tests = tests_of(file)
        if suite is not None and (tests is None or f"{suite}.{named[2]}" not in tests):
            failures += 1
            print(f"{file} has no {suite}.{named[2]}", file=sys.stderr)
sys.exit(1 if failures else 0)
