#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Models of every machine are the same bytes with AVX2 and with AVX-512, and so are their predictions.
#   instructions_test.sh DK SOURCE
set -uo pipefail
dk=$1
data=$2/examples/data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! DK_INSTRUCTIONS=avx512 "$dk" --version | grep -q avx512; then
  echo "SKIPPED: this processor has no AVX-512"
  exit 77
fi
head -160 "$data/vehicle.csv" >"$work/classes.csv"
# the class as a number: a target
sed -n '1p;2,160p' "$data/vehicle.csv" | awk -F, 'NR == 1 {print; next} {$NF = $1 + 0.5; print}' OFS=, >"$work/values.csv"
different=0

compare() { # MACHINE TASK KERNEL PRECISION MORE...
  local machine=$1 task=$2 kernel=$3 precision=$4 rows=classes set
  shift 4
  [ "$task" = regression ] && rows=values
  for set in avx2 avx512; do
    if ! DK_INSTRUCTIONS=$set "$dk" train "$work/$rows.csv" -o "$work/model.$set" -m "$machine" -k "$kernel" -s standard \
        -p "precision=$precision" "$@" >"$work/log" 2>&1; then
      echo "FAILED $machine $kernel $precision:"; head -3 "$work/log"; different=1; return
    fi
    DK_INSTRUCTIONS=$set "$dk" predict "$work/model.$set" "$work/$rows.csv" >"$work/predictions.$set" 2>&1
  done
  cmp -s "$work/model.avx2" "$work/model.avx512" && cmp -s "$work/predictions.avx2" "$work/predictions.avx512" && return
  echo "DIFFERENT: $machine $kernel $precision $*"
  different=1
}

machines=$("$dk" describe --json | python3 -c '
import json, sys
for machine in json.load(sys.stdin)["machines"]:
    print(machine["name"], machine["task"])') || exit 1
while read -r machine task; do
  for precision in double single; do
    for kernel in rbf 'arccos(1,0)'; do
      compare "$machine" "$task" "$kernel" "$precision"
    done
  done
done <<<"$machines"
compare svm classification '[rbf, arccos(1,0), laplacian, poly, matern]' double -w dimkl1
for strategy in dimkl3 dimkl6 mklgl; do
  compare svm classification '[rbf, arccos(1,0), laplacian]' double -w "$strategy"
done
for kernel in 'lowrank(rbf, rank=20)' 'lowrank(rbf, rank=20, method=random)' 'center(rbf)' 'corrected(sigmoid, method=clip)' \
  'exp(linear)' 'normalize(poly)' 'rational_quadratic' 'cauchy'; do
  compare svm classification "$kernel" double
done
[ "$different" -eq 0 ] && echo "the same bytes"
exit "$different"
