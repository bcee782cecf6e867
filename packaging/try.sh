#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the packages of a folder that are made to need no compiler, by programs that find none, and looks whether all say the same
# version:
#   packaging/try.sh FOLDER VERSION
set -euo pipefail
out=$(cd "$1" && pwd)
version=$2
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
installed=
clean() {
  [ -z "$installed" ] || PATH=$everything:/usr/sbin:/sbin dpkg --remove libdk-tools libdk-dev libdk0 >/dev/null
  rm -rf "$work"
}
trap clean EXIT
everything=$PATH
cd "$work"
cp "$source/examples/data/sonar.csv" .

# All programs of the system but what compiles and links C and C++.
mkdir programs
for program in /usr/bin/* /bin/*; do
  name=${program##*/}
  case "$name" in
    *gcc* | *g++* | *clang* | cc | c++ | c89* | c99* | cpp* | as | ld | ld.* | *-as | *-ld | *-ld.* | *-cpp*) ;;
    *) ln -sf "$program" "programs/$name" ;;
  esac
done
for tool in java javac dotnet R Rscript; do # which may stand elsewhere
  found=$(command -v $tool) && ln -sf "$(readlink -f "$found")" "programs/$tool"
done
DOTNET_ROOT=$(dirname "$(readlink -f "$(command -v dotnet || echo /none)")")
export PATH=$work/programs DOTNET_ROOT DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 NUGET_PACKAGES=$work/nuget HOME=$work
unset LD_LIBRARY_PATH
command -v gcc cc c++ ld && { echo "there is a compiler" >&2; exit 1; }

# said WHAT VERSION: a package has the version of all.
said() {
  [ "$2" = "$version" ] || { echo "$1 says version '$2', not $version" >&2; exit 1; }
  echo "ok: $1"
}

tar xzf "$out/libdk-$version-linux-$(uname -m).tar.gz"
mv "libdk-$version-linux-$(uname -m)" moved
moved/bin/dk train sonar.csv -o sonar.dk >/dev/null && moved/bin/dk predict sonar.dk sonar.csv >predicted
said "archive" "$(moved/bin/dk --version | grep -o '[0-9]*\.[0-9]*\.[0-9]*' | head -1)"
pc=$(find moved -name libdk.pc)
said "pkg-config file" "$(PKG_CONFIG_PATH=${pc%/*} pkg-config --modversion libdk)"
[ -e "$(PKG_CONFIG_PATH=${pc%/*} pkg-config --variable=libdir libdk)/libdk.so" ] || { echo "the archive can't be moved" >&2; exit 1; }

# has FILE: whether the package was made.
has() { [ -e "$1" ] || { echo "left out: $1"; return 1; }; }

if has "$out"/libdk-"$version"-cp*.whl; then
  python3 -m venv --system-site-packages environment
  environment/bin/pip install --quiet --no-index --no-deps "$out"/libdk-"$version"-cp*.whl
  said "wheel" "$(environment/bin/python -c 'import libdk
data = libdk.Data.read("sonar.csv")
model = libdk.load("sonar.dk")
assert model.score(data, "accuracy") > 0.8
print(libdk.version())')"
fi

if has "$out/libdk-$version.jar"; then
  cat >Try.java <<'END'
import org.libdk.*;
import java.nio.file.Path;

public class Try {
    public static void main(String[] arguments) {
        try (Dataset data = Dataset.read(Path.of("sonar.csv")); Model model = Model.load(Path.of("sonar.dk"))) {
            if (model.score(data, "accuracy") > 0.8) System.out.println(Libdk.version());
        }
    }
}
END
  said "jar" "$(java -cp "$out/libdk-$version.jar" Try.java)"
  # Java for ARM is unpacked here alone, since the system's command java is to stay what it is. It has no compiler, and
  # its settings are links to the system's.
  if ! command -v qemu-aarch64-static >/dev/null; then
    echo "left out: trying the jar on 64-bit ARM, because there is no qemu-aarch64-static"
  elif ! apt-get -qq download openjdk-17-jre-headless:arm64 >download.log 2>&1; then
    echo "left out: trying the jar on 64-bit ARM, because the distribution has not given Java for it: $(tail -1 download.log)"
  else
    dpkg-deb --extract openjdk-17-jre-headless_*_arm64.deb arm
    find arm/usr/lib/jvm -lname '/etc/java*' -printf '%l %p\n' | while read -r to link; do ln -sf "$work/arm$to" "$link"; done
    javac --release 17 -cp "$out/libdk-$version.jar" -d . Try.java
    said "jar on 64-bit ARM (qemu)" "$(qemu-aarch64-static arm/usr/lib/jvm/java-17-openjdk-arm64/bin/java -Xint \
      -cp "$out/libdk-$version.jar:." Try)"
  fi
