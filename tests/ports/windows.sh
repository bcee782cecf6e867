#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds libdk for 64-bit Windows by the distribution's MinGW-w64 and runs it under wine: the unit tests of products and
# kernels, the tests of the ABI, the cases of the languages (the same bytes as on this machine), whether products and kernel
# values are the same bits, and whether models of every machine go from one system to the other. Installs what is missing,
# as root.
#   tests/windows/run.sh BUILD     BUILD: a folder with a build for this machine, tests included
set -euo pipefail
[ $# -eq 1 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2; }
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
out=$PWD/build-windows

packages=(g++-mingw-w64-x86-64-posix libz-mingw-w64-dev wine wine64 libgtest-dev)
if ! dpkg-query -W "${packages[@]}" >/dev/null 2>&1; then
  echo "== install packages"
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
fi
export WINEPREFIX=$out/wine WINEDEBUG=-all

# Of these libraries only headers are needed, which are the same for all systems.
echo "== build"
headers=$out/headers
mkdir -p "$headers/include" "$headers/share/cmake" "$headers/lib/pkgconfig"
cp -r /usr/include/{hwy,nlohmann,CLI,eigen3} "$headers/include"
cp -r /usr/share/cmake/{CLI11,nlohmann_json} "$headers/share/cmake"
cp -r /usr/share/eigen3 "$headers/share"
sed "s,^prefix=.*,prefix=$headers," "$(pkg-config --variable=pcfiledir libhwy)/libhwy.pc" >"$headers/lib/pkgconfig/libhwy.pc"
export PKG_CONFIG_LIBDIR=$headers/lib/pkgconfig

toolchain=(-DCMAKE_TOOLCHAIN_FILE="$PWD/tests/windows/toolchain.cmake" -DDK_HEADERS="$headers" -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_EXE_LINKER_FLAGS=-static -G Ninja)
cmake -S /usr/src/googletest -B "$out/googletest" "${toolchain[@]}" -DBUILD_GMOCK=OFF -DCMAKE_INSTALL_PREFIX="$headers" \
  >"$out.log" 2>&1 && cmake --build "$out/googletest" --target install >>"$out.log" 2>&1 || { tail "$out.log"; exit 1; }
cmake -S . -B "$out/libdk" "${toolchain[@]}" -DDK_BUILD_TESTS=ON -DDK_SANITIZED_TESTS=ON >>"$out.log" 2>&1 &&
  cmake --build "$out/libdk" --target dk dk_command ${DK_WINDOWS_TARGETS:-} >>"$out.log" 2>&1 ||
  { grep -E 'error|undefined' "$out.log" | head -20; tail -5 "$out.log"; exit 1; }
