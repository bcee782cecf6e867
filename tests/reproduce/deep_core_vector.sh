#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Deep core vector machines on Satellite and Letter beside the figures of Afzal's thesis (2018, Table 3.4):
#   deep_core_vector.sh DK [FOLDER]
# The protocol is LibCVM's: C = 100, and for the Gaussian kernel gamma = 1 / mean squared distance; columns are
# standardised. The list of degrees is chosen by 3-fold cross-validation on the training rows alone. FOLDER keeps the
# data (R and r-cran-mlbench write them, tests/bench/margin/export.R).
set -euo pipefail
dk=$1
folder=${2:-$(mktemp -d)}
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$folder/letter.train.csv" ] || Rscript "$here/../bench/margin/export.R" "$folder"

common=(-s standard -p C=100 -p precision=single -p neighbours=0)

accuracy() { # name, machine, kernel
  "$dk" train "$folder/$1.train.csv" -o "$folder/reproduce.dk" -m "$2" -k "$3" "${common[@]}" \
      --test "$folder/$1.test.csv" --json | sed -E 's/.*"test":\{"rows":[0-9]+,"accuracy":([0-9.e-]+).*/\1/' |
    awk '{ printf "%.2f", 100 * $1 }'
}

best_list() { # name, machine, layers
  "$dk" cv "$folder/$1.train.csv" -o "$folder/reproduce.dk" -m "$2" "${common[@]}" -p folds=3 \
      -p "grid=kernel=[arccos_lists($3)]" >/dev/null
  "$dk" info "$folder/reproduce.dk" --json | grep -o '"kernel":"[^"]*"' | head -n 1 | cut -d '"' -f 4
}

row() { printf '%-10s %-26s %9s %9s\n' "$@"; }
row set machine accuracy published
for entry in "satellite 3 92.15(0,1,2) 90.35(0,1,2) 89.60 89.55" "letter 3 96.94(1,0) 95.02(0,1,2) 94.47 94.25"; do
  read -r name layers dcvm dsvm cvm svm <<<"$entry"
  deep=$(best_list "$name" cvm "$layers")
  row "$name" "DCVM $deep" "$(accuracy "$name" cvm "$deep")" "$dcvm"
  row "$name" "DSVM $deep" "$(accuracy "$name" svm "$deep")" "$dsvm"
  row "$name" "CVM rbf" "$(accuracy "$name" cvm 'rbf(gamma=mean)')" "$cvm"
  row "$name" "SVM rbf" "$(accuracy "$name" svm 'rbf(gamma=mean)')" "$svm"
done
