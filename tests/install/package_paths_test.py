# SPDX-License-Identifier: Apache-2.0
"""Packages do not tell where they were built, so that two makings in other folders are the same bytes.

    package_paths_test.py FOLDER PACKAGE...      wheels, jars and NuGet packages, and the folder of the build
"""

import sys
import zipfile

folder, *packages = sys.argv[1:]
forms = [folder.encode("utf-8"), folder.encode("utf-16-le")]
told = []
for package in packages:
    with zipfile.ZipFile(package) as archive:
        told += [f"{package}: {name}" for name in archive.namelist() if any(form in archive.read(name) for form in forms)]
print("\n".join(told) or f"{len(packages)} packages name no folder of the build")
sys.exit(bool(told or not packages))
