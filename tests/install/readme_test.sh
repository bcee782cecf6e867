#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The kernel tables of docs/KERNELS.md are what the library says of itself: readme_test.sh DK SOURCE_DIR
# With --write in front it puts them there.
set -euo pipefail

write=no
if [ "${1:-}" = --write ]; then
  write=yes
  shift
fi
dk=$1
page=$2/docs/KERNELS.md
begin='<!-- dk describe --markdown -->'
end='<!-- end -->'

with_tables() {
  sed -n "1,/^$begin\$/p" "$page"
  "$dk" describe --markdown
  sed -n "/^$end\$/,\$p" "$page"
}

if [ $write = yes ]; then
  with_tables >"$page.new"
  mv "$page.new" "$page"
elif ! diff -u "$page" <(with_tables); then
  echo "docs/KERNELS.md differs from what 'dk describe --markdown' prints; run tests/install/readme_test.sh --write DK SOURCE_DIR" >&2
  exit 1
fi
