#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Cancels every kind of call at many moments and prints the longest times to an answer, by the clock on the wall:
#
#   tests/bench/cancel.sh BUILD_DIR
#
# The build has the tests, whose verdict is by processor time; by the clock it says nothing beside other work.
set -eu
[ $# -eq 1 ] || { sed -n '4,8s/^# \{0,1\}//p' "$0"; exit 2; }

log=$(mktemp)
trap 'rm -f "$log"' EXIT INT TERM
"$1/bin/dk_abi_tests" --gtest_filter='*Cancel*' >"$log" || { grep -B8 '^\[  FAILED' "$log"; exit 1; }
awk '/^\[ RUN/ { name = $4 }
     /^cancel:/ { printf "%8.4f s by the clock  %8.4f s of processor time  %s\n", $(NF - 1), $(NF - 6), name }' "$log" |
    sort -rn | head -n 10
