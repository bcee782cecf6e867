#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Gives a wheel the tag of the oldest C library that its symbols know, and writes it to a folder:
#   packaging/wheel.sh FOLDER_OF_THE_WHEEL OUT_FOLDER
# Beside the C library it may need what every Linux of these tags has (zlib among it); the C++ runtime has to be within.
set -euo pipefail
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$python -m wheel unpack --dest "$work" "$1"/libdk-*-linux_*.whl >/dev/null
tree=$(echo "$work"/libdk-*)

needed=$(for library in "$tree"/libdk/*.so*; do readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'; done | sort -u)
for library in $needed; do
  case "$library" in
    libc.so.6 | libm.so.6 | libz.so.1 | ld-linux-*.so.* | libdk.so.* | libpthread.so.0 | libdl.so.2) ;;
    libgomp.so.1) [ -e "$tree/libdk/$library" ] || { echo "the wheel has no $library" >&2; exit 1; } ;;
    *) echo "the wheel needs $library, which not every system has" >&2; exit 1 ;;
  esac
done
glibc=$(objdump -T "$tree"/libdk/*.so* | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -Vu | tail -1)
cp "$(dirname "$0")/NOTICES" "$tree"/*.dist-info/
tag=manylinux_${glibc/./_}_$(uname -m)
sed -i "s/linux_$(uname -m)\$/$tag/" "$tree"/*.dist-info/WHEEL
$python -m wheel pack --dest-dir "$2" "$tree" >/dev/null
ls "$2"/libdk-*-"$tag".whl
