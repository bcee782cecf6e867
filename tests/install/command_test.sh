#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the command does with data that its models were not made for: command_test.sh DK SOURCE_DIR
set -uo pipefail
dk=$1
models=$2/tests/data/models
sonar=$2/examples/data/sonar.csv
failures=0

# expect NAME STATUS COMMAND...: the command ends with this status
expect() {
  local name=$1 status=$2 output
  shift 2
  output=$("$@" 2>&1 >/dev/null)
  local found=$?
  [ $found -eq "$status" ] && return
  echo "$name: the status is $found, expected $status: $output" >&2
  failures=$((failures + 1))
}

for regression in svr kernel_ridge super_sparse_regression; do
  expect "predicting rows without targets by $regression" 0 "$dk" predict "$models/$regression.model" "$models/vehicle.csv"
  expect "the same as JSON" 0 "$dk" predict --json "$models/$regression.model" "$models/vehicle.csv"
done
expect "predicting rows without labels" 0 "$dk" predict --decision "$models/svm_rbf.model" "$models/breast_cancer.csv"
expect "rows of other columns" 1 "$dk" predict "$models/svm_rbf.model" "$models/sonar.csv"
expect "features of a model that has none" 1 "$dk" predict --features "$models/svm_rbf.model" "$models/breast_cancer.csv"
holes=$(mktemp -d)
trap 'rm -rf "$holes"' EXIT
printf 'x,y2,class\n1,5,1\n4,,2\n2,6,1\n5,7,2\n' >"$holes/holes.csv"
expect "values that lack" 1 "$dk" train -m svm "$holes/holes.csv" -o "$holes/model.dk"
expect "values that the model fills" 0 "$dk" train "$holes/holes.csv" -o "$holes/model.dk" -p impute=mean
expect "the same in predicting" 0 "$dk" predict "$holes/model.dk" "$holes/holes.csv"
expect "training a dictionary" 0 "$dk" train "$sonar" -o "$holes/codes.dk" -m iskpl
expect "its codes" 0 "$dk" predict --features "$holes/codes.dk" "$sonar"
expect "training components" 0 "$dk" train "$sonar" -o "$holes/components.dk" -m kernel_pca -p components=5
expect "rows that they reconstruct" 0 "$dk" predict --reconstruct "$holes/components.dk" "$sonar"
expect "reconstructions of a model that has none" 1 "$dk" predict --reconstruct "$holes/codes.dk" "$sonar"
expect "a parameter that is set twice" 1 "$dk" train "$models/sonar.csv" -o /dev/null -p C=10 -p C=20
expect "a parameter that an option has set" 1 "$dk" train "$models/sonar.csv" -o /dev/null -k linear -p kernel=rbf
{ echo x,who,class; for i in $(seq 24); do echo "$((i % 5)),speaker $((i % 6)),$((i % 2))"; done; } >"$holes/voices.csv"
expect "folds of groups" 0 "$dk" cv "$holes/voices.csv" --data-options groups=who -p folds=6
expect "a search" 0 "$dk" tune "$sonar" -m svm -k poly -T "C;degree=1..3" -p trials=6 -p folds=2
expect "a search for what there is not" 1 "$dk" tune "$sonar" -m svm -T colour
expect "more folds than groups" 1 "$dk" cv "$holes/voices.csv" --data-options groups=who -p folds=7

# same NAME TEXT TEXT: the texts are the same
same() {
  [ "$2" = "$3" ] && return
  echo "$1: '$2' is not '$3'" >&2
  failures=$((failures + 1))
}
bank='[rbf(gamma=0.01), rbf(gamma=0.1), linear]'
compare() { "$dk" prototypes-compare "$sonar" -s standard -k "$bank" -n 3 --folds 2 --seed 4 --json "$@"; }
numbers='"mean":[^]]*'
# The searched machines are those that have no parameter for the number of prototypes.
some=imkpl,prototype_selection,similarity_lasso,similarity_ridge,svm
compared=$(compare --halves 4 -m $some --threads 1)
same "a comparison of prototypes with one thread and with three" "$(compare --halves 4 -m $some --threads 3)" "$compared"
same "learners of a comparison" "$(grep -o '"learner":"[^"]*"' <<<"$compared" | cut -d'"' -f4 | tr '\n' ,)" \
  "imkpl,prototype_selection,similarity_lasso,similarity_ridge basis=k_medoids,similarity_ridge basis=random,\
similarity_ridge basis=border,similarity_ridge basis=spanning,svm,"
same "learners with more prototypes than allowed" "$(grep -o '"prototypes":[0-9]*' <<<"$compared" | cut -d: -f2 |
  awk '$1 < 1 || $1 > 6' | wc -l)" 0
{ echo a,b,class; for i in $(seq 45); do echo "$((i * 7 % 11)),$((i % 3 + i * 5 % 4)),$((i % 3))"; done; } >"$holes/three.csv"
same "prototypes of three classes" "$("$dk" prototypes-compare "$holes/three.csv" -n 2 --folds 2 --halves 0 --json \
  -m iskpl,mkldpl,super_sparse,similarity_ridge | grep -o '"prototypes":[0-9]*' | sort -u)" '"prototypes":6'
same "accuracies of the comparison and of cross-validation" "$(compare --halves 0 -m svm | grep -o "$numbers")" \
  "$("$dk" cv "$sonar" -s standard -k "$bank" -p folds=2 -p seed=4 --json | grep -o '"accuracy":{[^}]*' | grep -o "$numbers" | head -1 |
    sed 's/"low":[^,]*,"high":[^,]*,//')"
