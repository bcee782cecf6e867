#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes all packages of this machine's kind, and tries those that need no compiler without one:
#   packaging/build.sh OUT_FOLDER        as root it also installs the Debian packages, tries them and removes them
# Packages for other systems (all but Debian's) have the C++ runtime in their libraries, so that they need no more than the
# C library and zlib. A language whose tools are not there is left out, and named. The dates in packages are SOURCE_DATE_EPOCH,
# which is the commit's if it is not set, so that archives of the same content are the same bytes; twice.sh looks whether they are.
set -euo pipefail
[ $# -eq 1 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
source=$PWD
version=$(sed -n 's/^project(libdk VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
platform=linux-$(uname -m)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date -r CHANGELOG.md +%s)}

# archive FILE FOLDER NAME: packs a folder of that name.
archive() {
  tar --create --directory "$2" --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w --sort=name --mtime="@$SOURCE_DATE_EPOCH" "$3" | gzip -9n >"$1"
}
build=build-packages
rm -f $build/bindings/python/*.whl "$out"/*"$version"*

languages=()
language() { # NAME TOOL
  if command -v "$2" >/dev/null; then languages+=("-DDK_BUILD_$1=ON"); else echo "left out: $1, because there is no $2"; languages+=("-DDK_BUILD_$1=OFF"); fi
}
language PYTHON python3
language JAVA javac
language CSHARP dotnet
language R R
has() { [[ " ${languages[*]} " == *" -DDK_BUILD_$1=ON "* ]]; }

# build STATIC: compiles once; whether the C++ runtime is in the libraries only changes how they are linked.
build() {
  cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DDK_STATIC_RUNTIME="$1" \
    -DDK_BUILD_EXAMPLES=OFF "${languages[@]}" >$build.log 2>&1 && cmake --build $build >>$build.log 2>&1 ||
    { grep -iE -A3 'error|FAILED' $build.log | head -30; exit 1; }
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
cp -r LICENSE {README,CHANGELOG,CONTRIBUTING,SECURITY}.md docs examples packaging/NOTICES "$root/$name"
archive "$out/$name.tar.gz" "$root" "$name"
if has PYTHON; then bash packaging/wheel.sh $build/bindings/python "$out"; fi
if has JAVA; then
  cp $build/bindings/java/libdk-"$version".jar "$out"
  mkdir -p "$root/jar/META-INF"
  cp LICENSE packaging/NOTICES "$root/jar/META-INF"
  jar --update --file "$out/libdk-$version.jar" -C "$root/jar" META-INF/LICENSE -C "$root/jar" META-INF/NOTICES
fi
if has CSHARP; then
  cmake --build $build --target dk_csharp_ml >$build.log 2>&1 || { tail -20 $build.log; exit 1; }
  cp $build/bindings/csharp/packages/LibDk."$version".nupkg "$out"
  cp $build/bindings/csharp/packages/LibDk.ML."$version".nupkg "$out" 2>/dev/null || echo "left out: LibDk.ML, because NuGet cannot be reached"
fi
if has JAVA && has CSHARP && [ "$(id -u)" -eq 0 ]; then
  bash packaging/natives.sh "$out" "$version"
else
  echo "left out: libraries for other systems in the jar and the NuGet package, which root makes where both packages are made"
fi
for package in "$out"/*"$version".jar "$out"/*"$version".nupkg; do
  [ ! -e "$package" ] || python3 packaging/same_bytes.py "$package"
done

echo "== R packages"
if has R; then
  mkdir "$root/r" "$root/source"
  tar --extract --gzip --directory "$root/source" --file $build/bindings/r/libdk_"$version".tar.gz
  # R notes when and by whom the package was made.
  sed -i "s/^Packaged: .*/Packaged: $(date --utc --date="@$SOURCE_DATE_EPOCH" '+%Y-%m-%d %H:%M:%S UTC'); libdk/" "$root/source/libdk/DESCRIPTION"
  archive "$out/libdk_$version.tar.gz" "$root/source" libdk
  (cd "$root/r" && LIBDK_PREBUILT=$source/$build LIBDK_HEADERS=$source/include R CMD INSTALL --build --library="$root/r" \
    "$out/libdk_$version.tar.gz" >"$root/r.log" 2>&1) || { tail -5 "$root/r.log"; exit 1; }
  mv "$root"/r/libdk_"$version"_R_*.tar.gz "$out"
fi

echo "== Go module"
mkdir "$root/go"
cp -r bindings/go "$root/go/libdk-go-$version"
cp LICENSE packaging/NOTICES "$root/go/libdk-go-$version"
rm -r "$root/go/libdk-go-$version/CMakeLists.txt" "$root/go/libdk-go-$version"/internal/{cycles,overhead,conformance}
archive "$out/libdk-go-$version.tar.gz" "$root/go" "libdk-go-$version"

echo "== bills of materials"
packages=()
for package in "$out"/*"$version"*; do packages+=("$package"); done
python3 packaging/sbom.py "$version" "${packages[@]}"
python3 packaging/check_sbom.py "${packages[@]}"

bash packaging/try.sh "$out" "$version"
(cd "$out" && sha256sum -- *"$version"* >SHA256SUMS && ls -l)
