#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds libdk for 64-bit ARM by the distribution's cross compiler and runs it under qemu: the unit tests of products
# and kernels, the tests of the ABI, the cases of the languages, whether products and
# kernel values are the same bits, and whether models of every machine go from one machine to the other. Installs what is missing, as root.
#   tests/ports/aarch64.sh BUILD     BUILD: a folder with a build for this machine, tests included
set -euo pipefail
[ $# -eq 1 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0"; exit 2; }
build=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
arm=build-aarch64

# The libraries that run are all of one C library: with the cross compiler's loader and these, threads hang at their start.
packages=(g++-aarch64-linux-gnu qemu-user-static libgtest-dev zlib1g-dev:arm64 libstdc++6:arm64)
if ! dpkg-query -W "${packages[@]}" >/dev/null 2>&1; then
  echo "== install packages"
  dpkg --add-architecture arm64
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
fi
emulated=(timeout 3600 qemu-aarch64-static)
export LD_LIBRARY_PATH=   # qemu must not take libraries of this machine
export DK_TEST_SLOW=1     # tests that measure time allow for the emulator

echo "== build"
toolchain=(-DCMAKE_TOOLCHAIN_FILE="$PWD/tests/ports/aarch64.cmake" -DCMAKE_BUILD_TYPE=Release -G Ninja)
cmake -S /usr/src/googletest -B $arm/googletest "${toolchain[@]}" -DBUILD_GMOCK=OFF -DCMAKE_INSTALL_PREFIX="$PWD/$arm/prefix" \
  >$arm.log 2>&1 && cmake --build $arm/googletest --target install >>$arm.log 2>&1 || { tail $arm.log; exit 1; }
cmake -S . -B $arm/libdk "${toolchain[@]}" -DCMAKE_PREFIX_PATH="$PWD/$arm/prefix" -DDK_BUILD_TESTS=ON -DDK_SANITIZED_TESTS=ON \
  >>$arm.log 2>&1 && cmake --build $arm/libdk --target dk_unit_tests dk_abi_tests dk_command dk_kernel_bits >>$arm.log 2>&1 ||
  { grep -E 'error|undefined' $arm.log | head -20; tail -5 $arm.log; exit 1; }
aarch64-linux-gnu-gcc -std=c99 -O1 -Iinclude tests/bindings/conformance.c -L$arm/libdk -ldk -Wl,-rpath,"$PWD/$arm/libdk" \
  -o $arm/libdk/bin/dk_conformance
"${emulated[@]}" $arm/libdk/bin/dk --version

# emulated_tests PROGRAM FILTER: in two processes, since the emulator takes half a minute for a second.
emulated_tests() {
  local shard processes=() failed=0
  for shard in 0 1; do
    GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$shard "${emulated[@]}" "$1" --gtest_brief=1 --gtest_filter="$2" &
    processes+=($!)
  done
  for shard in "${processes[@]}"; do wait "$shard" || failed=1; done
  return $failed
}

# Machines that learn kernels are left to the cases and the models below.
echo "== unit tests of products and kernels"
emulated_tests $arm/libdk/bin/dk_unit_tests \
  '*Product*:Triangular*:MatrixTimes*:Kernel*:ArcCosine*:Cholesky*:SymmetricEigen*:LeadingEigen*:Smo*:Quadrant*:RandomNumbers*-KernelPca*:KernelTuning*:KernelWeighing*'

# Left out is what says nothing about ARM under an emulator: how soon a cancel is heard, how many threads there are (it has some
# itself) and whether they race (its memory has the order of this machine's), where memory ends (its own does). And what takes
# hours and is the same code on bytes everywhere: damage of every byte of a model, of which there is damage at random too.
echo "== tests of the ABI"
emulated_tests $arm/libdk/bin/dk_abi_tests \
  '-*Cancel*:*Thread*:Concurrency.*:*MemoryEnd.*:ControlMemory.*:*EveryByteOfThePayloadChanged*'

echo "== the cases of all languages"
mkdir -p $arm/cases/here $arm/cases/there
"$build/bin/dk_conformance" tests/bindings/cases.txt examples/data $arm/cases/here
"${emulated[@]}" $arm/libdk/bin/dk_conformance tests/bindings/cases.txt examples/data $arm/cases/there
python3 tests/ports/compare_cases.py $arm/cases/here $arm/cases/there

echo "== bits of kernel values and products"
"$build/bin/dk_kernel_bits" >$arm/here.bits
"${emulated[@]}" $arm/libdk/bin/dk_kernel_bits >$arm/there.bits
cmp $arm/here.bits $arm/there.bits
echo "$(wc -l <$arm/here.bits) kernels: the same bits"

echo "== models of every machine, both ways"
python3 tests/ports/predictions.py "$(printf "%q " "$build/bin/dk")" "$(printf "%q " "${emulated[@]}" "$PWD/$arm/libdk/bin/dk")" examples/data
