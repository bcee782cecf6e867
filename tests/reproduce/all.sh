#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every reproduction that ends within an hour, one after the other, and prints where each ends:
#   all.sh DK [FOLDER]
# FOLDER holds the data sets that no package has. What takes longer runs by its own script: Letter in
# deep_multilayer.py, all sets of deep_kelm.py with ten splits of large ones, and --tune of imkpl.py.
set -uo pipefail
dk=$(realpath "$1")
data=(${2:+--data "$2"})
cd "$(dirname "$0")"
failed=0
reproduce() {
  local began=$SECONDS
  echo "== $*"
  "$@" || { echo "== failed: $1"; failed=1; }
  echo "== $((SECONDS - began)) s"
}
reproduce python3 audit.py
reproduce python3 dimkl_table6.py "$dk" --splits 20
reproduce python3 mkl_weights.py "$dk" --splits 20
reproduce python3 prototype_figures.py "$dk"
reproduce python3 prototype_number.py "$dk" "${data[@]}"
reproduce python3 deep_kelm.py "$dk" "${data[@]}" --set iris --set wine --set glass --set liver --set colon --set leukemia
reproduce bash deep_core_vector.sh "$dk"
reproduce python3 super_sparse.py "$dk"
if [ ${#data[@]} -gt 0 ]; then
  reproduce python3 faces.py "$dk" "${data[@]}"
  reproduce python3 imkpl.py "$dk" "${data[@]}" --set tox_171
  reproduce python3 imkpl_parameters.py "$dk" "${data[@]}"
  reproduce python3 prototype_tables.py "$dk" "${data[@]}" --set tox_171
else
  echo "== faces.py, imkpl.py, imkpl_parameters.py and prototype_tables.py are left out: they need FOLDER"
fi
exit "$failed"
