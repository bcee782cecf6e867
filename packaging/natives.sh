#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the native libraries of the jar and of the NuGet package for other systems, by the distribution's cross compilers
# (which it installs, as root), and puts them into both packages beside those of this machine.
#   packaging/natives.sh OUT_FOLDER VERSION
set -euo pipefail
[ $# -eq 2 ] || { sed -n '3,5s/^# \{0,1\}//p' "$0"; exit 2; }
out=$(cd "$1" && pwd)
version=$2
cd "$(dirname "$0")/.."
root=$PWD/build-packages/natives
rm -rf "$root/jar" "$root/nuget"
mkdir -p "$root"

# build SYSTEM OPTION...: compiles the library and what joins it to Java and to .NET.
build() {
  local folder=$root/$1
  shift
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDK_STATIC_RUNTIME=ON -DDK_BUILD_CLI=OFF -DDK_BUILD_EXAMPLES=OFF \
    -DDK_BUILD_JAVA=ON -DDK_BUILD_CSHARP=ON "$@" >"$folder.log" 2>&1 &&
    cmake --build "$folder" --target dkjni dkcsharp >>"$folder.log" 2>&1 ||
    { grep -E 'error|undefined' "$folder.log" | head -20; tail -5 "$folder.log"; exit 1; }
}

# take STRIP LIBRARY JNI PINVOKE JAVA_PLATFORM DOTNET_PLATFORM: puts libraries where the packages have them.
take() {
  local java=$root/jar/org/libdk/native/$5 dotnet=$root/nuget/runtimes/$6/native
  mkdir -p "$java" "$dotnet"
  "$1" --strip-unneeded -o "$java/$(basename "$2")" "$2"
  "$1" --strip-unneeded -o "$java/$(basename "$3")" "$3"
  "$1" --strip-unneeded -o "$dotnet/$(basename "$4")" "$4"
  cp "$java/$(basename "$2")" "$dotnet"
  # what the library carries with it
  if [ -d "$(dirname "$2")/runtime" ]; then
    cp "$(dirname "$2")"/runtime/* "$java"
    cp "$(dirname "$2")"/runtime/* "$dotnet"
  fi
}

echo "== natives for 64-bit ARM"
dpkg --print-foreign-architectures | grep -q '^arm64$' || { dpkg --add-architecture arm64 && apt-get -qq update; }
DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends g++-aarch64-linux-gnu zlib1g-dev:arm64 >/dev/null
build arm64 -DCMAKE_TOOLCHAIN_FILE="$PWD/tests/ports/aarch64.cmake"
take aarch64-linux-gnu-strip "$root/arm64/libdk.so.0" "$root"/arm64/libdkjni.so "$root"/arm64/libdkcsharp.so linux-aarch64 linux-arm64

echo "== natives for 64-bit Windows"
headers=$root/headers
bash tests/ports/windows_headers.sh "$headers"
# The JDK of this machine has the part of JNI's header that differs between systems for itself alone.
mkdir -p "$headers/jni"
cat >"$headers/jni/jni_md.h" <<'END'
#pragma once
#define JNIEXPORT __declspec(dllexport)
#define JNIIMPORT __declspec(dllimport)
#define JNICALL __stdcall
typedef int jint;
typedef long long jlong;
typedef signed char jbyte;
END
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
PKG_CONFIG_LIBDIR=$headers/lib/pkgconfig build windows -DCMAKE_TOOLCHAIN_FILE="$PWD/tests/ports/windows.cmake" \
  -DDK_HEADERS="$headers" -DJAVA_INCLUDE_PATH="$jdk/include" -DJAVA_INCLUDE_PATH2="$headers/jni"
take x86_64-w64-mingw32-strip "$root/windows/bin/dk.dll" "$root"/windows/bin/dkjni.dll "$root"/windows/bin/dkcsharp.dll \
  windows-x86_64 win-x64

jar --update --file "$out/libdk-$version.jar" -C "$root/jar" org
python3 - "$out/LibDk.$version.nupkg" "$root/nuget" <<'END'
import sys, zipfile
from pathlib import Path

with zipfile.ZipFile(sys.argv[1], "a", zipfile.ZIP_DEFLATED) as package:
    for file in sorted(Path(sys.argv[2]).rglob("*")):
        name = file.relative_to(sys.argv[2]).as_posix()
        if file.is_file() and name not in package.namelist():
            package.write(file, name)
END
