#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the bill of materials of packages, beside each as PACKAGE.spdx.json (SPDX 2.3, https://spdx.github.io/spdx-spec/v2.3):
    SOURCE_DATE_EPOCH=SECONDS packaging/sbom.py VERSION PACKAGE...
It names the package with its checksum, every file in it, and what others made of it: the libraries that are compiled into
its binaries, those that lie beside them, and those that they need of the system. Binaries tell what they need themselves;
versions are those of the distribution's packages with which they were compiled."""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

GCC_RUNTIME = "GPL-3.0-or-later WITH GCC-exception-3.1"
# name: licence, home, the distribution's package
COMPONENTS = {
    "Eigen": ("MPL-2.0", "https://eigen.tuxfamily.org", "libeigen3-dev"),
    "Highway": ("Apache-2.0", "https://github.com/google/highway", "libhwy-dev"),
    "JSON for Modern C++": ("MIT", "https://github.com/nlohmann/json", "nlohmann-json3-dev"),
    "CLI11": ("BSD-3-Clause", "https://github.com/CLIUtils/CLI11", "libcli11-dev"),
    "GCC runtime": (GCC_RUNTIME, "https://gcc.gnu.org", "libgcc-s1"),
    "libgomp": (GCC_RUNTIME, "https://gcc.gnu.org", "libgomp1"),
    "zlib": ("Zlib", "https://zlib.net", "zlib1g"),
    "GCC runtime for Windows": (GCC_RUNTIME, "https://gcc.gnu.org", "gcc-mingw-w64-x86-64-posix-runtime"),
    "winpthreads": ("MIT AND BSD-3-Clause", "https://www.mingw-w64.org", "mingw-w64-x86-64-dev"),
    "zlib for Windows": ("Zlib", "https://zlib.net", "libz-mingw-w64-dev"),
}
COMPILED_IN = ("Eigen", "Highway", "JSON for Modern C++")
OF_WINDOWS = ("GCC runtime for Windows", "winpthreads", "zlib for Windows")
SYSTEM_LIBRARIES = {"libz.so": "zlib", "libgomp.so": "libgomp", "libstdc++.so": "GCC runtime", "libgcc_s.so": "GCC runtime"}


def unpack(package: str, folder: str) -> None:
    """Writes the files of a package of any kind to a folder."""
    if package.endswith(".deb"):
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    elif package.endswith(".tar.gz"):
        with tarfile.open(package) as archive:
            archive.extractall(folder)
    else:
        with zipfile.ZipFile(package) as archive:
            archive.extractall(folder)


def files_of(folder: str) -> list[str]:
    """Lists all files in the order of their names; links name files that are there already."""
    found = []
    for parent, _, names in os.walk(folder):
        paths = (os.path.join(parent, name) for name in names)
        found += [os.path.relpath(path, folder) for path in paths if not os.path.islink(path)]
    return sorted(found)


def content_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def needed_libraries(path: str) -> set[str]:
    """Names what a binary of Linux needs: "libz.so" for libz.so.1."""
    told = subprocess.run(["readelf", "--dynamic", "--wide", path], capture_output=True, text=True, check=True).stdout
    return {name.split(".so")[0] + ".so" for name in re.findall(r"\(NEEDED\).*\[(.*)\]", told)}


def components_of(path: str) -> dict[str, str]:
    """Gives what a file brings or needs, and how: the type of SPDX's relationship."""
    name = os.path.basename(path)
    head = content_of(path)[:4]
    if name.startswith("libgomp.so"):
        return {"libgomp": "CONTAINS"}
    if head[:2] == b"MZ" and "dk" in name and name.endswith(".dll"):
        managed = not name.startswith(("libdk", "dk"))
        return {} if managed else dict.fromkeys((*COMPILED_IN, *OF_WINDOWS), "CONTAINS")
    if head != b"\x7fELF":
        return {}
    needed = needed_libraries(path)
    parts = {SYSTEM_LIBRARIES[library]: "DEPENDS_ON" for library in sorted(needed) if library in SYSTEM_LIBRARIES}
    if name == "dk":
        parts["CLI11"] = "CONTAINS"
    elif "libdk.so" not in needed:
        parts |= dict.fromkeys(COMPILED_IN, "CONTAINS")
    if "libstdc++.so" not in needed:
        parts["GCC runtime"] = "CONTAINS"
    return parts


