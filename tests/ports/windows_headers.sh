#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what builds for 64-bit Windows, as root, and makes a folder of the headers that libdk compiles in. They have no code
# of their own and are the same for all systems, but this machine's /usr/include can't be another C library's.
#   tests/ports/windows_headers.sh FOLDER     then: cmake -DCMAKE_TOOLCHAIN_FILE=.../windows.cmake -DDK_HEADERS=FOLDER
#                                             with PKG_CONFIG_LIBDIR=FOLDER/lib/pkgconfig
set -euo pipefail
[ $# -eq 1 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 2; }
packages=(g++-mingw-w64-x86-64-posix libz-mingw-w64-dev)
if ! dpkg-query -W "${packages[@]}" >/dev/null 2>&1; then
  echo "== install packages"
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
fi
mkdir -p "$1/include" "$1/share/cmake" "$1/lib/pkgconfig"
headers=$(cd "$1" && pwd)
cp -r --preserve=timestamps /usr/include/{hwy,nlohmann,CLI,eigen3} "$headers/include"
cp -r --preserve=timestamps /usr/share/cmake/{CLI11,nlohmann_json} "$headers/share/cmake"
cp -r --preserve=timestamps /usr/share/eigen3 "$headers/share"
sed "s,^prefix=.*,prefix=$headers," "$(pkg-config --variable=pcfiledir libhwy)/libhwy.pc" >"$headers/lib/pkgconfig/libhwy.pc"
