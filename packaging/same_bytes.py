#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rewrites jars and NuGet packages so that the same content makes the same bytes, on whatever day and machine:
    SOURCE_DATE_EPOCH=SECONDS packaging/same_bytes.py PACKAGE...
Entries are in the order of their names behind those with which a package has to begin, and are of the date that
SOURCE_DATE_EPOCH gives (https://reproducible-builds.org/specs/source-date-epoch). NuGet names one of its files, and the
relations that name it, by random numbers; they are numbered here."""

import os
import re
import sys
import time
import zipfile

FIRST = ("META-INF/", "META-INF/MANIFEST.MF", "_rels/.rels", "[Content_Types].xml")


def with_plain_names(entries: dict[str, bytes]) -> dict[str, bytes]:
    """Numbers what NuGet names by chance."""
    properties = [name for name in entries if name.endswith(".psmdcp")]
    relations = entries.get("_rels/.rels")
    if relations is None or len(properties) != 1:
        return entries
    plain = os.path.dirname(properties[0]) + "/libdk.psmdcp"
    renamed = {plain if name == properties[0] else name: content for name, content in entries.items()}
    text = relations.decode("utf-8").replace(properties[0], plain)
    numbers = iter(range(1, 1 + text.count(' Id="')))
    renamed["_rels/.rels"] = re.sub(r' Id="[^"]*"', lambda _: f' Id="R{next(numbers)}"', text).encode("utf-8")
    return renamed


def rewrite(path: str, date: tuple[int, ...]) -> None:
    """Writes a package anew, beside the old one until it is whole."""
    with zipfile.ZipFile(path) as package:
        entries = {info.filename: package.read(info) for info in package.infolist()}
    entries = with_plain_names(entries)
    order = sorted(entries, key=lambda name: (FIRST.index(name) if name in FIRST else len(FIRST), name))
    with zipfile.ZipFile(path + ".new", "w") as package:
        for name in order:
            info = zipfile.ZipInfo(name, date)
            info.compress_type = zipfile.ZIP_STORED if name.endswith("/") else zipfile.ZIP_DEFLATED
            info.external_attr = (0o40755 << 16 | 0x10) if name.endswith("/") else 0o100644 << 16
            info.create_system = 3
            package.writestr(info, entries[name], compresslevel=9)
    os.replace(path + ".new", path)


def main() -> None:
    # Archives of this kind begin in 1980.
    seconds = max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800)
    for path in sys.argv[1:]:
        rewrite(path, time.gmtime(seconds)[:6])


if __name__ == "__main__":
    main()
