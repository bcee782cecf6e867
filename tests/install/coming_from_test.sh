#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs/COMING_FROM.md: the commands of LIBSVM and those of libdk beside them predict the same classes.
#   coming_from_test.sh DK DOCUMENT
set -euo pipefail
dk=$(realpath "$1")
document=$(realpath "$2")
if ! command -v svm-train >/dev/null; then
  echo "SKIPPED: svm-train is not installed"
  exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export PATH=$folder:$PATH
ln -s "$dk" dk

# rows_of FIRST LAST: rows of two clouds, whose numbers come from a congruential generator
rows_of() {
  awk -v first="$1" -v last="$2" 'function next_number() { state = (state * 16807) % 2147483647; return state / 2147483647 - 0.5 }
    BEGIN { state = 12345
      for (row = 0; row < last; ++row) {
        class = row % 2; line = class
        for (j = 1; j <= 3; ++j) line = line " " j ":" (3 * next_number() + class * (j != 2))
        if (row >= first) print line
      } }'
}
rows_of 0 150 >TRAIN
rows_of 150 250 >NEW

compared=0
while IFS='|' read -r _ theirs ours _; do
  theirs=$(sed -E 's/^ *`(.*)` *$/\1/' <<<"$theirs")
  ours=$(sed -E 's/^ *`(.*)` *$/\1/' <<<"$ours")
  eval "$theirs libsvm.model" >/dev/null
  eval "$ours -o dk.model" >/dev/null
  svm-predict NEW libsvm.model libsvm.out >/dev/null
  dk predict dk.model NEW -o dk.csv &>/dev/null
  cut -d, -f"$(head -1 dk.csv | tr , '\n' | grep -n '^predict' | cut -d: -f1)" dk.csv | tail -n +2 >dk.out
  differing=$(paste libsvm.out dk.out | awk '$1 != $2' | wc -l)
  # Both stop at a tolerance, so that a row at the boundary may go either way.
  if [ "$differing" -gt 1 ] || [ "$(wc -l <dk.out)" -ne 100 ]; then
    echo "$ours predicts $differing of $(wc -l <dk.out) rows otherwise than $theirs"
    exit 1
  fi
  compared=$((compared + 1))
done < <(sed -n '/^## LIBSVM/,/^## Others/p' "$document" | grep '^| `')
[ "$compared" -ge 5 ] || { echo "the table of LIBSVM has $compared rows"; exit 1; }
echo "$compared commands compared"
