#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The jar runs for a user who has a number and no name, as containers have them, and without a folder for temporary files
# where the natives are in a folder of their own: numeric_user.sh JAVA JAR NATIVES PROGRAM DATA
set -euo pipefail
java=$1 jar=$2 natives=$3 program=$4 data=$5
if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
  echo "SKIPPED: only root, with setpriv, becomes a user without a name"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cp "$jar" "$folder/libdk.jar"
cp "$program" "$data" "$folder"
mkdir -m 1777 "$folder/temporary"
mkdir -m 755 "$folder/natives" "$folder/closed"
cp -L "$natives"/libdk.so.0 "$natives"/libdkjni.so "$folder/natives"
run() {
  (cd / && setpriv --reuid=1000680000 --regid=1000680000 --clear-groups \
    "$java" "$@" -cp "$folder/libdk.jar" "$folder/$(basename "$program")" "$folder/$(basename "$data")")
}
run -Djava.io.tmpdir="$folder/temporary" | tee "$folder/first"
grep -q 'accuracy 0\.[789]' "$folder/first"
[ "$(stat -c %u "$folder"/temporary/libdk-1000680000-*)" = 1000680000 ]
run -Djava.io.tmpdir="$folder/closed" -Dlibdk.library.directory="$folder/natives" >"$folder/second"
cmp "$folder/first" "$folder/second"
# A folder that somebody else has made is not loaded from.
chown 0 "$folder"/temporary/libdk-1000680000-*
if run -Djava.io.tmpdir="$folder/temporary" >"$folder/third" 2>&1; then
  echo "libraries of another user were loaded"
  exit 1
fi
grep -q 'libdk.library.directory' "$folder/third"
