#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds libdk for 64-bit Windows by the distribution's MinGW-w64 and runs it under wine: the unit tests of products and
# kernels, the tests of the ABI, the cases of the languages, whether products and kernel
# values are the same bits, and whether models of every machine go from one system to the other. Installs what is missing,
# as root.
#   tests/ports/windows.sh BUILD     BUILD: a folder with a build for this machine, tests included
set -euo pipefail
[ $# -eq 1 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0"; exit 2; }
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
out=$PWD/build-windows

if ! dpkg-query -W wine wine64 libgtest-dev >/dev/null 2>&1; then
  echo "== install packages"
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends wine wine64 libgtest-dev >/dev/null
fi
headers=$out/headers
bash tests/ports/windows_headers.sh "$headers"
export WINEPREFIX=$out/wine WINEDEBUG=-all

echo "== build"
export PKG_CONFIG_LIBDIR=$headers/lib/pkgconfig
toolchain=(-DCMAKE_TOOLCHAIN_FILE="$PWD/tests/ports/windows.cmake" -DDK_HEADERS="$headers" -DCMAKE_BUILD_TYPE=Release
  -G Ninja)
cmake -S /usr/src/googletest -B "$out/googletest" "${toolchain[@]}" -DBUILD_GMOCK=OFF -DCMAKE_INSTALL_PREFIX="$headers" \
  >"$out.log" 2>&1 && cmake --build "$out/googletest" --target install >>"$out.log" 2>&1 || { tail "$out.log"; exit 1; }
cmake -S . -B "$out/libdk" "${toolchain[@]}" -DDK_BUILD_TESTS=ON -DDK_SANITIZED_TESTS=ON >>"$out.log" 2>&1 &&
  cmake --build "$out/libdk" --target dk_unit_tests dk_abi_tests dk_command dk_kernel_bits >>"$out.log" 2>&1 ||
  { grep -E 'error|undefined' "$out.log" | head -20; tail -5 "$out.log"; exit 1; }
x86_64-w64-mingw32-gcc -std=c99 -O1 -Iinclude tests/bindings/conformance.c "$out/libdk/libdk/libdk.dll.a" -o "$out/libdk/bin/conformance.exe"
bin=$out/libdk/bin
emulated=(timeout 1800 wine)
"${emulated[@]}" "$bin/dk.exe" --version

echo "== the library needs Windows alone"
for file in dk.dll dk.exe; do
  needed=$(x86_64-w64-mingw32-objdump -p "$bin/$file" | awk '/DLL Name/ {print $3}')
  [ -n "$needed" ] || { echo "$file needs nothing?"; exit 1; }
  others=$(grep -vE '^(KERNEL32|SHELL32|msvcrt|dk)\.dll$' <<<"$needed" || true)
  [ -z "$others" ] || { echo "$file needs $others"; exit 1; }
done

echo "== names of files that are not ASCII"
strange=$out/"modèles α"
mkdir -p "$strange"
"${emulated[@]}" "$bin/dk.exe" train examples/data/sonar.csv -m svm -o "$strange/中.dk" >/dev/null
"$build/bin/dk" predict "$strange/中.dk" examples/data/sonar.csv >"$out/here.csv"
"${emulated[@]}" "$bin/dk.exe" predict "$strange/中.dk" examples/data/sonar.csv -o "$strange/π.csv" >/dev/null
cmp "$out/here.csv" "$strange/π.csv"

echo "== unit tests of products and kernels"
"${emulated[@]}" "$bin/dk_unit_tests.exe" --gtest_brief=1 \
  --gtest_filter='*Product*:Triangular*:MatrixTimes*:Kernel*:ArcCosine*:Cholesky*:SymmetricEigen*:LeadingEigen*:Smo*:Quadrant*:RandomNumbers*:ThreadTeam*'

# Left out are the files of tests/abi/CMakeLists.txt that ask for POSIX.
echo "== tests of the ABI"
"${emulated[@]}" "$bin/dk_abi_tests.exe" --gtest_brief=1

echo "== the cases of all languages"
mkdir -p "$out/cases/here" "$out/cases/there"
"$build/bin/dk_conformance" tests/bindings/cases.txt examples/data "$out/cases/here"
"${emulated[@]}" "$bin/conformance.exe" tests/bindings/cases.txt examples/data "$out/cases/there"
python3 tests/ports/compare_cases.py "$out/cases/here" "$out/cases/there"

echo "== bits of kernel values and products"
# Powers, tanh and angles are the C library's in these kernels, which rounds their last digit otherwise.
of_the_system='^(.*poly|sigmoid|.*bias_variance)'
"$build/bin/dk_kernel_bits" | grep -vE "$of_the_system" >"$out/here.bits"
"${emulated[@]}" "$bin/dk_kernel_bits.exe" | tr -d '\r' | grep -vE "$of_the_system" >"$out/there.bits"
cmp "$out/here.bits" "$out/there.bits"
echo "$(wc -l <"$out/here.bits") kernels: the same bits"

echo "== models of every machine, both ways"
python3 tests/ports/predictions.py "$(printf "%q " "$build/bin/dk")" "$(printf "%q " "${emulated[@]}" "$bin/dk.exe")" examples/data
