#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Trains in a control group of 256 MB and half a processor, as a container has one:
#   tests/install/container_test.sh DK
# What does not fit is an error and not a process that the system kills, and there is one thread. Ends with 77 where no
# group can be made: the machine has none, or this is not root.
set -euo pipefail
dk=$1
groups=/sys/fs/cgroup
name=libdk-test-$$
work=$(mktemp -d)
made=()
leave() {
  rm -rf "$work"
  for group in ${made[@]+"${made[@]}"}; do rmdir "$group" || true; done
}
trap leave EXIT

# make FOLDER FILE=VALUE...: makes a group with these limits.
make() {
  local group=$1/$name limit
  shift
  mkdir "$group" 2>/dev/null || return 1
  made+=("$group")
  for limit in "$@"; do { echo "${limit#*=}" >"$group/${limit%%=*}"; } 2>/dev/null || return 1; done
}
can_be_made() {
  if [ -e $groups/cgroup.controllers ]; then
    make $groups memory.max=268435456 "cpu.max=50000 100000"
  else
    make $groups/memory memory.limit_in_bytes=268435456 && make $groups/cpu cpu.cfs_period_us=100000 cpu.cfs_quota_us=50000
  fi
}
can_be_made || { echo "no control groups can be made here"; exit 77; }

# inside COMMAND...: becomes a command in the groups, so that a shell of its own calls it.
inside() {
  for group in "${made[@]}"; do echo "$BASHPID" >"$group/cgroup.procs"; done
  exec "$@"
}

awk 'BEGIN { srand(1); print "a,b,c,label"; for (i = 0; i < 6000; i++) print rand() "," rand() "," rand() "," (i % 2 ? "p" : "q") }' \
  >"$work/rows.csv"
status=0
(inside "$dk" train "$work/rows.csv" -m kelm -p solver=exact -o "$work/model.dk") >"$work/told" 2>&1 || status=$?
cat "$work/told"
[ $status -eq 1 ] || { echo "the status is $status, expected 1"; exit 1; }
grep -q 'memory_mb allows 1[0-2][0-9]' "$work/told" || { echo "that is not half of the group's memory"; exit 1; }

inside "$dk" train "$work/rows.csv" -m svm -k 'rbf(gamma=1)' -p C=10 -o "$work/model.dk" >/dev/null &
training=$!
most=0
# Before it becomes the command the shell has one thread, too.
while threads=$(awk '/^Threads:/ { print $2 }' "/proc/$training/status" 2>/dev/null) && [ -n "$threads" ]; do
  [ "$threads" -le "$most" ] || most=$threads
done
wait $training || { echo "training in the group failed"; exit 1; }
echo "at most $most threads"
[ "$most" -le 1 ] || exit 1
