#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does what README.md says for a language, as a new user would, in a fresh folder outside the build:
#   tests/install/readme_language_test.sh 'C#' Program.cs BUILD_DIR SOURCE_DIR
# Shell blocks under the language's heading are run in their order; the other block is written to the file.
set -euo pipefail
language=$1
program=$2
build=$(cd "$3" && pwd)
source=$(cd "$4" && pwd)

work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
# README speaks of a clone with its build in build/
mkdir -p "$work/clone" "$work/example" "$work/r"
ln -s "$build" "$work/clone/build"
ln -s "$source/bindings" "$work/clone/bindings"
cp "$source/examples/data/sonar.csv" "$work/example"

# the blocks as one script: code becomes a here-document
awk -v heading="### $language" -v program="$program" '
    /^```/ && inside && !block { block = 1; code = $0 !~ /^```sh/; if (code) print "cat >" program " <<\"END_OF_PROGRAM\""; next }
    /^```/ && block { if (code) print "END_OF_PROGRAM"; block = 0; next }
    block { print; next }
    /^#/ { inside = $0 == heading }' "$source/README.md" >"$work/steps.sh"

cd "$work/example"
export LIBDK=$work/clone PREFIX=$work/prefix R_LIBS=$work/r R_LIBS_USER=$work/r HOME=$work
export PATH=/usr/bin:$PATH # the distribution's Python, which has numpy
export GOFLAGS=-mod=mod GOCACHE="$build/bindings/go/cache" GOPATH=$work/go
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1 NUGET_PACKAGES=$work/packages
bash -euo pipefail "$work/steps.sh" | tee "$work/output"

grep -qE 'accuracy (0\.[89]|1)' "$work/output" || { echo "FAIL: no accuracy" >&2; exit 1; }
grep -q 'arccos(1, *0)' "$work/output" || { echo "FAIL: no weight of a kernel" >&2; exit 1; }
[ -s sonar.dk ] || { echo "FAIL: no model file" >&2; exit 1; }
echo "ok: $language as README says"
