#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# This measures what a prediction of 100,000 x 50 costs in each language that BUILD_DIR has with its tests, as a
# ratio to the C program's, and how many microseconds a language adds to a prediction of one row:
#
#   tests/bench/bindings/overhead.sh BUILD_DIR [REPEATS]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=$(cd "$1" && pwd)
repeats=${2:-11}
bindings=$build/bindings

# lowest COMMAND... gives the lowest of each median of three processes, because neighbours on the machine slow
# down whole processes.
lowest() {
    for run in 1 2 3; do "$@" | tail -n 1; done | awk '
        { for (i = 1; i < NF; i += 2) { if (NR == 1) order[++n] = $i
                                        if (NR == 1 || $(i + 1) < best[$i]) best[$i] = $(i + 1) } }
        END { for (i = 1; i <= n; i++) printf "%s %s ", order[i], best[order[i]]; print "" }'
}

c=$(lowest "$build/bin/dk_overhead" "$repeats")
echo "C      $c"

# report LANGUAGE COMMAND... prints the figures of a language and their ratios to those of C, the difference for one row.
report() {
    language=$1
    shift
    lowest "$@" | awk -v language="$language" -v c="$c" '
        BEGIN { n = split(c, field, " "); for (i = 1; i < n; i += 2) base[field[i]] = field[i + 1] }
        { printf "%-6s", language
          for (i = 1; i < NF; i += 2) {
              reference = $i == "buffer" ? "array" : $i
              if (!(reference in base)) continue
              if ($i == "row") printf " row %s (+%.2f)", $(i + 1), $(i + 1) - base[reference]
              else printf " %s %s (%.2f)", $i, $(i + 1), $(i + 1) / base[reference] }
          print "" }'
}

absent() { echo "$1 ABSENT: the build has no $2"; }

if [ ! -f "$bindings/java/libdk-tests.jar" ]; then
    absent Java "bindings/java/libdk-tests.jar"
else
    report Java java -cp "$(find "$bindings/java" -maxdepth 1 -name '*.jar' | tr '\n' ':')" org.libdk.Overhead "$repeats"
fi
if [ ! -d "$bindings/csharp/packages" ]; then
    absent C# "bindings/csharp/packages"
else
    report 'C#' cmake -DDOTNET=dotnet -DPACKAGES="$bindings/csharp/packages" -DFOLDER="$bindings/csharp/console" \
        -DCOMMAND="run --configuration Release --project" -DPROJECT="$root/bindings/csharp/Programs/Programs.csproj" \
        -DARGUMENTS="-- overhead $repeats" -P "$root/bindings/csharp/run_tests.cmake"
fi
if [ ! -d "$bindings/r/libdk.Rcheck" ]; then
    absent R "bindings/r/libdk.Rcheck, which the test R.Check makes"
else
    report R env R_LIBS="$bindings/r/libdk.Rcheck" Rscript "$root/bindings/r/overhead.R" "$repeats"
fi
if [ ! -d "$bindings/python/installed" ]; then
    absent Python "bindings/python/installed, which the test Python.Install makes"
else
    report Python env PYTHONPATH="$bindings/python/installed" /usr/bin/python3 "$root/bindings/python/programs/overhead.py" \
        "$repeats"
fi
if [ ! -f "$bindings/go/libdk.pc" ]; then
    absent Go "bindings/go/libdk.pc"
else
    cd "$root/bindings/go"
    report Go env PKG_CONFIG_PATH="$bindings/go" LD_LIBRARY_PATH="$build" GOFLAGS=-mod=mod \
        GOCACHE="$bindings/go/cache" go run ./internal/overhead "$repeats"
fi