same "distances of a machine from itself" "$("$dk" path "$sonar" -m mean_of_class --over neighbours=0:5 -p kernel=linear \
  --distances --json | grep -o '"from":"mean_of_class"[^}]*' | sort -u)" \
  '"from":"mean_of_class","p+":0.0,"p-":0.0,"w":0.0,"b":0.0'
expect "distances of rows that are scaled" 1 "$dk" path "$sonar" --over C=1 -p scale=standard --distances
# On the same set twice the ranks are those of its means.
ranked=("$dk" mkl-compare "$sonar" -k "$bank" -p folds=2 -g "weights=[uniform, align]" --json)
same "ranks over a set that is compared twice" "$("${ranked[@]}" --and "$sonar" | grep -o '"mean_rank":[0-9.]*' | sort)" \
  "$(printf '"mean_rank":1.0\n"mean_rank":2.0')"
expect "ranks over a set that is not there" 1 "${ranked[@]}" --and "$holes/nothing.csv"
scored=$("$dk" train "$sonar" -m fisher -o "$holes/scored.dk" --test "$sonar" --json)
# Of two classes the measures are those of the second, which comes last.
for measure in precision recall f1; do
  same "$measure of the second class" "$(grep -o "\"by_class\":.*" <<<"$scored" | grep -o "\"$measure\":[0-9.]*" | sed -n 2p)" \
    "$(grep -o "\"test\":.*" <<<"$scored" | sed 's/"by_class":\[[^]]*\]//' | grep -o "\"$measure\":[0-9.]*" | head -1)"
done
{ echo text,class; for i in $(seq 12); do echo "ab$((i % 2))c$((i % 3)),$((i % 2))"; done; } >"$holes/strings.csv"
strings=("$dk" prototypes-compare "$holes/strings.csv" --data-options format=strings -n 1 --folds 2 --halves 2)
expect "prototypes of strings, which some machines have not" 0 "${strings[@]}" -k "spectrum(length=1)" -m svm,reduced_svm
same "learners that failed" "$("${strings[@]}" -k "spectrum(length=1)" -m svm,reduced_svm --json |
  grep -o '"learner":"[^"]*","error"')" '"learner":"reduced_svm","error"'
expect "prototypes that no machine has" 1 "${strings[@]}" -k rbf -m svm,iskpl
expect "prototypes of a machine that learns none" 2 "${strings[@]}" -m kelm
expect "a single half" 2 "$dk" prototypes-compare "$sonar" --halves 1
expect "a parameter that no machine has" 1 "$dk" prototypes-compare "$sonar" -m svm,kglvq -p nothing=1
expect "a number of prototypes that is given twice" 1 "$dk" prototypes-compare "$sonar" -m iskpl -p prototypes=2
expect "folds of groups in a comparison" 1 "$dk" prototypes-compare "$holes/voices.csv" --data-options groups=who --folds 7
# What is written takes the place of a file as a model does: with its permissions, and through no link that somebody has put
# where another program would write first.
echo untouched >"$holes/victim.txt"
echo old >"$holes/out.csv"
chmod 600 "$holes/out.csv"
for process in $(seq $$ $(($$ + 400))); do ln -s "$holes/victim.txt" "$holes/out.csv.$process.tmp"; done
expect "predictions in the place of a file" 0 "$dk" predict "$holes/scored.dk" "$sonar" -o "$holes/out.csv"
same "the permissions of that file" "$(stat -c %a "$holes/out.csv")" 600
same "a file to which planted links lead" "$(cat "$holes/victim.txt")" untouched
rm "$holes"/out.csv.*.tmp
expect "kernel values in the place of a file" 0 "$dk" gram "$sonar" -k linear -o "$holes/out.csv"
same "the permissions of that file" "$(stat -c %a "$holes/out.csv")" 600
same "files beside it" "$(ls "$holes" | grep -c 'tmp$')" 0
same "lines through a pipe that the output names" "$("$dk" predict "$holes/scored.dk" "$sonar" -o /dev/stdout 2>/dev/null | wc -l)" 209
printf 'x,a,colour,b\n0,1,red,10\n1,2,blue,20\n2,6,red,60\n' >"$holes/two.csv"
expect "two targets of each row" 0 "$dk" train "$holes/two.csv" --label a,b -m kernel_ridge -o "$holes/two.dk"
same "columns of two predictions" "$("$dk" predict "$holes/two.dk" "$holes/two.csv" 2>/dev/null | head -1)" "prediction,prediction 1"
same "where the targets are" "$("$dk" data "$holes/two.csv" --label a,b 2>/dev/null | grep -c 'The targets are in the columns a, b')" 1
# Names of classes are no formulas in a spreadsheet, and tell a terminal nothing.
escape=$(printf '\033')
{ echo a,b,class; for i in $(seq 6); do echo "$i,$((i % 2)),=1+1"; echo "-$i,$((i % 3)),${escape}[2J"; done; } >"$holes/hostile.csv"
expect "classes with hostile names" 0 "$dk" train "$holes/hostile.csv" -o "$holes/hostile.dk" -m fisher
same "a formula among predictions" "$("$dk" predict "$holes/hostile.dk" "$holes/hostile.csv" 2>/dev/null | sed -n 2p)" "'=1+1"
same "numbers among predictions" "$("$dk" predict --decision "$holes/hostile.dk" "$holes/hostile.csv" 2>/dev/null | grep -c ",'-")" 0
same "escapes in what is told of a model" "$("$dk" info "$holes/hostile.dk" 2>&1 | grep -c "$escape")" 0
same "escapes in messages" "$("$dk" predict "$holes/hostile.dk" "${escape}[2J.csv" 2>&1 | grep -c "$escape")" 0
expect "a command that does not exist" 2 "$dk" nothing
exit $((failures > 0))
