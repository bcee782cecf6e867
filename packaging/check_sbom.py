#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds bills of materials against what SPDX 2.3 demands and against the packages beside which they lie:
    packaging/check_sbom.py PACKAGE..."""

import hashlib
import json
import re
import sys

MOST_PARTS = {"Eigen", "Highway", "JSON for Modern C++", "CLI11", "GCC runtime", "libgomp", "zlib"}


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
    assert bill["files"], "it has no file"
    for part in parts:
        assert part["name"] in MOST_PARTS and part["versionInfo"] != "NOASSERTION", part
    print(f"bill of {main['name']}: {len(bill['files'])} files, " + (", ".join(part["name"] for part in parts) or "no parts"))


for path in sys.argv[1:]:
    check(path)
