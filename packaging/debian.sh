#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the Debian packages libdk0 (the library), libdk-dev (headers) and libdk-tools (the command dk):
#   packaging/debian.sh BUILD VERSION OUT_FOLDER
# BUILD was configured for the prefix /usr and links the system's C++ runtime. SOURCE_DATE_EPOCH is set.
set -euo pipefail
build=$1
version=$2
out=$3
folder=$(cd "$(dirname "$0")" && pwd)
architecture=$(dpkg --print-architecture)
triplet=$(dpkg-architecture --query DEB_HOST_MULTIARCH)
date=$(date --utc -R --date="@$SOURCE_DATE_EPOCH")
umask 022
root=$(mktemp -d)
chmod 755 "$root"
trap 'rm -rf "$root"' EXIT
DESTDIR=$root/all cmake --install "$build" --strip >/dev/null

# put PACKAGE PATTERN...: moves what was installed into a package.
put() {
  local package=$1 file
  shift
  for file in "$@"; do
    (cd "$root/all" && for found in ./$file; do mkdir -p "$root/$package/$(dirname "$found")" && mv "$found" "$root/$package/$found"; done)
  done
}
put libdk0 "usr/lib/$triplet/libdk.so.*"
put libdk-dev usr/include/dk "usr/lib/$triplet/libdk.so" "usr/lib/$triplet/cmake" "usr/lib/$triplet/pkgconfig"
# Debian's zsh looks for what packages bring in a folder of its own.
mkdir -p "$root/all/usr/share/zsh/vendor-completions"
mv "$root/all/usr/share/zsh/site-functions/_dk" "$root/all/usr/share/zsh/vendor-completions/_dk"
gzip -9n "$root"/all/usr/share/man/man1/*.1
put libdk-tools usr/bin/dk "usr/share/man/man1/*" usr/share/bash-completion/completions/dk usr/share/zsh/vendor-completions/_dk \
  usr/share/fish/vendor_completions.d/dk.fish
[ -z "$(find "$root/all" -type f)" ] || { find "$root/all" -type f; echo "these belong to no package" >&2; exit 1; }
patchelf --remove-rpath "$root/libdk-tools/usr/bin/dk" "$root/libdk0/usr/lib/$triplet"/libdk.so.*.*.*

# depends FILE: what a program needs of other packages, by their symbols.
depends() {
  local work=$root/shlibs
  mkdir -p "$work/debian"
  printf 'Source: libdk\n\nPackage: libdk0\nArchitecture: any\n' >"$work/debian/control"
  printf 'libdk 0 libdk0 (>= %s)\n' "$version" >"$work/debian/shlibs.local"
  (cd "$work" && dpkg-shlibdeps -O --warnings=0 -l"$root/libdk0/usr/lib/$triplet" "$1" | sed 's/^shlibs:Depends=//')
}

# package NAME SECTION DEPENDS SUMMARY TEXT: finishes a package's folder and packs it.
package() {
  local name=$1 tree=$root/$1
  mkdir -p "$tree/DEBIAN" "$tree/usr/share/doc/$name"
  cp "$folder/copyright" "$folder/NOTICES" "$tree/usr/share/doc/$name"
  printf 'libdk (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n -- The libdk authors <libdk@example.org>  %s\n' \
    "$version" "$date" | gzip -9n >"$tree/usr/share/doc/$name/changelog.gz"
  {
    printf 'Package: %s\nSource: libdk\nVersion: %s\nArchitecture: %s\n' "$name" "$version" "$architecture"
    printf 'Maintainer: The libdk authors <libdk@example.org>\nInstalled-Size: %s\n' "$(du -ks --exclude=DEBIAN "$tree" | cut -f1)"
    printf 'Depends: %s\nSection: %s\nPriority: optional\n' "$3" "$2"
    [ "$name" = libdk-tools ] || printf 'Multi-Arch: same\n'
    printf 'Description: %s\n' "$4"
    fold -s -w 76 <<<"$5" | sed 's/ *$//; s/^/ /'
  } >"$tree/DEBIAN/control"
  if [ "$name" = libdk0 ]; then
    printf 'libdk 0 libdk0 (>= %s)\n' "$version" >"$tree/DEBIAN/shlibs"
    printf 'activate-noawait ldconfig\n' >"$tree/DEBIAN/triggers"
  fi
  (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$tree" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --build --root-owner-group "$tree" "$out/${name}_${version}_$architecture.deb" >/dev/null
}
about="Support vector machines, core vector machines, extreme learning machines and others with deep kernels, weighted banks of
kernels and prototypes."
of_library=$(depends "$root/libdk0/usr/lib/$triplet/libdk.so.$version")
of_command=$(depends "$root/libdk-tools/usr/bin/dk" | sed 's/libdk0 ([^)]*), //')
package libdk0 libs "$of_library" "kernel machines with prototypes - shared library" \
  "$about This package has the library."
package libdk-dev libdevel "libdk0 (= $version)" "kernel machines with prototypes - headers for C and C++" \
  "$about This package has what programs in C and C++ are compiled with."
package libdk-tools science "libdk0 (= $version), $of_command" \
  "kernel machines with prototypes - command dk" "$about This package has the command that trains and applies them."
lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$out"/libdk{0,-dev,-tools}_"${version}_$architecture".deb
