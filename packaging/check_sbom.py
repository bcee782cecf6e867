#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds bills of materials against what SPDX 2.3 demands and against the packages beside which they lie:
    packaging/check_sbom.py PACKAGE...
Every file of the package is in the bill with its checksum, and a package with a binary of libdk names what is in it."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

IN_EVERY_BINARY = {"Eigen", "Highway", "JSON for Modern C++"}


def content(package: str) -> dict[str, str]:
    """Gives the SHA256 of every file of a package by its name."""
    if package.endswith(".deb"):
        with tempfile.NamedTemporaryFile() as data:
            subprocess.run(["dpkg-deb", "--fsys-tarfile", package], stdout=data, check=True)
            return content_of_tar(data.name)
    if package.endswith(".tar.gz"):
        return content_of_tar(package)
    with zipfile.ZipFile(package) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist() if not name.endswith("/")}


def content_of_tar(path: str) -> dict[str, str]:
    with tarfile.open(path) as archive:
        files = [member for member in archive.getmembers() if member.isfile()]
        return {os.path.normpath(file.name): hashlib.sha256(archive.extractfile(file).read()).hexdigest() for file in files}


def check(package: str) -> None:
    with open(package + ".spdx.json", encoding="utf-8") as file:
        bill = json.load(file)
    assert (bill["spdxVersion"], bill["dataLicense"]) == ("SPDX-2.3", "CC0-1.0")
    assert re.fullmatch(r"https://\S+", bill["documentNamespace"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["creationInfo"]["created"])
    elements = [bill, *bill["packages"], *bill["files"]]
    names = [element["SPDXID"] for element in elements]
    assert len(names) == len(set(names)), "an identifier stands twice"
    assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", name) for name in names), names
    for relation in bill["relationships"]:
        assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= set(names), relation
    main, *parts = bill["packages"]
    with open(package, "rb") as file:
        assert main["checksums"][0]["checksumValue"] == hashlib.sha256(file.read()).hexdigest(), "another package"
    listed = {file["fileName"].removeprefix("./"): file["checksums"][1]["checksumValue"] for file in bill["files"]}
    assert listed == content(package), "the files of the bill are not those of the package"
    parts = {part["name"]: part["versionInfo"] for part in parts}
    assert "NOASSERTION" not in parts.values(), parts
    binaries = {os.path.basename(name) for name in listed}
    if any(re.match(r"libdk\.so|dk\.dll", name) for name in binaries):
        assert IN_EVERY_BINARY <= set(parts), parts
    for binary, part in (("dk", "CLI11"), ("libgomp.so.1", "libgomp"), ("dk.dll", "winpthreads")):
        assert binary not in binaries or part in parts, (binary, parts)
    print(f"bill of {main['name']}: {len(listed)} files, " + (", ".join(parts) or "no parts"))


for path in sys.argv[1:]:
    check(path)
