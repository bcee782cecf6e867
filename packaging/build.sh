#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes all packages of this machine's kind, and tries those that need no compiler without one:
#   packaging/build.sh OUT_FOLDER        as root it also installs the Debian packages, tries them and removes them
# Packages for other systems (all but Debian's) have the C++ runtime in their libraries, so that they need no more than the
# C library and zlib.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
source=$PWD
version=$(sed -n 's/^project(libdk VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
platform=linux-$(uname -m)
build=build-packages

# build STATIC: compiles once; whether the C++ runtime is in the libraries only changes how they are linked.
build() {
  cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DDK_STATIC_RUNTIME="$1" \
    -DDK_BUILD_EXAMPLES=OFF -DDK_BUILD_PYTHON=ON -DDK_BUILD_JAVA=ON -DDK_BUILD_CSHARP=ON -DDK_BUILD_R="$1" >$build.log 2>&1 &&
    cmake --build $build >>$build.log 2>&1 || { grep -E 'error|FAILED' $build.log | head -20; exit 1; }
}

echo "== Debian packages"
build OFF
bash packaging/debian.sh "$build" "$version" "$out"

echo "== archive, wheel, jar, NuGet package"
build ON
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
name=libdk-$version-$platform
cmake --install $build --prefix "$root/$name" --strip >/dev/null
cp LICENSE README.md "$root/$name"
tar --create --gzip --file "$out/$name.tar.gz" --directory "$root" --owner=0 --group=0 --sort=name "$name"
bash packaging/wheel.sh $build/bindings/python "$out"
cp $build/bindings/java/libdk-"$version".jar $build/bindings/csharp/packages/LibDk."$version".nupkg "$out"

echo "== R packages"
cp $build/bindings/r/libdk_"$version".tar.gz "$out"
mkdir "$root/r"
(cd "$root/r" && LIBDK_PREBUILT=$source/$build LIBDK_HEADERS=$source/include R CMD INSTALL --build --library="$root/r" \
  "$out/libdk_$version.tar.gz" >"$root/r.log" 2>&1) || { tail -5 "$root/r.log"; exit 1; }
mv "$root"/r/libdk_"$version"_R_*.tar.gz "$out"

echo "== Go module"
mkdir "$root/go"
cp -r bindings/go "$root/go/libdk-go-$version"
rm -r "$root/go/libdk-go-$version/CMakeLists.txt" "$root/go/libdk-go-$version"/internal/{cycles,overhead,conformance}
tar --create --gzip --file "$out/libdk-go-$version.tar.gz" --directory "$root/go" --owner=0 --group=0 --sort=name "libdk-go-$version"

bash packaging/try.sh "$out" "$version"
(cd "$out" && sha256sum -- *"$version"* >SHA256SUMS && ls -l)
