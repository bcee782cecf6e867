#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command, which must succeed, and whose output must have a line that the extended regular expression matches:
#   expect.sh EXPRESSION COMMAND...
# ctest's PASS_REGULAR_EXPRESSION looks at the output alone, so that a program that prints and then crashes passes.
set -uo pipefail
expression=$1
shift
output=$("$@" 2>&1)
status=$?
printf '%s\n' "$output"
if [ "$status" -ne 0 ]; then
  echo "The status is $status, expected 0: $*" >&2
  exit 1
fi
grep -Eq -- "$expression" <<<"$output" && exit 0
echo "No line of the output matches $expression: $*" >&2
exit 1
