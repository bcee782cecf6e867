#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes all packages of the last commit twice, in two folders, and holds them against each other:
#   packaging/twice.sh OUT_FOLDER        the first of both stay in OUT_FOLDER
# Packages are the same bytes, or the reason is one of those below.
set -euo pipefail
export CCACHE_DISABLE=1  # which gives the second making what the first has compiled
[ $# -eq 1 ] || { sed -n '3,5s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
out=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for copy in first second/of-another-length; do
  mkdir -p "$work/$copy"
  git clone --quiet "$source" "$work/$copy/libdk"
  bash "$work/$copy/libdk/packaging/build.sh" "$work/$copy/out" >"$work/log" 2>&1 || { tail -40 "$work/log"; exit 1; }
done
cp "$work/first/out"/* "$out"

# reason FILE: why two makings of it differ; nothing where they may not.
reason() {
  case "$1" in
    libdk_*_R_*.tar.gz*) echo "R writes the time of the build into binary packages" ;;
  esac
}
failed=0
while read -r _ name; do
  if cmp -s "$work/first/out/$name" "$work/second/of-another-length/out/$name"; then
    echo "same    $name"
  elif why=$(reason "$name") && [ -n "$why" ]; then
    echo "differs $name: $why"
  else
    echo "DIFFERS $name"
    failed=1
  fi
done <"$out/SHA256SUMS"
exit $failed