def version_of(package: str) -> str:
    told = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True, text=True)
    return told.stdout if told.returncode == 0 and told.stdout else "NOASSERTION"


def identifier(kind: str, name: str) -> str:
    return f"SPDXRef-{kind}-" + re.sub(r"[^A-Za-z0-9.]+", "-", name)


def component(name: str) -> dict:
    licence, home, package = COMPONENTS[name]
    return {
        "SPDXID": identifier("Component", name),
        "name": name,
        "versionInfo": version_of(package),
        "downloadLocation": home,
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }


def described_file(number: int, folder: str, path: str) -> dict:
    content = content_of(os.path.join(folder, path))
    return {
        "SPDXID": f"SPDXRef-File-{number}",
        "fileName": "./" + path,
        "checksums": [
            {"algorithm": "SHA1", "checksumValue": hashlib.sha1(content).hexdigest()},
            {"algorithm": "SHA256", "checksumValue": hashlib.sha256(content).hexdigest()},
        ],
        "licenseConcluded": "NOASSERTION",
        "copyrightText": "NOASSERTION",
    }


def verification_code(files: list[dict]) -> str:
    """SPDX 2.3, section 7.9: the SHA1 of the sorted SHA1 of all files."""
    return hashlib.sha1("".join(sorted(file["checksums"][0]["checksumValue"] for file in files)).encode()).hexdigest()


def bill(version: str, package: str, created: str) -> dict:
    name = os.path.basename(package)
    checksum = hashlib.sha256(content_of(package)).hexdigest()
    with tempfile.TemporaryDirectory() as folder:
        unpack(package, folder)
        paths = files_of(folder)
        files = [described_file(number, folder, path) for number, path in enumerate(paths)]
        parts: dict[str, str] = {}
        for path in paths:
            for part, how in components_of(os.path.join(folder, path)).items():
                # What one binary brings, another of the package may need.
                parts[part] = "CONTAINS" if "CONTAINS" in (how, parts.get(part)) else how
    main = {
        "SPDXID": "SPDXRef-Package",
        "name": name,
        "versionInfo": version,
        "packageFileName": name,
        "supplier": "Organization: The libdk authors",
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": True,
        "packageVerificationCode": {"packageVerificationCodeValue": verification_code(files)},
        "checksums": [{"algorithm": "SHA256", "checksumValue": checksum}],
        "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0",
        "copyrightText": "The libdk authors",
    }
    related = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-Package")]
    related += [("SPDXRef-Package", "CONTAINS", file["SPDXID"]) for file in files]
    related += [("SPDXRef-Package", how, identifier("Component", part)) for part, how in sorted(parts.items())]
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": name,
        "documentNamespace": f"https://libdk.example.org/spdx/{name}-{checksum}",
        "creationInfo": {"created": created, "creators": ["Organization: The libdk authors", f"Tool: libdk-sbom-{version}"]},
        "packages": [main] + [component(part) for part in sorted(parts)],
        "files": files,
        "relationships": [
            {"spdxElementId": one, "relationshipType": how, "relatedSpdxElement": other} for one, how, other in related
        ],
    }


def main() -> None:
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])
    created = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    version, *packages = sys.argv[1:]
    for package in packages:
        with open(package + ".spdx.json", "w", encoding="utf-8") as file:
            json.dump(bill(version, package, created), file, indent=1, ensure_ascii=False)
            file.write("\n")


if __name__ == "__main__":
    main()