fi

if has "$out/LibDk.$version.nupkg"; then
  mkdir try && cd try
  cat >Try.csproj <<END
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><OutputType>Exe</OutputType><TargetFramework>net$(dotnet --version | cut -d. -f1).0</TargetFramework></PropertyGroup>
  <ItemGroup><PackageReference Include="LibDk" Version="$version" /></ItemGroup>
</Project>
END
  cat >Program.cs <<'END'
using LibDk;

using Dataset data = Dataset.Read("../sonar.csv");
using Model model = Model.Load("../sonar.dk");
if (model.Score(data, "accuracy") > 0.8) System.Console.WriteLine(Library.Version);
END
  dotnet restore --source "$out" >/dev/null
  said "NuGet package" "$(dotnet run --no-restore)"
  # on_other NAME SYSTEM EMULATOR PROGRAM: as a program that brings .NET for another system with it, which NuGet has
  on_other() {
    if ! command -v "$3" >/dev/null; then
      echo "left out: trying the NuGet package on $1, because there is no $3"
    elif ! dotnet publish --runtime "$2" --self-contained -p:InvariantGlobalization=true \
        -p:RestoreAdditionalProjectSources="$out" --output "$2" >publish.log 2>&1; then
      echo "left out: trying the NuGet package on $1, because NuGet has not given .NET for it: $(grep -m1 error publish.log)"
    else
      said "NuGet package on $1 ($3)" "$(WINEPREFIX=$work/wine WINEDEBUG=-all "$3" "$2/$4" 2>/dev/null | tr -d '\r')"
    fi
  }
  on_other Windows win-x64 wine Try.exe
  on_other "64-bit ARM" linux-arm64 qemu-aarch64-static Try
  cd ..
fi

if has "$out/libdk_$version.tar.gz"; then
  mkdir library
  R CMD INSTALL --library=library "$out"/libdk_"$version"_R_*.tar.gz >/dev/null 2>&1
  said "R binary package" "$(R_LIBS=library Rscript -e 'library(libdk)
  model <- dk_load("sonar.dk")
  rows <- dk_read("sonar.csv", like = model)
  stopifnot(mean(as.character(predict(model, rows)) == read.csv("sonar.csv")$class) > 0.8)
  cat(dk_version())')"
  said "R source package" "$(tar xzOf "$out/libdk_$version.tar.gz" libdk/DESCRIPTION | sed -n 's/^Version: //p')"
  for library in library/libdk/libs/*.so*; do
    readelf -d "$library" | grep -q 'NEEDED.*libstdc++' && { echo "$library needs a C++ runtime" >&2; exit 1; }
  done
fi
said "Go module" "$(tar tzf "$out/libdk-go-$version.tar.gz" | sed -n 's/^libdk-go-\(.*\)\/go\.mod$/\1/p')"

for package in libdk0 libdk-dev libdk-tools; do
  said "$package" "$(dpkg-deb --field "$out/${package}_${version}_$(dpkg --print-architecture).deb" Version)"
done
if [ "$(id -u)" -ne 0 ] || dpkg-query -W libdk0 >/dev/null 2>&1; then
  echo "left out: installing the Debian packages, because this is not root or libdk0 is installed"
  exit
fi
installed=yes
PATH=$everything:/usr/sbin:/sbin dpkg --install "$out"/libdk{0,-dev,-tools}_"$version"_*.deb >/dev/null
/usr/bin/dk predict sonar.dk sonar.csv 2>/dev/null | cmp - predicted
said "Debian packages, installed" "$(/usr/bin/dk --version | grep -o '[0-9]*\.[0-9]*\.[0-9]*' | head -1)"
# what the headers are for takes a compiler
printf '#include <dk/dk.h>\n#include <stdio.h>\nint main(void) { return puts(dk_version_string()) < 0; }\n' >version.c
PATH=$everything cc version.c -o version $(PATH=$everything pkg-config --cflags --libs libdk)
said "a program compiled with libdk-dev" "$(./version)"
