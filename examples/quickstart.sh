#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs libdk's main job on the Sonar data: a bank of Gaussian and arc-cosine kernels, weighed by divergence (DiMKL), in a
# support vector machine that answers with prototypes and explains a prediction. First it installs what is missing and builds
# the command; with DK=/usr/bin/dk it takes the one that is installed there.
set -euo pipefail
cd "$(dirname "$0")/.."

# build_command FOLDER: builds the command and nothing else, and shows how far it is.
build_command() {
  local folder=$1 line began=$SECONDS
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release >"$folder.log" 2>&1 || { cat "$folder.log"; exit 1; }
  NINJA_STATUS='[%f/%t] ' cmake --build "$folder" --target dk_command 2>&1 | tee "$folder.log" | while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    if [ -t 1 ]; then
      printf '\rBuilding libdk: step %s of %s, %s s ' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" $((SECONDS - began))
    elif [ $((BASH_REMATCH[1] % 10)) -eq 0 ]; then
      printf 'Building libdk: step %s of %s, %s s\n' "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" $((SECONDS - began))
    fi
  done || { echo; tail -40 "$folder.log"; exit 1; }
  [ ! -t 1 ] || echo
}

if [ -n "${DK:-}" ]; then
  dk=$DK
  echo "$dk: $("$dk" --version)"
else
  bash tests/install_packages.sh
  build_command build-release
  dk=$PWD/build-release/bin/dk
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=examples/data/sonar.csv

heading() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || heading() { printf '\n%s\n' "$*"; }

# Every third row is kept aside to test on.
awk 'NR == 1 || NR % 3 != 0' $data >"$work/train.csv"
awk 'NR == 1 || NR % 3 == 0' $data >"$work/test.csv"

bank='rbf(gamma=0.002),rbf(gamma=1/d),rbf(gamma=5/d),arccos(0),arccos(1),arccos(1,0),arccos(2,1,0)'
options=(-m svm -p C=10 --scale standard)

heading "Sonar: $(($(wc -l <"$work/train.csv") - 1)) rows to learn from, $(($(wc -l <"$work/test.csv") - 1)) to test on"
echo "Accuracy with one kernel each and with the whole bank, weighed by DiMKL1 from the training rows:"
printf '  %-26s %16s %8s\n' kernel '10 x 5-fold CV' test

accuracy_of() {  # kernel, weights
  "$dk" cv "$work/train.csv" "${options[@]}" -p repeats=10 --kernel "$1" --weights "$2" --test "$work/test.csv" --json |
    tr -d '\n ' | sed -E 's/.*"cross_validation":.*"metrics":\{"accuracy":\{"mean":([0-9.e-]+).*"test":.*"accuracy":([0-9.e-]+).*/\1 \2/'
}
while read -r kernel; do
  printf '  %-26s %16.3f %8.3f\n' "$kernel" $(accuracy_of "$kernel" uniform)
done <<<"$(sed 's/),/)\n/g' <<<"$bank")"
printf '  %-26s %16.3f %8.3f\n' "all, DiMKL1" $(accuracy_of "[$bank]" dimkl1)

heading "The kernel weights"
"$dk" train "$work/train.csv" "${options[@]}" -p probability=yes --kernel "[$bank]" --weights dimkl1 -o "$work/sonar.dk" \
  --test "$work/test.csv" --predictions "$work/first.csv" --json >/dev/null
"$dk" weights "$work/sonar.dk"

heading "The prototypes, each a convex combination of training rows (class M: mine, R: rock)"
"$dk" prototypes "$work/sonar.dk" --rows 5

heading "Why the first test row is predicted as it is"
"$dk" explain "$work/sonar.dk" "$work/test.csv" --row 0

heading "The model in a second process"
"$dk" predict "$work/sonar.dk" "$work/test.csv" --decision -o "$work/second.csv" >/dev/null
cmp "$work/first.csv" "$work/second.csv"
echo "Saved, loaded and predicted again: $(($(wc -l <"$work/second.csv") - 1)) predictions and decision values equal to the last digit."
