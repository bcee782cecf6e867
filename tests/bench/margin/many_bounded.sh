#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Problems whose support vectors mostly stay at their bound: times of `dk train` and, where it is there, of svm-train with
# a cache of 4 GB, as whole processes.
#   many_bounded.sh BUILD_DIR FILE      FILE is a9a in LIBSVM's format, from LIBSVM's page of data sets
set -euo pipefail
dk=$1/bin/dk
rows=$2
model=$(mktemp)
trap 'rm -f "$model"' EXIT

seconds() { # COMMAND...
  local begin end
  begin=$(date +%s.%N)
  "$@" >/dev/null
  end=$(date +%s.%N)
  awk -v begin="$begin" -v end="$end" 'BEGIN {printf "%.1f\n", end - begin}'
}

train() { # KEY=VALUE...
  seconds "$dk" train "$rows" --data-options format=libsvm -o "$model" -k 'rbf(gamma=0.05)' "${@/#/-p}" \
    -pprecision=single -pneighbours=0
}

echo "C=1: $(train C=1) s"
echo "C=100: $(train C=100) s"
echo "C=100 with memory_mb=300: $(train C=100 memory_mb=300) s"
if command -v svm-train >/dev/null; then
  for cost in 1 100; do
    echo "svm-train C=$cost: $(seconds svm-train -q -s 0 -t 2 -g 0.05 -c "$cost" -m 4096 "$rows" "$model") s"
  done
fi
