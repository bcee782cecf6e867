# SPDX-License-Identifier: Apache-2.0
"""Compares what two builds answered to the cases of tests/bindings/cases.txt: compare_cases.py FOLDER FOLDER

A file has numbers and then the model. Most are the same bytes. Where a case needs powers, logarithms or angles of the C
library, whose last digit differs between systems, its numbers differ by 1e-10 of the largest at most.
"""
import array
import sys
from pathlib import Path

ALLOWED = 1e-10


def numbers_of(content):
    end = content.find(b"DKMODEL")
    return array.array("d", content[: (end if end >= 0 else len(content)) // 8 * 8])


here, there = Path(sys.argv[1]), Path(sys.argv[2])
names = sorted(file.name for file in here.iterdir())
bad = names != sorted(file.name for file in there.iterdir())
same = 0
for name in names:
    one, two = (here / name).read_bytes(), (there / name).read_bytes()
    if one == two:
        same += 1
        continue
    a, b = numbers_of(one), numbers_of(two)
    largest = max((abs(x) for x in a), default=0.0) or 1.0
    worst = max((abs(x - y) for x, y in zip(a, b)), default=0.0) / largest if len(a) == len(b) else float("inf")
    print(f"{name}: {worst:.1e}")
    bad |= not worst <= ALLOWED
print(f"{same} of {len(names)} files are the same bytes")
sys.exit(1 if bad or not names else 0)
