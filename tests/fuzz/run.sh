#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every fuzz target of a build for so many seconds, two at a time, each on a scratch copy of its corpus. It
# prints a line a target, and fails when there is a finding, whose file it names, with what is wrong and the bytes.
#   tests/fuzz/run.sh BUILD_DIR SECONDS [TARGET...]
# DK_FUZZ_SEED=N begins with the same inputs each time; without it, every run looks elsewhere.
# The build is one with -DDK_FUZZ=ON (CMakeLists.txt says how). What was found stays in BUILD_DIR/fuzz/TARGET.
set -uo pipefail
if [ $# -lt 2 ]; then
  echo "usage: tests/fuzz/run.sh BUILD_DIR SECONDS [TARGET...]" >&2
  exit 2
fi
build=$(cd "$1" && pwd) || exit 2
seconds=$2
shift 2
source_folder=$(cd "$(dirname "$0")" && pwd)
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for folder in "$source_folder"/corpus/*/; do targets+=("$(basename "$folder")"); done
  for program in "$build"/bin/dk_fuzz_*; do
    name=${program##*/dk_fuzz_}
    [ -d "$source_folder/corpus/$name" ] || { echo "the target $name has no corpus" >&2; exit 1; }
  done
fi
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# run_target NAME: runs one target, prints its line.
run_target() {
  local name=$1 scratch=$build/fuzz/$1
  local dictionary=$source_folder/dictionaries/$name.dict arguments=()
  rm -rf "$scratch"
  mkdir -p "$scratch/corpus" "$scratch/findings"
  cp "$source_folder/corpus/$name"/* "$scratch/corpus/"
  [ -f "$dictionary" ] && arguments+=("-dict=$dictionary")
  (cd "$scratch" && "$build/bin/dk_fuzz_$name" "${arguments[@]}" -max_total_time="$seconds" -timeout=20 \
    -rss_limit_mb=2048 -seed="${DK_FUZZ_SEED:-0}" -print_final_stats=1 -max_len=16384 -artifact_prefix="$scratch/findings/" corpus) \
    >"$scratch/log" 2>&1
  local status=$? executions coverage found
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/log")
  coverage=$(grep -o 'cov: [0-9]*' "$scratch/log" | tail -1 | cut -d' ' -f2)
  # Slow units are told apart from findings by their name.
  found=$(find "$scratch/findings" -type f ! -name 'slow-unit-*')
  printf '%-16s executions %9s  cov: %6s  findings: %s\n' "$name" "${executions:-?}" "${coverage:-?}" "${found:-none}"
  [ "$status" -eq 0 ] && [ -z "$found" ] && return 0
  grep -hE '^not so|ERROR: |runtime error|Assertion|^SUMMARY|^Base64' "$scratch/log" | cut -c1-400 |
    sed "s/^/                 /" | tee "$scratch/finding"
  echo "                 see $scratch/log"
  return 1
}

failed=0
for ((first = 0; first < ${#targets[@]}; first += 2)); do
  workers=()
  for name in "${targets[@]:first:2}"; do
    run_target "$name" &
    workers+=($!)
  done
  for worker in "${workers[@]}"; do wait "$worker" || failed=1; done
done
exit $failed
