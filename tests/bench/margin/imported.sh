#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prediction with a model that LIBSVM has trained: `dk predict` on two threads with the imported model against
# svm-predict, as whole processes that read the same files, medians of 5, and how many rows get the same class.
#   imported.sh BUILD_DIR TRAIN TEST C GAMMA      TRAIN and TEST are files in LIBSVM's format
set -euo pipefail
dk=$1/bin/dk training=$2 rows=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

median() { # COMMAND...
  local begin end
  for _ in 1 2 3 4 5; do
    begin=$(date +%s.%N)
    "$@" >"$folder/output" 2>/dev/null
    end=$(date +%s.%N)
    awk -v begin="$begin" -v end="$end" 'BEGIN {printf "%.3f\n", end - begin}'
  done | sort -n | sed -n 3p
}

svm-train -q -m 1000 -c "$4" -g "$5" "$training" "$folder/libsvm"
"$dk" import "$folder/libsvm" -o "$folder/model.dk" >/dev/null
theirs=$(median svm-predict "$rows" "$folder/libsvm" "$folder/theirs")
ours=$(median "$dk" predict "$folder/model.dk" "$rows" --threads 2)
sed 1d "$folder/output" >"$folder/ours"
same=$(paste -d ' ' "$folder/theirs" "$folder/ours" | awk '$1 == $2' | wc -l)
awk -v theirs="$theirs" -v ours="$ours" -v same="$same" -v all="$(wc -l <"$folder/theirs")" \
  'BEGIN {printf "svm-predict %.3f s, dk predict %.3f s, %.1f times faster; %d of %d classes equal\n", theirs, ours, theirs / ours, same, all}'
